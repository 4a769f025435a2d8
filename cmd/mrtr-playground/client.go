package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	neturl "net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

const clientHelp = `usage: mrtr-playground client [flags] -- COMMAND [ARGS...]
       mrtr-playground client [flags] -stdio 'COMMAND ARGS...'

Tests an MCP client: starts a server with about 90 scenarios on a free port of
this machine, runs COMMAND, records what it sends, and prints what was observed.
No shell runs the command. It gets two environment variables:

  MRTR_SERVER_URL    the address of the server; {url} in ARGS stands for it too
  MRTR_SCENARIO      the scenario to do, empty for any; also {scenario} in ARGS

A scenario about a tool has the name of the tool. What the command prints goes
to standard error, the report to standard output.

{flags}

What was not judged is reported with the reason. Exit codes: 0 no failure, 1 the
client violates a MUST-level requirement, or the test was interrupted, 2 usage
error, 3 nothing was judged, nothing that was asked was continued, an id of
-only was not reached or the client stopped there, or a retry fits no call.
`

// clientOptions are the settings of client.
type clientOptions struct {
	command   []string
	each      bool
	proxy     string // URL; empty for the client test
	trust     wire.Trust
	stdio     []string // words of the server's command; nil unless the client starts this program
	reports   reportFiles
	timeout   time.Duration
	selection capture.Selection
	limits    limits
	format    string            // of the output
	baseline  *verdict.Baseline // nil for none
}

// testClient runs the command and prints the board of it.
func testClient(
	ctx context.Context, args []string, getenv func(string) string, lines pipe, stdout, stderr io.Writer,
) error {
	o, err := parseClient(args, getenv, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.stdio != nil {
		stdout = hasty{w: stderr, limit: o.limits.commands.read} // standard output is the client's
	}
	if err := o.reports.check(); err != nil {
		return err
	}
	board, err := o.board(ctx, lines, stderr)
	if err != nil {
		return err
	}
	v, err := against(board.Verdict(), o.baseline)
	if err != nil {
		return err
	}
	err = o.print(stdout, board, v)
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil && o.stdio == nil:
		return fmt.Errorf("client: %w", context.Cause(ctx))
	}
	return exitError(v)
}

