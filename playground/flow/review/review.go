// Package review reads a flow for its author, with the checks that are not of the
// language: a default or an example must fit its field, and a form must not ask for a
// secret.
//
// It stands beside the language because it needs the validator of the client, which a
// server must not share.
package review

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// Parse reads a flow, YAML or JSON, and checks all of it. It returns either the flow,
// with warnings, or its problems.
func Parse(source []byte) (*flow.Flow, []document.Problem) { return flow.Parse(source, reviewer{}) }

// reviewer implements [flow.Reviewer] with the client's forms.
type reviewer struct{}

func (reviewer) Misfits(schema, value json.RawMessage) ([]string, error) {
	fit, err := form.Conforms(schema, value)
	return fit.All(), err
}

func (reviewer) NamesSecret(name string) bool { return form.AsksSecret(name) }

func (reviewer) RequestsSecret(message string) bool { return form.RequestsSecret(message) }
