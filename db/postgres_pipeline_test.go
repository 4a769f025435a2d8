package db

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// sent counts the messages that are sent to the server in its context.
type sent struct{ n int }

type sentKey struct{}

// tracer counts a message in the sent of its context.
type tracer struct{}

func (tracer) count(ctx context.Context) context.Context {
	if s, ok := ctx.Value(sentKey{}).(*sent); ok {
		s.n++
	}
	return ctx
}

func (t tracer) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData,
) context.Context {
	return t.count(ctx)
}

func (tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (t tracer) TraceBatchStart(
	ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData,
) context.Context {
	return t.count(ctx)
}

func (tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// TestPostgres_CostOfAppend: each message to the server is a wait for the network.
func TestPostgres_CostOfAppend(t *testing.T) {
	s, _ := newPostgres(t, engine.WithTracer(tracer{}))
	addLog(t, s, "x")
	r := joined(t, s)
	c := &sent{}
	ctx := usage.WithPayer(context.WithValue(t.Context(), sentKey{}, c),
		usage.Payer{Day: 1, Hash: "h", Network: "n"})
	if _, err := s.Salt(ctx, 1); err != nil {
		t.Fatal(err)
	}
	wantError(t, "first of the payer", nil, r.Append(ctx, "x", running, event(1, playground.Sent)))
	for _, step := range []struct {
		name string
		sum  playground.Summary
		most int
	}{
		{"that ends", playground.Summary{Status: "waiting"}, 3},
		{"that begins", running, 4},
		{"between", running, 3},
	} {
		last, err := r.End(ctx, "x")
		wantError(t, "read end", nil, err)
		c.n = 0
		err = r.Append(ctx, "x", step.sum, event(last.Seq+1, playground.Sent),
			event(last.Seq+2, playground.Message))
		wantError(t, step.name, nil, err)
		if c.n == 0 || c.n > step.most {
			t.Errorf("an append %s takes %d messages", step.name, c.n)
		}
	}
}

// TestPostgres_LaterFails: statements sent with the commit leave nothing behind if one
// statement fails, and the connection serves the next change.
func TestPostgres_LaterFails(t *testing.T) {
	ctx := t.Context()
	s, _ := newPostgres(t)
	s.db.Writer().SetMaxOpenConns(1)
	addLog(t, s, "x")
	open := playground.Event{Seq: 1, Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)}
	wantError(t, "open", nil, s.Append(ctx, "x", running, open))
	for range 3 {
		err := s.Append(ctx, "x", running, event(2, playground.Message), open)
		wantError(t, "open again", playground.ErrNotOpen, err)
	}
	log, err := s.Log(ctx, "x")
	if err != nil || len(log) != 1 {
		t.Errorf("%d events, %v", len(log), err)
	}
	wantError(t, "append", nil, s.Append(ctx, "x", running, event(2, playground.Message)))
}

// TestPostgres_LaterKeepsItsError: the error of a statement that was kept is not taken
// for that of the next one, which is sent with it.
func TestPostgres_LaterKeepsItsError(t *testing.T) {
	s, _ := newPostgres(t)
	addLog(t, s, "x")
	err := s.change(t.Context(), ofWorkspace("w"), func(ctx context.Context, tx *txn) error {
		err := tx.Later(ctx, "add", nil, `INSERT INTO lease (id, holder) VALUES (?, NULL)`, "x")
		if err != nil {
			return err
		}
		if err := tx.Later(ctx, "change", notOpen, `INSERT INTO log SELECT * FROM log`); err != nil {
			return err
		}
		_, err = readEnd(ctx, tx, "x")
		return err
	})
	if err == nil || errors.Is(err, playground.ErrNotOpen) || !strings.HasPrefix(err.Error(), "add: ") {
		t.Errorf("the error is %v", err)
	}
}

// TestPostgres_LaterAndPanic: statements kept when a change ended in a panic are not sent
// with the next change on its connection.
func TestPostgres_LaterAndPanic(t *testing.T) {
	ctx := t.Context()
	s, _ := newPostgres(t)
	s.db.Writer().SetMaxOpenConns(1)
	addLog(t, s, "x")
	func() {
		defer func() {
			if r := recover(); r != "broken" {
				t.Errorf("the panic is %v", r)
			}
		}()
		_ = s.change(ctx, ofWorkspace("w"), func(ctx context.Context, tx *txn) error {
			err := tx.Later(ctx, "append event", nil,
				`INSERT INTO event (log, seq, at, conn, kind, data) VALUES ('x', 1, 0, 0, 'Message', '{}')`)
			wantError(t, "keep", nil, err)
			panic("broken")
		})
	}()
	wantError(t, "append", nil, s.Append(ctx, "x", running, event(1, playground.Sent)))
	log, err := s.Log(ctx, "x")
	if err != nil || len(log) != 1 || log[0].Kind != playground.Sent {
		t.Errorf("%v, %v", log, err)
	}
}