// board returns the board of the client.
func (o clientOptions) board(ctx context.Context, lines pipe, stderr io.Writer) (_ capture.Board, err error) {
	if o.stdio != nil {
		r := lineRecorder{out: lines.out, now: now, limits: o.limits.commands}
		runs := []capture.Run{r.run(ctx, o.stdio, lines.in, stderr)}
		return capture.NewBoard(o.stdio[0], runs, o.selection), nil
	}
	s, err := startStand(ctx, o.limits, o.trust, stderr)
	if err != nil {
		return capture.Board{}, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	runs, err := o.runs(ctx, s, stderr)
	return capture.NewBoard(o.target(s.url).Name, runs, o.selection), err
}

// print writes the report to the files of -report, and prints it.
func (o clientOptions) print(stdout io.Writer, b capture.Board, v verdict.Report) error {
	err := o.reports.write(func(w io.Writer, format string) error { return writeClient(w, b, v, format) })
	if err != nil {
		return err
	}
	var printed bytes.Buffer
	if err := writeClient(&printed, b, v, o.format); err != nil {
		return err
	}
	_, err = stdout.Write(printed.Bytes())
	return err
}

// runs runs the command, once or for each scenario. The runs end early if the
// command cannot be started, or when ctx ends.
func (o clientOptions) runs(ctx context.Context, s *stand, stderr io.Writer) ([]capture.Run, error) {
	scenarios := []rules.Scenario{{}}
	if o.each {
		scenarios = o.selection.Scenarios()
	}
	var list []capture.Run
	for _, x := range scenarios {
		k, err := s.capture(ctx, o.target(s.url))
		if err != nil {
			return list, err
		}
		c := clientCommand{
			args: o.command, url: s.address(k), scenario: x.ID, limit: o.timeout,
			grace: o.limits.commands.kill, out: stderr,
		}
		started, ended := c.run(ctx)
		report, err := s.report(ctx, k)
		if err != nil {
			return list, err
		}
		r := capture.Run{Scenario: x.ID, Ended: ended, Report: report}
		if o.proxy == "" {
			r.Checks = capture.ObserveEnded(report.Contacts())
		}
		list = append(list, r)
		if !started || ctx.Err() != nil {
			break
		}
	}
	return list, nil
}

func parseClient(args []string, getenv func(string) string, stdout io.Writer) (clientOptions, error) {
	o := clientOptions{limits: localLimits()}
	o.limits.pages.Session, o.limits.pages.CapturedOpen = standSession, standOpen
	o.limits.drain = standDrain
	if i := slices.Index(args, "--"); i >= 0 {
		args, o.command = args[:i], args[i+1:]
	}
	var only, skip []string
	var certificate, baseline string
	f := newFlags("client")
	f.BoolVar(&o.each, "each", false, "")
	f.StringVar(&o.proxy, "proxy", "", "")
	f.StringVar(&certificate, "trust-certificate", "", "")
	f.Func("report", "", o.reports.add)
	f.StringVar(&baseline, "baseline", "", "")
	f.Func("stdio", "", func(s string) (err error) {
		o.stdio, err = stdio.Words(s)
		return err
	})
	f.DurationVar(&o.timeout, "timeout", 0, "")
	f.Func("limit", "", o.limits.set)
	f.Func("only", "", func(s string) error { return addIDs(&only, s) })
	f.Func("skip", "", func(s string) error { return addIDs(&skip, s) })
	f.Func("format", "", func(s string) error { return setFormat(&o.format, s) })
	words, err := readFlags(f, args, getenv, stdout)
	if err != nil {
		return o, err
	}
	timed := false
	f.Visit(func(set *flag.Flag) { timed = timed || set.Name == "timeout" })
	if !timed {
		o.timeout = o.limits.commands.whole // which -limit may have set
	}
	if o.selection, err = capture.NewSelection(only, skip); err != nil {
		return o, &usageError{err.Error()}
	}
	if baseline != "" {
		b, err := readBaseline(baseline)
		if err != nil {
			return o, err
		}
		o.baseline = &b
	}
	switch {
	case o.stdio != nil &&
		(len(words) > 0 || o.command != nil || o.each || o.proxy != "" || certificate != "" ||
			timed):
		return o, &usageError{"-stdio excludes -each, -proxy, -timeout, -trust-certificate " +
			"and a command after --: the client starts this program as its server"}
	case o.stdio != nil:
		return o, nil
	case len(words) > 0:
		return o, &usageError{fmt.Sprintf("client takes its command after --, got %q before it", words[0])}
	case len(o.command) == 0 || o.command[0] == "":
		return o, &usageError{"client needs -- and a command; see client -help"}
	case o.timeout <= 0:
		return o, &usageError{"-timeout must be above zero"}
	case o.proxy != "" && o.each:
		return o, &usageError{"-each and -proxy cannot be given together: only the client test has scenarios"}
	case o.each && len(o.selection.Scenarios()) == 0:
		return o, &usageError{"no scenario is left to run; see -only and -skip"}
	}
	if err := o.checkProxy(); err != nil {
		return o, err
	}
	if certificate != "" && o.proxy == "" {
		return o, &usageError{"-trust-certificate needs -proxy"}
	}
	o.trust, err = readTrust(o.proxy, certificate)
	return o, err
}

// checkProxy returns an error for a server that cannot be behind an address.
func (o clientOptions) checkProxy() error {
	if o.proxy == "" {
		return nil
	}
	if _, failure := wire.CheckURL(o.proxy, wire.Reach{}); failure != nil {
		return &usageError{"-proxy: " + failure.Detail}
	}
	if redact.New(nil, o.proxy, nil) != nil {
		return &usageError{"-proxy: the URL has a secret; let the client send it in a header instead"}
	}
	return nil
}

// addIDs adds ids that commas separate.
func addIDs(list *[]string, s string) error {
	for id := range strings.SplitSeq(s, ",") {
		if id = strings.TrimSpace(id); id == "" {
			return errors.New("an id is empty")
		}
		*list = append(*list, id)
	}
	return nil
}

// writeClient writes a board whose verdict is v.
func writeClient(w io.Writer, b capture.Board, v verdict.Report, format string) error {
	if format == "json" {
		d := b.Document()
		d.Document = v.Document()
		return verdict.WriteJSON(w, d)
	}
	return writeVerdict(w, v, format)
}

// target returns the server that captures are in front of: that of -proxy, or the
// client test of the program at a URL, which lists only the chosen scenarios.
func (o clientOptions) target(url string) playground.Target {
	if o.proxy != "" {
		return playground.Target{ID: proxyID, Name: o.proxy, URL: o.proxy}
	}
	t := playground.Target{
		ID: sampletools.ClientTest, Sample: sampletools.ClientTest, Name: "the client test",
		URL: url + "/mcp/" + sampletools.ClientTest,
	}
	chosen := o.selection.Scenarios()
	if len(chosen) == 0 || len(chosen) == len(rules.Scenarios()) {
		return t // rules alone are chosen, or all
	}
	names := make([]string, len(chosen))
	for i, x := range chosen {
		names[i] = x.Name
	}
	t.URL += "?" + neturl.Values{"only": {strings.Join(names, ",")}}.Encode()
	return t
}

// proxyID is the id of the server of -proxy.
const proxyID = "proxy"

// isTerminal reports whether a file is a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
