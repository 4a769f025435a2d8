package session

import (
	"slices"
	"testing"
)

func TestDiffering(t *testing.T) {
	for name, test := range map[string]struct{ summaries, want []string }{
		"none":  {nil, nil},
		"alone": {[]string{"item: bike, amount: 900"}, []string{"item: bike, amount: 900"}},
		"same":  {[]string{"id: 1, to: Rome", "id: 1, to: Rome"}, []string{"", ""}},
		"one": {
			[]string{`id: 1, fields: {"State":"Done", "By": "me"}`,
				`id: 2, fields: {"State": "Done","By":"me"}`},
			[]string{"id: 1", "id: 2"},
		},
		"first": {[]string{"id: 1, x: 2", "id: 1, x: 3"}, []string{"x: 2", "x: 3"}},
		"more":  {[]string{"id: 1", "id: 1, dry: true", "id: 1"}, []string{"", "dry: true", ""}},
		"twice": {[]string{"a: 1, a: 1", "b: 1"}, []string{"a: 1, a: 1", "b: 1"}},
		"text": {
			[]string{"note: buy milk, bread, now: please", "note: buy milk, bread, now: or later"},
			[]string{"now: please", "now: or later"},
		},
		"cut":   {[]string{"id: 1, fields: {…", "id: 1, fields: {…"}, []string{"", ""}},
		"empty": {[]string{"", "id: 1"}, []string{"", "id: 1"}},
	} {
		if got := Differing(test.summaries); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
