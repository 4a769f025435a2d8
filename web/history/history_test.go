package history_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// Selected sessions are pinned, compared and deleted, by their owner only.
func TestHistory_Selected(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Public, wire.Config{Resolver: sitetest.Names{}})
	var ids, calls []string
	for range 3 {
		s.Follow("/exchanges", url.Values{"sample": {"azure-devops"}})
		calls = append(calls, strings.TrimPrefix(s.Last, "/x/"))
	}
	list := s.Page("/history").Body
	for _, part := range strings.Split(list, `data-session="`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		ids = append([]string{id}, ids...) // the newest is first
	}
	if len(ids) != 3 {
		t.Fatalf("%d sessions", len(ids))
	}
	do := func(by *sitetest.Site, what string, more url.Values) sitetest.Answer {
		form := url.Values{"do": {what}}
		for name, values := range more {
			form[name] = values
		}
		return by.Follow("/history/selected", form)
	}

	other := s.Visitor(t)
	other.Stranger()
	for _, what := range []string{"pin", "unpin", "compare", "delete"} {
		got := do(other, what, url.Values{"id": ids[:2]})
		if what == "delete" && got.Status == http.StatusOK { // nothing was there to delete
			continue
		}
		if got.Status != http.StatusNotFound {
			t.Errorf("%s by another visitor: %d", what, got.Status)
		}
	}

	do(s, "pin", url.Values{"id": ids[:1]})
	if body := s.Page("/history").Body; strings.Index(body, "Pinned") > strings.Index(body, ids[0]) ||
		!strings.Contains(body, "Pinned") {
		t.Error("the pinned call does not lead the list")
	}
	do(s, "unpin", url.Values{"id": ids[:1]})
	if body := s.Page("/history").Body; strings.Contains(body, "Pinned") {
		t.Error("the call is still pinned")
	}

	do(s, "compare", url.Values{"id": ids[:2]})
	if want := "/compare?a=" + calls[0] + "&b=" + calls[1]; s.Last != want {
		t.Errorf("compare leads to %s, want %s", s.Last, want)
	}
	if got := do(s, "compare", url.Values{"id": ids}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("compare of three: %d", got.Status)
	}
	if got := do(s, "delete", nil); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("nothing selected: %d", got.Status)
	}

	do(s, "delete", url.Values{"id": ids[:2]})
	body := s.Page("/history").Body
	if len(htmltest.Parse(body).Find("[data-session]")) != 1 || !strings.Contains(body, ids[2]) {
		t.Error("not exactly the third call is left")
	}
}

// The list shows the answers and their result.
func TestHistory_ShowsAnswersAndResult(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Follow("/exchanges", url.Values{"sample": {"azure-devops"}})
	path := s.Last
	s.Follow(path+"/rounds", url.Values{
		"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"Duplicate"},
	})
	s.Follow(path+"/rounds", url.Values{
		"round": {"2"}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"4301"},
	})
	s.Page("/history").Has(t, `"Duplicate, 4301"`, `"Bug #4522 resolved as Duplicate of Bug #4301."`)
}

// Times are those of the reader, if the browser said where the reader is.
func TestHistory_TimesOfTheReader(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Follow("/exchanges", url.Values{"sample": {"azure-devops"}})
	for cookie, zone := range map[string]string{
		"": "UTC", "zone=Asia%2FKolkata": "IST", "zone=Local": "UTC",
		"zone=..%2F..%2Fetc%2Fpasswd": "UTC",
		"zone=%2Fetc%2Flocaltime":     "UTC", "zone=" + strings.Repeat("A", 65): "UTC",
	} {
		body := s.Do("GET", "/history", "", http.Header{"Cookie": {cookie}}).Body
		said := strings.Contains(body, "Times are UTC.")
		if !strings.Contains(body, " "+zone+`"`) || said != (zone == "UTC") {
			t.Errorf("%q: the times are not %s", cookie, zone)
		}
	}
}
