package site_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	probes "github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// The tests of this file are of work that runs beside a request in rooms that
// are tested without the race detector: see RACED in the Makefile.

// TestRunAll_StopsAndEndsWithTheProcess: while experiments run the board says so
// and no other one can be started; an experiment that was not run says so
// afterwards.
func TestRunAll_StopsAndEndsWithTheProcess(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(s *sitetest.Site, report, original string){
		"stopped": func(s *sitetest.Site, report, original string) {
			got := s.Post(report+"/stop", "exchange="+strings.TrimPrefix(original, "/x/"))
			if got.Status != 303 || s.Last != original+"?panel=lab" {
				s.T.Errorf("%d to %s", got.Status, s.Last)
			}
			jobs := s.Config.App.Checker.(*probes.Jobs)
			sessions, _ := jobs.Running()
			for _, session := range sessions { // the page waits for a millisecond only
				jobs.Wait(s.T.Context(), session)
			}
		},
		"the process ended": func(s *sitetest.Site, _, _ string) {
			s.Config.App.Checker.(*probes.Jobs).Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sitetest.NewWith(t, app.Local, wire.Config{},
				func(c *site.Config) { c.App.Settle = time.Millisecond })
			s.Post("/exchanges", "sample=azure-devops")
			original := s.Last
			for _, answer := range []string{"round=1&a0.action=accept&a0.f0=Duplicate",
				"round=2&a0.action=accept&a0.f0=4301"} {
				s.Runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
				s.Post(original+"/rounds", answer)
			}
			s.Runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
			report := strings.TrimSuffix(sitetest.Value(t, s.Get(original+"?panel=lab").Body,
				`[href^="/servers/"][href$=".json"]`, "href"), ".json")
			letGo := s.Hold()
			s.Post(original+"/run-all", "")
			s.Get(original+"?panel=lab").Has(t, `[data-board="running"]`, `[data-live="`+report+`/events"]`,
				`[data-do="stop"]`)
			for _, form := range []string{"/run-all", "/branches"} {
				got := s.Post(original+form, "round=2&experiment=flip-state")
				if got.Status != 409 || !slices.Contains(sitetest.Codes(got.Body), "still_running") {
					t.Errorf("%s: %d %q", form, got.Status, sitetest.Codes(got.Body))
				}
			}
			letGo()
			end(s, report, original)
			page := s.Get(original + "?panel=lab").Body
			verdicts, _ := sitetest.BoardOf(page)
			if htmltest.Parse(page).Has(`[data-board="running"]`) || htmltest.Parse(page).Has("[data-live]") {
				t.Error("the board still runs")
			}
			if verdicts["task-cancel"] != "na" || verdicts["malformed-json"] != "unreached" {
				t.Errorf("%v", verdicts)
			}
			if got := s.Post(original+"/branches", "round=2&experiment=flip-state"); got.Status != 303 {
				t.Errorf("one experiment afterwards: %d %q", got.Status, sitetest.Codes(got.Body))
			}
		})
	}
}

// TestLab_EndsACallThatIsNoTaskYet: an experiment on a task that waits for a call to become
// one ends the call with its time.
func TestLab_EndsACallThatIsNoTaskYet(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Times.Experiment = 300 * time.Millisecond
	})
	original := s.Post("/exchanges", "sample=tasks").Header.Get("Location")
	s.Post(original+"/rounds", "round=1&a0.action=accept&a0.f0=week")
	s.Runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
	letGo := s.Hold()
	got := s.Post(original+"/branches", "round=0&experiment=task-unknown-key")
	letGo()
	if got.Status != 409 || !slices.Contains(sitetest.Codes(got.Body), "no_question") {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	link := regexp.MustCompile(`/sessions/\w+`).FindString(s.Get("/history").Body)
	branches := regexp.MustCompile(`/x/\w+`).FindAllString(s.Get(link).Body, -1)
	branch := branches[len(branches)-1]
	s.Runner.Wait(t.Context(), strings.TrimPrefix(branch, "/x/"))
	s.Get(branch).Has(t, `[data-status="cancelled"]`)
}

