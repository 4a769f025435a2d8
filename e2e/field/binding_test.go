package main

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestRequirementOf: what an experiment finds is about a requirement that binds servers, and a
// failure is about one that is as strict.
func TestRequirementOf(t *testing.T) {
	for _, e := range lab.Experiments() {
		id := requirementOf(verdict.Line{ID: e.ID, Level: spec.Level(e.Level), Clause: e.Clause})
		s, known := spec.ByID(id)
		strict := strings.HasPrefix(string(e.Level), string(spec.Must))
		switch {
		case len(binding(e.ID)) == 0:
			if id != "" {
				t.Errorf("%s is about %s", e.ID, id)
			}
		case !known || s.Party == spec.Client:
			t.Errorf("%s is about %q", e.ID, id)
		case strict && !strings.HasPrefix(string(s.Level), string(spec.Must)):
			t.Errorf("%s, a %s, is about %s, a %s", e.ID, e.Level, id, s.Level)
		}
	}
	if id := requirementOf(verdict.Line{
		ID: "omit-capability", Level: spec.Must,
		Clause: "https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta",
	}); id != "index.only-declared" {
		t.Errorf("a question that was not declared is about %s", id)
	}
}
