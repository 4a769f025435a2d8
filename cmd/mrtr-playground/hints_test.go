package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestHints_UnknownTool: both commands name the tools that there are, and a check of a
// tool that the server does not have judges nothing.
func TestHints_UnknownTool(t *testing.T) {
	strict := httptest.NewServer(peers.Strict())
	t.Cleanup(strict.Close)
	const want = `The server has no tool "nope". It has: book_room.`
	var out, told bytes.Buffer
	err := run(t.Context(), []string{"check", strict.URL, "-tool", "nope"}, patient, &out, &told)
	if code := exitCode(err, io.Discard); code != exitControl || !strings.Contains(told.String(), want) ||
		!strings.Contains(out.String(), want) {
		t.Errorf("check: exit code %d\n%s\n%s", code, &out, &told)
	}
	for _, args := range [][]string{
		{"call", strict.URL, "nope"}, {"call", "-era", "modern", strict.URL, "nope"},
	} {
		told.Reset()
		err = run(t.Context(), args, patient, &out, &told)
		if exitCode(err, io.Discard) != exitWrong || !strings.Contains(told.String(), want) {
			t.Errorf("%q: %v\n%s", args, err, &told)
		}
	}
}

// TestHints_MadeUpArguments: without -args, a check makes the arguments up as the tool of
// agents does, and says so.
func TestHints_MadeUpArguments(t *testing.T) {
	strict := httptest.NewServer(peers.Strict())
	t.Cleanup(strict.Close)
	var out, told bytes.Buffer
	args := []string{"check", strict.URL, "-tool", "book_room", "-json"}
	err := run(t.Context(), args, patient, &out, &told)
	var d lab.Document
	if failed := json.Unmarshal(out.Bytes(), &d); failed != nil {
		t.Fatalf("%v\n%s", failed, &out)
	}
	if !d.Worked || !strings.Contains(told.String(), "without -args, the arguments are made up: {") {
		t.Errorf("%v: %s\n%s", err, d.Control, &told)
	}
	told.Reset()
	args = []string{"check", strict.URL, "-tool", "book_room", "-args", "{}"}
	if _ = run(t.Context(), args, patient, io.Discard, &told); strings.Contains(told.String(), "made up") {
		t.Errorf("with -args: %s", &told)
	}
}

// TestHints_PlaceOfAnError: a text that is no JSON object is quoted at its
// fault.
func TestHints_PlaceOfAnError(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"id": 4522,, "a": 1}`: `ARGUMENTS must be a JSON object: `,
		`{id: 4522}`:            `here: {⟶ id: 4522}`,
		`{"name": "Ada"`:        `here: {"name": "Ada"⟶`,
		`[1, 2]`:                `it begins with [ and not with {`,
		`'{}'`:                  `here: ⟶ '{}'`,
	} {
		_, err := called(t, "http://127.0.0.1:1", "greet", arguments)
		if err == nil || !strings.Contains(err.Error(), want) || exitCode(err, io.Discard) != exitUsage {
			t.Errorf("%s: %v, want %q", arguments, err, want)
		}
	}
	_, err := called(t, "http://127.0.0.1:1", "greet", `{"id": 4522,, "a": 1}`)
	if !strings.Contains(err.Error(), `here: {"id": 4522,⟶ , "a": 1}`) {
		t.Error(err)
	}
}

// TestHints_Descriptions: a description of several lines has no signs for line breaks.
func TestHints_Descriptions(t *testing.T) {
	var out bytes.Buffer
	schema := `{"type":"object","properties":{"name":{"type":"string",` +
		`"description":"The name\n  of the note"}}}`
	err := printConnection(&out, playground.Target{}, server.Connection{Status: server.Connected,
		Tools: []server.Tool{{Name: "add", Description: "Adds a note.\n\n    Args: name\n",
			InputSchema: json.RawMessage(schema)}}}, false)
	if err != nil || strings.Contains(out.String(), "↵") ||
		!strings.Contains(out.String(), "Adds a note. Args: name\n") ||
		!strings.Contains(out.String(), "The name of the note") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// unanswered is a Caller whose requests fail after a time without a response.
type unanswered time.Duration

// Send implements rounds.Caller.
func (u unanswered) Send(
	_ context.Context, _ string, _ wire.Frame, record func(wire.Part) error,
) wire.Timing {
	time.Sleep(time.Duration(u))
	_ = record(wire.Part{
		Kind: wire.Failed, At: time.Now(), Failure: &wire.Failure{Class: wire.TimeoutFirstByte},
	})
	return wire.Timing{}
}

// TestHints_SilentCommand: a command that connects names in the terminal the
// message that a silent command has not sent.
func TestHints_SilentCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		command := wire.CommandURL([]string{"node", "old.js"})
		for _, c := range []struct {
			target playground.Target
			silent time.Duration
			want   string
		}{
			{playground.Target{URL: command}, time.Minute, "waiting for an answer to server/discover"},
			{playground.Target{URL: command}, time.Second / 10, ""},
			{playground.Target{URL: "http://127.0.0.1:1/mcp"}, time.Minute, ""},
			{playground.Target{URL: command, Era: playground.Legacy}, time.Minute, ""},
		} {
			var told bytes.Buffer
			s, err := newSigner(signInOptions{}, nil, false, &told)
			if err != nil {
				t.Fatal(err)
			}
			engine := rounds.Config{
				Caller: unanswered(c.silent), Client: client(), Now: time.Now,
				Logger: slog.New(slog.DiscardHandler),
			}
			c.target.ID = "old"
			_, connection, err := s.discover(t.Context(), engine, c.target)
			if err != nil || connection.Status != server.ConnectFailed {
				t.Errorf("%s: %s, %v", c.target.URL, connection.Status, err)
			}
			time.Sleep(time.Minute) // nothing is said once it has ended
			synctest.Wait()
			if got := told.String(); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
				t.Errorf("%s: %q", c.target.URL, got)
			}
		}
	})
}
