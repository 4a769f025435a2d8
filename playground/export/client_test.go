package export_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
)

// TestClient_EscapesForeignText: a client cannot add cells, rows or HTML to the report,
// and the same board gives the same bytes.
func TestClient_EscapesForeignText(t *testing.T) {
	const foreign = "a | b <script>x</script>\n| c |"
	line := capture.Line{
		ID: "echo", Scenario: "echo_quotes", Level: "MUST", Verdict: capture.Failed, Text: foreign,
		Link: "https://h/#a", Where: capture.Where{Request: 2, Method: foreign, Path: []string{foreign}},
	}
	b := capture.Board{
		Server: foreign, Clients: []string{foreign}, Runs: []capture.Run{{Scenario: "s", Ended: foreign}},
		Checks: []capture.Line{line, {ID: "no-state", Verdict: capture.Unseen}},
		Rules:  []capture.Line{{ID: "C2", Verdict: capture.Advisory, Text: foreign}},
	}
	out := export.Client(b)
	if !bytes.Equal(out, export.Client(b)) {
		t.Error("the same board gives other bytes")
	}
	if bytes.Contains(bytes.ReplaceAll(out, []byte(`\<`), nil), []byte("<script")) {
		t.Errorf("HTML in\n%s", out)
	}
	rows := 0
	for _, line := range strings.Split(string(out), "\n") {
		cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if strings.HasPrefix(line, "|") {
			rows++
		}
		if cells != 0 && cells != 6 && cells != 4 {
			t.Errorf("%d borders in %s", cells, line)
		}
	}
	if rows != 9 {
		t.Errorf("%d rows in\n%s", rows, out)
	}
	for _, want := range []string{
		"**1 failed, 1 not seen**", "**1 advisory**", "](https://h/#a) | ✕ failed | MUST |", "| s | 0 |",
	} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
