package views

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// A line that both have stands in both columns, and what differs stands beside
// each other.
func TestSideBySide(t *testing.T) {
	parse := func(source string) *jsontree.Node {
		if source == "" {
			return nil
		}
		n, err := jsontree.Parse([]byte(source), jsontree.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	side := func(l *JSONLine) string {
		if l == nil {
			return "."
		}
		mark := map[string]string{lineAdded: "+", lineRemoved: "-", "": "="}[l.Mark]
		for _, inner := range l.Fold {
			if inner.Mark != "" {
				mark += map[string]string{lineAdded: "(+)", lineRemoved: "(-)"}[inner.Mark]
			}
		}
		return mark
	}
	long := `"a":"` + strings.Repeat("x", 80) + `"`
	for _, c := range []struct{ name, was, is, want string }{
		{"equal", `{"k":1}`, `{"k":1}`, "=="},
		{"changed", `{` + long + `,"k":1}`, `{` + long + `,"k":2}`, "== == -+ =="},
		{"id", `{"id":1,` + long + `}`, `{"id":2,` + long + `}`, "== -+ =="},
		{"only in B", `{` + long + `}`, `{` + long + `,"k":2}`, "== == .+ =="},
		{"no A", "", `{"k":1}`, ".+"},
		{"no B", `{"k":1}`, "", "-."},
		{"in _meta", `{"params":{"_meta":{"t":1},` + long + `}}`, `{"params":{"_meta":{"t":2},` + long + `}}`,
			"== == =(-)=(+) =="},
	} {
		var got []string
		for _, l := range aligned(sideBySide(parse(c.was), parse(c.is))) {
			got = append(got, side(l.A)+side(l.B))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, strings.Join(got, " "), c.want)
		}
	}
}
