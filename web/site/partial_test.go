package site_test

import (
	"net/url"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// TestTask_AnsweredPartly: one of two questions of a task is answered, and the task asks
// for the other one alone.
func TestTask_AnsweredPartly(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.follow("/exchanges", url.Values{"target": {"conformance"}, "tool": {"multi_input"}, "raw": {"true"},
		"json": {"{}"}})
	call := s.last
	page := s.page(call)
	form := page.html().Form(`[data-form="answers"]`)
	if len(page.html().Find(`input[value="later"]`)) != 2 {
		t.Fatalf("no question can wait: %s", excerpt(page.body))
	}
	form.Set("a0.action", "later")
	form.Set("a1.action", "later")
	form.Set("do", "send")
	if got := s.follow(call+"/rounds", form); got.status != 422 ||
		!got.html().Has(`[role="alert"] "Every question is left for later. Answer at least one."`) ||
		len(got.html().Find(`input[value="later"][checked]`)) != 2 {
		t.Errorf("all left for later: %d %s", got.status, excerpt(got.body))
	}
	form.Set("a0.action", "accept")
	form.Set("a0.f0", "Ada")
	form.Set("a1.action", "later")
	form.Set("do", "preview")
	if preview := s.follow(call+"/rounds", form); !preview.html().Has(`#preview "Ada"`) ||
		!preview.html().Has(`#preview "second-1 is left open, and the task goes on waiting for it"`) ||
		!preview.html().Has(`#preview ""inputResponses": {"first-1":`+
			`{"action":"accept","content":{"name":"Ada"}}}"`) {
		t.Errorf("the preview: %q", preview.html().Texts("#preview"))
	}
	form.Set("do", "send")
	if got := s.follow(call+"/rounds", form); got.status != 200 {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	page = s.page(call)
	if !page.html().Has(`[data-status="waiting"]`) || page.html().Has(`[data-input-key^="first"]`) ||
		!page.html().Has(`[data-input-key^="second"]`) || !page.html().Has(`[data-violations="0"]`) {
		t.Fatalf("after the first answer: %s", excerpt(page.body))
	}
	form = page.html().Form(`[data-form="answers"]`)
	form.Set("a0.f0", "Lovelace")
	form.Set("do", "send")
	s.follow(call+"/rounds", form)
	if page = s.page(call); !page.html().Has(`[data-status="complete"]`) ||
		!page.html().Has(`[data-result] "Ada and Lovelace"`) {
		t.Errorf("the end: %s", excerpt(page.body))
	}
}
