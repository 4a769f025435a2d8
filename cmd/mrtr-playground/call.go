package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/legacy"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// call makes one call with the engine of the pages.
func call(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	o, err := parseCall(args, getenv, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.replay != "" {
		return replay(ctx, o, stdout, stderr)
	}
	c, err := newCaller(o, stderr)
	if err != nil {
		return err
	}
	defer c.close()
	if o.name == "" {
		return c.list(ctx, stdout)
	}
	return c.drive(ctx, stdout)
}

// caller is a call being made.
type caller struct {
	callOptions
	engine   rounds.Config
	runner   *rounds.Runner
	lines    *lines.Servers
	x        playground.Exchange
	changes  []string        // what -edit changed
	terminal *terminal       // nil if there is no user to ask
	asked    map[string]bool // keys of the questions that the terminal asked
	signer   *signer
	stderr   io.Writer
	examined bool // what was tried has been printed
}

func newCaller(o callOptions, stderr io.Writer) (*caller, error) {
	sender := wire.New(wire.Config{
		Reach: reachOf(o.public), Limits: o.answerLimits(),
	})
	signer, err := newSigner(o.signIn, sender, o.public, stderr)
	if err != nil {
		return nil, err
	}
	c := &caller{
		asked: map[string]bool{}, callOptions: o, terminal: newTerminal(os.Stdin, stderr), signer: signer,
		stderr: stderr, lines: newLines(o.stdio, o.limits, o.roots, stderr),
	}
	c.engine = engineConfig(sender, c.lines, o, stderr)
	c.runner = rounds.New(c.engine)
	target := playground.Target{
		Name: o.serverName(), URL: o.url, Capabilities: o.capabilities, Header: o.header, Era: o.era,
		Trust: o.trust,
	}
	c.x = playground.Exchange{ID: "call", Target: target, Call: o.call(), Created: time.Now()}
	return c, nil
}

// close ends the running requests, and the command of -stdio.
func (c *caller) close() {
	ctx := context.Background()
	_ = c.runner.Close(ctx)
	c.lines.Close(ctx)
}

// engineConfig returns the settings of a runner whose record lasts as long as
// the command. -timeout is also the longest time between two polls of a task.
func engineConfig(
	sender *wire.Client, servers *lines.Servers, o callOptions, stderr io.Writer,
) rounds.Config {
	hints, polls, answers := &fingerprints{out: stderr}, o.limits.polls, o.answerLimits()
	open, roots := answers.For(legacy.Limits()), o.roots
	return rounds.Config{
		Roots:  func(context.Context, string) (json.RawMessage, error) { return roots(), nil },
		Log:    rounds.NewMemory(),
		Caller: servers.Caller(hints.of(sender), answers),
		Patient: func(wait time.Duration) rounds.Caller {
			l := o.limitsFor(wait)
			return servers.Caller(hints.of(sender.WithLimits(l)), l)
		},
		Open:     servers.Caller(hints.of(sender.WithLimits(open)), open),
		Sessions: servers.Sessions(answers, open),
		Client:   client(),
		Now:      time.Now,
		Limits:   rounds.Limits{Polls: polls.Polls, Interval: cmp.Or(o.timeout, polls.Interval)},
		Logger:   slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
}

// list prints what the server is and offers.
func (c *caller) list(ctx context.Context, stdout io.Writer) error {
	_, connection, err := c.signer.discover(ctx, c.engine, c.x.Target)
	if err != nil {
		return err
	}
	if err := printConnection(stdout, c.x.Target, connection, c.json); err != nil {
		return err
	}
	if connection.Status != server.Connected {
		_ = c.signer.examine(c.x.Target, connection)
		return errQuiet
	}
	return nil
}

// connect asks the server for its era, unless the user chose one, and sets the
// tool's definition, because some of its arguments may have to be repeated in
// headers. A tool that clients must exclude is not called. A server that cannot
// be asked is called all the same, so that the record shows its response.
func (c *caller) connect(ctx context.Context) error {
	if c.x.Target.Era == playground.Legacy {
		return nil
	}
	if c.x.Target.Era == playground.Modern {
		tool, found, none := drive.FindTool(ctx, c.engine, c.x.Target, c.name)
		if none != "" && c.method == playground.ToolsCall {
			fmt.Fprintln(text.NewTerminal(c.stderr), none)
		}
		return c.define(tool, found)
	}
	target, connection, err := c.signer.discover(ctx, c.engine, c.x.Target)
	if err != nil {
		return err
	}
	c.x.Target = target
	c.examined = c.signer.examine(target, connection) != nil
	if connection.Era == playground.Legacy {
		c.x.Target.Era = playground.Legacy
		return nil
	}
	if why := connection.Excluded(c.name); why != "" {
		return c.define(server.Tool{Name: c.name, Excluded: why}, true)
	}
	tool, found := connection.Tool(c.name)
	if !found && c.method == playground.ToolsCall && connection.Status == server.Connected &&
		!slices.Contains(connection.Truncated, playground.ToolsList) {
		fmt.Fprintln(text.NewTerminal(c.stderr), connection.NoTool(c.name))
	}
	return c.define(tool, found)
}

// define sets the definition of the tool that is called.
func (c *caller) define(tool server.Tool, found bool) error {
	switch {
	case c.method != playground.ToolsCall || !found:
		return nil
	case tool.Excluded != "":
		return fmt.Errorf("clients must exclude the tool %q: %s", c.name, tool.Excluded)
	}
	c.x.Call.Tool = tool.Definition
	return c.x.Call.CheckHeaderArguments()
}

// drive drives the call to its end and prints each Round.
func (c *caller) drive(ctx context.Context, stdout io.Writer) error {
	if err := c.connect(ctx); err != nil {
		return err
	}
	if trace, ok := c.x.Call.Trace(); ok && !c.json {
		fmt.Fprintf(stdout, "trace %s\n", trace.ID)
	}
	printed := 0
	d := drive.Driver{Runner: c.runner, Decide: drive.Answers(c.answer), Follow: c.followTask()}
	d.Observe = func(x playground.Exchange) {
		f := x.Fold() // a task goes through several Rounds without a decision
		for ; printed < len(f.Rounds) && !c.json; printed++ {
			printRound(stdout, x.Target, f, printed)
		}
	}
	x, err := c.send(ctx, d, stdout)
	if err != nil {
		noteUnused(c.stderr, c.answers, x)
		return err
	}
	f := x.Fold()
	if err := printEnd(stdout, x, f, c.json, c.changes...); err != nil {
		return err
	}
	if err := question.Unasked(x, c.answers, c.asked); err != nil {
		return &usageError{"-answers: " + err.Error()}
	}
	noteUnused(c.stderr, c.answers, x)
	if list := doctor.Request(x.Target, *f.Last()); list != nil && !c.examined {
		return printTried(c.stderr, "the request failed", list)
	}
	if f.Status != playground.StatusComplete || f.Last().IsError {
		return errQuiet
	}
	return nil
}

// followTask returns a function that says, when a call has become a task, how often
// it is polled, and again when that changes.
func (c *caller) followTask() func(playground.Transcript) {
	var told time.Duration
	return func(f playground.Transcript) {
		last := f.Last()
		if last == nil || last.Task == nil || f.Status != playground.StatusRunning ||
			last.Task.Every == told {
			return
		}
		told = last.Task.Every
		fmt.Fprintf(c.stderr, "The call is a task, which is polled every %s. Press Ctrl-C to cancel it.\n",
			text.Duration(told))
	}
}

// send makes the call, with one request edited if the user says so.
func (c *caller) send(ctx context.Context, d drive.Driver, stdout io.Writer) (playground.Exchange, error) {
	if c.edit != nil {
		return c.sendEdited(ctx, d, stdout)
	}
	return c.finish(ctx, d, c.most)
}

// finish drives the call to Round n or its end. If ctx ends first, it cancels
// the call.
func (c *caller) finish(ctx context.Context, d drive.Driver, n int) (playground.Exchange, error) {
	x, err := c.to(ctx, d, n)
	if ctx.Err() != nil {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), giveUpTime)
		defer stop()
		d.GiveUp(ctx, x)
	}
	if err != nil {
		return x, fmt.Errorf("call: %w", err)
	}
	return x, nil
}

