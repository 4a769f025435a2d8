package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/code"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

const flowHelp = `usage: mrtr-playground flow run FILE [-addr HOST:PORT]
       mrtr-playground flow check FILE [flags of check]
       mrtr-playground flow export FILE -to FORMAT [-out PATH]

A flow is a tool that asks, described in a file, YAML or JSON. The page
/learn/reference/flows has the format, and /flows an editor.

flow run serves the flow as an MCP server, prints its address, and goes on until
it is interrupted: for a client, or as a test double in CI. -addr is the address
to listen on (127.0.0.1:0, a free port).

flow check reads the flow and prints each problem with its line and field. A
flow without problems is served and tested as check tests a server, with the
examples of its arguments and fields as arguments and answers. Flags of check
such as -format are allowed; see check -help.

flow export writes the flow in another format:
  go, typescript, python
                     a small server for this flow, with a test and a README, in
                     the directory of -out (new or empty, named after the tool)
  yaml, json         the flow, to the file of -out (standard output)

Exit codes: 0 fine, 1 the flow has a problem or its server breaks a MUST, 2
usage error, 3 the correct call did not work, so nothing was judged.
`

// runFlow runs the command flow.
func runFlow(
	ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer,
) error {
	verb := ""
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	switch verb {
	case "run":
		return serveFlow(ctx, args, stdout, stderr)
	case "check":
		return checkFlow(ctx, args, getenv, stdout, stderr)
	case "export":
		return exportFlow(args, stdout, stderr)
	case "-h", "-help", "--help":
		_, err := io.WriteString(stdout, flowHelp)
		return err
	}
	return &usageError{"flow needs run, check or export and a file; see flow -help"}
}

// readFlow reads a flow from a file. It prints its problems, as compilers do,
// and returns errQuiet.
func readFlow(path string, stderr io.Writer) (*flow.Flow, error) {
	source, err := readLimited(path)
	if err != nil {
		return nil, err
	}
	f, problems := review.Parse(source)
	for _, p := range problems {
		fmt.Fprintf(stderr, "%s:%d:%d: %s\n", path, p.Line, p.Column, problemText(p))
	}
	if f == nil {
		return nil, errQuiet
	}
	for _, p := range f.Warnings {
		fmt.Fprintf(stderr, "%s:%d:%d: warning: %s\n", path, p.Line, p.Column, problemText(p))
	}
	return f, nil
}

func problemText(p document.Problem) string {
	if p.Path == "" {
		return p.Text
	}
	return p.Path + ": " + p.Text
}

// readLimited reads a file that is not larger than a document may be, and one byte
// more of a larger one, so that its reader says so.
func readLimited(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &usageError{"read flow: " + err.Error()}
	}
	defer file.Close()
	source, err := io.ReadAll(io.LimitReader(file, document.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read flow: %w", err)
	}
	return source, nil
}

// flowServer serves one flow.
type flowServer struct {
	url     string
	server  *http.Server
	samples *sampletools.Catalog
	keys    *seal.Keys // of its states
	done    chan error
}

// flowToken is the last part of the address of a flow that the command serves.
const flowToken = "served"

// startFlow serves a flow on an address. The keys of its states are new, so a state
// is valid until the server ends.
func startFlow(f *flow.Flow, address string, stderr io.Writer) (*flowServer, error) {
	keys := seal.Generate()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	base := "http://" + listener.Addr().String()
	m := newMetrics()
	samples, err := sampletools.New(sampletools.Config{
		Keys: keys, BaseURL: base, Log: newLogger(logSettings{}, app.Local, stderr, m.logged),
		Flows: func(_ context.Context, token string) (sampletools.FlowText, error) {
			if token != flowToken {
				return sampletools.FlowText{}, sampletools.ErrNoFlow
			}
			return sampletools.FlowText{Digest: token, Source: f.Source(), Example: true}, nil
		},
	})
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s := &flowServer{
		url: base + "/mcp/flow/" + flowToken, samples: samples, keys: keys, done: make(chan error, 1),
		server: &http.Server{Handler: samples, ReadHeaderTimeout: 10 * time.Second},
	}
	go func() { s.done <- s.server.Serve(listener) }()
	return s, nil
}

// expiry returns when the state of a Round expires, which the server of the flow knows.
func (s *flowServer) expiry(_ playground.Target, r playground.Round) time.Time {
	return seal.Explain(r.StateText(), s.keys, now()).Expires
}

