package lab_test

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
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
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
				s := sitetest.New(t, app.Local)
				// A page of a session takes the longer the more branches it has.
				for some := range slices.Chunk(experimentsOnACall(), 6) {
					tryAll(s, slug, mode, some)
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
func tryAll(s *sitetest.Site, slug string, mode lab.Protection, experiments []lab.Experiment) {
	s.T.Helper()
	original := s.InMode(slug, mode)
	before := s.Get(original).Body
	var made []lab.Experiment
	for _, e := range experiments {
		if tries(s, original, slug, mode, e) {
			made = append(made, e)
		}
	}
	if after := s.Get(original).Body; sitetest.Rounds(after) != sitetest.Rounds(before) {
		s.T.Error("the original did not stay as it was")
	}
	list := s.Get(sitetest.Value(s.T, s.Get("/history").Body, ".branches", "href")).HTML()
	for _, e := range made {
		if !list.Has(`a "` + e.Title + `"`) {
			s.T.Errorf("the page of the session does not name the branch of %s", e.ID)
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
		s := sitetest.New(t, app.Local)
		s.ConnectTo(server.URL, "declares", "shown", "declare", "elicitation.form")
		s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")},
			"tool": {exercise.Tool}, "raw": {"true"}, "json": {string(exercise.Arguments())}})
		original := s.Last
		for n, answers := range []string{"a0.action=accept&a0.f0=4&a1.action=accept&a1.f0=19:00",
			"a0.action=accept&a0.f0=true"} {
			s.Post(original+"/rounds", fmt.Sprintf("round=%d&%s", n+1, answers))
		}
		page := s.Follow(original+"/branches", url.Values{"round": {"1"}, "experiment": {"early-after-gap"},
			"mine": {"yes"}})
		page.Has(t, fmt.Sprintf(`[data-experiment=early-after-gap] [data-verdict=%s]`, want))
		if n := len(strings.Fields(sitetest.Rounds(page.Body))); n != 3 {
			t.Errorf("%q: %d rounds", fault, n)
		}
		s.NoErrors()
	}
}

// TestLab_MakesExperimentsOnATask makes every experiment on a task by its button
// on the page of a call that became one, with the result of the table; the
// recorded task stays as it was.
func TestLab_MakesExperimentsOnATask(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Post("/exchanges", "sample=tasks")
	original := s.Last
	if page := s.Get(original + "?panel=lab").Body; htmltest.Parse(page).Has(`[value^="task-"]`) {
		t.Error("the Lab offers experiments on a task before there is one")
	}
	s.Post(original+"/rounds", "round=1&a0.action=accept&a0.f0=week")
	s.Runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
	before := s.Get(original + "?panel=lab").Body
	for _, e := range lab.Experiments() {
		if e.Group != lab.GroupTask || e.Needs == lab.NeedsUpdates { // this task asks one by one
			continue
		}
		if !htmltest.Parse(before).Has(fmt.Sprintf(`[name="experiment"][value="%s"]`, e.ID)) {
			t.Errorf("the Lab does not offer %s", e.ID)
		}
		if got := s.Post(original+"/branches", "round=0&experiment="+e.ID); got.Status != 303 {
			t.Errorf("%s: %d %q", e.ID, got.Status, sitetest.Codes(got.Body))
			continue
		}
		page := s.Get(s.Last).Body
		if strings.Contains(page, "The client polled after") {
			t.Errorf("%s: the task was polled too early, which is not what the experiment changes", e.ID)
		}
		want := string(e.Expected(lab.Sealed, false))
		if got := reactionOf(page); got != want || !htmltest.Parse(page).Has(`[data-verdict="pass"]`) {
			t.Errorf("%s: want %s, got %s", e.ID, want, got)
		}
	}
	if after := s.Get(original).Body; sitetest.Rounds(after) != sitetest.Rounds(before) {
		t.Error("the original did not stay as it was")
	}
}

// TestLab_AnswersATaskPartly: the experiment leaves one of two questions for later, and
// the task ends.
func TestLab_AnswersATaskPartly(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Follow("/exchanges", url.Values{"target": {"conformance"}, "tool": {"multi_input"}, "raw": {"true"},
		"json": {"{}"}})
	original := s.Last
	if page := s.Get(original + "?panel=lab"); !page.HTML().Has(`[name="experiment"][value="task-partly"]`) {
		t.Errorf("the Lab does not offer it: %s", sitetest.Excerpt(page.Body))
	}
	if got := s.Post(original+"/branches", "round=0&experiment=task-partly"); got.Status != 303 {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	s.Get(s.Last).Has(t, `[data-verdict="pass"]`, `[data-status="complete"]`,
		`"Passed: the server took the answer, and asked only for the rest."`,
		`"text and text"`)
}

// TestLab_OffersNoTaskExperimentWithoutATask: nothing is stored for one that is
// asked for all the same.
func TestLab_OffersNoTaskExperimentWithoutATask(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	original := s.InMode("azure-devops", lab.Sealed)
	before := s.Get("/history").Body
	for _, e := range lab.Experiments() {
		if e.Group != lab.GroupTask {
			continue
		}
		if got := s.Post(original+"/branches", "round=0&experiment="+e.ID); got.Status != 422 ||
			!slices.Contains(sitetest.Codes(got.Body), "nothing_to_change") {
			t.Errorf("%s: %d %q", e.ID, got.Status, sitetest.Codes(got.Body))
		}
	}
	if s.Get("/history").Body != before {
		t.Error("a branch without an experiment is stored")
	}
}

// TestLab_EndsATaskThatDoesNotAsk: an experiment on an answer waits for the
// question only so long, and leaves no task behind.
func TestLab_EndsATaskThatDoesNotAsk(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Settle, c.App.Times.Experiment = time.Second, 300*time.Millisecond
	})
	s.Post("/exchanges", "sample=tasks")
	original := s.Last
	s.Post(original+"/rounds", "round=1&a0.action=accept&a0.f0=week")
	s.Runner.Wait(t.Context(), strings.TrimPrefix(original, "/x/"))
	got := s.Post(original+"/branches", "round=0&experiment=task-unknown-key")
	if got.Status != 409 || !slices.Contains(sitetest.Codes(got.Body), "no_question") {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	page := s.Get("/history").Body
	link := regexp.MustCompile(`/sessions/\w+`).FindString(page)
	branches := regexp.MustCompile(`/x/\w+`).FindAllString(s.Get(link).Body, -1)
	branch := branches[len(branches)-1]
	s.Runner.Wait(t.Context(), strings.TrimPrefix(branch, "/x/"))
	s.Get(branch).Has(t, `[data-status="cancelled"]`, `"so the changed request was not sent"`)
}

