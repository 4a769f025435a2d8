package run

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Ask sends one request here and now, outside any record, and returns its
// Round: for what helps to fill in a form.
func Ask(ctx context.Context, caller Caller, me playground.Client, now func() time.Time, t playground.Target, method string, params json.RawMessage) (playground.Round, error) {
	x := playground.Exchange{Target: t, Call: playground.Call{Method: method, Params: params}}
	start := playground.Decision{Action: playground.ActionStart, Round: 1}
	req, err := playground.Next(x, playground.Transcript{}, start, me)
	if err != nil {
		return playground.Round{}, fmt.Errorf("ask: %w", err)
	}
	frame, err := wire.Encode(req)
	if err != nil {
		return playground.Round{}, fmt.Errorf("ask: %w", err)
	}
	log := []playground.Event{start.Event(now()), {At: now(), Conn: 1, Kind: playground.Sent, Data: slices.Concat(frame.Head, frame.Body)}}
	caller.Send(ctx, req.URL, frame, func(p wire.Part) error {
		log = append(log, playground.PartEvent(p, 1))
		return nil
	})
	return *playground.Fold(log).Last(), nil
}
