package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// patience is the longest wait for a response.
const patience = 10 * time.Second

// engine returns what makes calls, as the commands of the program do.
func engine() rounds.Config {
	sender := wire.New(wire.Config{})
	return rounds.Config{
		Log: rounds.NewMemory(), Caller: sender,
		Client: playground.Client{Name: "mrtr-playground", Version: "field"},
		Now:    time.Now, Logger: slog.New(slog.DiscardHandler),
		Limits: rounds.Limits{Polls: 100, Interval: patience},
	}
}

// declared are the capabilities that calls declare, as those of command check.
var declared = playground.Declare(
	[]string{"elicitation.form", "elicitation.url", "sampling", "roots", "tasks"},
)

// checked is the check of a server with one of its tools.
type checked struct {
	tool       string
	report     lab.Report
	exchanges  []playground.Exchange
	connected  server.Connection
	connection []playground.Exchange // a call for each request of connecting
}

// check checks the server at url with each of the tools, and adds its revisions to a subject.
func (e example) check(ctx context.Context, s *field.Subject, url string, tools []tool) ([]checked, error) {
	target := playground.Target{Name: e.Name, URL: url, Capabilities: declared}
	log, err := connect(ctx, target)
	if err != nil {
		return nil, err
	}
	connection := server.FoldConnection(log)
	if connection.Status != server.Connected {
		return nil, fmt.Errorf("connect: %s", connection.Detail)
	}
	s.Revisions = slices.Clone(connection.Versions)
	if connection.Era == playground.Legacy {
		target.Era = playground.Legacy
	}
	trips := connected(target, log)
	var all []checked
	for _, t := range tools {
		c, err := e.checkWith(ctx, target, connection, t)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.name, err)
		}
		c.connected, c.connection = connection, trips
		all = append(all, c)
	}
	return all, nil
}

// checkWith checks the server with one tool.
func (e example) checkWith(
	ctx context.Context, target playground.Target, connection server.Connection, t tool,
) (checked, error) {
	listed, ok := connection.Tool(t.name)
	if !ok {
		return checked{}, fmt.Errorf("%s", connection.NoTool(t.name))
	}
	arguments := json.RawMessage(t.arguments)
	if arguments == nil || t.arguments == "" {
		arguments = question.PlaceholderArguments(listed.InputSchema)
	}
	call := server.ToolCall(listed, arguments)
	call.Wait = patience
	cfg := engine()
	runner := rounds.New(cfg)
	defer func() { _ = runner.Close(context.WithoutCancel(ctx)) }()
	n := 0
	exchanges, err := check.Run(ctx, check.Config{
		Runner: runner, Client: cfg.Client, Now: time.Now, Wait: drive.Pause,
		NewID: func() string {
			n++
			return fmt.Sprintf("%s-%d", t.name, n)
		},
		Begin:  func(context.Context, playground.Exchange) error { return nil },
		Expiry: check.Expiry,
	}, check.Plan{Target: target, Call: call, Other: server.SecondTool(connection, t.name, false)})
	if err != nil {
		return checked{}, err
	}
	report := lab.NewReport(exchanges, connection, false)
	if report.Status != lab.Complete || !report.Worked {
		return checked{}, fmt.Errorf("the right call did not work: %s %s", report.Compared, report.Detail)
	}
	return checked{tool: t.name, report: report, exchanges: exchanges}, nil
}

// connect connects to a target and returns the log of it.
func connect(ctx context.Context, target playground.Target) ([]playground.Event, error) {
	cfg, memory := engine(), rounds.NewMemory()
	cfg.Log = memory
	runner := rounds.New(cfg)
	if err := runner.Connect(ctx, target, nil); err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	runner.Wait(ctx, target.ID)
	return memory.Events(target.ID), runner.Close(ctx)
}

// connected returns a call for each request of a log of connecting.
func connected(target playground.Target, log []playground.Event) []playground.Exchange {
	var list []playground.Exchange
	for _, trip := range playground.Trips(log) {
		decided := playground.Decision{Action: playground.ActionStart, Round: 1}.Event(trip.Started)
		x := playground.Exchange{
			ID: fmt.Sprintf("connect-%s-%d", target.URL, trip.Conn), Target: target, Created: trip.Started,
			Call: playground.Call{Method: trip.Method, Params: json.RawMessage("{}")},
			Log:  []playground.Event{{Seq: 1, At: trip.Started, Kind: decided.Kind, Data: decided.Data}},
		}
		for _, e := range log {
			if e.Conn == trip.Conn && e.Kind != playground.Decided {
				e.Seq, e.Conn = len(x.Log)+1, 1
				x.Log = append(x.Log, e)
			}
		}
		list = append(list, x)
	}
	return list
}