// to drives the call to Round n or its end. A Round that is refused for want of
// a token or a scope is sent again after signing in, with the same requestState.
func (c *caller) to(ctx context.Context, d drive.Driver, n int) (playground.Exchange, error) {
	x := c.x
	for {
		var err error
		if x.Target, err = c.signer.fresh(ctx, x.Target); err != nil {
			return x, err
		}
		next, err := d.To(ctx, x, n)
		last := next.Fold().Last()
		if err != nil || last == nil || next.Fold().Status != playground.StatusFailed {
			return next, err
		}
		target, again, err := c.signer.after(ctx, next.Target, last.Head)
		if err != nil || !again {
			return next, err
		}
		next.Target = target
		x, err = d.Open(ctx, next, playground.Decision{Action: playground.ActionResend, Round: last.N + 1})
		if err != nil {
			return x, err
		}
	}
}

// giveUpTime is how long a server has to end its work after a cancellation.
const giveUpTime = 2 * time.Second

// noteUnused names the answers given in advance that no call had a use for.
func noteUnused(stderr io.Writer, answers map[string]json.RawMessage, exchanges ...playground.Exchange) {
	if note := question.UnusedNote(question.Unused(answers, exchanges...)); note != "" {
		fmt.Fprintln(stderr, "-answers: "+note)
	}
}

// answer answers from the file, else from the terminal what a program must not
// decide, else with defaults and placeholders.
func (c *caller) answer(f question.Form) (playground.Answer, error) {
	if why := f.Fields.Unchecked(); f.Kind == question.KindForm && f.FormErr == nil && why != "" {
		c.engine.Logger.Warn("answer not checked against the whole schema", "key", f.Key, "reason", why)
	}
	if value, ok := f.Given(c.answers); ok {
		a, err := f.FromJSON(value)
		if question.IsMisshapen(err) {
			err = &usageError{"-answers: " + err.Error()}
		}
		return a, err
	}
	switch property := f.Unanswerable(); {
	case f.Kind == question.KindURL:
		return c.terminal.consent(f)
	case property != "":
		c.asked[f.Key] = true
		return c.terminal.boolean(f, property)
	}
	return f.Placeholder()
}
