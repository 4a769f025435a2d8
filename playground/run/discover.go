package run

import (
	"context"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Discover connects to a target here and now, keeping no record but the
// Connection it returns.
func Discover(ctx context.Context, caller Caller, me playground.Client, now func() time.Time, t playground.Target) playground.Connection {
	var log []playground.Event
	for {
		c := playground.FoldConnection(log)
		req, ok := playground.NextConnect(t, c, me)
		if !ok {
			return c
		}
		frame, err := wire.Encode(req)
		if err != nil {
			c.Status, c.Class, c.Detail = playground.ConnectFailed, wire.BadURL, err.Error()
			return c
		}
		conn := len(c.Trips) + 1
		log = append(log, playground.Event{At: now(), Conn: conn, Kind: playground.Sent, Data: slices.Concat(frame.Head, frame.Body)})
		caller.Send(ctx, req.URL, frame, func(p wire.Part) error {
			log = append(log, playground.PartEvent(p, conn))
			return nil
		})
		if playground.Pending(log, conn) {
			none := wire.Failure{Class: playground.NoResponse, Detail: "The server closed the stream without a response."}
			log = append(log, playground.PartEvent(wire.Part{Kind: wire.Failed, At: now(), Failure: &none}, conn))
		}
	}
}
