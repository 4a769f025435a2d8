package rules_test

import (
	"testing"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// FuzzJudgeRecord: of any line, each side has a verdict, which is no fault exactly if the
// line is an object in JSON or exceeds our limits.
func FuzzJudgeRecord(f *testing.F) {
	for _, line := range []string{
		"", "{}", "{}{}", "{}x", "{}\f", "{}\v", "{}\u00a0", "{}\u2028", "\f", "[]", "[{}]", "\xff",
		"{\"a\":", "\ufeff{}", "{}\x00", "1", `{"a":"\ud800"}`, `{"a":1,"a":2}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		data := wire.Line(append(line[:len(line):len(line)], '\n')).Bytes()
		node, err := jsontree.Parse(line, jsontree.Limits{})
		good := jsontree.IsLimit(err) || err == nil && node.Kind == jsontree.Object
		rounds := playground.Connections([]playground.Event{
			{Seq: 1, Conn: 1, Kind: playground.Sent, Data: data},
			{Seq: 2, Conn: 2, Kind: playground.Received, Data: data},
		})
		judged := 0
		for _, found := range rules.JudgeRecord(rounds) {
			if found.Rule != "line-client" && found.Rule != "line-server" {
				continue
			}
			judged++
			checkFinding(t, found)
			if want := good && utf8.Valid(line); want != (found.Verdict == verdict.Passed) {
				t.Errorf("%q: %+v", line, found)
			}
		}
		if judged != 2 {
			t.Errorf("%q: %d verdicts", line, judged)
		}
	})
}

// TestJudge_Lines: rules on one message judge a call over lines as they do one over HTTP,
// those on lines judge it, too, and those on HTTP do not apply.
func TestJudge_Lines(t *testing.T) {
	const question = `{"jsonrpc":"2.0","id":"1","result":{"resultType":"input_required",` +
		`"requestState":"s"}}` + "\n"
	const call = `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"a","_meta":` +
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	for name, test := range map[string]struct {
		output []string
		want   map[string]verdict.Outcome
	}{
		"a right response": {[]string{question}, map[string]verdict.Outcome{
			"line-server": verdict.Passed, "line-reply": verdict.Passed, "client-envelope": verdict.Passed,
			"media-type": verdict.NotApplicable,
		}},
		"other text": {[]string{"Hello\n", question}, map[string]verdict.Outcome{
			"line-client": verdict.Passed, "line-server": verdict.Failed, "line-reply": verdict.Passed,
		}},
		"without a line feed": {[]string{question[:len(question)-1]}, map[string]verdict.Outcome{
			"line-server": verdict.Advisory,
		}},
		"two responses": {[]string{question, question}, map[string]verdict.Outcome{
			"line-reply": verdict.Failed, "line-server": verdict.Passed,
		}},
		"another id before it": {
			[]string{`{"jsonrpc":"2.0","id":"9","result":{}}` + "\n", question}, map[string]verdict.Outcome{
				"line-reply": verdict.Passed, // the rules on one response judge the first
			},
		},
	} {
		got := judgeLines(call, test.output...)
		for id, want := range test.want {
			if got[id].Verdict != want {
				t.Errorf("%s: %s is %q, want %s: %s", name, id, got[id].Verdict, want, got[id].Text)
			}
		}
	}
}

// judgeLines returns the findings about a call over lines, by rule.
func judgeLines(call string, output ...string) map[string]rules.Finding {
	got := map[string]rules.Finding{}
	for _, f := range rules.Judge(callOnLines(call, output...)) {
		got[f.Rule] = f
	}
	return got
}

// callOnLines returns a call over lines and the output of its server.
func callOnLines(call string, output ...string) playground.Exchange {
	x := playground.Exchange{Target: playground.Target{URL: wire.CommandURL([]string{"server"})}}
	x.Log = []playground.Event{
		{Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)},
		{Kind: playground.Sent, Conn: 1, Data: wire.Line([]byte(call)).Bytes()},
	}
	for _, line := range output {
		x.Log = append(x.Log, playground.Event{
			Kind: playground.Received, Conn: 1, Data: wire.Line([]byte(line)).Bytes(),
		})
	}
	for i := range x.Log {
		x.Log[i].Seq = i + 1
	}
	return x
}

// TestJudge_LineWithoutVersion: a server of several revisions that takes such a line for one
// of an earlier revision has one fault, and not also those of a result of this revision.
func TestJudge_LineWithoutVersion(t *testing.T) {
	got := judgeLines(`{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"a"}}`+"\n",
		`{"jsonrpc":"2.0","id":"1","result":{"content":[]}}`+"\n")
	for id, want := range map[string]verdict.Outcome{
		"meta-missing": verdict.Failed, "S0": verdict.NotApplicable, "server-info": verdict.NotApplicable,
	} {
		if got[id].Verdict != want {
			t.Errorf("%s is %q, want %s: %s", id, got[id].Verdict, want, got[id].Text)
		}
	}
}

// TestJudge_RequestOfServer: only a question has a place in a result; this revision has no ping.
func TestJudge_RequestOfServer(t *testing.T) {
	for method, want := range map[string]string{
		"ping": `The server writes the request "ping"; servers send no requests.`,
		"elicitation/create": `The server writes the request "elicitation/create"; ` +
			"questions belong in a result.",
	} {
		got := judgeLines(`{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"a","_meta":`+
			`{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n",
			`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`+"\n")["line-request"]
		if got.Verdict != verdict.Failed || got.Text != want {
			t.Errorf("%s: %s: %s", method, got.Verdict, got.Text)
		}
	}
}

// TestJudge_NamelessResultOfNoRevision: a server that names itself, and answers a request that
// it should have rejected as one of an earlier revision, has one fault. go-sdk v1.8.0 adds a
// resultType to such a result, and mcp-go v1.2.1 does not.
func TestJudge_NamelessResultOfNoRevision(t *testing.T) {
	const version = "io.modelcontextprotocol/protocolVersion"
	meta := func(version string) string {
		return `,"_meta":{` + version + `"io.modelcontextprotocol/clientCapabilities":{}}`
	}
	for name, test := range map[string]struct {
		meta string
		want verdict.Outcome
	}{
		"no _meta":        {"", verdict.NotApplicable},
		"no version":      {meta(""), verdict.NotApplicable},
		"unknown version": {meta(`"` + version + `":"1900-01-01",`), verdict.NotApplicable},
		"this version":    {meta(`"` + version + `":"2026-07-28",`), verdict.Advisory},
	} {
		for _, kind := range []string{`"resultType":"complete",`, ""} {
			x := callOnLines(`{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"a"`+
				test.meta+`}}`+"\n",
				`{"jsonrpc":"2.0","id":"1","result":{`+kind+`"content":[]}}`+"\n")
			for _, f := range rules.JudgeNamed(x) {
				if f.Rule == "server-info" && f.Verdict != test.want {
					t.Errorf("%s, %q: %s, want %s: %s", name, kind, f.Verdict, test.want, f.Text)
				}
			}
		}
	}
}

// TestJudge_IDUsedTwice: a client that uses an id twice makes no response one too many, in
// a record of a client and in calls of this program alike.
func TestJudge_IDUsedTwice(t *testing.T) {
	const request = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":` +
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	const response = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`
	x := playground.Exchange{Target: playground.Target{URL: wire.CommandURL([]string{"server"})}}
	add := func(e playground.Event) {
		e.Seq = len(x.Log) + 1
		x.Log = append(x.Log, e)
	}
	line := func(kind playground.EventKind, conn int, text string) {
		add(playground.Event{Kind: kind, Conn: conn, Data: wire.Line([]byte(text + "\n")).Bytes()})
	}
	add(playground.Event{Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)})
	line(playground.Sent, 1, request)
	add(playground.Event{Kind: playground.Failed, Conn: 1, Data: []byte(`{"class":"timeout_first_byte"}`)})
	add(playground.Event{Kind: playground.Decided, Data: []byte(`{"action":"resend","round":2}`)})
	line(playground.Sent, 2, request)
	line(playground.Received, 2, response)
	line(playground.Received, 2, response)
	line(playground.Received, 3, response)
	for name, list := range map[string][]rules.Finding{
		"own calls": rules.Judge(x), "a record": rules.JudgeRecord(playground.Connections(x.Log)),
	} {
		found := false
		for _, f := range list {
			found = found || f.Rule == "line-id" && f.Verdict == verdict.Failed
			if f.Side == rules.Server && f.Verdict == verdict.Failed {
				t.Errorf("%s: %s: %s", name, f.Rule, f.Text)
			}
		}
		if !found {
			t.Errorf("%s: the id is not named", name)
		}
	}
}
