package site_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// TestForms_Malformed sends bodies that are no form.
func TestForms_Malformed(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, c := range []struct{ path, body string }{
		{"/exchanges", "sample=%zz"}, {"/exchanges", "a;b=1"}, {"/theme", "theme=%"}, {"/theme?a=%zz",
			"theme=dark&back=/"},
		{"/servers", "%"}, {"/learn/one-round", "do=%"}, {s.startOf("azure-devops") + "/rounds", "round=%"},
	} {
		got := s.post(c.path, c.body)
		if got.status != http.StatusBadRequest {
			t.Errorf("%s %s: %d", c.path, c.body, got.status)
		}
		got.has(t, `[data-error="bad_request"]`, `"This form can't be read."`)
	}
	s.noErrors()
	if got := s.post("/exchanges",
		"sample="+strings.Repeat("x", 8<<20)); got.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large form: %d", got.status)
	}
}
