package rules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestJudge_Branch: the Rounds before a branch are those of its parent, and
// only its own are judged.
func TestJudge_Branch(t *testing.T) {
	parent, changed := recorded(t, "C2.pass"), recorded(t, "S4.fail")
	branch := playground.Exchange{Log: changed.Log[3:]} // from Round 2 on
	got := map[string]verdict.Outcome{}
	for _, f := range rules.Judge(parent, branch) {
		if f.Round == 1 {
			t.Errorf("round 1 of the parent is judged: %+v", f)
		}
		got[f.Rule] = f.Verdict
	}
	for rule, want := range map[string]verdict.Outcome{
		"C2": verdict.Failed, "S4": verdict.Failed, "C4": verdict.Passed, "C5": verdict.Passed,
	} {
		if got[rule] != want {
			t.Errorf("%s: %q, want %q", rule, got[rule], want)
		}
	}
}

func TestJudge_EmptyLog(t *testing.T) {
	for _, line := range [][]playground.Exchange{nil, {{}}} {
		for _, f := range rules.Judge(line...) {
			if f.Verdict != verdict.NotApplicable || f.Round != 0 {
				t.Errorf("%+v", f)
			}
		}
	}
}

// TestJudge_Sentences: the sentences name the fault.
func TestJudge_Sentences(t *testing.T) {
	for name, want := range map[string]string{
		"meta-missing.fail.gateway": "HTTP status 400 and no JSON-RPC error instead of 400 and error -32602.",
		"progress-rises.fail":       "Progress went from 0.5 to 0.5;",
		"same-question.hint":        "The server asked the same question 3 times, in rounds 1, 2 and 3.",
	} {
		found := false
		for _, f := range rules.Judge(recorded(t, name)) {
			found = found || strings.Contains(f.Text, want)
		}
		if !found {
			t.Errorf("%s: no finding says %q", name, want)
		}
	}
}

// TestOfLibrary: a response that the Go SDK gives on its own is not blamed on the
// server's author.
func TestOfLibrary(t *testing.T) {
	round := func(body string) playground.Round {
		var r playground.Round
		r.Response.Body = []byte(body)
		if node, err := jsontree.Parse([]byte(body), jsontree.Limits{}); err == nil {
			r.Result = node.Get("result")
		}
		return r
	}
	for body, want := range map[string]bool{
		"Bad Request: Unsupported protocol version (supported versions: 2026-07-28)": true,
		"malformed payload: unexpected EOF":                                          true,
		`{"result":{"resultType":"input_required","content":null}}`:                  true,
		`{"result":{"resultType":"input_required","content":[]}}`:                    false,
		"Bad Request": false,
	} {
		if got := rules.OfLibrary(round(body)) != ""; got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}

// TestDropsAnswers: what the TypeScript SDK does with a malformed answer is not
// blamed on the server's author.
func TestDropsAnswers(t *testing.T) {
	for body, want := range map[string]bool{
		`{"result":{"resultType":"input_required"},"jsonrpc":"2.0","id":4}`:  true,
		`{"result":{"resultType":"complete"},"jsonrpc":"2.0","id":"a b"}`:    true,
		`{"jsonrpc":"2.0","id":4,"result":{"resultType":"input_required"}}`:  false,
		`{"result":{"resultType":"input_required"},"id":4,"jsonrpc":"2.0"}`:  false,
		`{"result":{"a":{}},"jsonrpc":"2.0","id":4,"x":{"resultType":"no"}}`: false,
	} {
		var r playground.Round
		r.Response.Body = []byte(body)
		if node, err := jsontree.Parse([]byte(body), jsontree.Limits{}); err == nil {
			r.Result = node.Get("result")
		}
		if got := rules.DropsAnswers(r) != ""; got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}

func recorded(t *testing.T, name string) playground.Exchange {
	t.Helper()
	x, _, err := play(load(t, "testdata/"+name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// FuzzJudge: no rule panics, and every Finding is safe to show.
func FuzzJudge(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, _, err := play(txtar.Parse(data))
		if err != nil {
			t.Skip(err) // not a request that can be sent
		}
		for _, found := range rules.Judge(x) {
			checkFinding(t, found)
		}
		rules.JudgeConnection(server.FoldConnection(x.Log))
	})
}

// TestJudgeNamed: a server that names itself where it is connected to should do so in
// the results of its calls.
func TestJudgeNamed(t *testing.T) {
	lists, _, err := play(load(t, "testdata/good/lists.txtar"))
	if err != nil || !rules.Names(server.FoldConnection(lists.Log)) || rules.Names(server.Connection{}) {
		t.Fatal(err)
	}
	archive := load(t, "testdata/good/call.txtar")
	replace(t, archive, "response 1", []string{"io.modelcontextprotocol/serverInfo",
		"com.example/serverInfo"})
	replace(t, archive, "response 2", []string{"io.modelcontextprotocol/serverInfo",
		"com.example/serverInfo"})
	x, _, err := play(archive)
	if err != nil {
		t.Fatal(err)
	}
	hints := 0
	for _, f := range rules.JudgeNamed(x) {
		if f.Rule == "server-info" && f.Verdict == verdict.Advisory {
			hints++
		}
	}
	if hints != 1 || says(rules.Judge(x), "server-info", verdict.Advisory) {
		t.Errorf("%d hints", hints)
	}
}
