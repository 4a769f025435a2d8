package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// called runs call and returns its error and its output.
func called(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), append([]string{"call"}, args...), patient, &out, io.Discard)
	return out.String(), err
}

func answersFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCall_AnswersByNameInEveryEra: the same file serves a server of each era,
// which the command detects.
func TestCall_AnswersByNameInEveryEra(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for name, answers := range map[string]string{
		"by key":   `{"resolution":{"resolution":"Duplicate"},"duplicate_of":{"duplicateOfId":4301}}`,
		"by field": `{"resolution":"Duplicate","duplicateOfId":4301,"duplicate_of":{"duplicateOfId":4301}}`,
		"as a whole": `{"resolution":{"action":"accept","content":{"resolution":"Duplicate"}},` +
			`"duplicate_of":{"duplicateOfId":4301}}`,
	} {
		for _, sample := range []string{"azure-devops", "before-mrtr"} {
			if sample == "azure-devops" && name == "by field" {
				continue // a modern server's key is the only name
			}
			out, err := called(t, "-answers", answersFile(t, answers), p.url+"/mcp/"+sample,
				"update_work_item", resolve)
			if err != nil || !strings.Contains(out, "Duplicate of Bug #4301") {
				t.Errorf("%s, %s: %v\n%s", sample, name, err, out)
			}
		}
	}
}

func TestCall_EraCanBeChosen(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for era, want := range map[string]playground.Status{"legacy": "complete", "modern": "failed"} {
		out, _ := called(t, "-era", era, p.url+"/mcp/before-mrtr", "list_work_items")
		if !strings.HasSuffix(strings.TrimSpace(out), string(want)) {
			t.Errorf("%s: %s", era, out)
		}
	}
	if _, err := called(t, "-era", "old", p.url, "t"); exitCode(err, io.Discard) != exitUsage {
		t.Errorf("an unknown era: %v", err)
	}
}

