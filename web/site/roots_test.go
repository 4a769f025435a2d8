package site_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// TestSettings_Roots: a visitor who has nothing yet can set the roots, and what is no root
// is refused.
func TestSettings_Roots(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Local, wire.Config{})
	form := url.Values{"uri": {"file:///home/ada", "", "file:///srv"}, "name": {"Home", "", ""}}
	page := htmltest.Parse(s.follow("/settings/roots", form).body)
	if n := len(page.Find(`[data-form="roots"] input[name="uri"]`)); n != 4 { // two of them, two empty
		t.Errorf("%d rows", n)
	}
	if !page.Has(`[data-form="roots"] input[value="file:///home/ada"]`) {
		t.Error("the root is not there")
	}
	a := s.follow("/settings/roots", url.Values{"uri": {"https://a.example/"}, "name": {""}})
	if a.status != http.StatusUnprocessableEntity || !htmltest.Parse(a.body).Has(`[data-error="bad_root"]`) {
		t.Errorf("status %d: %s", a.status, excerpt(a.body))
	}
}
