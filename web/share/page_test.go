package share_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestPage_IsAnAttachmentThatRunsItsOwnScriptOnly: of an exchange, of a link to it and of
// the form of the share page it is the same file.
func TestPage_IsAnAttachmentThatRunsItsOwnScriptOnly(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	call := s.InMode("azure-devops", lab.Sealed)
	path, x := "/sessions/"+s.SessionOf()+"/share", "x="+strings.TrimPrefix(call, "/x/")
	seen := sitetest.Value(t, s.Get(path+"?"+x).Body, "[name=seen]", "value")
	form := s.Post(path, "do=page&seen="+seen+"&"+x)
	for name, got := range map[string]sitetest.Answer{
		"exchange": s.Get(call + ".html"), "link": s.Get("/s/" + s.Share(x) + ".html"), "form": form,
	} {
		if got.Status != http.StatusOK || got.Body != form.Body {
			t.Errorf("%s: %d, another file: %d and %d bytes", name, got.Status, len(got.Body), len(form.Body))
		}
		h := got.Header
		if h.Get("Content-Disposition") != `attachment; filename="mrtr-update-work-item.html"` ||
			h.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %v", name, h)
		}
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'; script-src 'sha256-", "; style-src 'sha256-",
			"; frame-ancestors 'none'; sandbox allow-scripts"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: no %s in %s", name, part, policy)
			}
		}
		if strings.Contains(policy, "'self'") || strings.Contains(policy, "unsafe") ||
			strings.Contains(policy, "allow-same-origin") {
			t.Errorf("%s: %s", name, policy)
		}
		if most := 400_000; len(got.Body) > most {
			t.Errorf("%s: %d bytes, more than %d", name, len(got.Body), most)
		}
	}
	form.Has(t, `meta[name=referrer][content=no-referrer]`, `[data-bench] h1 "update_work_item"`)
	form.Lacks(t, s.SessionOf(), strings.TrimPrefix(call, "/x/"), s.URL+"/s/")
}

// TestPage_ComesBack: importing the page is importing the JSON file.
func TestPage_ComesBack(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	call, tried := s.Finished()
	for _, path := range []string{call, tried} {
		page := s.Get(path + ".html")
		got := s.Do("POST", "/import", page.Body, http.Header{"Content-Type": {"text/html"}})
		if got.Status != http.StatusSeeOther {
			t.Fatalf("import: %d %s", got.Status, sitetest.Excerpt(got.Body))
		}
		first, second := s.Get(path+".json").Body, s.Get(got.Header.Get("Location")+".json").Body
		if plain := sitetest.NotImported(second); path == call && plain != first {
			t.Errorf("%s came back changed:\n%s\n%s", path, first, second)
		}
		again := s.Get(got.Header.Get("Location") + ".html")
		again.Has(t, "[data-imported]")
	}
}

// TestPage_IsMaskedAsALinkIs: with the same choices of the share page.
func TestPage_IsMaskedAsALinkIs(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	path := s.Imported(leaky())
	page := s.Get(path + ".html")
	if page.Status != http.StatusOK {
		t.Fatal(page.Status)
	}
	for name, value := range planted() {
		if strings.Contains(page.Body, secretOf(value)) {
			t.Errorf("the secret %s is in the page", name)
		}
	}
	finding := sitetest.Value(t, s.Get("/sessions/"+s.SessionOf()+"/share").Body, `[name="keep"]`, "value")
	kept := s.Get(path + ".html?" + url.Values{"keep": {finding}}.Encode())
	if kept.Status != http.StatusOK || kept.Body == page.Body {
		t.Errorf("?keep= changes nothing: %d", kept.Status)
	}
	call := s.InMode("azure-devops", lab.Sealed)
	s.Get(call+".html").Has(t, `"4301"`)
	s.Get(call+".html?leave=answers").Lacks(t, "4301")
}

// TestPage_OfWhatWasNotSeenIsRefused: as a link is.
func TestPage_OfWhatWasNotSeenIsRefused(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.StartOf("azure-devops")
	path := "/sessions/" + s.SessionOf() + "/share"
	seen := sitetest.Value(t, s.Get(path).Body, "[name=seen]", "value")
	s.Post(s.Last+"/rounds", "round=1&a0.action=accept&a0.f0=Duplicate")
	got := s.Post(path, "do=page&seen="+seen)
	if got.Status != http.StatusConflict || got.Header.Get("Content-Disposition") != "" {
		t.Errorf("%d %v", got.Status, got.Header)
	}
	got.Has(t, "[data-changed]", `[data-do="page"]`)
}

// TestPage_IsTheFirstChoiceWhereALinkReachesNobody: that is on a loopback address.
func TestPage_IsTheFirstChoiceWhereALinkReachesNobody(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.StartOf("azure-devops")
	share := "/sessions/" + s.SessionOf() + "/share"
	page := s.Get(share)
	page.Has(t, `.first[data-do="page"] "Download a page"`, `[data-do="share"]:not(.first)`, "[data-local]")
	if strings.Index(page.Body, `data-do="page"`) > strings.Index(page.Body, `data-do="share"`) {
		t.Error("the link comes first")
	}
	public := sitetest.NewWith(t, app.Public, wire.Config{}, func(c *site.Config) {
		c.App.BaseURL = "https://playground.example"
	})
	public.Stranger()
	page = public.Page(sitetest.Find(t, public.Page("/history").Body, `(/sessions/\w+/share)`))
	page.Has(t, `[data-do="page"]:not(.first)`, `.first[data-do="share"]`)
	page.HasNot(t, "[data-local]")
}