// read adds the facts of the checks to a subject: of several about the same thing the worst. It
// returns the recording of those that were judged, and of the right calls.
func (e example) read(s *field.Subject, all []checked) session.Session {
	type seen struct {
		field.Fact
		at   *playground.Exchange
		with []playground.Exchange
	}
	facts := map[string]seen{}
	var order []string
	for i := range all {
		c := &all[i]
		for _, l := range slices.Concat(c.report.Experiments().Lines, c.report.Rules().Lines) {
			f, at := c.fact(l)
			if why := e.decided[l.ID]; why != "" && l.Outcome.Judged() {
				f.Outcome, f.Sentence, at = verdict.NotJudged, why, nil
			}
			old, known := facts[f.Check]
			if !known {
				order = append(order, f.Check)
			}
			if !known || f.Outcome.Compare(old.Outcome) < 0 {
				facts[f.Check] = seen{f, at, c.made(l.ID)}
			}
		}
	}
	var n session.Session
	numbers := map[string]int{}
	number := func(x playground.Exchange) int {
		if numbers[x.ID] == 0 {
			numbers[x.ID] = len(n.Exchanges) + 1
			n.Exchanges = append(n.Exchanges, x)
		}
		return numbers[x.ID]
	}
	for _, c := range all { // what the experiments are compared with
		for _, x := range c.exchanges {
			if x.Experiment() == "" {
				number(x)
			}
		}
	}
	for _, check := range order {
		f := facts[check]
		if f.at != nil {
			f.Exchange = number(*f.at)
			for _, x := range f.with { // what the experiment is judged by, too
				number(x)
			}
		} else {
			f.Round = 0
		}
		s.Facts = append(s.Facts, f.Fact)
	}
	for i := range n.Exchanges {
		n.Exchanges[i].ID = fmt.Sprint(i + 1)
	}
	return n
}

// made returns the calls that were made for an experiment.
func (c *checked) made(experiment string) []playground.Exchange {
	for _, r := range c.report.Results {
		if r.ID == experiment {
			return r.Exchanges
		}
	}
	return nil
}

// fact returns a line of the report as a fact, with the call that shows it, or nil.
func (c *checked) fact(l verdict.Line) (field.Fact, *playground.Exchange) {
	f := field.Fact{
		Check: l.ID, Title: l.Title, Level: string(l.Level), Outcome: l.Outcome, Sentence: l.Sentence,
		Requirement: requirementOf(l),
	}
	if f.Requirement == "" {
		f.Clause = l.Clause
	}
	if i := slices.IndexFunc(c.report.Results, func(r lab.Result) bool { return r.ID == l.ID }); i >= 0 {
		r := c.report.Results[i]
		f.Condition = l.Title
		if f.Outcome.Judged() && r.Ended() && r.Decisive < len(r.Exchanges) {
			f.Condition, f.Round = f.Condition+", tool "+c.tool, r.Round.N
			return f, &r.Exchanges[r.Decisive]
		}
		return f, nil
	}
	if !f.Outcome.Judged() {
		return f, nil
	}
	x, found := c.find(l)
	if x == nil {
		return f, nil
	}
	f.Round, f.Sentence = found.Round, found.Text
	f.Condition = condition(*x, c.tool)
	return f, x
}

// condition returns what a call was, in a few words.
func condition(x playground.Exchange, tool string) string {
	switch e, _ := lab.ExperimentByID(x.Experiment()); {
	case e.Title != "":
		return e.Title + ", tool " + tool
	case x.Call.Method != playground.ToolsCall:
		return strings.TrimSpace("Connecting, " + x.Call.Method)
	}
	return "The right call, tool " + tool
}

// requirementOf returns the id of the requirement of a line: of those that name the rule or the
// experiment, and bind servers, the one with its clause, or else the first.
func requirementOf(l verdict.Line) string {
	var first string
	for _, s := range binding(l.ID) {
		if s.Link() == l.Clause && (l.Level == "" || strings.HasPrefix(string(s.Level), string(l.Level))) {
			return s.ID
		}
		first = cmp.Or(first, s.ID)
	}
	return first
}
