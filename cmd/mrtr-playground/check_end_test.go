package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

// TestCheck_TasksAsStreams: a right server that answers tasks with event streams is
// checked to the end.
func TestCheck_TasksAsStreams(t *testing.T) {
	right := peers.Tasks()
	server := httptest.NewServer(peers.Streamed(right.Handler, peers.Streams()[0]))
	t.Cleanup(server.Close)
	code, out := checked(t, server.URL, "-tool", "print_badges", "-json")
	var d lab.Document
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if code != 0 || d.Status != lab.Complete || d.Summary.Failed+d.Summary.Advisory > 0 {
		t.Errorf("exit code %d, %s: %s %+v", code, d.Status, d.Detail, d.Summary)
	}
}

// TestCheck_RarePolls: -timeout bounds the time between two polls of a task, and the
// report names the time that the server asks for.
func TestCheck_RarePolls(t *testing.T) {
	rare := peers.RareTasks(1_000_000 * time.Second)
	server := httptest.NewServer(rare.Handler)
	t.Cleanup(server.Close)
	code, out := checked(t, server.URL, "-tool", "print_badges", "-timeout", "3s", "-json")
	var d lab.Document
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if code != exitControl || d.Worked || d.Summary.Failed > 0 ||
		!strings.Contains(d.Detail, "11 days 13 h") {
		t.Errorf("exit code %d, %s: %s %+v", code, d.Status, d.Detail, d.Summary)
	}
}

// TestCall_RarePolls: the same for a call, which says why it ends and that its task
// does not.
func TestCall_RarePolls(t *testing.T) {
	rare := peers.RareTasks(1_000_000 * time.Second)
	server := httptest.NewServer(rare.Handler)
	t.Cleanup(server.Close)
	out, err := called(t, "-timeout", "3s", server.URL, "print_badges")
	if exitCode(err, io.Discard) != exitWrong || !strings.Contains(out, "11 days 13 h") ||
		!strings.HasSuffix(strings.TrimSpace(out), "waiting") {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = called(t, "-json", server.URL, "print_badges") // more than the usual limit, too
	var report callReport
	if json.Unmarshal([]byte(out), &report) != nil || exitCode(err, io.Discard) != exitWrong ||
		!strings.Contains(report.Polls, "11 days 13 h") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, wrong := range []string{"-1s", "soon"} {
		if _, err := called(t, "-timeout", wrong, server.URL); exitCode(err, io.Discard) != exitUsage {
			t.Errorf("-timeout %s: %v", wrong, err)
		}
	}
}

// TestCall_NamesTheIntervalOfATask: while a task is polled, its user learns how
// often, and how to end it.
func TestCall_NamesTheIntervalOfATask(t *testing.T) {
	slow := peers.RareTasks(1500 * time.Second)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	server := httptest.NewServer(slow.Handler)
	t.Cleanup(server.Close)
	read, write := io.Pipe()
	go func() {
		_ = run(ctx, []string{"call", server.URL, "print_badges"}, patient, io.Discard, write)
		_ = write.Close()
	}()
	said := make([]byte, 200)
	n, err := read.Read(said)
	if got := string(said[:n]); err != nil ||
		!strings.Contains(got, "every 25 min 0 s. Press Ctrl-C to cancel") {
		t.Errorf("%v: %s", err, got)
	}
	stop()
	_, _ = io.Copy(io.Discard, read)
}

// TestCheck_ToolsThatAreNotCalled: the report says why a tool is not called, and
// judges the list that it is in.
func TestCheck_ToolsThatAreNotCalled(t *testing.T) {
	server := httptest.NewServer(peers.Excluded())
	t.Cleanup(server.Close)
	for tool, want := range map[string]string{
		"charge": `clients must exclude the tool "charge": the x-mcp-header "Amount" is on a parameter`,
		"absent": `The server has no tool "absent". It has: refund`,
	} {
		code, out := checked(t, server.URL, "-tool", tool, "-json")
		var d lab.Document
		if err := json.Unmarshal(out, &d); err != nil {
			t.Fatalf("%s: %v\n%s", tool, err, out)
		}
		if code != exitWrong || d.Status != lab.Failed || !strings.Contains(d.Detail, want) {
			t.Errorf("%s: exit code %d, %s: %s", tool, code, d.Status, d.Detail)
		}
		if !bytes.Contains(out, []byte(`"rule": "x-mcp-header",`)) || d.Summary.Failed != 1 {
			t.Errorf("%s: %+v", tool, d.Summary)
		}
		if _, out := checked(t, server.URL, "-tool", tool); !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s:\n%s", tool, out)
		}
	}
	if code, out := checked(t, server.URL, "-tool", "refund"); code != exitWrong ||
		!bytes.Contains(out, []byte("complete: ")) {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// TestCheck_EndsWithAPartialReport: a check that is interrupted prints the
// results so far.
func TestCheck_EndsWithAPartialReport(t *testing.T) {
	right := peers.Tasks()
	ctx, interrupt := context.WithCancel(t.Context())
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests++; requests == 20 {
			interrupt()
		}
		right.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	var out, messages bytes.Buffer
	err := run(ctx, []string{"check", server.URL, "-tool", "print_badges", "-junit"}, patient,
		&out, &messages)
	if exitCode(err, io.Discard) != exitWrong || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("%v %s", err, messages.String())
	}
	if xml.Unmarshal(out.Bytes(), new(struct{})) != nil ||
		!strings.Contains(out.String(), "It was interrupted.") {
		t.Errorf("%s", out.String())
	}
}
