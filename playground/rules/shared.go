package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// IsAnswerable reports whether a client that declares some capabilities can be asked a
// question: its method is known, and its kind is declared.
func IsAnswerable(question, declared *jsontree.Node) bool {
	return slices.Contains(embeddable, question.Get("method").Str()) && undeclared(question, declared) == ""
}
