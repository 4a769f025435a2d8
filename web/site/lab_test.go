package site_test

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// TestLab_ExperimentsGiveTheOutcomeOfTheTable makes every experiment by its
// button on the page, in each of the three protections, and holds what came of
// it against the table in the code.
func TestLab_ExperimentsGiveTheOutcomeOfTheTable(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes hundreds of calls")
	}
	for _, mode := range []lab.Protection{lab.Plain, lab.Signed, lab.Sealed} {
		for _, slug := range []string{"azure-devops", "voucher"} {
			t.Run(string(mode)+"/"+slug, func(t *testing.T) {
				t.Parallel()
				s := newSite(t, app.Local)
				// A page of a session takes the longer the more branches it has.
				for some := range slices.Chunk(experimentsOnACall(), 6) {
					s.tryAll(slug, mode, some)
				}
			})
		}
	}
}

// experimentsOnACall are those on a call that does not become a task, has no token,
// and asks one by one for more than a box.
func experimentsOnACall() []lab.Experiment {
	return slices.DeleteFunc(slices.Clone(lab.Experiments()), func(e lab.Experiment) bool {
		return e.Group == lab.GroupTask || e.Group == lab.GroupToken || e.Needs == lab.NeedsSeveral ||
			e.Needs == lab.NeedsBox
	})
}

// tryAll makes experiments on a new call.
func (s *testSite) tryAll(slug string, mode lab.Protection, experiments []lab.Experiment) {
	s.t.Helper()
	original := s.inMode(slug, mode)
	before := s.get(original).body
	var made []lab.Experiment
	for _, e := range experiments {
		if s.tries(original, slug, mode, e) {
			made = append(made, e)
		}
	}
	if after := s.get(original).body; rounds(after) != rounds(before) {
		s.t.Error("the original did not stay as it was")
	}
	list := s.get(value(s.t, s.get("/history").body, ".branches", "href")).html()
	for _, e := range made {
		if !list.Has(`a "` + e.Title + `"`) {
			s.t.Errorf("the page of the session does not name the branch of %s", e.ID)
		}
	}
}

// TestLab_AnswersEarlyAfterAGap makes the experiment that needs two retries by its
// button: the first leaves an answer out, and the second has it and one more.
func TestLab_AnswersEarlyAfterAGap(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{"": "pass", "any state confirms": "unjudged"} {
		server := httptest.NewServer(peers.Table(fault))
		t.Cleanup(server.Close)
		s := newSite(t, app.Local)
		s.connectTo(server.URL, "declares", "shown", "declare", "elicitation.form")
		s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.last, "/servers/")},
			"tool": {exercise.Tool}, "raw": {"true"}, "json": {string(exercise.Arguments())}})
		original := s.last
		for n, answers := range []string{"a0.action=accept&a0.f0=4&a1.action=accept&a1.f0=19:00",
			"a0.action=accept&a0.f0=true"} {
			s.post(original+"/rounds", fmt.Sprintf("round=%d&%s", n+1, answers))
		}
		page := s.follow(original+"/branches", url.Values{"round": {"1"}, "experiment": {"early-after-gap"},
			"mine": {"yes"}})
		page.has(t, fmt.Sprintf(`[data-experiment=early-after-gap] [data-verdict=%s]`, want))
		if n := len(strings.Fields(rounds(page.body))); n != 3 {
			t.Errorf("%q: %d rounds", fault, n)
		}
		s.noErrors()
	}
}

// TestLab_MakesExperimentsOnATask makes every experiment on a task by its button
// on the page of a call that became one, with the result of the table; the
// recorded task stays as it was.
func TestLab_MakesExperimentsOnATask(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.post("/exchanges", "sample=tasks")
	original := s.last
	if page := s.get(original + "?panel=lab").body; htmltest.Parse(page).Has(`[value^="task-"]`) {
		t.Error("the Lab offers experiments on a task before there is one")
	}
	s.post(original+"/rounds", "round=1&a0.action=accept&a0.f0=week")
	s.runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
	before := s.get(original + "?panel=lab").body
	for _, e := range lab.Experiments() {
		if e.Group != lab.GroupTask || e.Needs == lab.NeedsUpdates { // this task asks one by one
			continue
		}
		if !htmltest.Parse(before).Has(fmt.Sprintf(`[name="experiment"][value="%s"]`, e.ID)) {
			t.Errorf("the Lab does not offer %s", e.ID)
		}
		if got := s.post(original+"/branches", "round=0&experiment="+e.ID); got.status != 303 {
			t.Errorf("%s: %d %q", e.ID, got.status, codes(got.body))
			continue
		}
		page := s.get(s.last).body
		if strings.Contains(page, "The client polled after") {
			t.Errorf("%s: the task was polled too early, which is not what the experiment changes", e.ID)
		}
		want := string(e.Expected(lab.Sealed, false))
		if got := reactionOf(page); got != want || !htmltest.Parse(page).Has(`[data-verdict="pass"]`) {
			t.Errorf("%s: want %s, got %s", e.ID, want, got)
		}
	}
	if after := s.get(original).body; rounds(after) != rounds(before) {
		t.Error("the original did not stay as it was")
	}
}

