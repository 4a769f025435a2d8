package session

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// CallSummary is what a Call says besides its name, in one line, so that two calls of
// the same tool can be told apart in a list: "workItemId: 4522, …". It is empty
// when the Call has no arguments or its params cannot be read.
func CallSummary(c playground.Call) string {
	params, err := jsontree.Parse(c.Params, jsontree.Limits{})
	if err != nil {
		return ""
	}
	arguments := params.Get("arguments")
	if arguments == nil {
		return ""
	}
	var parts []string
	for _, m := range arguments.Members {
		text, ok := m.Value.Text()
		if !ok {
			text = string(m.Value.Raw())
		}
		parts = append(parts, m.Key+": "+text)
	}
	return strings.Join(parts, ", ")
}
