package talk

import (
	"strings"
	"testing"
)

func TestCode_AsItIsTyped(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, want string
	}{
		{"k3m9-7qxd", "k3m97qxd"},
		{"k3m97qxd", "k3m97qxd"},
		{"K3M9 7QXD", "k3m97qxd"},
		{" k3m9-7qxd ", "k3m97qxd"},
		{"OiLo-0110", "01100110"},
		{"", ""},
		{"k3m9-7qx", ""},
		{"k3m9-7qxdd", ""},
		{"k3m9-7qxu", ""},
		{"k3m9-7q.d", ""},
		{"k3m9/7qxd", ""},
		{"kéé9-7qxd", ""},
		{strings.Repeat("-", 100_000) + "k3m97qxd", ""},
	} {
		got, ok := ReadCode(tt.text)
		if ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%.20q: %q, %v", tt.text, got, ok)
		}
	}
}

func TestCode_IsReadAsItIsShown(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, id := range []string{"", "a", "b", "c", "a long id with any letters \x00"} {
		code := NewCode(id)
		if got, ok := ReadCode(ShownCode(code)); !ok || got != code {
			t.Errorf("%q is read as %q", code, got)
		}
		if seen[code] || NewCode(id) != code {
			t.Errorf("the code %q of %q", code, id)
		}
		seen[code] = true
	}
}
