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

Tests the MCP server at URL with one of its tools: makes a correct call, then
about thirty calls with one deliberate fault each. The tool really runs each
time, so choose one that is safe to run.

  -tool TOOL         the tool to call (with -method prompts/get a prompt, with
                     resources/read a URI)
  -args JSON         its arguments, an object ({})
  -answers FILE      answers by key, as for call; other questions get defaults
  -header 'N: V'     an additional header, such as your token; may be repeated
  -person 'N: V'     the same header for a second person, who tries to use the
                     first person's state; may be repeated
  -other TOOL        a second tool, to call without arguments and with the state
                     of the first
  -wait DURATION     how long to wait for a state to expire (10s)
  -timeout DURATION  how long to wait for a response (10s)
  -method METHOD     tools/call (the default), prompts/get or resources/read
  -capabilities JSON the client capabilities to declare
  -json, -junit      print the report as JSON or as JUnit XML, with all bytes
                     (JSON) or one test per probe and rule (JUnit)
  -public            call only public addresses, as with serve -public

Exit codes: 0 no MUST-level requirement is violated, 1 one is or the call
failed, 2 usage error.
`

// checkOptions are the settings of check.
type checkOptions struct {
	callOptions
	person        []wire.Field
	other         string
	wait, timeout time.Duration
	junit         bool
}

// checkServer runs the check and prints its report.
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
	target = target.WithSecrets(o.person, nil) // reports end up in places where tokens must not
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
				"check takes one URL, got %q too; see check -help", f.Arg(0),
			)}
		}
		o.url, rest = f.Arg(0), f.Args()[1:]
	}
	if o.url == "" || o.name == "" {
		return o, &usageError{"check needs a URL and -tool; see check -help"}
	}
	if o.json && o.junit {
		return o, &usageError{"-json and -junit cannot be combined"}
	}
	o.arguments, o.capabilities = json.RawMessage(arguments), json.RawMessage(capabilities)
	if err := o.check(); err != nil {
		return o, err
	}
	var err error
	o.answers, err = readAnswers(answers)
	return o, err
}

// plan returns the plan of the check, with the tools as the server lists them.
func (o checkOptions) plan(t playground.Target, c server.Connection) (check.Plan, error) {
	p := check.Plan{Target: t, Call: o.call(), Answers: o.answers, Person: o.person, MaxWait: o.wait}
	if tool, ok := c.Tool(o.name); ok && o.method == playground.ToolsCall {
		p.Call.Tool = tool.Definition
	} else if c.Status == server.Connected && o.method == playground.ToolsCall {
		return p, fmt.Errorf("the server has no tool %q", o.name)
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

// print writes the report in the chosen format and returns errQuiet if the
// check has failed.
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
	for _, p := range r.Results {
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

// waitFor waits for d or until ctx ends, and then returns ctx.Err().
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
