package trial

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
)

// hopMeta returns the _meta of a call with a mark.
func hopMeta(mark string, logs bool) json.RawMessage {
	level := ""
	if logs {
		level = `"io.modelcontextprotocol/logLevel":"info",`
	}
	return json.RawMessage(`{` + level + `"` + gateway.HopMeta + `":{"n":9007199254740993,"` +
		gateway.MarkMember + `":"` + mark + `"}}`)
}

// exchange returns the call of a plan, and its record without a log.
func (t *trial) exchange(p plan, mark string) (playground.Exchange, gateway.Call) {
	method := cmp.Or(p.method, playground.ToolsCall)
	e := t.find(method, p.tool)
	arguments := `{"` + gateway.MarkMember + `":"` + mark + `"`
	if p.arguments != "" {
		arguments += "," + p.arguments
	}
	params := []jsontree.Pair{
		{Key: "name", Value: jsontree.Quote(e.name)},
		{Key: "arguments", Value: json.RawMessage(arguments + "}")},
		{Key: "_meta", Value: hopMeta(mark, p.logs)},
	}
	if method == playground.ResourcesRead {
		params = []jsontree.Pair{{Key: "uri", Value: jsontree.Quote(e.name)}, params[2]}
	}
	x, c := t.record(method, p.tool, e, jsontree.ObjectOf(params...))
	c.Mark, c.Focus = mark, p.focus
	return x, c
}

// record returns a call, and its record without a log. name is that at the upstream.
func (t *trial) record(
	method, name string, e entry, params json.RawMessage,
) (playground.Exchange, gateway.Call) {
	tool := json.RawMessage(t.Target.Secrets.Mask(e.tool))
	if !json.Valid(tool) { // a number was a secret, or there is none
		tool = nil
	}
	x := playground.Exchange{
		ID: t.NewID(), Session: t.Session, Target: t.Target, Created: t.Engine.Now(),
		Call:    playground.Call{Method: method, Params: params, Tool: tool},
		Reading: new(playground.Reading),
	}
	return x, gateway.Call{
		Exchange: x.ID, Method: method, Tool: name, Name: t.Target.Secrets.MaskText(e.name), Def: tool,
	}
}

// begin stores an exchange before anything is sent, and reports whether it is stored.
func (t *trial) begin(ctx context.Context, x playground.Exchange) bool {
	hidden, err := x.RedactWithin(ctx)
	if err == nil {
		err = t.Begin(ctx, hidden)
	}
	if err != nil {
		t.stop(fmt.Errorf("begin exchange: %w", err))
	}
	return err == nil
}

// drive makes a call to its end, and returns its record with the log.
func (t *trial) drive(
	ctx context.Context, d drive.Driver, x playground.Exchange, c gateway.Call,
) gateway.Call {
	if !t.begin(ctx, x) {
		return c
	}
	limited, end := context.WithTimeout(ctx, t.Limit)
	defer end()
	_, err := d.To(limited, x, playground.MaxRounds)
	t.failed(err)
	if limited.Err() != nil {
		t.Runner.Cancel(x.ID)
		waiting, end := context.WithTimeout(ctx, t.Patience) // a task is polled on
		defer end()
		t.Runner.Wait(waiting, x.ID)
	}
	return t.ended(ctx, x, c)
}

// failed ends the test if an error is a fault of the storage or of this program. The log of the
// exchange has what comes of any other.
func (t *trial) failed(err error) {
	for _, ours := range []error{
		playground.ErrStorage, playground.ErrFull, playground.ErrLocked, playground.ErrElsewhere,
		run.ErrClosing,
	} {
		if errors.Is(err, ours) {
			t.stop(err)
		}
	}
}

// ended returns the record of a call with the log of its exchange.
func (t *trial) ended(ctx context.Context, x playground.Exchange, c gateway.Call) gateway.Call {
	log, err := t.Events(context.WithoutCancel(ctx), x.ID)
	if err != nil {
		t.stop(fmt.Errorf("read exchange: %w", err))
	}
	c.Log = log
	return c
}

