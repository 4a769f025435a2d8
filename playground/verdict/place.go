package verdict

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Place is the request that shows an outcome. The zero Place is none.
type Place struct {
	Run     string   // id of the run that recorded it; empty for the only one
	Request int      // number in the run, from 1; 0 for none
	Method  string   // of the request
	Name    string   // of the tool or prompt, or the URI; empty for none
	Path    []string // in the JSON of the request; nil for none
	Header  string   // name of a header of the request; empty for none
	Lines   bool     // it is no request: lines of the server that belong to none
}

// String returns the place in words, or "" for none. Foreign text is harmless.
func (p Place) String() string {
	if p.Request == 0 {
		return ""
	}
	if p.Lines {
		return "lines of the server that belong to no request"
	}
	words := fmt.Sprintf("request %d", p.Request)
	if p.Run != "" {
		words += " of the run " + p.Run
	}
	words += ": " + cmp.Or(strings.TrimSpace(text.Visible(p.Method, 60)+" "+text.Visible(p.Name, 80)),
		"a message without a method")
	if len(p.Path) > 0 {
		words += ", " + text.Visible(pathWords(p.Path), 120)
	}
	if p.Header != "" {
		words += ", header " + text.Visible(p.Header, 60)
	}
	return words
}

// pathWords returns a path in JSON with dots. A key that is no word has quotes.
func pathWords(path []string) string {
	var b strings.Builder
	for i, key := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		if key == "" || strings.ContainsAny(key, " .\"\\") {
			key = string(jsontree.Quote(key))
		}
		b.WriteString(key)
	}
	return b.String()
}
