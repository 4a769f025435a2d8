package site_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	probes "github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// boardOf returns the verdicts on a page with a board, and the branches, by
// experiment.
func boardOf(body string) (verdicts, branches map[string]string) {
	page := htmltest.Parse(body)
	verdicts, branches = page.Pairs(".board-row", "data-experiment", "data-verdict"), map[string]string{}
	for id := range verdicts {
		if branch := page.Value(`[data-experiment="`+id+`"] .name a`, "href"); branch != "" {
			branches[id] = branch
		}
	}
	return verdicts, branches
}

// reportOf returns the address of the report that a board links to.
func reportOf(t *testing.T, body string) string {
	t.Helper()
	return strings.TrimSuffix(value(t, body, `[href^="/servers/"][href$=".json"]`, "href"), ".json")
}

// TestRunAll_FillsTheBoardInTheSession runs every experiment on a finished call,
// and holds the counts of the head, the rows, their branches and the exports
// against each other.
func TestRunAll_FillsTheBoardInTheSession(t *testing.T) {
	t.Parallel()
	for _, mode := range []lab.Protection{lab.Plain, lab.Sealed} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			s := newSite(t, app.Local)
			original := s.inMode("azure-devops", mode)
			before := rounds(s.get(original).body)
			unrun, _ := boardOf(s.get(original + "?panel=lab").body)
			if unrun["flip-state"] != "unreached" {
				t.Errorf("before: %v", unrun)
			}
			if got := s.post(original+"/run-all", "round=2"); got.status != 303 ||
				s.last != original+"?panel=lab&round=2" && s.last != original+"?round=2&panel=lab" {
				t.Fatalf("%d to %s, %q", got.status, s.last, codes(got.body))
			}
			page := s.get(original + "?panel=lab").body
			if rounds(page) != before {
				t.Error("the original did not stay as it was")
			}
			verdicts, branches := boardOf(page)
			wantFlip := map[lab.Protection]string{lab.Plain: "fail", lab.Sealed: "pass"}[mode]
			if verdicts["flip-state"] != wantFlip || verdicts["task-cancel"] != "na" ||
				verdicts["state-of-another-person"] != "pass" || verdicts["expired-state"] != "pass" {
				t.Errorf("%v", verdicts)
			}
			n := map[string]int{}
			for _, v := range verdicts {
				n[v]++
			}
			for kind, count := range n {
				if n := htmltest.Parse(page).Value(`[data-count="`+kind+`"]`,
					"data-n"); n != strconv.Itoa(count) {
					t.Errorf("the head does not count %d of %s", count, kind)
				}
			}
			// Each result is one branch, in the words of the board. The right calls are none.
			tree := htmltest.Parse(page)
			results := len(branches) + 1 // and the rerun that all this was made on
			if got := len(tree.Find("#tree-branches li")); got != results {
				t.Errorf("%d branches for %d results", got, results)
			}
			if baseline := len(tree.Find("#tree-baseline li")); baseline < 3 {
				t.Errorf("%d baseline calls", baseline)
			}
			session := find(t, s.get("/history").body, `/sessions/(\w+)/share`)
			s.get("/history").has(t, fmt.Sprintf(`.branches "%d branches"`, results))
			lines := s.get("/sessions/" + session)
			if got := len(htmltest.Parse(lines.body).Find(".lines > li")); got !=
				1+results+len(tree.Find("#tree-baseline li")) {
				t.Errorf("%d lines", got)
			}
			word := map[string]string{"pass": "passed", "fail": "failed"}[wantFlip]
			lines.has(t, `.lines > li:has(a[href^="/x/"]) "`+word+` Flip one byte of the state"`,
				`.lines "asked again for resolution"`, `.baseline "Baseline call 1"`)
			lines.hasNot(t, `"Branch 1"`, `.lines > li ~ li "waiting for you"`)
			shared := s.get("/sessions/" + session + "/share")
			shared.has(t, `label "Skip an answer · passed"`, `label "Flip one byte of the state, 1 of 3"`,
				`details label "Baseline call 1"`)
			shared.hasNot(t, `label ~ label "waiting for you"`)
			for _, id := range []string{"flip-state", "skip-answer", "malformed-json"} {
				s.get(branches[id]).has(t, `.tried[data-experiment="`+id+`"]`,
					`[data-verdict="`+verdicts[id]+`"]`)
			}
			s.sameInExports(reportOf(t, page), verdicts)
			s.get(original).has(t, `[aria-label="Branches"]`, `summary "branches"`)
		})
	}
}

// sameInExports holds the verdicts of a board against its page and files.
func (s *testSite) sameInExports(report string, verdicts map[string]string) {
	s.t.Helper()
	page, _ := boardOf(s.get(report).body)
	if len(page) != len(verdicts) || page["flip-state"] != verdicts["flip-state"] {
		s.t.Errorf("the page says %v", page)
	}
	var d lab.Document
	check(s.t, json.Unmarshal([]byte(s.get(report+".json").body), &d))
	for _, p := range d.Results {
		if want := verdicts[p.ID]; string(p.Verdict) != want {
			s.t.Errorf("JSON: %s is %s, want %s", p.ID, p.Verdict, want)
		}
	}
	if len(d.Results) != len(verdicts) {
		s.t.Errorf("JSON has %d results, want %d", len(d.Results), len(verdicts))
	}
	check(s.t, xml.Unmarshal([]byte(s.get(report+".xml").body), new(struct{})))
	markdown := s.get(report + ".md").body
	if again := s.get(report + ".md").body; again != markdown ||
		strings.Count(markdown, "\n| [") < len(verdicts) {
		s.t.Errorf("Markdown: %s", markdown)
	}
}

