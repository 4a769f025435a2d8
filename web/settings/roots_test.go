package settings_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestSettings_Roots: a visitor who has nothing yet can set the roots. A text
// that is no root is refused, and the form keeps the input.
func TestSettings_Roots(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{})
	form := url.Values{"uri": {"file:///home/ada", "", "file:///srv"}, "name": {"Home", "", ""}}
	page := htmltest.Parse(s.Follow("/settings/roots", form).Body)
	if n := len(page.Find(`[data-form="roots"] input[name="uri"]`)); n != 4 { // two of them, two empty
		t.Errorf("%d rows", n)
	}
	if !page.Has(`[data-form="roots"] input[value="file:///home/ada"]`) {
		t.Error("the root is not there")
	}
	long := "file:///" + strings.Repeat("a", 2000)
	many := url.Values{"uri": {}, "name": {}}
	for n := range 51 {
		many.Add("uri", fmt.Sprintf("file:///%d", n))
	}
	for _, form := range []url.Values{
		{"uri": {"https://a.example/", "", "file:///b"}, "name": {"A", "no URI", ""}},
		{"uri": {long}, "name": {"A"}}, many,
	} {
		a := s.Follow("/settings/roots", form)
		page := htmltest.Parse(a.Body)
		if a.Status != http.StatusUnprocessableEntity ||
			!page.Has(`[data-form="roots"] [data-error="bad_root"][role="alert"]`) {
			t.Errorf("status %d: %s", a.Status, sitetest.Excerpt(a.Body))
		}
		for _, name := range []string{"uri", "name"} {
			for _, want := range form[name] {
				if want != "" && !page.Has(`[data-form="roots"] input[name="`+name+`"][value="`+want+`"]`) {
					t.Errorf("the %s %.30q is lost", name, want)
				}
			}
		}
	}
	if page := s.Page("/settings").HTML(); !page.Has(`[data-form="roots"] input[value="file:///home/ada"]`) ||
		page.Has(`[data-form="roots"] [data-error]`) {
		t.Error("a refused form changed the roots")
	}
}
