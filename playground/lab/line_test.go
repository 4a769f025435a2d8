package lab_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// TestExperimentsWith_Command: an experiment with a server on standard input changes and
// expects only what lines have.
func TestExperimentsWith_Command(t *testing.T) {
	command := playground.Target{URL: wire.CommandURL([]string{"server"})}
	excluded := map[string]bool{}
	for i, e := range lab.ExperimentsWith(command) {
		excluded[e.ID] = e.Excluded(command) != ""
		if e.Excluded(playground.Target{URL: "http://127.0.0.1/"}) != "" {
			t.Errorf("%s is excluded over HTTP", e.ID)
		}
		if e.ID != lab.Experiments()[i].ID {
			t.Errorf("%s is not in its place", e.ID)
		}
		if strings.Contains(e.Clause, "streamable-http") && !excluded[e.ID] {
			t.Errorf("%s: lines have no %s", e.ID, e.Clause)
		}
		for _, text := range []string{e.Brief, e.Sends, e.Expects} {
			for _, http := range []string{"400", "404", "eader"} {
				if strings.Contains(text, http) && !excluded[e.ID] {
					t.Errorf("%s: lines have no %s: %q", e.ID, http, text)
				}
			}
		}
	}
	for id, want := range map[string]bool{
		"wrong-name-header": true, "malformed-json": true, "flip-state": false, "old-version": false,
	} {
		if got, found := excluded[id]; !found || got != want {
			t.Errorf("%s: excluded: %v", id, got)
		}
	}
}
