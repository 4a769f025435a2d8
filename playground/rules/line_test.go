package rules_test

import (
	"testing"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// FuzzJudgeLines: of any line, each side has a verdict, which is no fault exactly if the
// line is an object in JSON or exceeds our limits.
func FuzzJudgeLines(f *testing.F) {
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
		for _, found := range rules.JudgeLines(rounds) {
			if found.Rule != "line-client" && found.Rule != "line-server" {
				continue
			}
			judged++
			checkFinding(t, found)
			if want := good && utf8.Valid(line); want != (found.Verdict == rules.Pass) {
				t.Errorf("%q: %+v", line, found)
			}
		}
		if judged != 2 {
			t.Errorf("%q: %d verdicts", line, judged)
		}
	})
}
