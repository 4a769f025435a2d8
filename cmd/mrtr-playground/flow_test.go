package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/code"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// flowFileOf writes the text of a flow to a file.
func flowFileOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "flow.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// inTerminal runs a command line and returns its exit code and its output.
func inTerminal(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = exitCode(run(t.Context(), args, patient, &stdout, &stderr), &stderr)
	return code, stdout.String(), stderr.String()
}

func TestFlow_ExitCodes(t *testing.T) {
	t.Parallel()
	good := flowFileOf(t, "flow: 1\nname: greet\nresult: Hello\n")
	wrong := flowFileOf(t, "flow: 1\nname: greet\nresult: Hello {{answers.name}}\n")
	page := flowFileOf(t, "flow: 1\nname: greet\nsteps:\n  - url: sign\n    message: Sign.\n"+
		"    page: {title: Sign, text: Sign here., button: Sign}\nresult: Signed\n")
	fails := flowFileOf(t, "flow: 1\nname: greet\nresult: {error: Not today.}\n")
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"flow"}, 2, "see flow -help"},
		{[]string{"flow", "bake", good}, 2, "see flow -help"},
		{[]string{"flow", "run"}, 2, "flow takes one file, got 0"},
		{[]string{"flow", "check"}, 2, "needs a file first"},
		{[]string{"flow", "check", good, "-format", "colour"}, 2, "a format is text"},
		{[]string{"flow", "check", filepath.Join(t.TempDir(), "none")}, 2, "no such file"},
		{[]string{"flow", "export", good, "-to", "cobol"}, 2, "-to is go, typescript"},
		{[]string{"flow", "check", wrong}, 1, ":3:9: result: answers has no “name”."},
		{[]string{"flow", "export", wrong, "-to", "json"}, 1, ":3:9: result:"},
		{[]string{"flow", "check", fails}, 3, ""},
		{[]string{"flow", "check", good}, 0, ""},
		{[]string{"flow", "check", page}, 0, ""},
		{[]string{"help", "flow", "run"}, 0, ""},
		{[]string{"help", "flow", "bake"}, 2, "one command or topic"},
		{[]string{"flow", "-help"}, 0, ""},
	} {
		code, out, errs := inTerminal(t, test.args...)
		if code != test.code || !strings.Contains(errs, test.says) {
			t.Errorf("%v: %d\n%s%s", test.args, code, out, errs)
		}
	}
}

// A flow that runs answers as any server does, until it is interrupted.
func TestFlow_Runs(t *testing.T) {
	t.Parallel()
	refund, _ := flow.FindExample("refund")
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"flow", "run", flowFileOf(t, refund.Source)}, patient, writer, io.Discard)
	}()
	line := make([]byte, 200)
	n, err := reader.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	url := strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "listening on "))
	answers := filepath.Join(t.TempDir(), "answers.json")
	check := os.WriteFile(answers, []byte(`{"reason":{"reason":"Late"}}`), 0o600)
	code, out, errs := inTerminal(t, "call", url, "refund_order", `{"orderId":"A-1","amount":5}`, "-answers",
		answers)
	if code != 0 || check != nil || !strings.Contains(out, "Order A-1: 5 euros refunded (Late).") {
		t.Errorf("call %s: %d\n%s%s", url, code, out, errs)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestFlow_CheckKnowsTheLifeOfItsStates: the server of the flow has made them, so the
// check can wait until one expires.
func TestFlow_CheckKnowsTheLifeOfItsStates(t *testing.T) {
	t.Parallel()
	f, problems := review.Parse([]byte("flow: 1\nname: greet\nresult: Hello\n"))
	if f == nil {
		t.Fatal(problems)
	}
	s, err := startFlow(f, "127.0.0.1:0", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	o, err := s.checkOptions(f, nil, patient, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	expires := time.Now().Add(time.Hour).Truncate(time.Second)
	for name, keys := range map[string]*seal.Keys{"its own": s.keys, "another server's": seal.Generate()} {
		state, err := keys.Seal(seal.Sealed, seal.Claims{
			Issued: time.Now().Unix(), Expires: expires.Unix(), ID: "0011",
		})
		if err != nil {
			t.Fatal(err)
		}
		var asked playground.Round
		asked.State = jsontree.Quote(state)
		known := o.expiry(playground.Target{}, asked).Equal(expires)
		if known != (keys == s.keys) {
			t.Errorf("%s state: %t", name, known)
		}
	}
}

// Each export is what the page gives: the same flow again, or source.
func TestFlow_Exports(t *testing.T) {
	t.Parallel()
	refund, _ := flow.FindExample("refund")
	file := flowFileOf(t, refund.Source)
	f, _ := review.Parse([]byte(refund.Source))
	for _, format := range []string{"yaml", "json"} {
		code, out, errs := inTerminal(t, "flow", "export", file, "-to", format)
		again, problems := review.Parse([]byte(out))
		if code != 0 || again == nil || !bytes.Equal(again.JSON(), f.JSON()) {
			t.Errorf("%s: %d %s %v", format, code, errs, problems)
		}
		if format == "json" && !json.Valid([]byte(out)) {
			t.Errorf("not JSON: %s", out)
		}
	}
	for _, l := range code.Languages() {
		dir := filepath.Join(t.TempDir(), "source")
		if code, _, errs := inTerminal(t, "flow", "export", file, "-to", l.Slug, "-out", dir); code != 0 {
			t.Errorf("%s: %d %s", l.Slug, code, errs)
		}
		if _, err := os.Stat(filepath.Join(dir, "README.md")); err != nil {
			t.Error(l.Slug, err)
		}
		code, _, errs := inTerminal(t, "flow", "export", file, "-to", l.Slug, "-out", dir)
		if code != 2 || !strings.Contains(errs, "-out names another directory") {
			t.Errorf("%s over what is there: %d %s", l.Slug, code, errs)
		}
		code, _, errs = inTerminal(t, "flow", "export", file, "-to", l.Slug, "-out", t.TempDir())
		if code != 0 {
			t.Errorf("%s to an empty directory: %d %s", l.Slug, code, errs)
		}
	}
}
