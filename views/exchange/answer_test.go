package exchange

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	questionview "github.com/mrtr-playground/mrtr-playground/views/question"
)

func TestNewInstances(t *testing.T) {
	const balancer = anyInstance
	tests := []struct {
		name, topology, chosen string
		want                   []instanceChoice
	}{
		{"two", "a:v1,b:v2", "b",
			[]instanceChoice{{Words: balancer}, {"a", "a (v1)", false}, {"b", "b (v2)", true}}},
		{"drained", "a:v1:drain,b:v1", "", []instanceChoice{{Words: balancer, Chosen: true},
			{"a", "a (v1, drained)", false}, {"b", "b (v1)", false}}},
		{"without versions", "a,b", "",
			[]instanceChoice{{Words: balancer, Chosen: true}, {"a", "a", false}, {"b", "b", false}}},
		{"one is dead", "a:v1,b:dead", "", nil},
		{"one", "a:v1", "", nil},
		{"a server that is not a sample", "", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, newInstances(tt.topology, tt.chosen)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRawText: the JSON of a server hides nothing, and a page has a part of it.
func TestRawText(t *testing.T) {
	n, err := jsontree.Parse([]byte(`{"a":"`+"\u202e"+strings.Repeat("x", 100_000)+`"}`), jsontree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got := questionview.RawText(n); len(got) > 5000 || strings.Contains(got, "\u202e") {
		t.Errorf("%d bytes: %.60s", len(got), got)
	}
}
