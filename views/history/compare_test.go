package history

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/views/kit/jsonview"
)

// Fields of the same name stand beside each other in their order, others at the
// end, and names are compared in any case.
func TestHeadLines(t *testing.T) {
	head := func(fields string) []byte {
		return []byte("GET / HTTP/1.1\r\n" + strings.ReplaceAll(fields, "|", "\r\n") + "\r\n\r\n")
	}
	for _, c := range []struct{ was, is, want string }{
		{"a: 1", "a: 1", ""},
		{"a: 1", "A: 2", "-a: 1 +A: 2"},
		{"a: 1|a: 2|b: 1", "b: 2|a: 3", "-a: 1 +a: 3 -a: 2 -b: 1 +b: 2"},
		{"a: 1", "x: 1|a: 2|a: 3|y: 1", "-a: 1 +a: 2 +x: 1 +a: 3 +y: 1"},
		{"Date: 1|Content-Length: 1", "date: 2|content-length: 3", ""},
		{"a: 1|a: 1", "a: 1", ""},
	} {
		var got []string
		for _, l := range headLines(head(c.was), head(c.is)) {
			var plain string
			for _, s := range l.Spans {
				plain += s.Text + s.Tail
			}
			sign := map[jsonview.Mark]string{jsonview.Added: "+", jsonview.Removed: "-"}[l.Mark]
			got = append(got, sign+plain)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s and %s: %q, want %s", c.was, c.is, got, c.want)
		}
	}
}

// BenchmarkHeadLines takes heads with very many fields, all of which differ: the
// time for each must not grow with their number.
func BenchmarkHeadLines(b *testing.B) {
	for _, fields := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(fields), func(b *testing.B) {
			was, is := []byte("GET / HTTP/1.1"), []byte("GET / HTTP/1.1")
			for i := range fields {
				was = fmt.Appendf(was, "\r\na%d: 1", i)
				is = fmt.Appendf(is, "\r\na%d: 2", i)
			}
			for b.Loop() {
				headLines(was, is)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*fields), "ns/field")
		})
	}
}

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
	side := func(l *jsonview.Line) string {
		if l == nil {
			return "."
		}
		signs := map[jsonview.Mark]string{jsonview.Added: "+", jsonview.Removed: "-", jsonview.Unmarked: "="}
		mark := signs[l.Mark]
		for _, inner := range l.Fold {
			if inner.Mark != jsonview.Unmarked {
				mark += "(" + signs[inner.Mark] + ")"
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
