package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/trial"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway/upstream"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
)

const gatewayHelp = `usage: mrtr-playground gateway [flags] GATEWAY_URL
       mrtr-playground gateway [flags] -stdio 'COMMAND ARGS {url}'

Tests a gateway or proxy between MCP clients and servers: serves an upstream
with three instances, prints its address, to which you point the gateway, waits
until the gateway answers, makes about 45 calls through it, and compares what
the client and the upstream recorded, request by request. It calls tools, a
prompt and a resource, with questions, tasks and a sign-in, reads the lists and
opens a subscription. {url} in the command of -stdio stands for the address of
the upstream; no shell runs the command.

What a gateway may do, such as ids, names and states of its own that it maps
back, or fewer tools in its list, is named and not judged. What it does not list
is not called. The report goes to standard output.

{flags}

Exit codes: 0 end to end holds, 1 it does not, or the test was interrupted, 2
usage error, 3 nothing was judged, such as when no call reached the upstream.
`

// gatewayOptions are the settings of gateway.
type gatewayOptions struct {
	callOptions
	addr     string
	wait     time.Duration
	words    []string // of the command of -stdio, with {url}; nil for none
	format   string
	reports  reportFiles
	baseline *verdict.Baseline // nil for none
}

// Times of the test of a gateway. A result that waits for the client is held so long, and the
// upstream so long waited for after a cancellation.
const (
	gatewayHold     = 5 * time.Second
	gatewayPatience = 5 * time.Second
)

func parseGateway(args []string, getenv func(string) string, stdout io.Writer) (gatewayOptions, error) {
	o := gatewayOptions{callOptions: callOptions{limits: localLimits()}}
	v := newValues(getenv)
	var baseline string
	f := newFlags("gateway")
	f.StringVar(&o.addr, "addr", "", "")
	f.DurationVar(&o.wait, "wait", 0, "")
	f.DurationVar(&o.timeout, "timeout", 0, "")
	f.Func("stdio", "", func(s string) (err error) {
		o.words, err = stdio.Words(s)
		return err
	})
	f.Func("header", "", v.headers("-header", &o.header))
	f.StringVar(&o.certificate, "trust-certificate", "", "")
	f.Func("limit", "", o.setLimit)
	f.Func("format", "", func(s string) error { return setFormat(&o.format, s) })
	f.Func("report", "", o.reports.add)
	f.StringVar(&baseline, "baseline", "", "")
	words, err := readFlags(f, args, getenv, stdout)
	if err != nil {
		return o, err
	}
	switch {
	case o.words != nil && (len(words) > 0 || len(o.header) > 0 || o.certificate != ""):
		return o, &usageError{"-stdio excludes a URL, -header and -trust-certificate"}
	case o.words == nil && len(words) != 1:
		return o, &usageError{"gateway needs the URL of the gateway, or -stdio; see gateway -help"}
	case o.timeout <= 0 || o.wait <= 0:
		return o, &usageError{"-timeout and -wait must be above zero"}
	}
	if o.words == nil {
		o.url = words[0]
		if _, failure := wire.CheckURL(o.url, wire.Reach{}); failure != nil {
			return o, &usageError{failure.Detail}
		}
	}
	if baseline != "" {
		b, err := readBaseline(baseline)
		if err != nil {
			return o, err
		}
		o.baseline = &b
	}
	return o, o.readTrust()
}

// testGateway makes calls through a gateway and prints the report.
func testGateway(
	ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer,
) error {
	o, err := parseGateway(args, getenv, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err == nil {
		err = o.reports.check()
	}
	if err != nil {
		return err
	}
	rec, ended := o.record(ctx, stderr)
	if ended != nil {
		ended = fmt.Errorf("gateway: %w", ended)
	}
	if ended != nil && !rec.Interrupted {
		return ended
	}
	v, err := against(gateway.Report(rec), o.baseline)
	if err != nil {
		return err
	}
	write := func(w io.Writer, format string) error {
		if format == "json" {
			return verdict.WriteJSON(w, gateway.NewDocument(rec, v))
		}
		return writeVerdict(w, v, format)
	}
	if err := o.reports.write(write); err != nil {
		return err
	}
	var printed bytes.Buffer
	if err := write(&printed, o.format); err != nil {
		return err
	}
	if _, err := stdout.Write(printed.Bytes()); err != nil {
		return err
	}
	if ended != nil {
		return ended // what was made before is printed
	}
	return exitError(v)
}

// record serves the upstream and makes the calls.
func (o gatewayOptions) record(ctx context.Context, stderr io.Writer) (gateway.Recording, error) {
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return gateway.Recording{}, fmt.Errorf("listen: %w", err)
	}
	up := upstream.New(clienttest.New(clienttest.Config{Hold: gatewayHold, Gateway: true}), time.Now)
	served := &http.Server{
		Handler: http.NewCrossOriginProtection().Handler(up), ReadHeaderTimeout: 10 * time.Second,
	}
	ended := make(chan error, 1)
	go func() { ended <- served.Serve(listener) }()
	defer func() {
		_ = served.Close()
		<-ended
	}()
	address := ownURL(listener.Addr()) + "/mcp"
	fmt.Fprintf(stderr, "point the gateway at %s\n", address)

	o.useCommand(address)
	progress := newDotted(stderr)
	servers := newLines(o.stdio, o.limits, o.roots, progress)
	defer servers.Close(context.WithoutCancel(ctx))
	engine := engineConfig(wire.New(wire.Config{Limits: o.answerLimits()}), servers, o.callOptions, progress)
	engine.Now = time.Now // the clock of both ends
	target := playground.Target{Name: o.url, URL: o.url, Header: o.header, Trust: o.trust}
	target = target.WithSecrets(nil, nil) // reports end up in places where tokens must not
	if o.words != nil {
		target.Name = strings.Join(o.stdio[0], " ")
	}
	rec, err := trial.Run(ctx, trial.Config{
		Engine: engine, Target: target, Upstream: up, NewID: newID,
		Called: func(gateway.Call) error {
			progress.dot()
			return nil
		},
		Wait: o.wait, Limit: o.wait, Patience: gatewayPatience, Pause: drive.Pause,
	})
	progress.end()
	return rec, err
}

// useCommand makes the command of -stdio the server that is called, with the address of the
// upstream.
func (o *gatewayOptions) useCommand(address string) {
	if o.words == nil {
		return
	}
	words := make([]string, len(o.words))
	for i, w := range o.words {
		words[i] = strings.ReplaceAll(w, "{url}", address)
	}
	o.stdio, o.url = commandWords{words}, wire.CommandURL(words)
}
