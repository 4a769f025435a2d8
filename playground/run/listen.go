package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// maxListened is how many resources a subscription names.
const maxListened = 20

// ErrNoListening says that a server sends no notifications that could be listened to.
var ErrNoListening = errors.New("a legacy server on standard input cannot be listened to")

// Listen opens a stream of notifications of a server, and passes the requests and everything
// that comes to record, in order, until the server ends the stream or ctx ends. Nothing is
// stored. A server of 2026-07-28 gets subscriptions/listen for all lists, and for the first
// resources if it lets clients subscribe (basic/patterns/subscriptions); an earlier one a
// session with its standalone stream.
func Listen(
	ctx context.Context, c Config, t playground.Target, offers server.Connection,
	record func(playground.Event),
) error {
	ctx = wire.WithTrust(ctx, t.Trust)
	if offers.Era == playground.Legacy {
		return listenLegacy(ctx, c, t, record)
	}
	frame, err := wire.Encode(listenRequest(t, offers, c.Client))
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	record(playground.Event{At: c.Now(), Conn: 1, Kind: playground.Sent, Data: frame.Bytes()})
	c.opened().Send(ctx, t.URL, frame, func(p wire.Part) error {
		record(playground.PartEvent(p, 1))
		return ctx.Err()
	})
	return nil
}

// opened returns the Caller of requests that stay open.
func (c Config) opened() Caller {
	if c.Open != nil {
		return c.Open
	}
	return c.Caller
}

// listenRequest returns the request of a subscription.
func listenRequest(t playground.Target, offers server.Connection, me playground.Client) wire.Request {
	yes := json.RawMessage("true")
	filter := []jsontree.Pair{
		{Key: "toolsListChanged", Value: yes}, {Key: "promptsListChanged", Value: yes},
		{Key: "resourcesListChanged", Value: yes},
	}
	if offers.Capabilities.At("resources", "subscribe").True() && len(offers.Resources) > 0 {
		var uris []json.RawMessage
		for _, r := range offers.Resources[:min(len(offers.Resources), maxListened)] {
			uris = append(uris, jsontree.Quote(r.URI))
		}
		list, _ := json.Marshal(uris) // quoted texts always encode
		filter = append(filter, jsontree.Pair{Key: "resourceSubscriptions", Value: list})
	}
	x := playground.Exchange{ID: t.ID, Target: t}
	id := "watch"
	return wire.Request{
		URL: t.URL, Method: playground.Listen, ID: jsontree.Quote(x.OnChannel(id)), Header: t.Header,
		Params: jsontree.ObjectOf(
			jsontree.Pair{Key: "notifications", Value: jsontree.ObjectOf(filter...)},
			jsontree.Pair{Key: "_meta", Value: playground.Meta(x, id, me)}),
	}
}

// listenLegacy keeps a session open for its standalone stream.
func listenLegacy(
	ctx context.Context, c Config, t playground.Target, record func(playground.Event),
) error {
	if t.IsCommand() {
		return ErrNoListening
	}
	events := make(chan playground.Event)
	done := make(chan error, 1)
	send := func(e playground.Event) {
		select {
		case events <- e:
		case <-ctx.Done(): // nobody reads on; the session is ended on the server
		}
	}
	conns := make(chan int, 1)
	conns <- 1
	config := legacy.Config{
		Target: t, Client: c.Client, Short: c.Caller, Open: c.opened(),
		Roots: func() json.RawMessage { return json.RawMessage("[]") },
		Record: func(f wire.Frame) (func(wire.Part) error, error) {
			conn := <-conns
			conns <- conn + 1
			send(playground.Event{At: c.Now(), Conn: conn, Kind: playground.Sent, Data: slices.Clone(
				f.Bytes())})
			return func(p wire.Part) error {
				send(playground.PartEvent(p, conn))
				return nil
			}, nil
		},
	}
	go func() {
		session, err := legacy.Open(ctx, config)
		if err == nil {
			<-ctx.Done()
			session.Close()
		}
		done <- err
	}()
	for {
		select {
		case e := <-events:
			record(e)
		case err := <-done:
			return err
		}
	}
}
