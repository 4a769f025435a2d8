package db

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// AddGateway stores a test of a gateway that has not begun, with its session.
func (s *Store) AddGateway(ctx context.Context, g gateway.Saved) error {
	return s.change(ctx, ofWorkspace(g.Workspace), func(ctx context.Context, tx *txn) error {
		err := addSession(ctx, tx, g.Workspace, session.Session{
			ID: g.ID, Kind: session.KindGateway, Title: gatewayTitle(""), Created: g.Created,
			Changed: g.Created,
		})
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO gateway (id, workspace, capture, created) VALUES (?, ?, ?, ?)`,
			g.ID, g.Workspace, g.Capture, micros(g.Created))
		if err != nil {
			return failed("add gateway", err)
		}
		if err := charge(ctx, tx, `session WHERE id = ?`, g.ID); err != nil {
			return err
		}
		return charge(ctx, tx, `gateway WHERE id = ?`, g.ID)
	})
}

// gatewayTitle is the title of the session of a test.
func gatewayTitle(name string) string {
	if name == "" {
		return "Test of a gateway"
	}
	return "Test of the gateway " + name
}

// BeginGateway notes that the test of a gateway has begun. It returns false if it had begun
// before.
func (s *Store) BeginGateway(
	ctx context.Context, workspace, id, server, name string, at time.Time,
) (begun bool, err error) {
	err = s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE gateway SET server = ?, name = ?, began = ? WHERE id = ? AND workspace = ? AND began = 0`,
			server, name, micros(at), id, workspace)
		if err != nil {
			return failed("begin gateway", err)
		}
		n, err := result.RowsAffected()
		if begun = n > 0; err != nil || !begun {
			return failed("begin gateway", err)
		}
		title := gatewayTitle(name)
		_, err = tx.ExecContext(ctx, `UPDATE session SET title = ?, search = ?, changed = ? WHERE id = ?`,
			title, sessionSearch(title, ""), micros(at), id)
		return failed("begin gateway", err)
	})
	return begun, err
}

// SetGateway stores what the calls of a test have come to: its Gap, Calls and Ended. The error is
// playground.ErrNotFound if it was deleted meanwhile.
func (s *Store) SetGateway(ctx context.Context, g gateway.Saved) error {
	calls, err := json.Marshal(append([]gateway.Call{}, g.Calls...))
	if err != nil {
		return err
	}
	var ended int64
	if !g.Ended.IsZero() {
		ended = micros(g.Ended)
	}
	return s.change(ctx, ofWorkspace(g.Workspace), func(ctx context.Context, tx *txn) error {
		return chargeGrowth(ctx, tx, `gateway WHERE id = ?`, []any{g.ID}, func() error {
			result, err := tx.ExecContext(ctx,
				`UPDATE gateway SET gap = ?, calls = ?, ended = ? WHERE id = ? AND workspace = ?`,
				g.Gap, string(calls), ended, g.ID, g.Workspace)
			return changedRow("change gateway", result, err)
		})
	})
}

const gatewayColumns = `id, workspace, capture, server, name, gap, created, began, ended, `

func scanGateway(scan func(...any) error) (gateway.Saved, error) {
	var g gateway.Saved
	var created, began, ended int64
	var calls string
	err := scan(&g.ID, &g.Workspace, &g.Capture, &g.Server, &g.Name, &g.Gap, &created, &began, &ended, &calls)
	if err != nil {
		return g, err
	}
	g.Created = fromMicros(created)
	if began > 0 {
		g.Began = fromMicros(began)
	}
	if ended > 0 {
		g.Ended = fromMicros(ended)
	}
	return g, json.Unmarshal([]byte(calls), &g.Calls)
}

// Gateway returns a test of a gateway of the workspace.
func (s *Store) Gateway(ctx context.Context, workspace, id string) (gateway.Saved, error) {
	g, err := scanGateway(s.read.QueryRowContext(ctx,
		`SELECT `+gatewayColumns+`calls FROM gateway WHERE id = ? AND workspace = ?`, id, workspace).Scan)
	return g, failed("read gateway", notFound(err))
}

// mostGateways is how many tests of gateways are listed.
const mostGateways = 100

// Gateways returns the tests of gateways of the workspace, newest first, at most 100, without
// their calls.
func (s *Store) Gateways(ctx context.Context, workspace string) ([]gateway.Saved, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+gatewayColumns+`'[]' FROM gateway WHERE workspace = ? ORDER BY created DESC, id LIMIT ?`,
		workspace, mostGateways)
	if err != nil {
		return nil, failed("list gateways", err)
	}
	defer rows.Close()
	var list []gateway.Saved
	for rows.Next() {
		g, err := scanGateway(rows.Scan)
		if err != nil {
			return nil, failed("list gateways", err)
		}
		list = append(list, g)
	}
	return list, failed("list gateways", rows.Err())
}

// IsUpstream reports whether a token is that of a capture, of any workspace, at which a gateway is to
// be pointed.
func (s *Store) IsUpstream(ctx context.Context, token string) (bool, error) {
	var found int
	err := s.read.QueryRowContext(ctx,
		`SELECT count(*) FROM capture c JOIN gateway g ON g.capture = c.id WHERE c.digest = ?`,
		digest(token)).Scan(&found)
	return found > 0, failed("read capture", err)
}

// ResetGateway makes a test of a gateway of the workspace one that has not begun.
func (s *Store) ResetGateway(ctx context.Context, workspace, id string) error {
	return s.change(ctx, ofWorkspace(workspace), func(ctx context.Context, tx *txn) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE gateway SET server = '', name = '', began = 0 WHERE id = ? AND workspace = ?`, id,
			workspace)
		return changedRow("reset gateway", result, err)
	})
}