// reactionOf returns the reaction to an experiment on the page of its branch.
func reactionOf(page string) string {
	return htmltest.Parse(page).Value("[data-reaction]", "data-reaction")
}

// tries makes one experiment from the first Round that has it, and reports whether one
// has.
func tries(s *sitetest.Site, original, slug string, mode lab.Protection, e lab.Experiment) bool {
	s.T.Helper()
	for n := range 3 {
		got := s.Post(original+"/branches", fmt.Sprintf("round=%d&experiment=%s", n, e.ID))
		if got.Status != 303 {
			continue
		}
		page := s.Get(s.Last).Body
		want := string(e.Expected(mode, slug == "voucher"))
		if got := reactionOf(page); got != want || !htmltest.Parse(page).Has("[data-expected]") {
			s.T.Errorf("%s from round %d: want %s, got %s", e.ID, n, want, got)
		}
		return true
	}
	if slug == "azure-devops" {
		s.T.Errorf("%s was never made", e.ID)
	}
	return false
}

// TestLab_OffUntilTheServerIsConfirmed: a foreign server gets nothing wrong
// before its user says so, which is asked once; and credentials, also those of
// a second person, are sent and never stored.
func TestLab_OffUntilTheServerIsConfirmed(t *testing.T) {
	t.Parallel()
	server, address := sitetest.NewEcho(t)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(address, "token", "planted-token-lab-1", "declares", "shown", "declare", "elicitation.form")
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")}, "tool": {"echo"}})
	original, sent := s.Last, len(server.Heads)
	flip := url.Values{"round": {"1"}, "experiment": {"flip-state"}}
	if got := s.Follow(original+"/branches", flip); got.Status != 403 ||
		!slices.Contains(sitetest.Codes(got.Body), "not_yours") || len(server.Heads) != sent {
		t.Fatalf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	if got := s.Page(original + "?panel=lab"); !got.HTML().Has("[data-off]") {
		t.Error("the page does not say that experiments are off")
	}
	if got := s.Follow(original+"/branches", url.Values{"round": {"1"}, "experiment": {"extra-key"},
		"mine": {"yes"}}); !got.HTML().Has("[data-reaction]") {
		t.Fatalf("%d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	if server.Echoed[0] != server.States[0] {
		t.Error("the state of the original did not come to the byte from its branch")
	}
	if got := s.Follow(original+"/branches", flip); got.Status != 200 ||
		server.Echoed[1] == server.States[0] {
		t.Errorf("once more: %d %q", got.Status, sitetest.Codes(got.Body))
	}
	second := url.Values{
		"round": {"1"}, "experiment": {"state-of-another-person"}, "person": {"planted-second-person-2"},
	}
	if got := s.Follow(original+"/branches", second); got.Status != 200 {
		t.Errorf("%d %q", got.Status, sitetest.Codes(got.Body))
	}
	last := server.Heads[len(server.Heads)-1]
	if got := last.Get("Authorization"); got != "Bearer planted-second-person-2" {
		t.Errorf("the second person came as %q", got)
	}
	for where, data := range s.Stored() {
		for _, leak := range sitetest.Leaks(where, data,
			[]string{"planted-token-lab-1", "planted-second-person-2"}) {
			t.Error(leak)
		}
	}
}

// TestBranch_RefusesFinishedRounds: and nothing is sent that has no place.
func TestBranch_RefusesFinishedRounds(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	original := s.InMode("azure-devops", lab.Sealed)
	for _, form := range []string{"round=3", "round=0", "round=9&experiment=flip-state", "round=x",
		"round=0&experiment=flip-state", "round=1&experiment=flip-state"} {
		if got := s.Post(original+"/branches", form); got.Status != 422 {
			t.Errorf("%s: %d", form, got.Status)
		}
	}
	if got := s.Post(original+"/branches", "round=1&experiment=nothing-like-it"); got.Status != 404 {
		t.Errorf("an experiment that there is not: %d", got.Status)
	}
}
