package site_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestForms_Malformed sends bodies that are no form.
func TestForms_Malformed(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, c := range []struct{ path, body string }{
		{"/exchanges", "sample=%zz"}, {"/exchanges", "a;b=1"}, {"/theme", "theme=%"}, {"/theme?a=%zz",
			"theme=dark&back=/"},
		{"/servers", "%"}, {"/learn/one-round", "do=%"}, {s.StartOf("azure-devops") + "/rounds", "round=%"},
	} {
		got := s.Post(c.path, c.body)
		if got.Status != http.StatusBadRequest {
			t.Errorf("%s %s: %d", c.path, c.body, got.Status)
		}
		got.Has(t, `[data-error="bad_request"]`, `"This form can't be read."`)
	}
	s.NoErrors()
	if got := s.Post("/exchanges",
		"sample="+strings.Repeat("x", 8<<20)); got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large form: %d", got.Status)
	}
}
