package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// maxSummarised is how long the params of a call may be to have a summary, in
// bytes.
const maxSummarised = 4096

// AddExchange stores a new exchange, not sent yet, in a session of its own.
func (s *Store) AddExchange(ctx context.Context, workspace, title string, x playground.Exchange) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		return addSessionOf(ctx, tx, workspace, session.KindExchange, title, x)
	})
}

// AddBranch stores a further exchange of a session of the workspace, not sent
// yet. A check takes no branches, because its record is what it reports.
func (s *Store) AddBranch(ctx context.Context, workspace string, x playground.Exchange) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		at := micros(x.Created)
		result, err := tx.ExecContext(ctx,
			`UPDATE session SET changed = CASE WHEN changed < ? THEN ? ELSE changed END
			 WHERE id = ? AND workspace = ? AND kind <> 'check'`, at, at, x.Session, workspace)
		if err := changedRow("add branch", result, err); err != nil {
			return err
		}
		return addExchange(ctx, tx, x)
	})
}

// addExchange stores an exchange without its log, in a session that exists. A
// branch has the status of the Round that it continues from.
func addExchange(ctx context.Context, tx *txn, x playground.Exchange) error {
	header, err := json.Marshal(x.Target.Header)
	if err != nil {
		return failed("encode header", err)
	}
	var parent sql.NullString
	var round sql.NullInt64
	status := playground.StatusReady
	if x.Origin != nil {
		parent = sql.NullString{String: x.Origin.Exchange, Valid: true}
		round = sql.NullInt64{Int64: int64(x.Origin.Round), Valid: true}
		status = x.Fold().Status
	}
	if err := addExchangeLog(ctx, tx, x); err != nil {
		return err
	}
	return tx.Later(ctx, "add exchange", notFound,
		`INSERT INTO exchange (id, session, created, parent, parent_round, status, summary, search,
		   target, sample, name, url, header, capabilities, method, params, tool, wait, sealed)
		 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		x.ID, x.Session, micros(x.Created), parent, round, string(status),
		callSummary(x.Call), session.ExchangeSearchText(x),
		x.Target.ID, x.Target.Sample, x.Target.Name, x.Target.URL,
		string(header), string(x.Target.Capabilities),
		x.Call.Method, []byte(x.Call.Params), []byte(x.Call.Tool), x.Call.Wait.Milliseconds(), x.Sealed)
}

// addExchangeLog stores the log of an exchange. Without a payer of its own it is
// charged to that of the first exchange of its session, such as the one that
// began a check.
func addExchangeLog(ctx context.Context, tx *txn, x playground.Exchange) error {
	payer, err := payerID(ctx, tx)
	if err != nil {
		return err
	}
	return tx.Later(ctx, "add log", nil,
		`INSERT INTO log (id, workspace, payer) VALUES (?,
		   coalesce((SELECT workspace FROM session WHERE id = ?), ''),
		   coalesce(?, (SELECT l.payer FROM exchange x JOIN log l ON l.id = x.id
		                           WHERE x.session = ? ORDER BY x.created LIMIT 1)))`,
		x.ID, x.Session, sql.NullInt64{Int64: payer, Valid: payer > 0}, x.Session)
}

// callSummary returns the summary of a call for lists, or "" if its params are
// very long.
func callSummary(c playground.Call) string {
	if len(c.Params) > maxSummarised {
		return ""
	}
	return session.CallSummary(c)
}

// Exchange returns an exchange of the workspace with its log and the exchanges
// that it continues.
func (s *Store) Exchange(ctx context.Context, workspace, id string) (playground.Exchange, error) {
	const owned = `SELECT x.id FROM exchange x JOIN session s ON s.id = x.session
		WHERE x.id = ? AND s.workspace = ?`
	return s.oneExchange(ctx, id, owned, id, workspace)
}

// HasExchange returns nil if the workspace has the exchange.
func (s *Store) HasExchange(ctx context.Context, workspace, id string) error {
	var found int
	err := s.read.QueryRowContext(ctx,
		`SELECT 1 FROM exchange x JOIN session s ON s.id = x.session WHERE x.id = ? AND s.workspace = ?`,
		id, workspace).Scan(&found)
	return failed("find exchange", notFound(err))
}

// ExchangeByID returns an exchange of any workspace as Exchange does.
func (s *Store) ExchangeByID(ctx context.Context, id string) (playground.Exchange, error) {
	return s.oneExchange(ctx, id, `SELECT id FROM exchange WHERE id = ?`, id)
}

// oneExchange returns the exchange id, if the query ids selects it. Most exchanges
// continue no other one, and cost no search for it.
func (s *Store) oneExchange(ctx context.Context, id, ids string, args ...any) (playground.Exchange, error) {
	none := playground.Exchange{ID: id}
	list, err := s.readHeads(ctx, ids, args...)
	if err != nil {
		return none, err
	}
	if len(list) == 0 {
		return none, failed("read exchange", playground.ErrNotFound)
	}
	if x := list[0]; x.Origin == nil || x.Origin.Round == 0 {
		x.Log, err = s.Log(ctx, id)
		return x, err
	}
	if list, err = s.readExchanges(ctx, lineage(ids), args...); err != nil {
		return none, err
	}
	i := slices.IndexFunc(list, func(x playground.Exchange) bool { return x.ID == id })
	if i < 0 {
		return playground.Exchange{ID: id}, failed("read exchange", playground.ErrNotFound)
	}
	return list[i], nil
}

// lineage returns a query for the ids of the exchanges that a query selects and
// of those that they continue. A branch from the first request needs nothing of
// its parent.
func lineage(ids string) string {
	return `WITH RECURSIVE lineage (id) AS (` + ids + ` UNION
		SELECT x.parent FROM exchange x JOIN lineage l ON l.id = x.id WHERE x.parent_round > 0)
		SELECT id FROM lineage`
}

// readExchanges returns the exchanges whose ids a query selects, with their
// logs and linked to their parents, in the order in which they were made. It
// takes two queries, however many there are.
func (s *Store) readExchanges(ctx context.Context, ids string, args ...any) ([]playground.Exchange, error) {
	list, err := s.readHeads(ctx, ids, args...)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return s.addLogs(ctx, list, ids, args...)
}

// readHeads is readExchanges without logs and parents.
func (s *Store) readHeads(ctx context.Context, ids string, args ...any) ([]playground.Exchange, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+exchangeColumns+` FROM exchange x WHERE x.id IN (`+ids+`) ORDER BY x.created, x.id`,
		args...)
	if err != nil {
		return nil, failed("read exchange", err)
	}
	list, err := scanExchanges(rows)
	return list, failed("read exchange", err)
}

// addLogs adds to exchanges their logs and links them to their parents. The
// query selects their ids.
func (s *Store) addLogs(
	ctx context.Context, list []playground.Exchange, ids string, args ...any,
) ([]playground.Exchange, error) {
	logs, err := s.readLogs(ctx, `log IN (`+ids+`)`, args...)
	if err != nil {
		return nil, err
	}
	byID := map[string]*playground.Exchange{}
	for i := range list {
		x := &list[i]
		x.Log = logs[x.ID]
		byID[x.ID] = x
	}
	for _, x := range list {
		if x.Origin != nil && x.Origin.Round > 0 {
			x.Origin.Parent = byID[x.Origin.Exchange]
		}
	}
	return list, nil
}

// exchangeColumns are the columns that scanExchanges reads, of a table exchange
// x. They have values of their types even if an outer join found no exchange.
const exchangeColumns = `coalesce(x.id, ''), coalesce(x.session, ''), coalesce(x.created, 0),
	coalesce(x.parent, ''), coalesce(x.parent_round, 0), coalesce(x.target, ''), coalesce(x.sample, ''),
	coalesce(x.name, ''), coalesce(x.url, ''), coalesce(x.header, 'null'), coalesce(x.capabilities, ''),
	coalesce(x.method, ''), x.params, x.tool, coalesce(x.wait, 0), x.sealed, coalesce(x.looked, 0),
	coalesce((SELECT i.imported FROM session i WHERE i.id = x.session), 0),
	coalesce((SELECT c.sha256 || ' ' || c.origin FROM certificate c JOIN target t ON t.id = c.target
	  JOIN session o ON o.workspace = t.workspace WHERE c.target = x.target AND o.id = x.session), '')`

// scanExchanges returns exchanges without their logs and parents. Each row has
// columns for before and then exchangeColumns. It closes rows.
func scanExchanges(rows *sql.Rows, before ...any) ([]playground.Exchange, error) {
	defer rows.Close()
	var list []playground.Exchange
	for rows.Next() {
		x, err := scanExchange(rows, before)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, rows.Err()
}

// scanExchange returns the exchange of one row of scanExchanges.
func scanExchange(rows *sql.Rows, before []any) (playground.Exchange, error) {
	var x playground.Exchange
	var origin playground.Origin
	var header, capabilities, trust string
	var params, tool []byte
	var created, wait, looked int64
	err := rows.Scan(append(before, &x.ID, &x.Session, &created, &origin.Exchange, &origin.Round,
		&x.Target.ID, &x.Target.Sample, &x.Target.Name, &x.Target.URL, &header, &capabilities,
		&x.Call.Method, &params, &tool, &wait, &x.Sealed, &looked,
		&x.Imported, &trust)...)
	if err != nil {
		return x, err
	}
	x.Created = fromMicros(created)
	x.Target.Capabilities, x.Target.Trust = json.RawMessage(capabilities), server.ParseTrust(trust)
	x.Call.Params, x.Call.Tool = params, tool
	x.Call.Wait = time.Duration(wait) * time.Millisecond
	if looked > 0 {
		x.Looked = fromMicros(looked)
	}
	if origin.Exchange != "" {
		x.Origin = &origin
	}
	return x, json.Unmarshal([]byte(header), &x.Target.Header)
}
