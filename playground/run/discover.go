package run

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Discover connects to a target here and now, keeping no record but the
// Connection it returns.
func Discover(ctx context.Context, caller Caller, me playground.Client, now func() time.Time, t playground.Target) server.Connection {
	d := discovery{caller: caller, now: now}
	for {
		c := d.connection()
		if c.Era == playground.Legacy && c.Status == server.Connecting {
			return d.older(ctx, me, t)
		}
		req, ok := server.NextConnect(t, c, me)
		if !ok {
			return c
		}
		frame, err := wire.Encode(req)
		if err != nil {
			c.Status, c.Class, c.Detail = server.ConnectFailed, wire.BadURL, err.Error()
			return c
		}
		d.send(ctx, req.URL, frame)
	}
}

// discovery is a log of connecting that nobody keeps.
type discovery struct {
	caller Caller
	now    func() time.Time

	mu   sync.Mutex
	log  []playground.Event
	conn int
	stop context.CancelFunc // ends a session that is of no use any more
}

func (d *discovery) connection() server.Connection {
	d.mu.Lock()
	defer d.mu.Unlock()
	return server.FoldConnection(d.log)
}

func (d *discovery) add(e playground.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, e)
}

// record begins a connection of the log.
func (d *discovery) record(f wire.Frame) (func(wire.Part) error, error) {
	d.mu.Lock()
	d.conn++
	conn := d.conn
	d.mu.Unlock()
	d.add(playground.Event{At: d.now(), Conn: conn, Kind: playground.Sent, Data: slices.Concat(f.Head, f.Body)})
	return func(p wire.Part) error {
		d.add(playground.PartEvent(p, conn))
		if c := d.connection(); d.stop != nil && c.Status == server.ConnectFailed && ignored(c.Class) {
			d.stop()
		}
		return nil
	}, nil
}

func (d *discovery) send(ctx context.Context, url string, f wire.Frame) {
	record, _ := d.record(f)
	d.caller.Send(ctx, url, f, record)
	if playground.Pending(d.log, d.conn) {
		_ = record(noResponse(d.now()))
	}
}

// older goes on in a session, as servers from before 2026-07-28 want it.
func (d *discovery) older(ctx context.Context, me playground.Client, t playground.Target) server.Connection {
	ctx, d.stop = context.WithCancel(ctx)
	defer d.stop()
	config := legacy.Config{Target: t, Client: me, Short: d.caller, Open: d.caller, Record: d.record}
	err := lists(ctx, config, func() (string, string, bool) { return server.NextList(d.connection()) })
	if e, ok := unfinished(d.connection(), d.conn+1, err); ok {
		d.add(e)
	}
	return d.connection()
}
