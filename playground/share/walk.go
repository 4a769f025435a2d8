package share

import (
	"bytes"
	"regexp"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// maxDepth is the largest number of nested encodings that are decoded.
const maxDepth = 3

// walker visits every text that can be decoded from a piece, once each, with
// the name of the member, header field or parameter that holds it.
type walker struct {
	visit  func(v view, name string)
	budget int // of views that may still be visited; hostile text can nest very many
}

func newWalker(visit func(view, string)) *walker {
	return &walker{visit: visit, budget: 200_000}
}

// Patterns of encoded text.
var (
	base64Pattern  = regexp.MustCompile(`[A-Za-z0-9+/_-]{12,}={0,2}`)
	hexPattern     = regexp.MustCompile(`(?:[0-9A-Fa-f]{2}){12,}`)
	percentPattern = regexp.MustCompile(`[^\s"'<>&=?]*%[0-9A-Fa-f]{2}[^\s"'<>&=?]*`)
)

// text visits a text and what is encoded in it.
func (w *walker) text(v view, name string, depth int) {
	if w.budget--; w.budget < 0 || len(v.text) == 0 {
		return
	}
	if depth < maxDepth && w.json(v, name, depth+1) {
		return
	}
	w.visit(v, name)
	if depth >= maxDepth {
		return
	}
	w.inside(v, name, depth)
}

// inside visits the encoded parts of a text.
func (w *walker) inside(v view, name string, depth int) {
	for _, at := range base64Pattern.FindAllIndex(v.text, -1) {
		w.base64(v.slice(at[0], at[1]), name, depth)
	}
	if depth > 0 && len(v.text) < 24 {
		return
	}
	for _, at := range hexPattern.FindAllIndex(v.text, -1) {
		if plain, ok := v.slice(at[0], at[1]).decodeHex(); ok {
			w.text(plain, name, depth+1)
		}
	}
	if bytes.IndexByte(v.text, '%') < 0 {
		return
	}
	for _, at := range percentPattern.FindAllIndex(v.text, -1) {
		w.text(v.slice(at[0], at[1]).decodePercent(), name, depth+1)
	}
}

// base64 visits the text in a Base64 text. Paths and names use the same
// characters, so if the whole is not Base64, its parts between / - and _ are
// tried.
func (w *walker) base64(v view, name string, depth int) {
	if plain, ok := v.decodeBase64(); ok {
		w.text(plain, name, depth+1)
		return
	}
	for start := 0; start < len(v.text); {
		end := start
		for end < len(v.text) && bytes.IndexByte([]byte("/-_"), v.text[end]) < 0 {
			end++
		}
		if end-start >= 12 && end-start < len(v.text) {
			if plain, ok := v.slice(start, end).decodeBase64(); ok {
				w.text(plain, name, depth+1)
			}
		}
		start = end + 1
	}
}

// json visits a JSON object or array. It returns false if the text is neither.
func (w *walker) json(v view, name string, depth int) bool {
	trimmed := bytes.TrimSpace(v.text)
	if len(trimmed) < 2 || trimmed[0] != '{' && trimmed[0] != '[' {
		return false
	}
	n, err := jsontree.Parse(v.text, jsontree.Limits{})
	if err != nil {
		return false
	}
	w.node(v, n, name, depth)
	return true
}

// node visits a JSON value. The items of an array have its name.
func (w *walker) node(v view, n *jsontree.Node, name string, depth int) {
	switch n.Kind {
	case jsontree.String:
		w.text(inString(v, n.Start, n.End), name, depth)
	case jsontree.Number:
		number := v.slice(n.Start, n.End)
		number.number = true
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
func inString(v view, start, end int) view {
	inner := v.slice(start+1, end-1)
	if bytes.IndexByte(inner.text, '\\') < 0 {
		return inner
	}
	return inner.decodeJSONString()
}
