package rules_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestJudgeClient_LikeJudge: of the last Round of every recorded call it returns what Judge
// returns about the client.
func TestJudgeClient_LikeJudge(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	compared := 0
	for _, file := range files {
		x, listing, err := play(load(t, file))
		if err != nil {
			t.Fatal(err)
		}
		rounds := playground.Fold(x.Log).Rounds
		if listing || len(rounds) == 0 || rounds[len(rounds)-1].Legacy {
			continue
		}
		last := rounds[len(rounds)-1].N
		want := slices.DeleteFunc(rules.Judge(x), func(f rules.Finding) bool {
			return f.Side != rules.Client || f.Round != last || f.Verdict == verdict.NotApplicable
		})
		if got := rules.JudgeClient(rounds, x.Call.Tool); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", filepath.Base(file), got, want)
		}
		compared += len(want)
		for _, f := range want {
			got := rules.JudgeClient(rounds, x.Call.Tool, f.Rule)
			if len(got) != 1 || got[0] != f {
				t.Errorf("%s, %s alone: %v", filepath.Base(file), f.Rule, got)
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d findings were compared", compared)
	}
	if rules.JudgeClient(nil, nil) != nil {
		t.Error("findings without a Round")
	}
}

// TestHeaderFault: a standard header is needed where the body has its text.
func TestHeaderFault(t *testing.T) {
	for name, c := range map[string]struct {
		head, method, header, fault string
		needed                      bool
	}{
		"present": {"Mcp-Method: tools/list\r\n", "tools/list", "Mcp-Method", "", true},
		"missing": {"", "tools/list", "Mcp-Method", "was missing", true},
		"differs": {"Mcp-Method: tools/call\r\n", "tools/list", "Mcp-Method", "differed from the body", true},
		"no name": {"", "tools/list", "Mcp-Name", "", false},
	} {
		body := `{"jsonrpc":"2.0","id":1,"method":"` + c.method + `"}`
		log := []playground.Event{{Seq: 1, Conn: 1, Kind: playground.Sent,
			Data: []byte("POST / HTTP/1.1\r\n" + c.head + "\r\n" + body)}}
		fault, needed := rules.HeaderFault(playground.Trips(log)[0].Trip, c.header)
		if fault != c.fault || needed != c.needed {
			t.Errorf("%s: %q, %v", name, fault, needed)
		}
	}
}