// close ends the server.
func (s *flowServer) close() error {
	s.samples.Close()
	err := s.server.Close()
	if served := <-s.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// serveFlow serves a flow until it is interrupted.
func serveFlow(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	set := newFlags("flow run")
	address := set.String("addr", "", "")
	path, err := flowFile(readFlags(set, args, nil, stdout))
	if err != nil {
		return quietHelp(err)
	}
	f, err := readFlow(path, stderr)
	if err != nil {
		return err
	}
	s, err := startFlow(f, *address, stderr)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "listening on", s.url)
	select {
	case <-ctx.Done():
		return s.close()
	case err := <-s.done:
		s.samples.Close()
		return err
	}
}

// flowFile returns the one file that a command line names.
func flowFile(words []string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	if len(words) != 1 {
		return "", &usageError{fmt.Sprintf("flow takes one file, got %d; see flow -help", len(words))}
	}
	return words[0], nil
}

// quietHelp returns nil for the error of -help, whose text was printed.
func quietHelp(err error) error {
	if errors.Is(err, errHelp) {
		return nil
	}
	return err
}

// checkFlow reads a flow, serves it, and checks the server.
func checkFlow(
	ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer,
) error {
	i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if i != 0 {
		if slices.Contains(args, "-help") || slices.Contains(args, "-h") {
			_, err := io.WriteString(stdout, flowHelp)
			return err
		}
		return &usageError{"flow check needs a file first; see flow -help"}
	}
	f, err := readFlow(args[0], stderr)
	if err != nil {
		return err
	}
	stderr = &dotted{w: stderr}
	s, err := startFlow(f, "127.0.0.1:0", stderr)
	if err != nil {
		return err
	}
	defer s.close()
	o, err := s.checkOptions(f, args[1:], getenv, stdout)
	if err != nil {
		return quietHelp(err)
	}
	return runCheck(ctx, o, stdout, stderr)
}

// checkOptions returns the settings of a check of the server, whose flow is f. Arguments and
// answers are the examples of the flow unless args have others.
func (s *flowServer) checkOptions(
	f *flow.Flow, args []string, getenv func(string) string, stdout io.Writer,
) (checkOptions, error) {
	arguments, err := json.Marshal(f.Example())
	if err != nil {
		return checkOptions{}, fmt.Errorf("write arguments: %w", err)
	}
	o, err := parseCheck(
		append([]string{s.url, "-tool", f.Name, "-args", text.EscapeVariables(string(arguments))}, args...),
		getenv, stdout,
	)
	if err != nil {
		return o, err
	}
	o.expiry = s.expiry
	if o.answers == nil {
		o.answers = map[string]json.RawMessage{}
	}
	for _, q := range f.Versions[0].Forms() {
		if _, given := o.answers[q.Key]; given {
			continue
		}
		if o.answers[q.Key], err = json.Marshal(q.Example()); err != nil {
			return o, fmt.Errorf("write answers: %w", err)
		}
	}
	return o, nil
}

// exportFlow writes a flow in another format.
func exportFlow(args []string, stdout, stderr io.Writer) error {
	set := newFlags("flow export")
	format, out := set.String("to", "", ""), set.String("out", "", "")
	path, err := flowFile(readFlags(set, args, nil, stdout))
	if err != nil {
		return quietHelp(err)
	}
	f, err := readFlow(path, stderr)
	if err != nil {
		return err
	}
	switch *format {
	case "json":
		return writeOut(*out, append(f.Indented(), '\n'), stdout)
	case "yaml":
		text, err := document.YAML(f.JSON())
		if err != nil {
			return err
		}
		return writeOut(*out, text, stdout)
	}
	files, err := code.Files(f, *format)
	if err != nil {
		return &usageError{"-to is go, typescript, python, yaml or json"}
	}
	if *out == "" {
		*out = f.Name
	}
	return writeFiles(*out, files, stdout)
}

// writeOut writes to a file, or to standard output.
func writeOut(path string, data []byte, stdout io.Writer) error {
	if path == "" {
		_, err := stdout.Write(data)
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// writeFiles writes files to a directory that is new or empty: nothing is overwritten.
func writeFiles(dir string, files []code.File, stdout io.Writer) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write source: %w", err)
	}
	switch there, err := os.ReadDir(dir); {
	case err != nil:
		return fmt.Errorf("write source: %w", err)
	case len(there) > 0:
		return &usageError{fmt.Sprintf(
			"%s has files already, and nothing is overwritten; -out names another directory", dir)}
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("write source: %w", err)
		}
		if err := os.WriteFile(path, []byte(f.Content), 0o644); err != nil {
			return fmt.Errorf("write source: %w", err)
		}
		fmt.Fprintln(stdout, path)
	}
	return nil
}
