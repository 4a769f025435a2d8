// Package prose has the sentences and the words that pages share: the meaning
// of a failure and its remedy, lists, times, and foreign text made fit for
// HTML.
package prose

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// List returns a list in words: "a, b and c".
func List(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// TitleOr returns the title of a session, or words for one without.
func TitleOr(title string) string {
	if strings.TrimSpace(title) == "" {
		return "Untitled"
	}
	return text.Visible(title, 120)
}

// Heading returns the name of the called tool, prompt or resource, as on the
// wire.
func Heading(c playground.Call) string {
	params, err := jsontree.Parse(c.Params, jsontree.Limits{})
	if err != nil {
		return c.Method
	}
	if c.Method == playground.ResourcesRead {
		return params.Get("uri").Str()
	}
	return params.Get("name").Str()
}

// CallName returns the name of the called tool, prompt or resource, or the
// method if the call has none.
func CallName(c playground.Call) string { return cmp.Or(c.Name(), c.Method) }

// LinesWords is the sentence about the rules that a server on standard input is
// not judged by.
const LinesWords = "The server gets one message a line. " +
	"Lines have no headers, no HTTP status and no session, so nothing about these is judged."

// Rows returns the height of a textarea that shows a text whole, in lines.
func Rows(s string, least, most int) string {
	return fmt.Sprint(min(max(strings.Count(s, "\n")+2, least), most))
}
