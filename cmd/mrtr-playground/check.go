package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const checkHelp = `usage: mrtr-playground check URL -tool TOOL [flags]

Tests the MCP server at URL with one of its own tools: makes the call as it
should be made, then about thirty times more, each time with one thing wrong on
purpose. The tool really runs each time; use one that may.

  -tool TOOL         the tool to call (with -method prompts/get a prompt, with
                     resources/read a URI)
  -args JSON         its arguments, an object ({})
  -answers FILE      answers by key, as for call; other questions get defaults
  -header 'N: V'     an extra header field, such as your token; repeatable
  -person 'N: V'     the same field for a second person, whose use of the
                     first one's state is tried; repeatable
  -other TOOL        a second tool, called without arguments and with a state
                     that is not its own
  -wait DURATION     how long to wait for a state to lapse (10s)
  -timeout DURATION  how long one answer may take (10s)
  -method METHOD     tools/call (the default), prompts/get or resources/read
  -capabilities JSON the client capabilities to declare
  -json, -junit      print the report as JSON or as JUnit XML, with all bytes
                     (JSON) or one test per probe and rule (JUnit)
  -public            keep to public addresses, as a public playground does

Exit codes: 0 no MUST is broken, 1 one is, or the call does not work, 2 used
wrongly.
`

// checkOptions are the settings of check.
type checkOptions struct {
	callOptions
	person        []wire.Field
	other         string
	wait, timeout time.Duration
	junit         bool
}

// checkServer makes the probes and prints their report.
func checkServer(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseCheck(args, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	caller := wire.New(
		wire.Config{Public: o.public, Limits: wire.Limits{FirstByte: o.timeout, Total: 3 * o.timeout}},
	)
	target := playground.Target{Name: o.url, URL: o.url, Capabilities: o.capabilities, Header: o.header}
	target = target.Conceal(o.person, nil) // reports end up in places where tokens must not
	engine := engineConfig(caller, stderr)
	connection := drive.Discover(ctx, engine, target)
	plan, err := o.plan(target, connection)
	if err != nil {
		return err
	}
	quiet := o.json || o.junit
	engine.Log = rounds.NewMemory()
	runner := rounds.New(engine)
	defer func() { _ = runner.Close(ctx) }()
	exchanges, err := check.Run(ctx, check.Config{
		Runner: runner, Client: client(), Now: time.Now, Wait: waitFor, NewID: newID, Expiry: check.Expiry,
		Begin: func(context.Context, playground.Exchange) error {
			if !quiet {
				fmt.Fprint(stderr, ".")
			}
			return nil
		},
	}, plan)
	if !quiet {
		fmt.Fprintln(stderr)
	}
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	return o.print(stdout, lab.NewReport(exchanges, connection, false))
}

func parseCheck(args []string, stdout io.Writer) (checkOptions, error) {
	var o checkOptions
	var answers, arguments, capabilities string
	f := newFlags("check")
	f.StringVar(&o.name, "tool", "", "")
	f.StringVar(&arguments, "args", "{}", "")
	f.StringVar(&answers, "answers", "", "")
	f.StringVar(&o.method, "method", playground.ToolsCall, "")
	f.StringVar(
		&capabilities, "capabilities", `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`, "",
	)
	f.StringVar(&o.other, "other", "", "")
	f.DurationVar(&o.wait, "wait", 10*time.Second, "")
	f.DurationVar(&o.timeout, "timeout", 10*time.Second, "")
	f.BoolVar(&o.json, "json", false, "")
	f.BoolVar(&o.junit, "junit", false, "")
	f.BoolVar(&o.public, "public", false, "")
	f.Func("header", "", func(s string) error { return addHeader(&o.header, s) })
	f.Func("person", "", func(s string) error { return addHeader(&o.person, s) })
	for rest := args; ; { // flags may stand on both sides of the URL
		if err := parse(f, rest, stdout, checkHelp); err != nil {
			return o, err
		}
		if f.NArg() == 0 {
			break
		}
		if o.url != "" {
			return o, &usageError{fmt.Sprintf(
				"check takes one URL, but got %q too; check -help says more", f.Arg(0),
			)}
		}
		o.url, rest = f.Arg(0), f.Args()[1:]
	}
	if o.url == "" || o.name == "" {
		return o, &usageError{"check needs a URL and -tool; check -help says more"}
	}
	if o.json && o.junit {
		return o, &usageError{"-json and -junit exclude each other"}
	}
	o.arguments, o.capabilities = json.RawMessage(arguments), json.RawMessage(capabilities)
	if err := o.check(); err != nil {
		return o, err
	}
	var err error
	o.answers, err = readAnswers(answers)
	return o, err
}

// plan says what to check, as the server's own listing defines the tools.
func (o checkOptions) plan(t playground.Target, c server.Connection) (check.Plan, error) {
	p := check.Plan{Target: t, Call: o.call(), Answers: o.answers, Person: o.person, MaxWait: o.wait}
	if tool, ok := c.Tool(o.name); ok && o.method == playground.ToolsCall {
		p.Call.Tool = tool.Definition
	} else if c.Status == server.Connected && o.method == playground.ToolsCall {
		return p, fmt.Errorf("the server offers no tool %q", o.name)
	}
	p.Other = server.Harmless(c, o.name, false)
	if o.other != "" {
		other := server.ToolCall(server.Tool{Name: o.other}, []byte("{}"))
		if tool, ok := c.Tool(o.other); ok {
			other = server.ToolCall(tool, []byte("{}"))
		}
		p.Other = &other
	}
	return p, nil
}

// print writes the report in the form that was asked for; a failure becomes
// the exit code.
func (o checkOptions) print(w io.Writer, r lab.Report) error {
	var err error
	switch {
	case o.json:
		err = writeJSON(w, r.Document())
	case o.junit:
		err = r.WriteJUnit(w)
	default:
		err = printReport(w, r)
	}
	if err == nil && !r.OK() {
		return errQuiet
	}
	return err
}

func printReport(w io.Writer, r lab.Report) error {
	for _, p := range r.Probes {
		if r.Status != lab.Failed {
			fmt.Fprintf(w, "%-5s %-24s %s\n", p.Verdict, p.ID, text.Visible(p.Text, 300))
		}
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%-5s %-24s %s\n", f.Verdict, f.Rule, text.Visible(f.Text, 300))
		fmt.Fprintf(w, "%-5s %-24s %s\n", "", "", f.Link)
	}
	if r.Detail != "" {
		fmt.Fprintln(w, text.Visible(r.Detail, 600))
	}
	c := r.Total()
	_, err := fmt.Fprintf(
		w, "%s: %d fail, %d hint, %d pass, %d not applicable\n", r.Status, c.Fail, c.Hint, c.Pass, c.NA,
	)
	return err
}

// waitFor lets time pass.
func waitFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