// TestLab_AnswersATaskPartly: the experiment leaves one of two questions for later, and
// the task ends.
func TestLab_AnswersATaskPartly(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.follow("/exchanges", url.Values{"target": {"conformance"}, "tool": {"multi_input"}, "raw": {"true"},
		"json": {"{}"}})
	original := s.last
	if page := s.get(original + "?panel=lab"); !page.html().Has(`[name="experiment"][value="task-partly"]`) {
		t.Errorf("the Lab does not offer it: %s", excerpt(page.body))
	}
	if got := s.post(original+"/branches", "round=0&experiment=task-partly"); got.status != 303 {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	s.get(s.last).has(t, `[data-verdict="pass"]`, `[data-status="complete"]`,
		`"Passed: the server took the answer, and asked only for the rest."`,
		`"text and text"`)
}

// TestLab_OffersNoTaskExperimentWithoutATask: nothing is stored for one that is
// asked for all the same.
func TestLab_OffersNoTaskExperimentWithoutATask(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	original := s.inMode("azure-devops", lab.Sealed)
	before := s.get("/history").body
	for _, e := range lab.Experiments() {
		if e.Group != lab.GroupTask {
			continue
		}
		if got := s.post(original+"/branches", "round=0&experiment="+e.ID); got.status != 422 ||
			!slices.Contains(codes(got.body), "nothing_to_change") {
			t.Errorf("%s: %d %q", e.ID, got.status, codes(got.body))
		}
	}
	if s.get("/history").body != before {
		t.Error("a branch without an experiment is stored")
	}
}

// TestLab_EndsATaskThatDoesNotAsk: an experiment on an answer waits for the
// question only so long, and leaves no task behind.
func TestLab_EndsATaskThatDoesNotAsk(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Settle, c.App.Times.Experiment = time.Second, 300*time.Millisecond
	})
	s.post("/exchanges", "sample=tasks")
	original := s.last
	s.post(original+"/rounds", "round=1&a0.action=accept&a0.f0=week")
	s.runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
	got := s.post(original+"/branches", "round=0&experiment=task-unknown-key")
	if got.status != 409 || !slices.Contains(codes(got.body), "no_question") {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	page := s.get("/history").body
	link := regexp.MustCompile(`/sessions/\w+`).FindString(page)
	branches := regexp.MustCompile(`/x/\w+`).FindAllString(s.get(link).body, -1)
	branch := branches[len(branches)-1]
	s.runner.Wait(t.Context(), strings.TrimPrefix(branch, "/x/"))
	s.get(branch).has(t, `[data-status="cancelled"]`, `"so the changed request was not sent"`)
}

// TestLab_EndsACallThatIsNoTaskYet: an experiment on a task that waits for a call to become
// one ends the call with its time.
func TestLab_EndsACallThatIsNoTaskYet(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Times.Experiment = 300 * time.Millisecond
	})
	original := s.post("/exchanges", "sample=tasks").header.Get("Location")
	s.post(original+"/rounds", "round=1&a0.action=accept&a0.f0=week")
	s.runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
	letGo := s.hold()
	got := s.post(original+"/branches", "round=0&experiment=task-unknown-key")
	letGo()
	if got.status != 409 || !slices.Contains(codes(got.body), "no_question") {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	link := regexp.MustCompile(`/sessions/\w+`).FindString(s.get("/history").body)
	branches := regexp.MustCompile(`/x/\w+`).FindAllString(s.get(link).body, -1)
	branch := branches[len(branches)-1]
	s.runner.Wait(t.Context(), strings.TrimPrefix(branch, "/x/"))
	s.get(branch).has(t, `[data-status="cancelled"]`)
}

