package share

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// maxDepth is the largest number of nested encodings that are decoded.
const maxDepth = 4

// walker visits every text that can be decoded from a piece, once each, with
// the name of the member, header field or parameter that holds it.
type walker struct {
	visit  func(v redact.View, name string)
	budget int // of views that may still be visited; hostile text can nest very many
}

func newWalker(visit func(redact.View, string)) *walker {
	return &walker{visit: visit, budget: 200_000}
}

// text visits a text and the texts that are encoded in it.
func (w *walker) text(v redact.View, name string, depth int) {
	if w.budget--; w.budget < 0 || len(v.Text) == 0 {
		return
	}
	if depth < maxDepth && w.json(v, name, depth+1) {
		return
	}
	w.visit(v, name)
	if depth >= maxDepth {
		for plain := range v.Joined().Decoded() {
			w.visit(plain, "")
		}
		return
	}
	w.inside(v, name, depth)
	for _, at := range findURLs(v.Text) {
		w.address(v.Slice(at[5], at[1]), "", depth+1)
	}
}

// urlPattern matches a URL: group 1 is its scheme, group 2 its host and port.
// The user information between them, and the path after them, are in no group.
var urlPattern = regexp.MustCompile(
	`([A-Za-z][A-Za-z0-9+.-]*://)(?:[^\s/?#@"'<>\\]*@)?([^\s/?#@"'<>\\]*)[^\s"'<>\\]*`)

// findURLs returns where URLs are in a text, as FindAllSubmatchIndex of
// urlPattern does. A scheme with nothing after it is none.
func findURLs(text []byte) [][]int {
	if !bytes.Contains(text, []byte("://")) {
		return nil
	}
	return slices.DeleteFunc(urlPattern.FindAllSubmatchIndex(text, -1), func(at []int) bool {
		return at[1] == at[3]
	})
}

// authorities returns where schemes, hosts and ports of URLs are in a text.
// They are never masked: without them an address says nothing.
func authorities(text []byte) [][2]int {
	var list [][2]int
	for _, at := range findURLs(text) {
		list = append(list, [2]int{at[2], at[3]}, [2]int{at[4], at[5]})
	}
	return list
}

// urlsIn returns where URLs are in a text.
func urlsIn(text []byte) [][2]int {
	var list [][2]int
	for _, at := range findURLs(text) {
		list = append(list, [2]int(at[:2]))
	}
	return list
}

// address visits each segment of a path, with this name, and each value of the
// query after it, with its own name and, unless it is empty, with this one.
func (w *walker) address(v redact.View, name string, depth int) {
	path := len(v.Text)
	if i := bytes.IndexAny(v.Text, "?#"); i >= 0 {
		path = i
	}
	w.parts(v.Slice(0, path), '/', func(part redact.View) { w.text(part, name, depth) })
	w.parts(v.Slice(path, len(v.Text)), '&', func(part redact.View) {
		key, _, _ := bytes.Cut(bytes.TrimLeft(part.Text, "?#"), []byte("="))
		if from := bytes.IndexByte(part.Text, '=') + 1; from > 0 {
			w.text(part.Slice(from, len(part.Text)), string(key), depth)
			if name != "" {
				w.text(part.Slice(from, len(part.Text)), name, depth)
			}
		}
	})
}

// parts calls do for each part of a view between separators.
func (w *walker) parts(v redact.View, separator byte, do func(redact.View)) {
	for start := 0; start < len(v.Text); {
		end := len(v.Text)
		if i := bytes.IndexByte(v.Text[start:], separator); i >= 0 {
			end = start + i
		}
		if end > start {
			do(v.Slice(start, end))
		}
		start = end + 1
	}
}

// inside visits the texts that are escaped or encoded in a text. Only one that
// is encoded as a whole has its name.
func (w *walker) inside(v redact.View, name string, depth int) {
	visited := map[[2]int]bool{}
	for plain := range v.Encoded() {
		visited[originOf(plain, 0, len(plain.Text))] = true
		w.text(plain, name, depth+1)
	}
	joined := v.Joined()
	for plain := range joined.Decoded() {
		if !visited[originOf(plain, 0, len(plain.Text))] {
			w.text(plain, "", depth+1)
		}
	}
	escapes := v.Escapes()
	if escapes > 0 {
		w.text(v.Unescaped(), name, depth+1)
	}
	if joined.Escapes() != escapes { // white space stands within one
		w.text(joined.Unescaped(), "", depth+1)
	}
}

// json visits a JSON object or array. It returns false if the text is neither.
func (w *walker) json(v redact.View, name string, depth int) bool {
	trimmed := bytes.TrimSpace(v.Text)
	if len(trimmed) < 2 || trimmed[0] != '{' && trimmed[0] != '[' {
		return false
	}
	n, err := jsontree.Parse(v.Text, jsontree.Limits{})
	if err != nil {
		return false
	}
	w.node(v, n, name, depth)
	return true
}

// node visits a JSON value. The items of an array have its name.
func (w *walker) node(v redact.View, n *jsontree.Node, name string, depth int) {
	switch n.Kind {
	case jsontree.String:
		w.text(inString(v, n.Start, n.End), name, depth)
	case jsontree.Number:
		number := v.Slice(n.Start, n.End)
		number.Number = true
		w.visit(number, name)
	}
	for _, m := range n.Members {
		w.text(inString(v, m.KeyStart, m.KeyEnd), "", depth)
		w.node(v, m.Value, m.Key, depth)
	}
	for _, item := range n.Items {
		w.node(v, item, name, depth)
	}
}

// inString returns the text of the quoted JSON string from start to end.
func inString(v redact.View, start, end int) redact.View {
	inner := v.Slice(start+1, end-1)
	if bytes.IndexByte(inner.Text, '\\') < 0 {
		return inner
	}
	return inner.JSONString()
}
