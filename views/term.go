package views

import (
	"strings"

	"github.com/a-h/templ"
)

// terms lists the wire words in our sentences, with their glossary entries.
var terms = []struct{ word, path string }{
	{"input_required", "/glossary#input-required"},
	{"requestState", "/glossary#requeststate"},
}

// explained returns a sentence as HTML. The first use of each term links to the
// glossary.
func explained(sentence string) string {
	html := templ.EscapeString(sentence)
	for _, t := range terms {
		html = strings.Replace(html, t.word, `<a class="term" href="`+t.path+`">`+t.word+`</a>`, 1)
	}
	return html
}
