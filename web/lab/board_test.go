package lab_test

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

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// reportOf returns the address of the report that a board links to.
func reportOf(t *testing.T, body string) string {
	t.Helper()
	return strings.TrimSuffix(sitetest.Value(t, body, `[href^="/servers/"][href$=".json"]`, "href"), ".json")
}

// TestRunAll_FillsTheBoardInTheSession runs every experiment on a finished call,
// and holds the counts of the head, the rows, their branches and the exports
// against each other.
func TestRunAll_FillsTheBoardInTheSession(t *testing.T) {
	t.Parallel()
	for _, mode := range []lab.Protection{lab.Plain, lab.Sealed} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			s := sitetest.New(t, app.Local)
			original := s.InMode("azure-devops", mode)
			before := sitetest.Rounds(s.Get(original).Body)
			unrun, _ := sitetest.BoardOf(s.Get(original + "?panel=lab").Body)
			if unrun["flip-state"] != "unreached" {
				t.Errorf("before: %v", unrun)
			}
			if got := s.Post(original+"/run-all", "round=2"); got.Status != 303 ||
				s.Last != original+"?panel=lab&round=2" && s.Last != original+"?round=2&panel=lab" {
				t.Fatalf("%d to %s, %q", got.Status, s.Last, sitetest.Codes(got.Body))
			}
			page := s.Get(original + "?panel=lab").Body
			if sitetest.Rounds(page) != before {
				t.Error("the original did not stay as it was")
			}
			verdicts, branches := sitetest.BoardOf(page)
			wantFlip := map[lab.Protection]string{lab.Plain: "fail", lab.Sealed: "pass"}[mode]
			if verdicts["flip-state"] != wantFlip || verdicts["task-cancel"] != "na" ||
				verdicts["state-of-another-person"] != "pass" || verdicts["expired-state"] != "pass" {
				t.Errorf("%v", verdicts)
			}
			board := htmltest.Parse(page)
			for _, o := range verdict.Outcomes() {
				kind := string(o)
				count := len(board.Find(`.board [data-verdict="` + kind + `"]`))
				if o == verdict.NotApplicable {
					count = 0 // what does not apply is no part of it
				}
				if n, _ := strconv.Atoi(board.Value(`[data-count="`+kind+`"]`, "data-n")); n != count {
					t.Errorf("the head counts %d of %s, the rows are %d", n, kind, count)
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
			session := sitetest.Find(t, s.Get("/history").Body, `/sessions/(\w+)/share`)
			s.Get("/history").Has(t, fmt.Sprintf(`.branches "%d branches"`, results))
			lines := s.Get("/sessions/" + session)
			if got := len(htmltest.Parse(lines.Body).Find(".lines > li")); got !=
				1+results+len(tree.Find("#tree-baseline li")) {
				t.Errorf("%d lines", got)
			}
			word := map[string]string{"pass": "passed", "fail": "failed"}[wantFlip]
			lines.Has(t, `.lines > li:has(a[href^="/x/"]) "`+word+` Flip one byte of the state"`,
				`.lines "asked again for resolution"`, `.baseline "Baseline call 1"`)
			lines.HasNot(t, `"Branch 1"`, `.lines > li ~ li "waiting for you"`)
			shared := s.Get("/sessions/" + session + "/share")
			shared.Has(t, `label "Skip an answer · passed"`, `label "Flip one byte of the state, 1 of 3"`,
				`details label "Baseline call 1"`)
			shared.HasNot(t, `label ~ label "waiting for you"`)
			for _, id := range []string{"flip-state", "skip-answer", "malformed-json"} {
				s.Get(branches[id]).Has(t, `.tried[data-experiment="`+id+`"]`,
					`[data-verdict="`+verdicts[id]+`"]`)
			}
			sameInExports(s, reportOf(t, page), verdicts)
			s.Get(original).Has(t, `[aria-label="Branches"]`, `summary "branches"`)
		})
	}
}

