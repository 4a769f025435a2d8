package doors_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// A server in the list has the verdict of its last check, and one that was not checked none.
func TestShow_VerdictOfTheLastCheck(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	connect := func(sample string) (id string) {
		s.ConnectTo(sitetest.Base + "/mcp/" + sample)
		return strings.TrimPrefix(s.Last, "/servers/")
	}
	check := func(id string, form url.Values) (report string) {
		form.Set("mine", "yes")
		s.Follow("/servers/"+id+"/check", form)
		return s.Last
	}
	row := func(id string) string { return `#mine [data-id="` + id + `"] ` }

	sealed := connect("azure-devops?state=sealed")
	s.Page("/test").Has(t, row(sealed)+`.outcome-muted "not checked"`,
		row(sealed)+`[href="/servers/`+sealed+`/check"] "Check it"`)

	whole := url.Values{
		"tool": {"update_work_item"}, "args": {`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`},
		"answers": {`{"resolution":{"resolution":"Duplicate"},"duplicate_of":{"duplicateOfId":4301}}`},
	}
	report := check(sealed, whole)
	for range 2 { // what is known is told again
		s.Page("/test").Has(t, row(sealed)+`[href="`+report+`"] .outcome-pass "nothing failed in "`)
	}
	report = check(sealed, url.Values{"tool": {"list_work_items"}, "args": {"{}"}})
	got := s.Page("/test")
	got.Has(t, row(sealed)+`[href="`+report+`"] .outcome-muted "not judged"`)
	got.HasNot(t, row(sealed)+".outcome-pass")

	wrong := connect("naughty")
	report = check(wrong, url.Values{"tool": {"state_unverified"}, "args": {"{}"}})
	s.Page("/test").Has(t, row(wrong)+`[href="`+report+`"] .outcome-fail " failed"`)
}

// A client in the list has the verdict of its board, and its name.
func TestShow_VerdictOfAClient(t *testing.T) {
	t.Parallel()
	c := sitetest.New(t, app.Local).Capture("azure-devops", "")
	id := strings.TrimPrefix(c.Page, "/clients/")
	row := `#mine [data-id="` + id + `"] `
	c.Get("/test").Has(t, row+`.outcome-muted "no request yet"`, row+`"address open"`)
	c.Send(playground.Discover, map[string]any{})
	c.Get("/test").Has(t, row+`.name "tester 3"`)
	c.Send(playground.ToolsCall, map[string]any{"name": "update_work_item", "arguments": map[string]any{
		"workItemId": 4522, "fields": map[string]any{"System.State": "Resolved"},
	}}, "Mcp-Name", "another_tool")
	c.Get("/test").Has(t, row+`.outcome-fail " failed"`)
	c.Get(c.Page).Has(t, `[data-headline="fail"]`)
}
