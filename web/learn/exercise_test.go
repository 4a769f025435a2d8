package learn_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// exerciseSite is a site that waits until a check has ended.
func exerciseSite(t *testing.T) *sitetest.Site {
	t.Helper()
	return sitetest.New(t, app.Local)
}

// try sends the address of a learner's server and returns the page.
func try(s *sitetest.Site, address string) sitetest.Answer {
	s.T.Helper()
	return s.Follow(lesson.ExercisePath, url.Values{"url": {address}, "mine": {"yes"}})
}

// standings returns the verdicts on the requirements on a page by id.
func standings(body string) map[string]string {
	return htmltest.Parse(body).Pairs("[data-requirement]", "data-requirement", "data-verdict")
}

// For a server that forgets, the list names the missing requirements; mended,
// it meets everything. The list can be shared, and the report of the check
// leads to it.
func TestExercise(t *testing.T) {
	t.Parallel()
	wrong, right := httptest.NewServer(peers.Table("no state")), httptest.NewServer(peers.Table(""))
	t.Cleanup(wrong.Close)
	t.Cleanup(right.Close)
	s := exerciseSite(t)
	first := s.Page(lesson.ExercisePath)
	all := len(exercise.Requirements())
	allMet := fmt.Sprintf("All %d requirements are met", all)
	first.Has(t, `"Your turn"`, fmt.Sprintf(`"%d requirements"`, all), `[href="/learn/build#listings"]`)
	if n := len(standings(first.Body)); n != len(exercise.Requirements()) {
		t.Errorf("%d requirements", n)
	}

	page := try(s, wrong.URL)
	page.Has(t, fmt.Sprintf(`"%d of %d met"`, all-6, all), `"The result of round 2 has no requestState"`,
		`[data-next] [href*="/check/"] "Read the whole report"`,
		`[data-next] [href="/learn/rounds"] "Lesson on"`,
		`[data-unjudged] "4 requirements cannot be judged until this one is met: The result of "`)
	got := standings(page.Body)
	if got["two-questions"] != "pass" || got["remembers"] != "fail" || got["forged"] != "unjudged" {
		t.Errorf("%v", got)
	}

	page = try(s, right.URL)
	page.Has(t, `"`+allMet+`"`, `[value="`+right.URL+`"]`, `[name="mine"][checked]`,
		`[data-next] [href*="/check/"] "Read the whole report"`, `[data-next] [href$="/check"]`,
		`[data-next] [href="`+lesson.ClientExercisePath+`"]`)
	for id, got := range standings(page.Body) {
		if got != string(verdict.Passed) {
			t.Errorf("%s is %s", id, got)
		}
	}
	report := sitetest.Value(t, page.Body, `[href*="/check/"]`, "href")
	s.Page(report).Has(t, `"The list of Your turn"`, `[href="`+s.Last+`"]`)
	token := s.ShareAs(sitetest.Value(t, page.Body, `[href$="/share"]`, "href"))
	s.Visitor(t).Page("/s/"+token).Has(t, `"`+allMet+`"`,
		`[data-requirement="cleared"][data-verdict="pass"]`)
	s.NoErrors()
}

// TestExercise_PraiseIsEarned: a server that meets every requirement and breaks a rule is not
// praised. The headline names the fault, and the list leads to the report.
func TestExercise_PraiseIsEarned(t *testing.T) {
	t.Parallel()
	right := peers.Table("")
	wrong := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		right.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		body := strings.Replace(answer.Body.String(), `"_meta":{`, `"_meta":{"-x/name":1,`, 1)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(wrong.Close)
	s := exerciseSite(t)
	page := try(s, wrong.URL)
	page.Has(t, fmt.Sprintf(`"All %d requirements are met"`, len(exercise.Requirements())),
		`[data-headline] "This server fails 1 check"`,
		`[data-next] [href*="/check/"] "Read the whole report"`)
	page.HasNot(t, `.good[data-headline]`, `"refuses as it should"`, `"Share the list"`)
	s.NoErrors()
}

func TestExercise_ServersThatCannotBeChecked(t *testing.T) {
	t.Parallel()
	s := exerciseSite(t)
	for name, tt := range map[string]struct{ address, code string }{
		"another tool": {sitetest.Base + "/mcp/confirm", "no_tool"},
		"no server":    {"http://127.0.0.1:1/mcp", "refused"},
		"old":          {sitetest.Base + "/mcp/before-mrtr", "legacy"},
		"no URL":       {"ftp://a", "bad_url"},
	} {
		got := try(s, tt.address)
		if found := sitetest.Codes(got.Body); len(found) != 1 || found[0] != tt.code {
			t.Errorf("%s: %d %q, want %s", name, got.Status, found, tt.code)
		}
		if n := len(standings(got.Body)); n != len(exercise.Requirements()) {
			t.Errorf("%s: the page lists %d requirements", name, n)
		}
	}
	unconfirmed := s.Post(lesson.ExercisePath, "url=http%3A%2F%2F127.0.0.1%3A1%2Fmcp")
	if found := sitetest.Codes(unconfirmed.Body); unconfirmed.Status != 422 || found[0] != "not_confirmed" {
		t.Errorf("without the tick: %d %q", unconfirmed.Status, found)
	}
	s.NoErrors()
}

// The list is for the session's owner, and for checks of the exercise only.
func TestExercise_OtherSessions(t *testing.T) {
	t.Parallel()
	s := exerciseSite(t)
	foreign := playground.Exchange{ID: "x", Session: "foreign", Call: exercise.Call(), Created: time.Now(),
		Target: playground.Target{ID: "t", URL: "http://127.0.0.1:1/mcp"}}
	sitetest.Check(t, s.Store.AddCheck(t.Context(), "stranger", "Check", foreign))
	if got := s.Page(lesson.ExercisePath + "/foreign"); got.Status != http.StatusNotFound {
		t.Errorf("a session of another visitor: %d", got.Status)
	}
	s.Follow("/servers/confirm/check", url.Values{"tool": {"delete_records"}, "args": {`{"table":"orders"}`}})
	session := s.Last[strings.LastIndex(s.Last, "/")+1:]
	if got := s.Page(lesson.ExercisePath + "/" + session); got.Status != http.StatusNotFound {
		t.Errorf("a check of another tool: %d", got.Status)
	}
	if got := s.Page(lesson.ExercisePath + "/nothing"); got.Status != http.StatusNotFound {
		t.Errorf("no session: %d", got.Status)
	}
}

func TestExercise_IsFound(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	c.Has("/learn", `[href="/learn/your-turn"]`)
	c.Has("/learn/build", `[href="/learn/your-turn"]`)
	c.Has("/search?q=your+turn", `[href="/learn/your-turn"]`)
}
