package exchange_test

import (
	"net/url"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestTask_AnsweredPartly: one of two questions of a task is answered, and the task asks
// for the other one alone.
func TestTask_AnsweredPartly(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Follow("/exchanges", url.Values{"target": {"conformance"}, "tool": {"multi_input"}, "raw": {"true"},
		"json": {"{}"}})
	call := s.Last
	page := s.Page(call)
	form := page.HTML().Form(`[data-form="answers"]`)
	if len(page.HTML().Find(`input[value="later"]`)) != 2 {
		t.Fatalf("no question can wait: %s", sitetest.Excerpt(page.Body))
	}
	form.Set("a0.action", "later")
	form.Set("a1.action", "later")
	form.Set("do", "send")
	if got := s.Follow(call+"/rounds", form); got.Status != 422 ||
		!got.HTML().Has(`[role="alert"] "Every question is left for later. Answer at least one."`) ||
		len(got.HTML().Find(`input[value="later"][checked]`)) != 2 {
		t.Errorf("all left for later: %d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	form.Set("a0.action", "accept")
	form.Set("a0.f0", "Ada")
	form.Set("a1.action", "later")
	form.Set("do", "preview")
	if preview := s.Follow(call+"/rounds", form); !preview.HTML().Has(`#preview "Ada"`) ||
		!preview.HTML().Has(`#preview "second-1 is left open, and the task goes on waiting for it"`) ||
		!preview.HTML().Has(`#preview ""inputResponses": {"first-1":`+
			`{"action":"accept","content":{"name":"Ada"}}}"`) {
		t.Errorf("the preview: %q", preview.HTML().Texts("#preview"))
	}
	form.Set("do", "send")
	if got := s.Follow(call+"/rounds", form); got.Status != 200 {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	page = s.Page(call)
	if !page.HTML().Has(`[data-status="waiting"]`) || page.HTML().Has(`[data-input-key^="first"]`) ||
		!page.HTML().Has(`[data-input-key^="second"]`) || !page.HTML().Has(`[data-violations="0"]`) {
		t.Fatalf("after the first answer: %s", sitetest.Excerpt(page.Body))
	}
	form = page.HTML().Form(`[data-form="answers"]`)
	form.Set("a0.f0", "Lovelace")
	form.Set("do", "send")
	s.Follow(call+"/rounds", form)
	if page = s.Page(call); !page.HTML().Has(`[data-status="complete"]`) ||
		!page.HTML().Has(`[data-result] "Ada and Lovelace"`) {
		t.Errorf("the end: %s", sitetest.Excerpt(page.Body))
	}
}
