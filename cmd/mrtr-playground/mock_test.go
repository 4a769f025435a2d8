package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/export"
)

// mocked serves a file with the command mock and returns its address.
func mocked(t *testing.T, stderr io.Writer, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"mock"}, args...), patient, writer, stderr)
		_ = writer.CloseWithError(err) // before it printed anything, if it failed
		ended <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	line := make([]byte, 200)
	n, err := reader.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	return strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "listening on "))
}

// TestMock_AnswersAsRecorded: a recording is made again at the server that it has become, whatever
// file it was kept in, and nothing differs.
func TestMock_AnswersAsRecorded(t *testing.T) {
	file := recorded(t, startProgram(t, t.TempDir()))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n, err := export.Import(data, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	har, err := export.HAR(n, client())
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"kept.json": data, "kept.har": har} {
		kept := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(kept, data, 0o600); err != nil {
			t.Fatal(err)
		}
		url := mocked(t, io.Discard, kept)
		code, out, errs := inTerminal(t, "call", "-replay", file, url)
		if code != 0 || !strings.Contains(out, "same, 2 rounds") {
			t.Errorf("%s: %d\n%s%s", name, code, out, errs)
		}
	}
}

// TestMock_Lines: the same over standard input and output.
func TestMock_Lines(t *testing.T) {
	file := recorded(t, startProgram(t, t.TempDir()))
	in := `{"jsonrpc":"2.0","id":1,"method":"server/discover"}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}
no message
{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"update_work_item","arguments":{"fields":` +
		`{"System.State":"Resolved"},"workItemId":4522}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_work_items"}}
`
	var out, errs bytes.Buffer
	err := serveRecording(
		t.Context(),
		[]string{file, "-lines"},
		pipe{strings.NewReader(in), &out},
		io.Discard,
		&errs,
	)
	if err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{
		`"supportedVersions":["2026-07-28"]`, `"id":"b","result":{`, "How was this bug resolved?",
		`This recording has no tools/call of \"list_work_items\", only of update_work_item.`,
		"This line is no message of JSON-RPC.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n != 4 {
		t.Errorf("%d lines:\n%s", n, got)
	}
	for _, want := range []string{
		"server/discover was not recorded: its answer is made of the calls",
		"tools/call: recorded request 1\n",
	} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q in\n%s", want, errs.String())
		}
	}
}

func TestMock_Usage(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.json")
	if err := os.WriteFile(empty, []byte(`{"format":"mrtr-playground/session","version":1,"exchanges":[]}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"mock"}, 2, "mock takes one file, got 0"},
		{[]string{"mock", "/nowhere.json"}, 2, "no such file"},
		{[]string{"mock", empty, "-ignore", "headers"}, 2,
			`"headers" is none of meta, arguments, answers, state`},
		{[]string{"mock", empty}, 1, "read recording"},
	} {
		code, out, errs := inTerminal(t, test.args...)
		if code != test.code || !strings.Contains(errs, test.says) {
			t.Errorf("%v: %d\n%s%s", test.args, code, out, errs)
		}
	}
}