// sameInExports holds the verdicts of a board against its page and files.
func sameInExports(s *sitetest.Site, report string, verdicts map[string]string) {
	s.T.Helper()
	page, _ := sitetest.BoardOf(s.Get(report).Body)
	if len(page) != len(verdicts) || page["flip-state"] != verdicts["flip-state"] {
		s.T.Errorf("the page says %v", page)
	}
	var d lab.Document
	sitetest.Check(s.T, json.Unmarshal([]byte(s.Get(report+".json").Body), &d))
	for _, p := range d.Results {
		if want := verdicts[p.ID]; string(p.Verdict) != want {
			s.T.Errorf("JSON: %s is %s, want %s", p.ID, p.Verdict, want)
		}
	}
	if len(d.Results) != len(verdicts) {
		s.T.Errorf("JSON has %d results, want %d", len(d.Results), len(verdicts))
	}
	sitetest.Check(s.T, xml.Unmarshal([]byte(s.Get(report+".xml").Body), new(struct{})))
	markdown := s.Get(report + ".md").Body
	if again := s.Get(report + ".md").Body; again != markdown ||
		strings.Count(markdown, "\n| [") < len(verdicts) {
		s.T.Errorf("Markdown: %s", markdown)
	}
}

// TestRunAll_Refused: nothing is sent where experiments have no place.
func TestRunAll_Refused(t *testing.T) {
	t.Parallel()
	server, address := sitetest.NewEcho(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address, "declares", "shown", "declare", "elicitation.form")
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")}, "tool": {"echo"}})
	foreign, sent := s.Last, len(server.Heads)
	if got := s.Post(foreign+"/run-all", ""); got.Status != 403 ||
		!slices.Contains(sitetest.Codes(got.Body), "not_yours") || len(server.Heads) != sent {
		t.Errorf("a server that is not confirmed: %d %q", got.Status, sitetest.Codes(got.Body))
	}
	if got := s.Post(foreign+"/run-all", "mine=yes"); got.Status != 303 || len(server.Heads) <= sent {
		t.Errorf("a confirmed server: %d %q", got.Status, sitetest.Codes(got.Body))
	}
	s.Post("/exchanges", "sample=before-mrtr")
	if got := s.Post(s.Last+"/run-all", ""); got.Status != 422 && got.Status != 404 {
		t.Errorf("a legacy server: %d %q", got.Status, sitetest.Codes(got.Body))
	}
	if got := s.Post("/x/nothing/run-all", ""); got.Status != 404 {
		t.Errorf("no such exchange: %d", got.Status)
	}
	s.Post("/servers/confirm/check", `tool=delete_records&args={"table":"orders"}`)
	control := sitetest.Value(t, s.Get(s.Last).Body, `a "Correct call"`, "href")
	if got := s.Post(control+"/run-all", ""); got.Status != 422 ||
		!slices.Contains(sitetest.Codes(got.Body), "no_branch") {
		t.Errorf("inside a check: %d %q", got.Status, sitetest.Codes(got.Body))
	}
}

// TestRunAll_StoresNoSecrets: tokens are sent and never stored, so a call that
// was made by Run all cannot go on.
func TestRunAll_StoresNoSecrets(t *testing.T) {
	t.Parallel()
	server, address := sitetest.NewEcho(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address, "token", "planted-token-board-1", "declares", "shown", "declare", "elicitation.form")
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")}, "tool": {"echo"}})
	original := s.Last
	got := s.Follow(original+"/run-all", url.Values{"mine": {"yes"}, "person": {"planted-second-board-2"}})
	verdicts, branches := sitetest.BoardOf(s.Page(original + "?panel=lab").Body)
	if got.Status != 200 || verdicts["state-of-another-person"] == "not-run" {
		t.Fatalf("%d %q, %v", got.Status, sitetest.Codes(got.Body), verdicts)
	}
	second := slices.ContainsFunc(server.Heads, func(h http.Header) bool {
		return h.Get("Authorization") == "Bearer planted-second-board-2"
	})
	if !second {
		t.Error("the second person sent nothing")
	}
	sent := len(server.Heads)
	branch, _, _ := strings.Cut(branches["flip-state"], "?")
	if got := s.Follow(branch+"/rerun", url.Values{}); got.Status != 409 ||
		!slices.Contains(sitetest.Codes(got.Body), "secret_lost") || len(server.Heads) != sent {
		t.Errorf("a rerun of a call without its token: %d %q", got.Status, sitetest.Codes(got.Body))
	}
	for where, data := range s.Stored() {
		for _, leak := range sitetest.Leaks(where, data,
			[]string{"planted-token-board-1", "planted-second-board-2"}) {
			t.Error(leak)
		}
	}
}