// Only the browser that began a sign-in goes on with it, with the right state,
// once.
func TestSignIn_BelongsToItsBrowser(t *testing.T) {
	t.Parallel()
	p, local := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	local.ConnectTo(p.URL + "/mcp")
	id := strings.TrimPrefix(local.Last, "/servers/")
	leave := local.Leave(id, "")

	other := local.Visitor(t) // no cookie, and therefore no key
	for name, path := range map[string]string{
		"another browser": sitetest.Back(leave), "no state": "/oauth/callback?code=planted-code-0001",
		"no state, elsewhere": "/oauth/callback/x?code=planted-code-0001",
		"made up":             sitetest.Back(leave, "state", "id9.XXXX"),
	} {
		if got := other.Page(path); got.Status != http.StatusNotFound ||
			!got.HTML().Has(`[data-error="unknown_sign_in"]`) {
			t.Errorf("%s: %d", name, got.Status)
		}
	}
	forged := leave.Query().Get("state")
	forged = forged[:len(forged)-1] + string('A'+(forged[len(forged)-1]-'A'+1)%26)
	if got := local.Page(sitetest.Back(leave, "state", forged)); got.Status != http.StatusNotFound {
		t.Errorf("a forged state: %d", got.Status)
	}
	for _, path := range []string{sitetest.Back(leave) + "&state=x", sitetest.Back(leave) + "&%73tate=" +
		forged} {
		if got := local.Page(path); got.Status != http.StatusNotFound {
			t.Errorf("a state that is repeated: %d", got.Status)
		}
	}
	if n := p.TokenRequests(); n != 0 {
		t.Errorf("the code was sent %d times", n)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			browser := local.Visitor(t)
			browser.Cookies = local.Cookies
			if got := browser.Page(sitetest.Back(leave)); got.Status != http.StatusSeeOther {
				t.Errorf("the right return: %d", got.Status)
			}
		})
	}
	wait.Wait()
	if n := p.TokenRequests(); n != 1 {
		t.Errorf("the code was sent %d times, want once", n)
	}
}

// Eight requests at once use the refresh token once.
func TestSignIn_RenewsOnceForManyRequests(t *testing.T) {
	t.Parallel()
	p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
	p.Lifetime = 1
	id := s.SignedIn(p)
	before := p.TokenRequests()
	p.Mu.Lock()
	p.Lifetime = 3600
	p.Mu.Unlock()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			browser := s.Visitor(t)
			browser.Cookies = s.Cookies
			browser.Follow("/exchanges", url.Values{"target": {id}, "tool": {"deploy"}})
		})
	}
	all.Wait()
	if n := p.TokenRequests() - before; n != 1 {
		t.Errorf("%d token requests", n)
	}
}

// TestCommand_Dies: the page says how the command ended and its output, and the
// next call starts it again.
func TestCommand_Dies(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.ConnectToCommand(linestest.Words("modern"))
	server := s.Last
	page := s.CallTool(server, "die")
	page.Has(t, `[data-error="command_ended"]`, `[data-stderr]`, `[data-last-line] "out of ideas"`)
	page.Contains(t, "exit status 3", "out of ideas")
	s.CallTool(server, "pid").Has(t, `[data-status="complete"]`)
	s.Follow(server+"/restart", nil)
	s.Runner.Wait(t.Context(), strings.TrimPrefix(server, "/servers/"))
	page = s.Page(server)
	page.Contains(t, "Run 1, just now: exited with status 3", "Run 3, just now: running")
	page.Has(t, `[data-status="connected"]`, `[data-do="restart"]`)
}

// TestCommand_EndsAtOnce: the card of a command that ends before it has answered shows the
// last line of its standard error, names the command once, and has one button that starts
// it again.
func TestCommand_EndsAtOnce(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	page := s.ConnectToCommand([]string{"sh", "-c", "echo starting >&2; echo no DATABASE_URL >&2; exit 3"})
	page.Has(t, `[data-error="command_ended"] [data-last-line] "no DATABASE_URL"`)
	page.Has(t, `[data-do="connect"] "Reconnect"`)
	page.HasNot(t, `[data-do="restart"]`, `[data-url]`)
}

// TestCommand_SaysWhatItDoes: the page of a call that waits asks again and again for what
// the command writes to standard error, and no longer once the call has ended.
func TestCommand_SaysWhatItDoes(t *testing.T) {
	t.Parallel()
	const asks = `#stderr[hx-trigger^="every"], #stderr [hx-trigger^="every"]`
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Settle = time.Millisecond
	})
	s.ConnectToCommand(linestest.Words("modern"))
	s.CallTool(s.Last, "silent").Has(t, asks)
	call := s.Last
	for !strings.Contains(s.Page(call).Body, "thinking") { // it is on its way
	}
	s.Page(call).Has(t, `#stderr-text[hx-get^="`+call+`"]`)
	s.Post(call+"/cancel", "")
	s.Runner.Wait(t.Context(), strings.TrimPrefix(call, "/x/"))
	s.Page(call).Contains(t, "thinking", "You cancelled the request before the response arrived.")
	s.Page(call).HasNot(t, asks)
}