// driver returns the driver of a call, which answers as the plan says.
func (t *trial) driver(p plan) drive.Driver {
	return drive.Driver{Runner: t.Runner, Decide: func(last playground.Round) (playground.Decision, error) {
		d := playground.Decision{Action: playground.ActionRetry, Round: last.N + 1}
		for _, q := range last.Questions {
			d.Action = playground.ActionAnswer
			d.Answers = append(d.Answers, playground.Answer{Key: q.Key, Value: p.answer(q, len(d.Answers))})
		}
		return d, nil
	}}
}

// call makes a call to its end.
func (t *trial) call(ctx context.Context, p plan, mark string) gateway.Call {
	x, c := t.exchange(p, mark)
	return t.drive(ctx, t.driver(p), x, c)
}

// cancel makes a call and closes its connection once its first notification has come, or did not
// come in time. Were it closed earlier, some gateways would notice only because the upstream still
// had something to send: what they do would depend on who is faster.
func (t *trial) cancel(ctx context.Context, p plan, mark string) gateway.Call {
	x, c := t.exchange(p, mark)
	if !t.begin(ctx, x) {
		return c
	}
	limited, end := context.WithTimeout(ctx, t.Limit)
	defer end()
	running, err := t.Runner.Decide(ctx, x, playground.Decision{Action: playground.ActionStart, Round: 1})
	t.failed(err)
	if err == nil && t.Upstream.Arrived(limited, playground.ToolsCall, mark, false) {
		begun, end := context.WithTimeout(ctx, t.Patience)
		defer end()
		running.Until(begun, func(f playground.Transcript) bool {
			last := f.Last()
			return last != nil && last.Notifications() > 0
		})
	}
	t.Runner.Cancel(x.ID)
	t.Runner.Wait(ctx, x.ID)
	c = t.ended(ctx, x, c)
	last := playground.Fold(c.Log).Last()
	if c.Stopped = last != nil && last.Kind == playground.OutcomeCancelled; c.Stopped {
		waiting, end := context.WithTimeout(ctx, t.Patience)
		defer end()
		t.Upstream.Arrived(waiting, playground.ToolsCall, mark, true)
	}
	return c
}

// giveUp makes a call that becomes a task, and cancels the task.
func (t *trial) giveUp(ctx context.Context, p plan, mark string) gateway.Call {
	x, c := t.exchange(p, mark)
	if !t.begin(ctx, x) {
		return c
	}
	limited, end := context.WithTimeout(ctx, t.Limit)
	defer end()
	d := t.driver(p)
	running, err := d.ToTask(limited, x)
	t.failed(err)
	waiting, end := context.WithTimeout(ctx, t.Patience)
	defer end()
	if running.Fold().Task() != nil {
		d.GiveUp(waiting, running)
	}
	t.Runner.Cancel(x.ID) // a task whose cancellation got lost
	if limited.Err() != nil {
		t.Runner.Wait(waiting, x.ID)
	}
	return t.ended(ctx, x, c)
}

// release makes a call whose result waits for another one, which is made when a notification
// has arrived before the result.
func (t *trial) release(ctx context.Context, p plan, mark string) []gateway.Call {
	x, c := t.exchange(p, mark)
	d := t.driver(p)
	var others sync.WaitGroup
	var once sync.Once
	var list []gateway.Call
	d.Follow = func(f playground.Transcript) {
		last := f.Last()
		if last == nil || last.Kind != playground.OutcomePending || last.Notifications() == 0 {
			return
		}
		once.Do(func() {
			others.Go(func() {
				p := plan{tool: p.tool, arguments: `"release":true`, focus: p.focus}
				list = append(list, t.call(ctx, p, mark+gateway.ReleaseSuffix))
			})
		})
	}
	c = t.drive(ctx, d, x, c)
	others.Wait()
	return append([]gateway.Call{c}, list...)
}
