package lines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Caller returns a Caller that sends lines to commands, within limits, and everything
// else through next. Zero limits mean those of package wire.
func (s *Servers) Caller(next run.Caller, l wire.Limits) run.Caller {
	return caller{s, next, l.OrDefaults(), nil}
}

type caller struct {
	servers *Servers
	next    run.Caller
	limits  wire.Limits
	session *session // whose process the lines go to; nil for the one that requests share
}

// Send writes a line to the command that a URL leads to. It returns when the response has
// come with everything beside it, when a limit is reached, ctx ends, the process has ended
// or record returns an error; at once if nothing comes back. A line that nothing comes
// back for and that belongs to another request is written all the same.
func (c caller) Send(
	ctx context.Context, url string, f wire.Frame, record func(wire.Part) error,
) wire.Timing {
	if !wire.IsCommand(url) {
		return c.next.Send(ctx, url, f, record)
	}
	q := &call{limits: c.limits, now: c.servers.cfg.Now, record: record}
	q.started = q.now()
	err := q.run(ctx, c.process(url), f)
	q.timing.Total = q.now().Sub(q.started)
	part := wire.Part{Kind: wire.Failed, At: q.now(), Timing: q.timing}
	switch {
	case err == nil || errors.Is(err, errRefused):
		return q.timing
	case ctx.Err() != nil:
		part.Kind = wire.Cancelled
	default:
		part.Failure = failureOf(err)
	}
	_ = record(part)
	return q.timing
}

// errRefused ends a call whose record takes nothing more.
var errRefused = errors.New("record refused")

// call is one Send.
type call struct {
	limits  wire.Limits
	now     func() time.Time
	record  func(wire.Part) error
	started time.Time
	timing  wire.Timing
}

func failureOf(err error) *wire.Failure {
	var failure *wire.Failure
	if errors.As(err, &failure) {
		return failure
	}
	return &wire.Failure{Class: wire.NotStarted, Detail: text.Visible(err.Error(), 300)}
}

// process returns a function that finds the process for a URL.
func (c caller) process(url string) func() (*process, error) {
	if c.session != nil {
		return c.session.process
	}
	if to := c.servers.byURL[url]; to != nil {
		return to.share
	}
	return func() (*process, error) { return nil, errUnknown }
}

// errUnknown is for the URL of a command that was not added.
var errUnknown = &wire.Failure{
	Class: wire.NoCommand, Detail: "this program was not started with this command",
}

func (q *call) run(ctx context.Context, find func() (*process, error), f wire.Frame) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	late := time.NewTimer(q.limits.Total)
	defer late.Stop()
	p, err := find()
	if err != nil {
		return err
	}
	message, _ := jsontree.Parse(f.Body, jsontree.Limits{})
	if playground.IsOneWay(message) {
		tell := func() error { p.tell(message); return nil }
		return p.write(ctx, f.Body, tell, time.Now().Add(q.limits.Total))
	}
	fl := newFlight(q.limits)
	defer p.drop(fl)
	for {
		var busy *busyError
		begin := func() error { return p.ask(message, fl) }
		err := p.write(ctx, f.Body, begin, time.Now().Add(q.limits.Total))
		if !errors.As(err, &busy) {
			if err != nil {
				return err
			}
			return q.receive(ctx, p, fl, late.C)
		}
		select {
		case <-busy.with.dropped:
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return q.tooLate(0)
		}
	}
}

// busyError is for a request whose id another one in progress has. The ids on a channel
// must differ (basic/index, "Requests"), so it waits.
type busyError struct{ with *flight }

func (e *busyError) Error() string { return "the id is in use" }

// tell counts a notification.
func (p *process) tell(message *jsontree.Node) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if message.Has("method") {
		p.told++
	}
}

// ask adds a request.
func (p *process) ask(message *jsontree.Node, f *flight) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if message == nil || message.Kind != jsontree.Object {
		p.channel.AskUnknown(f)
		return nil
	}
	if other, known := p.channel.Request(message.Get("id")); known && !slices.Contains(p.past, other) {
		return &busyError{other}
	}
	if message.Get("method").Str() == playground.Initialize {
		p.roots = message.At("params", "capabilities", "roots") != nil
	}
	p.channel.Ask(message, f, p.session)
	return nil
}

