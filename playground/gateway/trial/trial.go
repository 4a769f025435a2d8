// Package trial makes the calls of the test of a gateway: through the gateway,
// to an upstream that records them. It judges nothing; package gateway does.
package trial

import (
	"context"
	"encoding/json"
	"fmt"
	neturl "net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Upstream is the record of the server behind the gateway; *upstream.Upstream is one.
type Upstream interface {
	Log() []playground.Event
	Arrived(ctx context.Context, text string, ended bool) bool
}

// Config is everything that a test needs.
type Config struct {
	Engine   run.Config        // of the client; its Log is not used
	Target   playground.Target // the gateway
	Upstream Upstream
	NewID    func() string // of marks and exchanges
	Called   func()        // after each call; may be nil
	// Wait is how long the gateway may take to answer at all, and Patience how long a
	// cancellation may take to reach the upstream.
	Wait, Patience time.Duration
	// Pause waits between two attempts to reach the gateway.
	Pause func(ctx context.Context, d time.Duration) error
}

// Capabilities are those that the client declares.
const Capabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{},` +
	`"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// Tools returns the names of the tools of the upstream that are called.
func Tools() []string {
	var list []string
	for _, p := range plans() {
		list = append(list, p.tool)
	}
	return list
}

// Run makes the calls and returns what both ends recorded, with the secrets of the target masked.
// The error is that of ctx.
func Run(ctx context.Context, c Config) (gateway.Recording, error) {
	c.Target.Era, c.Target.Capabilities = playground.Modern, json.RawMessage(Capabilities)
	memory := run.NewMemory()
	c.Engine.Log, c.Engine.Replicas = memory, nil
	t := &trial{Config: c, memory: memory, runner: run.New(c.Engine)}
	defer func() { _ = t.runner.Close(context.WithoutCancel(ctx)) }()
	r := gateway.Recording{Gateway: c.Target.Name}
	if r.Gap = t.list(ctx); r.Gap == "" {
		for _, p := range plans() {
			if ctx.Err() != nil {
				break
			}
			r.Calls = append(r.Calls, t.make(ctx, p)...)
		}
	}
	r.Upstream = c.Upstream.Log()
	for i, e := range r.Upstream { // a gateway may pass on the credentials of its client
		r.Upstream[i].Data = c.Target.Secrets.Mask(e.Data)
	}
	return r, ctx.Err()
}

// trial is a test that is being made.
type trial struct {
	Config
	memory *run.Memory
	runner *run.Runner
	tools  []server.Tool // as the gateway lists them
}

// attempts is how often a gateway is asked again that reached the upstream, and answered with
// an error.
const attempts = 3

// list lists the tools of the gateway, once it has those of the upstream. It returns a sentence
// if it does not get them.
func (t *trial) list(ctx context.Context) string {
	limited, stop := context.WithTimeout(ctx, t.Wait)
	defer stop()
	var last playground.Round
	for refused := 0; ; {
		tools, newest := t.pages(limited)
		if limited.Err() == nil || last.Kind == "" {
			last = newest // and not what the limit cut off
		}
		t.tools = tools
		complete := last.Kind == playground.OutcomeComplete
		if complete && t.hasTools() {
			return ""
		}
		if len(t.Upstream.Log()) > 0 {
			refused++
		}
		if refused < attempts && limited.Err() == nil && t.Pause(limited, 250*time.Millisecond) == nil {
			continue
		}
		switch {
		case complete:
			return "The gateway lists none of the tools of the upstream: " +
				"check the address that it is pointed at."
		case last.Error != nil:
			return fmt.Sprintf(
				"The gateway does not list the tools of the upstream: error %d, %s.",
				last.Error.Code,
				strings.TrimSuffix(text.Visible(last.Error.Message, 200), "."),
			)
		case last.Detail != "":
			return "The gateway does not list the tools of the upstream: " +
				strings.TrimSuffix(text.Visible(last.Detail, 300), ".") + "."
		}
		return "The gateway does not answer."
	}
}

// hasTools reports whether the gateway lists the tools of the upstream.
func (t *trial) hasTools() bool {
	return slices.ContainsFunc(plans(), func(p plan) bool { return t.find(p.tool).Definition != nil })
}

// maxPages is how many pages of tools/list are read.
const maxPages = 20

// pages reads the pages of tools/list, and returns the newest Round.
func (t *trial) pages(ctx context.Context) ([]server.Tool, playground.Round) {
	var tools []server.Tool
	params := json.RawMessage("{}")
	for range maxPages {
		r, err := drive.Ask(ctx, t.Engine, t.Target, playground.ToolsList, params)
		if err != nil {
			return nil, playground.Round{}
		}
		tools = append(tools, server.ToolsOf(r)...)
		cursor, more := r.Result.Get("nextCursor").Text()
		if r.Kind != playground.OutcomeComplete || !more {
			return tools, r
		}
		params = jsontree.ObjectOf(jsontree.Pair{Key: "cursor", Value: jsontree.Quote(cursor)})
	}
	return tools, playground.Round{Outcome: playground.Outcome{Kind: playground.OutcomeComplete}}
}

// find returns a tool as the gateway lists it: by its name, or by a name that ends with it.
func (t *trial) find(name string) server.Tool {
	for _, tool := range t.tools {
		if tool.Name == name {
			return tool
		}
	}
	for _, tool := range t.tools {
		prefix, ends := strings.CutSuffix(tool.Name, name)
		last, _ := utf8.DecodeLastRuneInString(prefix)
		if ends && !unicode.IsLetter(last) && !unicode.IsDigit(last) {
			return tool
		}
	}
	return server.Tool{Name: name}
}

// make makes the calls of a plan.
func (t *trial) make(ctx context.Context, p plan) []gateway.Call {
	mark := "mark-" + t.NewID()
	var list []gateway.Call
	switch p.how {
	case twice:
		list = []gateway.Call{t.call(ctx, p, mark), t.call(ctx, p, mark)}
	case together:
		list = make([]gateway.Call, 2)
		var both sync.WaitGroup
		for i := range list {
			both.Go(func() {
				list[i] = t.call(ctx, p, fmt.Sprintf("%s-%d", mark, i+1))
			})
		}
		both.Wait()
	case stopped:
		list = []gateway.Call{t.stop(ctx, p, mark)}
	case released:
		list = t.release(ctx, p, mark)
	default:
		list = []gateway.Call{t.call(ctx, p, mark)}
	}
	if p.focus == gateway.Challenge {
		list = append(list, t.metadata(ctx, list[0])...)
	}
	if t.Called != nil {
		t.Called()
	}
	return list
}

// exchange returns the call of a plan, and its record without a log.
func (t *trial) exchange(p plan, mark string) (playground.Exchange, gateway.Call) {
	tool := t.find(p.tool)
	arguments := `{"` + gateway.MarkMember + `":"` + mark + `"`
	if p.arguments != "" {
		arguments += "," + p.arguments
	}
	params := jsontree.ObjectOf(
		jsontree.Pair{Key: "name", Value: jsontree.Quote(tool.Name)},
		jsontree.Pair{Key: "arguments", Value: json.RawMessage(arguments + "}")},
		jsontree.Pair{
			Key:   "_meta",
			Value: json.RawMessage(`{"dev.mrtr-playground/hop":{"n":9007199254740993}}`),
		},
	)
	x := playground.Exchange{ID: t.NewID(), Target: t.Target, Created: t.Engine.Now(), Call: playground.Call{
		Method: playground.ToolsCall, Params: params, Tool: tool.Definition,
	}}
	return x, gateway.Call{
		Mark: mark, Tool: p.tool, Name: tool.Name, Def: tool.Definition, Focus: p.focus,
	}
}

// driver returns the driver of a call, which answers as the plan says.
func (t *trial) driver(p plan) drive.Driver {
	return drive.Driver{Runner: t.runner, Decide: func(last playground.Round) (playground.Decision, error) {
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
	_, _ = t.driver(p).To(ctx, x, playground.MaxRounds) // the log has what came of it
	c.Log = t.memory.Events(x.ID)
	return c
}

// stop makes a call and closes its connection once its first notification has come, or did not
// come in time. Were it closed earlier, some gateways would notice only because the upstream
// still had something to send: what they do would depend on who is faster.
func (t *trial) stop(ctx context.Context, p plan, mark string) gateway.Call {
	x, c := t.exchange(p, mark)
	limited, end := context.WithTimeout(ctx, t.Wait)
	defer end()
	running, err := t.runner.Decide(ctx, x, playground.Decision{Action: playground.ActionStart, Round: 1})
	if err == nil && t.Upstream.Arrived(limited, mark, false) {
		begun, end := context.WithTimeout(ctx, t.Patience)
		defer end()
		running.Until(begun, func(f playground.Transcript) bool {
			last := f.Last()
			return last != nil && last.Notifications() > 0
		})
	}
	t.runner.Cancel(x.ID)
	t.runner.Wait(ctx, x.ID)
	c.Log = t.memory.Events(x.ID)
	last := playground.Fold(c.Log).Last()
	if c.Stopped = last != nil && last.Kind == playground.OutcomeCancelled; c.Stopped {
		waiting, end := context.WithTimeout(ctx, t.Patience)
		defer end()
		t.Upstream.Arrived(waiting, mark, true)
	}
	return c
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
				list = append(list, t.call(ctx, p, mark+"-release"))
			})
		})
	}
	_, _ = d.To(ctx, x, playground.MaxRounds)
	others.Wait()
	c.Log = t.memory.Events(x.ID)
	return append([]gateway.Call{c}, list...)
}

// metadata reads the metadata that the challenge of a call names, if they are at the gateway.
func (t *trial) metadata(ctx context.Context, c gateway.Call) []gateway.Call {
	url := gateway.MetadataOf(c)
	own, err := neturl.Parse(t.Target.URL)
	at, failed := neturl.Parse(url)
	if err != nil || failed != nil || url == "" || at.Host != own.Host {
		return nil
	}
	frame, err := wire.EncodePlain("GET", url, nil, nil)
	if err != nil {
		return nil
	}
	m := gateway.Call{Mark: c.Mark, Tool: c.Tool, Name: c.Name, Focus: c.Focus, Metadata: t.Target.URL}
	add := func(e playground.Event) {
		e.Seq, e.Data = len(m.Log)+1, t.Target.Secrets.Mask(e.Data)
		m.Log = append(m.Log, e)
	}
	add(playground.Event{At: t.Engine.Now(), Conn: 1, Kind: playground.Sent, Data: frame.Bytes()})
	t.Engine.Caller.Send(ctx, url, frame, func(p wire.Part) error {
		add(playground.PartEvent(p, 1))
		return nil
	})
	return []gateway.Call{m}
}
