package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// AddExchange stores a new exchange, not sent yet, in a session of its own.
func (s *Store) AddExchange(ctx context.Context, workspace, title string, x playground.Exchange) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := addWorkspace(ctx, tx, workspace, x.Created); err != nil {
			return err
		}
		at := micros(x.Created)
		_, err := tx.ExecContext(ctx,
			`INSERT INTO session (id, workspace, kind, title, created, changed) VALUES (?, ?, 'exchange', ?, ?, ?)`,
			x.Session, workspace, title, at, at)
		if err != nil {
			return failed("add session", err)
		}
		return addExchange(ctx, tx, x)
	})
}

// addExchange stores an exchange without its log, in a session that exists.
func addExchange(ctx context.Context, tx *sql.Tx, x playground.Exchange) error {
	header, err := json.Marshal(x.Target.Header)
	if err != nil {
		return failed("encode header", err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO log (id) VALUES (?)`, x.ID); err != nil {
		return failed("add log", err)
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO exchange (id, session, target, sample, name, url, capabilities, header, method, params, tool, wait, sealed, status, rounds, created)
		 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'ready', 0, ?)`,
		x.ID, x.Session, x.Target.ID, x.Target.Sample, x.Target.Name, x.Target.URL, string(x.Target.Capabilities),
		string(header), x.Call.Method, []byte(x.Call.Params), []byte(x.Call.Tool), x.Call.Wait.Milliseconds(), x.Sealed, micros(x.Created))
	if err != nil {
		return failed("add exchange", err)
	}
	return addOrigin(ctx, tx, x)
}

// Exchange reads an exchange of the workspace with its whole log.
func (s *Store) Exchange(ctx context.Context, workspace, id string) (playground.Exchange, error) {
	return s.exchange(ctx, id, s.read.QueryRowContext(ctx,
		`SELECT x.session, x.target, x.sample, x.name, x.url, x.capabilities, x.header, x.method, x.params, x.tool, x.wait, x.sealed, x.created,
			coalesce(x.parent, ''), coalesce(x.parent_round, 0)
		 FROM exchange x JOIN session s ON s.id = x.session WHERE x.id = ? AND s.workspace = ?`, id, workspace))
}

// Recall reads an exchange by its id alone, for the program itself.
func (s *Store) Recall(ctx context.Context, id string) (playground.Exchange, error) {
	return s.exchange(ctx, id, s.read.QueryRowContext(ctx,
		`SELECT session, target, sample, name, url, capabilities, header, method, params, tool, wait, sealed, created,
			coalesce(parent, ''), coalesce(parent_round, 0)
		 FROM exchange WHERE id = ?`, id))
}

func (s *Store) exchange(ctx context.Context, id string, row *sql.Row) (playground.Exchange, error) {
	x := playground.Exchange{ID: id}
	var capabilities, header string
	var params, tool []byte
	var created, wait int64
	var from playground.Origin
	err := row.Scan(&x.Session, &x.Target.ID, &x.Target.Sample, &x.Target.Name, &x.Target.URL, &capabilities, &header,
		&x.Call.Method, &params, &tool, &wait, &x.Sealed, &created,
		&from.Exchange, &from.Round)
	if err != nil {
		return x, failed("read exchange", one(err))
	}
	if err := json.Unmarshal([]byte(header), &x.Target.Header); err != nil {
		return x, failed("read exchange", err)
	}
	x.Target.Capabilities, x.Call.Params, x.Created = json.RawMessage(capabilities), params, fromMicros(created)
	x.Call.Tool, x.Call.Wait = tool, time.Duration(wait)*time.Millisecond
	if x.Log, err = s.events(ctx, id); err != nil {
		return x, err
	}
	x.Origin, err = s.origin(ctx, from)
	return x, err
}
