package server

import "testing"

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		filter, name, label string
		rank                int
		ok                  bool
	}{
		{"", "create_branch", "", 0, true},
		{"cb", "create_branch", "Create a branch", 0, true},
		{"CREATE_BRANCH", "create_branch", "", 0, true},
		{"cr", "create_branch", "", 1, true},
		{"create b", "create_branch", "", 3, true},
		{"cab", "create_branch", "Create a branch", 0, true},
		{"ca", "create_branch", "Create a branch", 2, true},
		{"bra", "createBranch", "", 3, true},
		{"cb", "createBranch", "", 0, true},
		{"anch", "create_branch", "", 4, true},
		{"create issue", "create_branch", "", 0, false},
		{"x", "create_branch", "Create a branch", 0, false},
		{"ü", "überprüfen", "", 0, true},
		{"pr ü", "x", "Über Prüfung", 3, true},
	} {
		rank, ok := Match(c.filter, c.name, c.label)
		if ok != c.ok || ok && rank != c.rank {
			t.Errorf("%q in %q, %q: %d, %t", c.filter, c.name, c.label, rank, ok)
		}
	}
}
