package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const checkHelp = `usage: mrtr-playground check URL -tool TOOL [flags]
       mrtr-playground check URL -prompt PROMPT | -resource URI [flags]
       mrtr-playground check URL -exercise [flags]

Tests the MCP server at URL with one of its tools, prompts or resources: makes a
correct call, then about forty calls with one deliberate fault each. The tool
really runs each time, so choose one that is safe to run. At a server from
before 2026-07-28 only the correct call is made and judged.

{flags}

-json and -junit stand for -format json and junit. "help values" is on values.
Exit codes: 0 the correct call worked and no MUST-level requirement is violated,
1 one is, or the check ended early, 2 usage error, 3 nothing was judged, such as
when the correct call failed. With -exercise, 1 is also for what is not met.
`

// checkOptions are the settings of check.
type checkOptions struct {
	callOptions
	person   []wire.Field
	other    string
	wait     time.Duration
	late     time.Duration // wait, if the user set it
	format   string        // of the output
	exercise bool          // check the exercise
	makeUp   bool          // the arguments, from the schema of the tool
	reports  reportFiles
	baseline *verdict.Baseline                                   // nil for none
	expiry   func(playground.Target, playground.Round) time.Time // of a state; see check.Config
}

// checkServer runs the check and prints its report.
func checkServer(
	ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer,
) error {
	o, err := parseCheck(args, getenv, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err == nil {
		err = o.reports.check()
	}
	if err != nil {
		return err
	}
	return runCheck(ctx, o, stdout, stderr)
}

// runCheck runs the check of a command line that was read.
func runCheck(ctx context.Context, o checkOptions, stdout, stderr io.Writer) error {
	progress := newDotted(stderr)
	stderr = progress
	caller := wire.New(
		wire.Config{Reach: reachOf(o.public), Limits: o.callOptions.answerLimits()},
	)
	target := playground.Target{
		Name: o.serverName(), URL: o.url, Capabilities: o.capabilities, Header: o.header, Era: o.era,
		Trust: o.trust,
	}
	servers := newLines(o.stdio, o.limits, o.roots, stderr)
	defer servers.Close(context.WithoutCancel(ctx))
	engine := engineConfig(caller, servers, o.callOptions, stderr)
	signer, err := newSigner(o.signIn, caller, o.public, stderr)
	if err != nil {
		return err
	}
	target, connection, err := signer.discover(ctx, engine, target)
	if err != nil {
		return err
	}
	_ = signer.examine(target, connection) // the report says that nothing was judged
	narrow := signer.narrow(ctx, target)
	// reports end up in places where tokens must not
	target = target.WithSecrets(slices.Concat(o.person, narrow), nil)
	if connection.Era == playground.Legacy {
		target.Era = playground.Legacy
	}
	plan, err := o.plan(target, connection, stderr)
	if err != nil {
		return o.refuse(stdout, stderr, target, connection, err)
	}
	plan.Narrow = narrow
	quiet := o.format != "" && o.format != "text"
	engine.Log = rounds.NewMemory()
	runner := rounds.New(engine)
	defer func() { _ = runner.Close(ctx) }()
	ctx, stop := context.WithTimeoutCause(ctx, o.limit(), &check.LimitError{Limit: o.limit()})
	defer stop()
	exchanges, err := check.Run(ctx, check.Config{
		Runner: runner, Client: client(), Now: time.Now, Wait: drive.Pause, NewID: newID,
		Expiry: o.expiry,
		Begin: func(context.Context, playground.Exchange) error {
			if !quiet {
				progress.dot()
			}
			return nil
		},
	}, plan)
	progress.end()
	if len(exchanges) > 0 {
		if err := cmp.Or(question.Misshapen(exchanges[0], o.answers),
			question.Unasked(exchanges[0], o.answers, nil)); err != nil {
			return &usageError{"-answers: " + err.Error()}
		}
	}
	report := lab.NewReport(exchanges, connection, false)
	if failed := o.keep(report); failed != nil {
		return failed
	}
	if o.exercise && err == nil {
		v := exercise.Verdict(exercise.Judge(report, exchanges), report)
		if err := v.WriteText(stdout); err != nil {
			return err
		}
		return exitError(v)
	}
	printed := o.print(stdout, report)
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	return printed
}

// limit returns how long the whole check may take.
func (o checkOptions) limit() time.Duration {
	const answers, waits = 90, 3 // more than a check of a slow server needs
	return answers*o.timeout + waits*o.wait
}

func parseCheck(args []string, getenv func(string) string, stdout io.Writer) (checkOptions, error) {
	o := checkOptions{callOptions: callOptions{limits: localLimits()}, expiry: check.Expiry}
	var answers, arguments, capabilities, baseline string
	v := newValues(getenv)
	f := newFlags("check")
	o.offer(f, "tool", playground.ToolsCall)
	o.offer(f, "prompt", playground.PromptsGet)
	o.offer(f, "resource", playground.ResourcesRead)
	f.StringVar(&arguments, "args", "", "")
	f.StringVar(&answers, "answers", "", "")
	f.StringVar(&capabilities, "capabilities", string(
		playground.Declare([]string{"elicitation.form", "elicitation.url", "sampling", "roots", "tasks"}),
	), "")
	f.Func("era", "", func(s string) error { return setEra(&o.era, s) })
	f.StringVar(&o.other, "other", "", "")
	f.DurationVar(&o.wait, "wait", 0, "")
	f.DurationVar(&o.timeout, "timeout", 0, "")
	f.Func("limit", "", o.setLimit)
	for _, format := range []string{"json", "junit"} {
		f.BoolFunc(format, "", func(string) error { return o.setFormat(format) })
	}
	f.Func("format", "", o.setFormat)
	f.Func("report", "", o.reports.add)
	f.StringVar(&baseline, "baseline", "", "")
	f.BoolVar(&o.exercise, "exercise", false, "")
	f.BoolVar(&o.public, "public", false, "")
	f.StringVar(&o.certificate, "trust-certificate", "", "")
	f.Func("header", "", v.headers("-header", &o.header))
	f.Func("stdio", "", o.stdio.add)
	o.signIn.flags(f)
	f.Func("person", "", v.headers("-person", &o.person))
	words, err := readFlags(f, args, getenv, stdout)
	if err != nil {
		return o, err
	}
	if len(words) > 1 {
		return o, &usageError{fmt.Sprintf("check takes one URL, got %q too; see check -help", words[1])}
	}
	o.url = strings.Join(words, "")
	if o.stdio != nil && o.url != "" {
		return o, &usageError{"-stdio stands for the URL"}
	}
	if err := o.setExercise(f); err != nil {
		return o, err
	}
	if o.timeout <= 0 {
		return o, &usageError{"-timeout must be above zero"}
	}
	if err := o.signIn.check(getenv); err != nil {
		return o, err
	}
	if len(o.stdio) > 0 && len(o.person) > 0 {
		return o, &usageError{"-stdio excludes -person: lines have no headers"}
	}
	if err := o.useStdio(); err != nil {
		return o, err
	}
	if o.url == "" || o.name == "" {
		return o, &usageError{"check needs a URL and -tool, -prompt or -resource; see check -help"}
	}
	o.makeUp = o.method == playground.ToolsCall && !o.exercise
	f.Visit(func(set *flag.Flag) {
		switch set.Name {
		case "wait":
			o.late = o.wait
		case "args":
			o.makeUp = false
		}
	})
	if err := o.signIn.check(getenv); err != nil {
		return o, err
	}
	o.arguments, o.capabilities = json.RawMessage(arguments), json.RawMessage(capabilities)
	if o.exercise {
		o.arguments, o.answers = exercise.Arguments(), exercise.Answers()
	}
	if err := o.check(v); err != nil || o.exercise {
		return o, err
	}
	if o.answers, err = v.answers(answers); err != nil {
		return o, err
	}
	return o, o.readBaseline(baseline)
}

// readBaseline reads the report of -baseline, which must be about the same call.
func (o *checkOptions) readBaseline(path string) error {
	if path == "" {
		return nil
	}
	b, err := readBaseline(path)
	if err != nil {
		return err
	}
	name := o.name
	if uri, err := o.uri(); err == nil && o.method == playground.ResourcesRead {
		name = uri
	}
	if subject := verdict.Subject(o.method, name); b.Subject != subject {
		return &usageError{fmt.Sprintf("-baseline: %s is a report on %s, and this check is on %s", path,
			cmp.Or(text.Visible(b.Subject, 120), "a client"), subject)}
	}
	o.baseline = &b
	return nil
}

// setFormat sets the format of the output.
func (o *checkOptions) setFormat(s string) error {
	if o.format != "" && o.format != s {
		return errors.New("the report can be printed in one format only")
	}
	return setFormat(&o.format, s)
}

// plan returns the plan of the check, with the tools as the server lists them.
func (o checkOptions) plan(
	t playground.Target, c server.Connection, stderr io.Writer,
) (check.Plan, error) {
	p := check.Plan{
		Target: t, Call: o.call(), Answers: o.answers, Person: o.person, MaxWait: o.wait, Late: o.late,
	}
	p.Call.Wait = o.timeout
	if o.exercise {
		p.Others = exercise.Others()
	}
	if o.method != playground.ToolsCall {
		return p, nil
	}
	tool, ok := c.Tool(o.name)
	why := c.Excluded(o.name)
	switch {
	case ok:
		if o.makeUp {
			p.Call.Params = o.madeUp(tool, stderr)
		}
		p.Call.Tool = tool.Definition
		if err := p.Call.CheckHeaderArguments(); err != nil {
			return p, err
		}
	case why != "":
		return p, fmt.Errorf("clients must exclude the tool %q: %s", o.name, why)
	case c.Status == server.Connected && !slices.Contains(c.Truncated, playground.ToolsList):
		return p, errors.New(c.NoTool(o.name))
	}
	p.Other = server.SecondTool(c, o.name, false)
	if o.other != "" {
		other := server.ToolCall(server.Tool{Name: o.other}, []byte("{}"))
		if tool, ok := c.Tool(o.other); ok {
			other = server.ToolCall(tool, []byte("{}"))
		}
		p.Other = &other
	}
	return p, nil
}

// madeUp returns the params of the call with arguments that are made up from the schema of
// its tool, as for agents, and says so.
func (o checkOptions) madeUp(tool server.Tool, stderr io.Writer) json.RawMessage {
	o.arguments = question.PlaceholderArguments(tool.InputSchema)
	if string(o.arguments) != "{}" {
		fmt.Fprintf(text.NewTerminal(stderr), "without -args, the arguments are made up: %s\n",
			text.Visible(string(o.arguments), 600))
	}
	return o.call().Params
}

// refuse prints the report on a server whose tool is not called, with the reason. It
// returns the same as print: nothing was judged but the connection.
func (o checkOptions) refuse(
	stdout, stderr io.Writer, t playground.Target, c server.Connection, why error,
) error {
	report := lab.NewReport([]playground.Exchange{{ID: newID(), Target: t, Call: o.call()}}, c, false)
	report.Status, report.Detail = lab.Failed,
		"The check was not made: "+strings.TrimSuffix(why.Error(), ".")+"."
	if err := o.keep(report); err != nil {
		return err
	}
	if o.exercise {
		return why
	}
	fmt.Fprintln(text.NewTerminal(stderr), "mrtr-playground:", why)
	return o.print(stdout, report)
}

// print writes the report in the chosen format. The error is that of its exit code.
func (o checkOptions) print(w io.Writer, r lab.Report) error {
	v, err := against(r.Verdict(), o.baseline)
	if err != nil {
		return err
	}
	if err := writeReport(w, r, v, o.format); err != nil {
		return err
	}
	return exitError(v)
}

// keep writes the report to the files of -report.
func (o checkOptions) keep(r lab.Report) error {
	v, err := against(r.Verdict(), o.baseline)
	if err != nil {
		return err
	}
	return o.reports.write(func(w io.Writer, format string) error { return writeReport(w, r, v, format) })
}

// writeReport writes a report whose verdict is v.
func writeReport(w io.Writer, r lab.Report, v verdict.Report, format string) error {
	if format == "json" {
		d := r.Document()
		d.Document = v.Document()
		return verdict.WriteJSON(w, d)
	}
	return writeVerdict(w, v, format)
}