// inMode makes the sample's own call in a protection and answers it to its end.
func (s *testSite) inMode(slug string, mode lab.Protection) string {
	s.t.Helper()
	s.post("/exchanges", "sample="+slug)
	s.post(s.last+"/rerun", "state="+string(mode))
	path := s.last
	answers := map[string][]string{"azure-devops": {"Duplicate", "4301"}, "voucher": {"true"}}
	for i, answer := range answers[slug] {
		got := s.post(path+"/rounds", fmt.Sprintf("round=%d&a0.action=accept&a0.f0=%s", i+1, answer))
		if got.status != 303 {
			s.t.Fatalf("round %d: %d", i+1, got.status)
		}
	}
	return path
}

// reactionOf returns the reaction to an experiment on the page of its branch.
func reactionOf(page string) string {
	return htmltest.Parse(page).Value("[data-reaction]", "data-reaction")
}

// rounds returns the outcomes of the Rounds on a page.
func rounds(body string) string {
	return strings.Join(htmltest.Parse(body).Values("li[data-round]", "data-outcome"), " ")
}

// tries makes one experiment from the first Round that has it, and reports whether one
// has.
func (s *testSite) tries(original, slug string, mode lab.Protection, e lab.Experiment) bool {
	s.t.Helper()
	for n := range 3 {
		got := s.post(original+"/branches", fmt.Sprintf("round=%d&experiment=%s", n, e.ID))
		if got.status != 303 {
			continue
		}
		page := s.get(s.last).body
		want := string(e.Expected(mode, slug == "voucher"))
		if got := reactionOf(page); got != want || !htmltest.Parse(page).Has("[data-expected]") {
			s.t.Errorf("%s from round %d: want %s, got %s", e.ID, n, want, got)
		}
		return true
	}
	if slug == "azure-devops" {
		s.t.Errorf("%s was never made", e.ID)
	}
	return false
}

// TestLab_OffUntilTheServerIsConfirmed: a foreign server gets nothing wrong
// before its user says so, which is asked once; and credentials, also those of
// a second person, are sent and never stored.
func TestLab_OffUntilTheServerIsConfirmed(t *testing.T) {
	t.Parallel()
	server, address := newEcho(t)
	s := newSite(t, app.Local)
	s.connectTo(address, "token", "planted-token-lab-1", "declares", "shown", "declare", "elicitation.form")
	s.follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.last, "/servers/")}, "tool": {"echo"}})
	original, sent := s.last, len(server.heads)
	flip := url.Values{"round": {"1"}, "experiment": {"flip-state"}}
	if got := s.follow(original+"/branches", flip); got.status != 403 ||
		!slices.Contains(codes(got.body), "not_yours") || len(server.heads) != sent {
		t.Fatalf("%d %q", got.status, codes(got.body))
	}
	if got := s.page(original + "?panel=lab"); !got.html().Has("[data-off]") {
		t.Error("the page does not say that experiments are off")
	}
	if got := s.follow(original+"/branches", url.Values{"round": {"1"}, "experiment": {"extra-key"},
		"mine": {"yes"}}); !got.html().Has("[data-reaction]") {
		t.Fatalf("%d %s", got.status, excerpt(got.body))
	}
	if server.echoed[0] != server.states[0] {
		t.Error("the state of the original did not come to the byte from its branch")
	}
	if got := s.follow(original+"/branches", flip); got.status != 200 ||
		server.echoed[1] == server.states[0] {
		t.Errorf("once more: %d %q", got.status, codes(got.body))
	}
	second := url.Values{
		"round": {"1"}, "experiment": {"state-of-another-person"}, "person": {"planted-second-person-2"},
	}
	if got := s.follow(original+"/branches", second); got.status != 200 {
		t.Errorf("%d %q", got.status, codes(got.body))
	}
	last := server.heads[len(server.heads)-1]
	if got := last.Get("Authorization"); got != "Bearer planted-second-person-2" {
		t.Errorf("the second person came as %q", got)
	}
	for where, data := range s.stored() {
		for _, leak := range leaks(where, data, []string{"planted-token-lab-1", "planted-second-person-2"}) {
			t.Error(leak)
		}
	}
}

// TestBranch_RefusesFinishedRounds: and nothing is sent that has no place.
func TestBranch_RefusesFinishedRounds(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	original := s.inMode("azure-devops", lab.Sealed)
	for _, form := range []string{"round=3", "round=0", "round=9&experiment=flip-state", "round=x",
		"round=0&experiment=flip-state", "round=1&experiment=flip-state"} {
		if got := s.post(original+"/branches", form); got.status != 422 {
			t.Errorf("%s: %d", form, got.status)
		}
	}
	if got := s.post(original+"/branches", "round=1&experiment=nothing-like-it"); got.status != 404 {
		t.Errorf("an experiment that there is not: %d", got.status)
	}
}
