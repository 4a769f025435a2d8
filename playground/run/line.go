package run

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// lineID returns the exact id of a request on a line, or nil if it has none.
func lineID(f wire.Frame) json.RawMessage {
	if !f.IsLine() {
		return nil
	}
	message, _ := jsontree.Parse(f.Body, jsontree.Limits{})
	if !playground.IsRequest(message) {
		return nil
	}
	return message.Get("id").Raw()
}

// abandons reports whether a part of a response says that the rest is not waited for,
// although the server may still work.
func abandons(k playground.EventKind, f *wire.Failure) bool {
	if f == nil {
		return k == playground.Cancelled
	}
	switch f.Class {
	case wire.TimeoutFirstByte, wire.TimeoutIdle, wire.TimeoutTotal, wire.TooLarge:
		return true
	}
	return false
}

// tellCancelled sends notifications/cancelled for a request on a line. Lines have no
// connection to close (basic/transports/stdio, "Cancellation").
func (a *actor) tellCancelled(f *flight) {
	if f.line == nil || a.r.ctx.Err() != nil {
		return
	}
	var url string
	switch s := a.subject.(type) {
	case call:
		url = s.x.Target.URL
	case connection:
		url = s.target.URL
	}
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"requestId":%s}}`,
		playground.CancelledNotified, f.line)
	frame := wire.Line(append(body, '\n'))
	a.conn++
	conn := a.conn
	sent := playground.Event{At: a.r.cfg.Now(), Conn: conn, Kind: playground.Sent, Data: frame.Bytes()}
	a.store(&delivery{conn: conn, events: []playground.Event{sent}, done: func(err error) {
		if err != nil {
			return
		}
		sending, cancel := context.WithCancel(a.sending())
		a.flights[conn] = &flight{conn: conn, cancel: cancel}
		a.r.wg.Go(func() {
			defer cancel()
			a.r.cfg.Caller.Send(sending, url, frame, a.recorder(conn))
			a.tell(end{conn: conn})
		})
	}})
}
