package site_test

import (
	"maps"
	"net/url"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestCheck_OneVerdictInAllForms: the report of a check, its link and its file count the same,
// and an experiment has one verdict and level in them, on the page of its call and in its tab,
// although the link masks the state.
func TestCheck_OneVerdictInAllForms(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.ConnectTo(sitetest.Base + "/mcp/naughty")
	s.Follow(s.Last+"/check", url.Values{"tool": {"state_unverified"}, "args": {"{}"}, "mine": {"yes"}})
	live := s.Page(s.Last)
	verdicts, branches := sitetest.BoardOf(live.Body)
	if verdicts["flip-state"] != "fail" {
		t.Fatalf("the check shows %v", verdicts)
	}
	counts := func(page sitetest.Answer) map[string]string {
		return page.HTML().Pairs(".judged-counts [data-count]", "data-count", "data-n")
	}
	report := s.Get(s.Last + ".md").Body
	session := sitetest.Find(t, s.Page("/history").Body, `/sessions/(\w+)/share`)
	path := "/sessions/" + session + "/share"
	seen := sitetest.Value(t, s.Page(path).Body, "[name=seen]", "value")
	s.Follow(path, url.Values{"do": {"create"}, "seen": {seen}, "kind": {"board"}})
	token := sitetest.Find(t, s.Last, `made=(\w+)`)
	if got := s.Get("/s/" + token + ".md").Body; got != report {
		t.Errorf("the link has another report:\n%s\nnot\n%s", got, report)
	}
	for _, form := range []string{"/s/" + token, "/s/" + token + ".html"} {
		page := s.Get(form)
		if got, _ := sitetest.BoardOf(page.Body); !maps.Equal(got, verdicts) {
			t.Errorf("%s shows %v, not %v", form, got, verdicts)
		}
		if got, want := counts(page), counts(live); len(got) == 0 || !maps.Equal(got, want) {
			t.Errorf("%s counts %v, not %v", form, got, want)
		}
	}
	_, shared := sitetest.BoardOf(s.Get("/s/" + token).Body)
	const verdict = `.tried h2[data-verdict="fail"]`
	s.Page(branches["flip-state"]).Has(t, verdict, `[data-do="report"]`, `.tried .requirement-level "MUST"`)
	s.Page(branches["flip-state"]).HasNot(t, "[data-finish]")
	s.Get(shared["flip-state"]).Has(t, verdict, `.tried .requirement-level "MUST"`)
	panel := s.Page(branches["flip-state"] + "&panel=lab")
	if got, _ := sitetest.BoardOf(panel.Body); got["flip-state"] != "fail" {
		t.Errorf("the tab of the call shows %q", got["flip-state"])
	}
	board := `#decline-answer .requirement-level "SHOULD"`
	live.Has(t, board, `#decline-answer[data-verdict="hint"]`)
	panel.Has(t, board)
}
