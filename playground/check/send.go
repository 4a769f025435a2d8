package check

import (
	"context"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// send records the decision and the request, sends it, and records the answer.
// It waits for its end.
func (d *driver) send(ctx context.Context, decision playground.Decision, req wire.Request) (playground.Round, error) {
	decision.Experiment = d.e.ID
	frame, err := wire.Encode(req)
	if err != nil {
		return playground.Round{}, fmt.Errorf("encode request: %w", err)
	}
	d.conn++
	conn := d.conn
	sent := playground.Event{At: d.Now(), Conn: conn, Kind: playground.Sent, Data: frame.Bytes()}
	if err := d.append(ctx, decision.Event(d.Now()), sent); err != nil {
		return playground.Round{}, err
	}
	var failed error
	d.Caller.Send(ctx, req.URL, frame, func(p wire.Part) error {
		failed = d.append(context.WithoutCancel(ctx), playground.PartEvent(p, conn))
		return failed
	})
	if failed == nil && playground.Pending(d.x.Log, conn) {
		none := wire.Failure{Class: playground.NoResponse, Detail: "The server closed the stream without a response."}
		failed = d.append(context.WithoutCancel(ctx), playground.PartEvent(wire.Part{Kind: wire.Failed, At: d.Now(), Failure: &none}, conn))
	}
	if failed == nil {
		failed = ctx.Err()
	}
	return *playground.Fold(d.x.Log).Last(), failed
}

// append keeps events as they came, and stores them without the user's secrets.
func (d *driver) append(ctx context.Context, events ...playground.Event) error {
	hidden := make([]playground.Event, len(events))
	for i := range events {
		events[i].Seq = len(d.x.Log) + 1
		hidden[i] = events[i].Redact(d.x.Target.Secrets)
		d.x.Log = append(d.x.Log, events[i])
	}
	sum := playground.Summarise(d.x.Log)
	if err := d.Record.Append(ctx, d.x.ID, sum, hidden...); err != nil {
		return fmt.Errorf("record exchange: %w", err)
	}
	return nil
}
