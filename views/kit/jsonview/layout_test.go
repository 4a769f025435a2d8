package jsonview

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// drawn returns lines as a page shows them: a sign for a difference, then the
// text. The lines that a line unfolds to are shown if it is open, or if
// unfolded is set.
func drawn(lines []Line, unfolded bool) string {
	var b strings.Builder
	for _, l := range lines {
		sign := map[Mark]string{Added: "+", Removed: "-", Unmarked: " "}[l.Mark]
		text := plainText(l.Spans)
		if open := l.Open || unfolded; !open || text == "" {
			text += plainText(l.Rest)
		}
		b.WriteString(strings.TrimRight(sign+strings.Repeat("  ", l.Depth)+text, " ") + "\n")
		if l.Open || unfolded {
			b.WriteString(drawn(l.Fold, unfolded))
		}
	}
	return b.String()
}

// plainText returns spans as a reader sees them.
func plainText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Named {
			b.WriteString(`"` + s.Name + `": `)
		}
		switch s.Kind {
		case String, Changed, WasString:
			b.WriteString(`"` + s.Text + `"`)
		default:
			b.WriteString(s.Text)
		}
		b.WriteString(s.Tail)
	}
	return b.String()
}

// rendered returns the HTML of a component.
func rendered(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parseJSON(t *testing.T, s string) *jsontree.Node {
	t.Helper()
	if s == "" {
		return nil
	}
	n, err := jsontree.Parse([]byte(s), jsontree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const longText = "a text that is too long to stand on a line together with other values"

func TestReadable(t *testing.T) {
	for name, tt := range map[string]struct{ before, after, want string }{
		"short": {"", `{"a": 1,"b":[true,null],"c":{},"d":[]}`, `
			 { "a": 1, "b": [true, null], "c": {}, "d": [] }`},
		"scalars share the first line": {
			"", `{"jsonrpc":"2.0","id":1,"result":{"text":"` + longText + `"}}`, `
			 { "jsonrpc": "2.0", "id": 1,
			   "result": {
			     "text": "` + longText + `" } }`},
		"_meta is folded": {
			"", `{"id":1,"params":{"name":"x","_meta":{"a":1,"b":{}},"arguments":{"p":"q"}}}`, `
			 { "id": 1,
			   "params": {
			     "name": "x",
			     "_meta": { ▸ 2 more },
			     "arguments": { "p": "q" } } }`},
		"brackets after a fold": {"", `{"id":1,"params":{"text":"` + longText + `","_meta":{"a":1}}}`, `
			 { "id": 1,
			   "params": {
			     "text": "` + longText + `",
			     "_meta": { ▸ 1 more }
			   } }`},
		"ids in place": {`{"id":1,"x":[1,2,3,4]}`, `{"id":2,"x":[1,2,3,4]}`, `
			 { "id": 1 → 2,
			   "x": [1, 2, 3, 4] }`},
		"member added": {`{"id":1,"params":{"name":"x"}}`, `{"id":1,"params":{"name":"x","more":{"a":1}}}`, `
			 { "id": 1,
			   "params": {
			     "name": "x",
			+    "more": { "a": 1 }
			   } }`},
		"member removed where it was": {`{"a":{"x":1,"y":2,"z":3}}`, `{"a":{"x":1,"z":3}}`, `
			 {
			   "a": {
			     "x": 1,
			-    "y": 2,
			     "z": 3 } }`},
		"value changed": {`{"a":{"status":"working"}}`, `{"a":{"status":"done"}}`, `
			 {
			   "a": {
			-    "status": "working"
			+    "status": "done"
			   } }`},
		"kind changed": {`{"a":[1,2]}`, `{"a":{"b":1}}`, `
			 {
			-  "a": [1, 2]
			+  "a": { "b": 1 }
			 }`},
		"all members removed": {`{"a":{"x":1}}`, `{"a":{}}`, `
			 {
			   "a": {
			-    "x": 1
			   } }`},
		"removed container is folded": {
			`{"a":{"q":{"method":"m","text":"` + longText + `"}}}`, `{"a":{"r":{"method":"m","n":1}}}`, `
			 {
			   "a": {
			-    "q": { "method": "m", ▸ 1 more },
			+    "r": { "method": "m", "n": 1 }
			   } }`},
		"unchanged container is folded": {
			`{"id":1,"params":{"arguments":{"n":1,"text":"` + longText + `"},"x":1}}`,
			`{"id":1,"params":{"arguments":{"n":1,"text":"` + longText + `"},"x":2}}`, `
			 { "id": 1,
			   "params": {
			     "arguments": { "n": 1, ▸ 1 more },
			-    "x": 1
			+    "x": 2
			   } }`},
		"equal lines are folded": {
			`{"r":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}}`, `{"r":{"a":1,"b":2,"c":3,"d":4,"e":6,"f":6}}`, `
			 {
			   "r": {
			     ▸ 4 lines unchanged
			-    "e": 5,
			+    "e": 6,
			     "f": 6 } }`},
		"a progressToken is new in every request": {
			`{"id":1,"params":{"_meta":{"v":"x","progressToken":"r-1"}}}`,
			`{"id":2,"params":{"_meta":{"v":"x","progressToken":"r-2"}}}`, `
			 { "id": 1 → 2,
			   "params": {
			     "_meta": { ▸ 2 more, 1 changed }
			   } }`},
		"another difference unfolds _meta": {
			`{"params":{"_meta":{"v":"x","progressToken":"r-1"}}}`,
			`{"params":{"_meta":{"v":"y","progressToken":"r-2"}}}`, `
			 {
			   "params": {
			     "_meta": {
			-      "v": "x",
			+      "v": "y",
			       "progressToken": "r-1" → "r-2" }
			   } }`},
		"items are matched by value": {`{"l":["a","b"],"x":{}}`, `{"l":["z","a","b"],"x":{}}`, `
			 {
			   "l": [
			+    "z",
			     "a",
			     "b" ],
			   "x": {} }`},
		"the same in another order": {`{"a":{"x":1,"y":2}}`, `{"a":{"y":2,"x":1.0}}`, `
			 { "a": { "y": 2, "x": 1.0 } }`},
		"duplicate names": {"", `{"a":"` + longText + `","a":2}`, `
			 {
			   "a": "` + longText + `",
			   "a": 2 }`},
		"markup": {"", `{"<b>":"</i><script>&amp;"}`, `
			 { "<b>": "</i><script>&amp;" }`},
	} {
		t.Run(name, func(t *testing.T) {
			got := drawn(readable(parseJSON(t, tt.before), parseJSON(t, tt.after)), false)
			want := strings.ReplaceAll(tt.want[1:], "\t\t\t", "") + "\n"
			if got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// TestReadable_ShowsEverything: folded parts are there, in the order of the
// document, and a document reads the same with and without one before.
func TestReadable_ShowsEverything(t *testing.T) {
	const src = `{"jsonrpc":"2.0","id":7,"params":{"arguments":{"a":[1,[2,{"b":null}],"` + longText +
		`"],"c":{}},"_meta":{"io/x":{"y":[{}]},"progressToken":1}}}`
	spaces := regexp.MustCompile(`\s+`)
	for name, before := range map[string]string{"alone": "", "unchanged": src} {
		got := drawn(readable(parseJSON(t, before), parseJSON(t, src)), true)
		if got, want := spaces.ReplaceAllString(got, ""), spaces.ReplaceAllString(src, ""); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

func TestReadable_TooLong(t *testing.T) {
	long := parseJSON(t, "["+strings.Repeat("1,", MaxReadable)+"1]")
	for _, lines := range [][]Line{readable(nil, long), readable(parseJSON(t, "[1]"), long)} {
		if len(lines) != 1 || !strings.Contains(plainText(lines[0].Spans), "too long to format") {
			t.Errorf("%d lines", len(lines))
		}
	}
	if got := drawn(readable(long, parseJSON(t, `{"a":1}`)), false); got != " { \"a\": 1 }\n" {
		t.Errorf("beside one that is too long: %s", got)
	}
}

func TestReadable_StateIsAChip(t *testing.T) {
	const state = "mrtr1.sealed.0123456789abcdefghijklmnopqrstuvwxyz"
	layout := Layout{ID: "S", StatePath: "/x/1?a=b&panel=state"}
	html := rendered(t, Lines(layout.LayOut(nil, parseJSON(t,
		`{"id":1,"result":{"requestState":"`+state+`","resultType":"input_required"}}`))))
	for _, want := range []string{
		`details.st:not([open]) > summary "mrtr1.seal…wxyz 49 B"`, `details.st > code#S "` + state + `"`,
		`details.st + button[data-copy="S"]`, `a[href="/x/1?a=b&panel=state"] "open in State"`,
	} {
		if !htmltest.Parse(html).Has(want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
	if n := strings.Count(html, state); n != 1 {
		t.Errorf("the state is there %d times", n)
	}
	result := func(state string) string { return `{"result":{"requestState":"` + state + `","a":1}}` }
	for name, c := range map[string]struct{ before, after, has, hasNot string }{
		"short":        {"", result("s-1"), `span.st "s-1 3 B"`, "code"},
		"elsewhere":    {"", `{"a":{"a":{"requestState":"` + state + `"}}}`, `i "` + state + `"`, ".st"},
		"not a string": {"", `{"result":{"requestState":7}}`, `i "7"`, ".st"},
		"hidden":       {"", result(state + `\u202e`), `code "⟨U+202E⟩"`, "[data-copy]"},
		"one byte": {
			result(state), result(strings.Replace(state, "5", "X", 1)),
			`details.st[open] > summary "mrtr1.seal…wxyz"`, `mark "5"`,
		},
		"the other byte": {
			result(state), result(strings.Replace(state, "5", "X", 1)),
			`code:has(mark) "1234X6789"`, `"12345"`,
		},
		"removed": {
			result(state), `{"result":{"a":1}}`,
			`del.d2 ""requestState": mrtr1.seal…wxyz"`, `"` + state + `"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			html := rendered(t, Lines(layout.LayOut(parseJSON(t, c.before), parseJSON(t, c.after))))
			if page := htmltest.Parse(html); !page.Has(c.has) || page.Has(c.hasNot) {
				t.Errorf("want %s and not %s:\n%s", c.has, c.hasNot, html)
			}
		})
	}
}

func TestLinesHTML(t *testing.T) {
	lines := readable(parseJSON(t, `{"id":1,"a":{"b":1}}`), parseJSON(t, `{"id":2,"a":{"c":"<"}}`))
	want := `<div class="d0">{ <b>"id"</b>: <del><i>1</i></del> → <i>2</i>,</div>` +
		`<div class="d1">  <b>"a"</b>: {</div>` +
		`<del class="d2">    <s><b>"b"</b>: <i>1</i>,</s></del>` +
		`<ins class="d2">    <b>"c"</b>: <i>"&lt;"</i></ins>` +
		`<div class="d1">  } }</div>`
	if got := rendered(t, Lines(lines)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The class of a line is that of its depth, whatever else it has.
func TestLines_Classes(t *testing.T) {
	text := []Span{{Text: "x"}}
	for _, c := range []struct {
		line Line
		want string
	}{
		{Line{Spans: text}, `<div class="d0">x</div>`},
		{Line{Spans: text, Depth: 8}, `<div class="d8">                x</div>`},
		{Line{Spans: text, Depth: 20}, `<div class="d8">` + strings.Repeat(" ", 40) + `x</div>`},
		{Line{Spans: text, Depth: 1, First: true}, `<div class="d1 next">  x</div>`},
		{Line{Spans: text, Mark: Added, First: true}, `<ins class="d0 next">x</ins>`},
		{Line{Spans: text, Mark: Removed, Depth: 1}, `<del class="d1">  <s>x</s></del>`},
		{
			Line{Spans: text, Depth: 1, Mark: Removed, Fold: []Line{{Spans: text}}, Rest: text},
			`<details class="fold"><summary class="d1 removed">  <s>x</s><span><s>x</s></span></summary>` +
				`<div class="d0">x</div></details>`,
		},
		{
			Line{First: true, Open: true, Fold: []Line{{Spans: text}}, Rest: text},
			`<details class="fold" open><summary class="d0 next"><u>x</u></summary>` +
				`<div class="d0">x</div></details>`,
		},
	} {
		if got := rendered(t, Lines([]Line{c.line})); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestChanged_MarksTheChangedPart(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{`abcdef`, `abXdef`, `<i>"ab<mark>X</mark>def"</i>`},
		{`abcdef`, `abcdefgh`, `<i>"abcdef<mark>gh</mark>"</i>`},
		{`one thing`, `<b>quite another</b>`, `<i>"&lt;b&gt;quite another&lt;/b&gt;"</i>`},
		{`aaaa`, `aaa`, `<i>"aaa<mark></mark>"</i>`},
		{``, `a`, `<i>"<mark>a</mark>"</i>`},
		{`a`, ``, `<i>"<mark></mark>"</i>`},
		{`a&b`, `a&c`, `<i>"a&amp;<mark>c</mark>"</i>`},
		{`é漢x`, `é漢y`, `<i>"é漢<mark>y</mark>"</i>`},
	} {
		var w writer
		was, is := parseJSON(t, `"`+c.was+`"`), parseJSON(t, `"`+c.is+`"`)
		w.scalarOf(jsontree.Aligned{Before: was, After: is}, is)
		line := w.take()
		if got := rendered(t, spans(&line)); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.was, c.is, got, c.want)
		}
	}
}

// BenchmarkReadable formats a request beside the one before it.
func BenchmarkReadable(b *testing.B) {
	src := func(id int, more string) *jsontree.Node {
		n, err := jsontree.Parse(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{`+
			`"name":"update_work_item",`+
			`"arguments":{"workItemId":4522,"fields":{"System.State":"Resolved"}},`+
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"r-%d",`+
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}%s}}`,
			id, id, more), jsontree.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	before := src(1, "")
	after := src(2, `,"inputResponses":{"resolution":{"action":"accept",`+
		`"content":{"resolution":"Duplicate"}}}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := Lines(readable(before, after)).Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