// TestCall_Trace: -trace prints the id of a new trace, and each request is a span
// of its own in it.
func TestCall_Trace(t *testing.T) {
	p := startProgram(t, t.TempDir())
	answers := answersFile(t, `{"resolution":{"resolution":"Duplicate"},`+
		`"duplicate_of":{"duplicateOfId":4301}}`)
	args := []string{"-answers", answers, p.url + "/mcp/azure-devops", "update_work_item", resolve}
	out, err := called(t, append(args, "-trace")...)
	first, _, _ := strings.Cut(out, "\n")
	id, found := strings.CutPrefix(first, "trace ")
	if err != nil || !found || len(id) != 32 || strings.Count(out, id) != 1 {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = called(t, append(args, "-trace", "-json")...)
	var report callReport
	if err != nil || json.Unmarshal([]byte(out), &report) != nil || len(report.Rounds) < 2 {
		t.Fatalf("%v\n%s", err, out)
	}
	if report.Trace == id {
		t.Error("two calls have one trace")
	}
	spans := map[string]bool{}
	for _, r := range report.Rounds {
		_, sent, _ := strings.Cut(r.Request.Body, `"traceparent":"`)
		sent, _, _ = strings.Cut(sent, `"`)
		trace, ok := playground.ParseTrace(sent)
		if !ok || trace.ID != report.Trace || spans[trace.Span] {
			t.Errorf("round %d: %s", r.Round, r.Request.Body)
		}
		spans[trace.Span] = true
	}
	out, err = called(t, append(args, "-trace=false")...)
	if err != nil || strings.HasPrefix(out, "trace") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, wrong := range [][]string{{"-trace", p.url}, {"-trace", "-replay", answers},
		{"-trace=perhaps", p.url, "t"}} {
		if _, err := called(t, wrong...); exitCode(err, io.Discard) != exitUsage {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}

func TestCall_ListsWhatCanBeCalled(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for path, want := range map[string][]string{
		"/mcp/before-mrtr": {"legacy", "tool      update_work_item", "call a tool:"},
		"/mcp/azure-devops": {"workItemId               integer, required",
			"fields                   object, required"},
		"/mcp/prompt-resource": {"modern", "prompt    ", "resource  ", "get a prompt:", "read a resource:",
			"language                 string, required"},
	} {
		out, err := called(t, p.url+path)
		for _, words := range want {
			if err != nil || !strings.Contains(out, words) {
				t.Errorf("%s: no %q (%v) in\n%s", path, words, err, out)
			}
		}
	}
}

// TestCall_GetsPromptsAndReadsResources: by the flags, wherever they stand, and by
// the method.
func TestCall_GetsPromptsAndReadsResources(t *testing.T) {
	p := startProgram(t, t.TempDir())
	url, language := p.url+"/mcp/prompt-resource", `{"language":"Go"}`
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"prompt": {[]string{url, "-prompt", "review_code", language, "-json"}, `"name":"review_code"`},
		"prompt, flag first": {
			[]string{"-json", "-prompt", "review_code", url, language}, `"arguments":` + language,
		},
		"prompt by method": {
			[]string{"-json", "-method", "prompts/get", url, "review_code", language}, "prompts/get",
		},
		"resource": {[]string{url, "-resource", "report://sales", "-json"}, `"uri":"report://sales"`},
	} {
		out, err := called(t, c.args...)
		var report callReport
		if json.Unmarshal([]byte(out), &report) != nil || err != nil || report.Status != "complete" ||
			!strings.Contains(report.Rounds[0].Request.Body+report.Method, c.want) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	note := []string{url, "-resource", "note://{id}{?q}", `{"id":"a b","q":"c"}`}
	template, err := parseCall(note, noEnv, io.Discard)
	if got := string(template.call().Params); err != nil || got != `{"uri":"note://a%20b?q=c"}` {
		t.Errorf("template: %s, %v", got, err)
	}
	for name, args := range map[string][]string{
		"two":              {url, "-prompt", "a", "-resource", "b"},
		"prompt and words": {url, "-prompt", "a", "{}", "{}"},
		"no name":          {url, "-prompt", ""},
		"bad template":     {url, "-resource", "note://{id"},
		"replay":           {"-replay", "f", "-prompt", "a"},
	} {
		if _, err := called(t, args...); exitCode(err, io.Discard) != exitUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCall_DecidesNothingForTheUser: a URL and a required boolean need an
// answer.
func TestCall_DecidesNothingForTheUser(t *testing.T) {
	p := startProgram(t, t.TempDir())
	_, err := called(t, p.url+"/mcp/sign-in", "list_invoices")
	if !errors.Is(err, errUnanswered) || !strings.Contains(err.Error(), "http") {
		t.Errorf("a URL: %v", err)
	}
	f := formOf(t, `{"type":"object","required":["sure","why"],"properties":{"sure":{"type":"boolean"},`+
		`"why":{"type":"string"}}}`)
	c := caller{asked: map[string]bool{}}
	if _, err := c.answer(f); !errors.Is(err, errUnanswered) || !strings.Contains(err.Error(), `"sure"`) {
		t.Errorf("a boolean: %v", err)
	}
	for entered, want := range map[string]string{
		"yes\n": `{"action":"accept","content":{"sure":true,"why":"text"}}`,
		"n\n":   `{"action":"accept","content":{"sure":false,"why":"text"}}`,
	} {
		c.terminal = &terminal{bufio.NewReader(strings.NewReader(entered)), io.Discard}
		if a, err := c.answer(f); err != nil || string(a.Value) != want {
			t.Errorf("%q: %s, %v", entered, a.Value, err)
		}
	}
	defaults := formOf(t, `{"type":"object","required":["sure"],"properties":`+
		`{"sure":{"type":"boolean","default":true}}}`)
	c.terminal = nil
	if a, err := c.answer(defaults); err != nil || string(a.Value) !=
		`{"action":"accept","content":{"sure":true}}` {
		t.Errorf("a default: %s, %v", a.Value, err)
	}
}

func TestTerminal_ShowsTheURL(t *testing.T) {
	var out bytes.Buffer
	term := &terminal{bufio.NewReader(strings.NewReader("decline\n")), &out}
	f := questionOf(t, `{"method":"elicitation/create","params":{"mode":"url","message":"Sign in",`+
		`"url":"https://example.com/sign-in"}}`)
	a, err := term.consent(f)
	if err != nil || string(a.Value) != `{"action":"decline"}` ||
		!strings.Contains(out.String(), "https://example.com/sign-in") {
		t.Errorf("%s, %v, %s", a.Value, err, out.String())
	}
}

func formOf(t *testing.T, schema string) question.Form {
	t.Helper()
	return questionOf(t, `{"method":"elicitation/create","params":{"message":"m","requestedSchema":`+
		schema+`}}`)
}

// questionOf returns the form of a question that a server asked.
func questionOf(t *testing.T, request string) question.Form {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":` +
		request + `}}}`
	log := []playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Time{}),
		{Conn: 1, Kind: playground.Sent, Data: []byte("POST /mcp HTTP/1.1\r\n\r\n" +
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)},
		{Conn: 1, Kind: playground.Received,
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body)},
	}
	return question.Forms(*playground.Fold(log).Last())[0]
}
