package flow

import (
	"encoding/json"
	"regexp"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// Reviewer judges what the language leaves open, and an author should know. It needs
// more than the language does: a validator of JSON Schema, and words for secrets.
type Reviewer interface {
	// Misfits returns the faults of a value by the JSON Schema of its field, or
	// an error if the schema is not valid.
	Misfits(schema, value json.RawMessage) ([]string, error)
	// NamesSecret reports whether a field with this name or title asks for a secret.
	NamesSecret(name string) bool
	// RequestsSecret reports whether a message asks for a secret.
	RequestsSecret(message string) bool
}

// Parse reads a flow, YAML or JSON, and checks all of it. It returns either the
// flow or its problems. A nil Reviewer finds nothing.
func Parse(source []byte, reviewer Reviewer) (*Flow, []document.Problem) {
	root, problems := document.Parse(source)
	if len(problems) > 0 {
		return nil, problems
	}
	r := &reader{reviewer: reviewer, budget: maxAnalysis}
	f := r.flow(root)
	if problems := r.Problems(); len(problems) > 0 {
		return nil, problems
	}
	f.source, f.document, f.Warnings = string(source), root, r.warnings.Problems()
	return f, nil
}

// reader reads a flow from a document.
type reader struct {
	document.Reader
	reviewer  Reviewer
	arguments []Field
	warnings  document.Reader
	budget    int // what the analysis may still cost
}

// toolName follows server/tools, "Tool Names".
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

func (r *reader) flow(root *document.Node) *Flow {
	f := &Flow{}
	if root.Kind != document.Map {
		r.Wrong(root, "", "A flow begins with its fields: flow, name, steps, result.")
		return f
	}
	if !r.Fields(root, "", "flow", "name", "title", "description", "arguments", "steps", "task", "result",
		"state", "instances", "versions") {
		return f
	}
	if v, ok := r.Number(root.Get("flow"), "flow"); !ok || v != 1 {
		r.Wrong(
			cmpNode(root.Get("flow"), root),
			"flow",
			"A flow begins with flow: 1, the version of the format.",
		)
	}
	f.Name = r.Needed(root, "", "name", maxName)
	if f.Name != "" && !toolName.MatchString(f.Name) {
		r.Wrong(root.Get("name"), "name", "The name of a tool has letters a to z, digits, _, - and . only.")
	}
	f.Title = r.Text(root.Get("title"), "title", 200)
	f.Description = r.Text(root.Get("description"), "description", maxText)
	if root.Gives("arguments") {
		r.arguments = r.fields(root.Get("arguments"), "arguments", 1)
	}
	f.Arguments = r.arguments
	f.State = r.state(root.Get("state"))
	f.Instances = r.Text(root.Get("instances"), "instances", 200)
	f.Versions = r.versions(root)
	r.instances(root.Get("instances"), f)
	for i := range f.Versions {
		f.Versions[i].On = f.on(f.Versions[i].Name)
	}
	return f
}

// cmpNode returns the first node that is there.
func cmpNode(nodes ...*document.Node) *document.Node {
	for _, n := range nodes {
		if n != nil {
			return n
		}
	}
	return nil
}

// Lifetimes that a state can have.
const (
	minLife = time.Second
	maxLife = 24 * time.Hour
)

func (r *reader) state(n *document.Node) State {
	if n.KindOf() == document.Absent || !r.Fields(n, "state", "protection", "life") {
		return State{}
	}
	s := State{
		Protection: r.Choice(n.Get("protection"), "state.protection", "sealed", "signed", "plain"),
		Life:       r.Text(n.Get("life"), "state.life", 20),
	}
	if d, err := time.ParseDuration(s.Life); s.Life != "" && (err != nil || d < minLife || d > maxLife) {
		r.Wrong(n.Get("life"), "state.life", "Write a time from 1s to 24h, such as 10m.")
	}
	return s
}
