package views

import (
	"strings"

	"github.com/a-h/templ"
)

// terms are the words of the wire that our own sentences use, with their places
// in the glossary.
func terms() []struct{ word, path string } {
	return []struct{ word, path string }{
		{"input_required", "/glossary#input-required"},
		{"requestState", "/glossary#requeststate"},
	}
}

// explained is a sentence as HTML, in which the first of each term leads to the
// glossary.
func explained(sentence string) string {
	html := templ.EscapeString(sentence)
	for _, t := range terms() {
		html = strings.Replace(html, t.word, `<a class="term" href="`+t.path+`">`+t.word+`</a>`, 1)
	}
	return html
}
