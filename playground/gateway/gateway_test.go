package gateway

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// exchange returns the events of one request and its response on a connection.
func exchange(conn int, at time.Time, request, response string) []playground.Event {
	const head = "POST /mcp HTTP/1.1\r\nHost: h\r\nMcp-Method: tools/call\r\nMcp-Name: t\r\n" +
		"MCP-Protocol-Version: 2026-07-28\r\nAccept: application/json, text/event-stream\r\n\r\n"
	return []playground.Event{
		{At: at, Conn: conn, Kind: playground.Sent, Data: []byte(head + request)},
		{
			At: at.Add(time.Second), Conn: conn, Kind: playground.Received,
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + response),
		},
	}
}

// recording returns the recording of one call of one request.
func recording(sent, got, returned, came string) Recording {
	at := time.Unix(1000, 0)
	return Recording{
		Gateway: "http://gateway/mcp",
		Calls: []Call{{
			Exchange: "x", Mark: "m", Method: playground.ToolsCall, Tool: "t", Name: "t",
			Log: exchange(1, at, sent, came),
		}},
		Upstream: exchange(1, at.Add(time.Millisecond), got, returned),
	}
}

const (
	callText = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"mark":"m"` +
		`,"n":9007199254740993},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	resultText = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`
)

// outcomes returns the lines with an outcome.
func outcomes(r verdict.Report, o verdict.Outcome) []string {
	var list []string
	for _, l := range r.Group(GroupLines).Lines {
		if l.Outcome == o {
			list = append(list, l.ID)
		}
	}
	return list
}

// TestReport_OnlyWhatWasReachedPasses: one small call judges few lines, and the others are not
// reached, with a reason.
func TestReport_OnlyWhatWasReachedPasses(t *testing.T) {
	r := Report(recording(callText, callText, resultText, resultText))
	passed := outcomes(r, verdict.Passed)
	for _, id := range []string{"call-reaches", "arguments", "numbers", "result-type", "header-name"} {
		if !slices.Contains(passed, id) {
			t.Errorf("%s is not judged: %v", id, passed)
		}
	}
	for _, id := range []string{"state", "keys", "unicode", Tasks, Mixed, Large, Challenge, Cancellation} {
		if !slices.Contains(outcomes(r, verdict.NotReached), id) {
			t.Errorf("%s passes, and was not reached", id)
		}
	}
	for _, l := range r.Group(GroupLines).Lines {
		if l.Outcome == verdict.NotReached && l.Sentence == "" {
			t.Errorf("%s has no reason", l.ID)
		}
	}
}

// TestReport_NothingReached: no line passes, and the report proves nothing.
func TestReport_NothingReached(t *testing.T) {
	rec := recording(callText, callText, resultText, resultText)
	rec.Upstream = nil
	for name, rec := range map[string]Recording{
		"no call": {Gateway: "g", Gap: "It does not answer."}, "answered by itself": rec,
	} {
		r := Report(rec)
		if n := r.Counts().Judged(); n != 0 || r.ExitCode() != 3 || r.OK() || len(r.Gaps) != 1 {
			t.Errorf("%s: %d judged, exit code %d, %q", name, n, r.ExitCode(), r.Gaps)
		}
	}
}

// TestReport_WhileCallsAreMade: what reached the upstream for a call that has not ended yet, or was
// interrupted, belongs to no other call.
func TestReport_WhileCallsAreMade(t *testing.T) {
	for name, next := range map[string]string{
		"another mark": strings.Replace(callText, `"mark":"m"`, `"mark":"next"`, 1),
		"no mark":      strings.Replace(callText, `"mark":"m",`, "", 1),
		"a poll":       `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"other"}}`,
	} {
		for _, mark := range []string{"m", ""} {
			rec := recording(callText, callText, resultText, resultText)
			if mark == "" {
				call := strings.Replace(callText, `"mark":"m",`, "", 1)
				rec = recording(call, call, resultText, resultText)
			}
			rec.Calls[0].Mark, rec.Calls[0].Focus = mark, Tasks
			rec.Upstream = append(rec.Upstream, exchange(2, time.Unix(1100, 0), next, resultText)...)
			r := Report(rec)
			if got := outcomes(r, verdict.Failed); len(got) > 0 || len(r.Group(GroupNamed).Lines) > 0 {
				t.Errorf("%s: %v, %v", name, got, r.Group(GroupNamed).Lines)
			}
		}
	}
}

// TestIsNameOf: a name with that of the server before or behind it is the name of the upstream.
func TestIsNameOf(t *testing.T) {
	for listed, want := range map[string]bool{
		"read": true, "up.read": true, "up_read": true, "up/read": true, "read@up": true, "read (up)": true,
		"": false, "thread": false, "reader": false, "up.reader": false, "read_all": false,
	} {
		if IsNameOf(listed, "read") != want {
			t.Errorf("%q: %v", listed, !want)
		}
	}
	if IsNameOf("a", "") {
		t.Error("an empty name is that of everything")
	}
}

// TestReport_CountsAChangeOnce: a change of a value is a fault of one line, by its kind.
func TestReport_CountsAChangeOnce(t *testing.T) {
	result := func(structured string) string {
		return `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"structuredContent":` +
			structured + `}}`
	}
	for name, c := range map[string]struct{ was, is, line string }{
		"a rounded integer":     {`{"n":9007199254740993}`, `{"n":9007199254740992}`, "numbers"},
		"a number as a text":    {`{"n":9007199254740993}`, `{"n":"9007199254740993"}`, "numbers"},
		"another number":        {`{"n":9007199254740993}`, `{"n":7}`, "result"},
		"another small number":  {`{"n":1}`, `{"n":2}`, "result"},
		"another notation":      {`{"n":1.0e2}`, `{"n":100}`, ""},
		"another order":         {`{"a":1,"b":"\u00fc"}`, `{"b":"ü","a":1}`, ""},
		"a question mark":       {`{"s":"ü"}`, `{"s":"?"}`, "unicode"},
		"bytes as letters":      {`{"s":"ü"}`, `{"s":"Ã¼"}`, "unicode"},
		"another normal form":   {`{"s":"\u00e9"}`, `{"s":"e\u0301"}`, "unicode"},
		"another text":          {`{"s":"über"}`, `{"s":"under"}`, "result"},
		"half of a pair":        {`{"s":"\ud83d"}`, `{"s":"\ufffd"}`, ""},
		"null dropped":          {`{"s":null}`, `{}`, "empties"},
		"null as an empty text": {`{"s":null}`, `{"s":""}`, "empties"},
		"an empty list dropped": {`{"s":[]}`, `{}`, "empties"},
		"an unknown member":     {`{"x-a":1}`, `{}`, "unknown"},
		"a member dropped":      {`{"s":"a"}`, `{}`, "result"},
		"a member added":        {`{"s":"a"}`, `{"s":"a","t":1}`, "result"},
		"an item dropped":       {`{"s":["a","b"]}`, `{"s":["a"]}`, "result"},
	} {
		r := Report(recording(callText, callText, result(c.was), result(c.is)))
		var want []string
		if c.line != "" {
			want = []string{c.line}
		}
		if got := outcomes(r, verdict.Failed); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestLines_AreWhole: each line has an id of its own, a requirement that exists or the damage, and
// what has to be reached.
func TestLines_AreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range lines {
		_, known := spec.ByID(l.requirement)
		if seen[l.id] || l.title == "" || l.reached == "" || l.judge == nil || !known && l.breaks == "" {
			t.Errorf("%s: requirement %q known: %v, breaks %q", l.id, l.requirement, known, l.breaks)
		}
		seen[l.id] = true
	}
	for _, focus := range []string{Large, Tasks, Mixed, Challenge, Cancellation} {
		if !seen[focus] {
			t.Errorf("no line %s", focus)
		}
	}
}

// TestReport_Hostile: what a gateway sends is data, however large or broken it is.
func TestReport_Hostile(t *testing.T) {
	for name, came := range map[string]string{
		"no JSON": "<html>", "nothing": "", "a list": "[]", "null": "null",
		"a deep value": `{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", 2000) +
			strings.Repeat("]", 2000) + `}`,
		"odd members": `{"jsonrpc":"2.0","id":1,"result":{"resultType":7,"inputRequests":"x",` +
			`"requestState":{},"_meta":[],"content":null,"isError":"\u202e<script>"}}`,
	} {
		r := Report(recording(callText, callText, resultText, came))
		if got := outcomes(r, verdict.Failed); len(got) == 0 {
			t.Errorf("%s: nothing failed", name)
		}
		var b strings.Builder
		if err := r.WriteText(&b); err != nil || strings.Contains(b.String(), "\u202e") {
			t.Errorf("%s: %v, %q", name, err, b.String())
		}
	}
}

func TestIsInexact(t *testing.T) {
	for text, want := range map[string]bool{
		"9007199254740993": true, "9007199254740992": false, "0.1": false, "1.5E+300": false, "1e400": true,
		"0.12345678901234567890": true, "1.0": false, `"9007199254740993"`: false, "null": false,
	} {
		n, err := jsontree.Parse([]byte(text), jsontree.Limits{})
		if err != nil || isInexact(n) != want {
			t.Errorf("%s: %v, %v", text, isInexact(n), err)
		}
	}
}