// TestRunAll_Refused: nothing is sent where experiments have no place.
func TestRunAll_Refused(t *testing.T) {
	t.Parallel()
	server, address := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(address, "declares", "shown", "declare", "elicitation.form")
	s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.last, "/servers/")}, "tool": {"echo"}})
	foreign, sent := s.last, len(server.heads)
	if got := s.post(foreign+"/run-all", ""); got.status != 403 ||
		!slices.Contains(codes(got.body), "not_yours") || len(server.heads) != sent {
		t.Errorf("a server that is not confirmed: %d %q", got.status, codes(got.body))
	}
	if got := s.post(foreign+"/run-all", "mine=yes"); got.status != 303 || len(server.heads) <= sent {
		t.Errorf("a confirmed server: %d %q", got.status, codes(got.body))
	}
	s.post("/exchanges", "sample=before-mrtr")
	if got := s.post(s.last+"/run-all", ""); got.status != 422 && got.status != 404 {
		t.Errorf("a legacy server: %d %q", got.status, codes(got.body))
	}
	if got := s.post("/x/nothing/run-all", ""); got.status != 404 {
		t.Errorf("no such exchange: %d", got.status)
	}
	s.post("/servers/confirm/check", `tool=delete_records&args={"table":"orders"}`)
	control := value(t, s.get(s.last).body, `a "Correct call"`, "href")
	if got := s.post(control+"/run-all", ""); got.status != 422 ||
		!slices.Contains(codes(got.body), "no_branch") {
		t.Errorf("inside a check: %d %q", got.status, codes(got.body))
	}
}

// TestRunAll_StopsAndEndsWithTheProcess: while experiments run the board says so
// and no other one can be started; what was not run says so afterwards.
func TestRunAll_StopsAndEndsWithTheProcess(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(s *testSite, report, original string){
		"stopped": func(s *testSite, report, original string) {
			got := s.post(report+"/stop", "exchange="+strings.TrimPrefix(original, "/x/"))
			if got.status != 303 || s.last != original+"?panel=lab" {
				s.t.Errorf("%d to %s", got.status, s.last)
			}
			jobs := s.config.App.Checker.(*probes.Jobs)
			sessions, _ := jobs.Running()
			for _, session := range sessions { // the page waits for a millisecond only
				jobs.Wait(s.t.Context(), session)
			}
		},
		"the process ended": func(s *testSite, _, _ string) { s.config.App.Checker.(*probes.Jobs).Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSiteWith(t, app.Local, wire.Config{},
				func(c *site.Config) { c.App.Settle = time.Millisecond })
			s.post("/exchanges", "sample=azure-devops")
			original := s.last
			for _, answer := range []string{"round=1&a0.action=accept&a0.f0=Duplicate",
				"round=2&a0.action=accept&a0.f0=4301"} {
				s.runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
				s.post(original+"/rounds", answer)
			}
			s.runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
			report := reportOf(t, s.get(original+"?panel=lab").body)
			letGo := s.hold()
			s.post(original+"/run-all", "")
			s.get(original+"?panel=lab").has(t, `[data-board="running"]`, `[data-live="`+report+`/events"]`,
				`[data-do="stop"]`)
			for _, form := range []string{"/run-all", "/branches"} {
				got := s.post(original+form, "round=2&experiment=flip-state")
				if got.status != 409 || !slices.Contains(codes(got.body), "still_running") {
					t.Errorf("%s: %d %q", form, got.status, codes(got.body))
				}
			}
			letGo()
			end(s, report, original)
			page := s.get(original + "?panel=lab").body
			verdicts, _ := boardOf(page)
			if htmltest.Parse(page).Has(`[data-board="running"]`) || htmltest.Parse(page).Has("[data-live]") {
				t.Error("the board still runs")
			}
			if verdicts["task-cancel"] != "na" || verdicts["malformed-json"] != "unreached" {
				t.Errorf("%v", verdicts)
			}
			if got := s.post(original+"/branches", "round=2&experiment=flip-state"); got.status != 303 {
				t.Errorf("one experiment afterwards: %d %q", got.status, codes(got.body))
			}
		})
	}
}

// TestRunAll_StoresNoSecrets: tokens are sent and never stored, so a call that
// was made by Run all cannot go on.
func TestRunAll_StoresNoSecrets(t *testing.T) {
	t.Parallel()
	server, address := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(address, "token", "planted-token-board-1", "declares", "shown", "declare", "elicitation.form")
	s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.last, "/servers/")}, "tool": {"echo"}})
	original := s.last
	got := s.follow(original+"/run-all", url.Values{"mine": {"yes"}, "person": {"planted-second-board-2"}})
	verdicts, branches := boardOf(s.page(original + "?panel=lab").body)
	if got.status != 200 || verdicts["state-of-another-person"] == "not-run" {
		t.Fatalf("%d %q, %v", got.status, codes(got.body), verdicts)
	}
	second := slices.ContainsFunc(server.heads, func(h http.Header) bool {
		return h.Get("Authorization") == "Bearer planted-second-board-2"
	})
	if !second {
		t.Error("the second person sent nothing")
	}
	sent := len(server.heads)
	branch, _, _ := strings.Cut(branches["flip-state"], "?")
	if got := s.follow(branch+"/rerun", url.Values{}); got.status != 409 ||
		!slices.Contains(codes(got.body), "secret_lost") || len(server.heads) != sent {
		t.Errorf("a rerun of a call without its token: %d %q", got.status, codes(got.body))
	}
	for where, data := range s.stored() {
		for _, leak := range leaks(where, data, []string{"planted-token-board-1", "planted-second-board-2"}) {
			t.Error(leak)
		}
	}
}