// write writes a line, after those that are being written, unless begin refuses it. A line
// that was written in part makes all further input of the command worthless, so
// it ends the process.
func (p *process) write(ctx context.Context, line []byte, begin func() error, until time.Time) error {
	select {
	case <-p.turn:
	case <-ctx.Done():
		return ctx.Err()
	case <-p.gone:
		return p.lost()
	}
	defer func() { p.turn <- struct{}{} }()
	if begin != nil {
		if err := begin(); err != nil {
			return err
		}
	}
	n, err := writeUntil(ctx, p.child, line, until)
	switch {
	case err == nil:
		return nil
	case os.IsTimeout(err) && n == 0:
		err = &wire.Failure{Class: wire.TimeoutTotal, Detail: "the command did not read its standard input"}
	case os.IsTimeout(err):
		why := "it was ended because it read only a part of a line, " +
			"so that it could not tell where the next begins"
		p.endNow(why)
		err = &wire.Failure{
			Class: wire.TimeoutTotal, Detail: "the command read only a part of the line; " + why,
		}
	default: // it reads no more
		p.endNow("")
		err = p.lost()
	}
	return cmp.Or(ctx.Err(), err)
}

// deadlineWriter is the standard input of a process.
type deadlineWriter interface {
	io.Writer
	SetWriteDeadline(t time.Time) error
}

// writeUntil writes a line until a time, or until ctx ends. When it returns, nothing sets
// the deadline any more: it is that of the next writer.
func writeUntil(ctx context.Context, w deadlineWriter, line []byte, until time.Time) (int, error) {
	_ = w.SetWriteDeadline(until)
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		_ = w.SetWriteDeadline(time.Now())
	})
	n, err := w.Write(line)
	if !stop() {
		<-ended
	}
	return n, err
}

// lost returns the failure of a request whose process has ended.
func (p *process) lost() error {
	return &wire.Failure{Class: wire.CommandEnded,
		Detail: "The command ended before the response: " + p.how + "."}
}

// receive records the response as it comes.
func (q *call) receive(ctx context.Context, p *process, f *flight, late <-chan time.Time) error {
	idle := time.NewTimer(q.limits.FirstByte)
	defer idle.Stop()
	stall := time.NewTicker(p.c.of.cfg.Stall / 2)
	defer stall.Stop()
	for came := 0; ; {
		ended := false
		select {
		case <-f.signal:
		case <-stall.C:
			p.failUnfinished(f)
		case <-p.gone:
			ended = true
		case <-ctx.Done():
			return ctx.Err()
		case <-idle.C:
			return q.silence(came)
		case <-late:
			return q.tooLate(came)
		}
		parts, failure, whole := p.news(f)
		for _, part := range parts {
			if came++; came == 1 {
				q.timing.FirstByte = part.At.Sub(q.started)
				part.Timing = wire.Timing{FirstByte: q.timing.FirstByte, Total: q.timing.FirstByte}
			}
			if q.record(part) != nil {
				return errRefused
			}
			idle.Reset(q.limits.Idle)
		}
		switch {
		case failure != nil:
			return failure
		case whole:
			return nil
		case ended:
			return p.lost()
		}
	}
}

// tooLate returns the failure of a command that writes no response for a request, but
// may have written other lines.
func (q *call) tooLate(came int) error {
	return &wire.Failure{Class: wire.TimeoutTotal,
		Detail: fmt.Sprintf("the response took longer than %v", q.limits.Total) + noResponse(came)}
}

// silence returns the failure of a command that writes nothing for a request for long.
func (q *call) silence(came int) error {
	if came > 0 {
		return &wire.Failure{Class: wire.TimeoutIdle,
			Detail: fmt.Sprintf("the command wrote nothing more for %v", q.limits.Idle) + noResponse(came)}
	}
	return &wire.Failure{Class: wire.TimeoutFirstByte,
		Detail: fmt.Sprintf("the command wrote nothing for %v", q.limits.FirstByte)}
}

// noResponse says how many lines came that are no response, if there were any.
func noResponse(came int) string {
	if came == 0 {
		return ""
	}
	return "; " + text.Plural(came, "line") + " came, but no response"
}
