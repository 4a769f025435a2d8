package site_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// stage plays a story by pressing its one button.
type stage struct {
	*testSite
	slug, path string
}

func (s *testSite) stage(slug string) *stage {
	s.t.Helper()
	if got := s.post("/demos/"+slug, ""); got.status != http.StatusSeeOther {
		s.t.Fatalf("make a stage: %d %s", got.status, excerpt(got.body))
	}
	path, _, _ := strings.Cut(s.last, "?")
	return &stage{s, slug, path}
}

// page returns the stage's page when no request is running.
func (s *stage) page() string {
	s.t.Helper()
	var got answer
	await(s.t, func() string {
		if got = s.get(s.path); got.status != http.StatusOK {
			s.t.Fatalf("%s: %d", s.path, got.status)
		}
		if got.html().Has("[data-live]") {
			return "never settles"
		}
		return ""
	})
	return got.body
}

// The attributes of the page of a stage.
const (
	stepShown   = "data-step"
	statusShown = "data-status"
	ownShown    = "data-exchange"
)

func shownBy(attribute, page string) string {
	return htmltest.Parse(page).Value("main", attribute)
}

// press presses a button of the newest page.
func (s *stage) press(do string, more ...string) string {
	s.t.Helper()
	form := url.Values{"do": {do}, "step": {shownBy(stepShown, s.page())}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	if got := s.post(s.path, form.Encode()); got.status != http.StatusSeeOther {
		s.t.Fatalf("press %s: %d %s", do, got.status, excerpt(got.body))
	}
	return s.page()
}

// lanes are the exchanges of the stage, the one before MRTR nil until made.
func (s *stage) lanes() (own, past *playground.Exchange) {
	s.t.Helper()
	st, err := s.store.Stage(s.t.Context(), "local", s.path[strings.LastIndexByte(s.path, '/')+1:])
	check(s.t, err)
	for id, lane := range map[string]**playground.Exchange{st.Own: &own, st.Legacy: &past} {
		if id != "" {
			x, err := s.store.Exchange(s.t.Context(), "local", id)
			check(s.t, err)
			*lane = &x
		}
	}
	return own, past
}

func TestDemo_EveryStoryRunsToItsEnd(t *testing.T) {
	t.Parallel()
	for _, story := range demo.Stories() {
		t.Run(story.Slug, func(t *testing.T) {
			s := newSite(t, app.Local).stage(story.Slug)
			for n := range story.Steps {
				page := s.page()
				if got := shownBy(stepShown, page); got != string(rune('1'+n)) {
					t.Fatalf("step %s is shown, not %d", got, n+1)
				}
				if strings.Contains(page, "not in the script") {
					t.Errorf("step %d: what happened is not what is told: %s", n+1, excerpt(page))
				}
				if n+1 < len(story.Steps) {
					s.press("next")
				}
			}
			own, past := s.lanes()
			if f := playground.Fold(own.Log); f.Status != playground.StatusComplete {
				t.Errorf("the call ends %s", f.Status)
			}
			if past == nil {
				t.Fatal("no lane before MRTR")
			}
		})
	}
}

// untilRound leads the story on until it has so many Rounds.
func (s *stage) untilRound(n int) {
	s.t.Helper()
	for range 6 {
		do := "next"
		if htmltest.Parse(s.page()).Has(`[data-do="again"]`) {
			do = "again"
		}
		s.press(do)
		own, _ := s.lanes()
		if len(playground.Fold(own.Log).Rounds) >= n {
			return
		}
	}
	s.t.Fatalf("there is no round %d", n)
}

func TestDemo_KilledInstanceLosesNoExchange(t *testing.T) {
	t.Parallel()
	for _, story := range []string{"azure-devops", "rolling-upgrade"} {
		t.Run(story, func(t *testing.T) {
			s := newSite(t, app.Local).stage(story)
			for range 8 { // at every question its instance is killed; another must be there
				own, _ := s.lanes()
				f := playground.Fold(own.Log)
				if f.Status != playground.StatusWaiting {
					break
				}
				asked, _, _ := strings.Cut(f.Last().Instance, "/")
				other := map[string]string{"a": "b", "b": "a"}[asked]
				s.press("start", "instance", other)
				s.press("kill", "instance", asked)
				s.untilRound(len(f.Rounds) + 1)
			}
			own, _ := s.lanes()
			f := playground.Fold(own.Log)
			if f.Status != playground.StatusComplete || f.Last().IsError {
				t.Fatalf("the call ends %s: %+v", f.Status, f.Last().Detail)
			}
			for i := 1; i < len(f.Rounds); i++ {
				// upgraded, an instance is another process
				if f.Rounds[i].Instance == f.Rounds[i-1].Instance {
					t.Errorf("round %d was served by %s again", i+1, f.Rounds[i].Instance)
				}
			}
		})
	}
}

// TestDemo_BothLanesMeetTheSame: the instance that asked is upgraded on both
// sides, its new process gets the answer on both, and only one side goes on.
func TestDemo_BothLanesMeetTheSame(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local).stage("rolling-upgrade")
	page := s.press("legacy")
	for htmltest.Parse(page).Has(`[data-do="next"]`) {
		page = s.press("next")
	}
	own, past := s.lanes()
	f := playground.Fold(own.Log)
	var served []string
	for _, r := range f.Rounds {
		served = append(served, r.Instance)
	}
	if got := strings.Join(served, " "); got != "a/v1 a/v2 b/v2" || f.Status != playground.StatusComplete {
		t.Errorf("with MRTR the call goes over %s and ends %s", got, f.Status)
	}
	before := playground.Fold(past.Log)
	if r := before.Rounds[0]; r.Instance != "a/v1" || !demo.Lost(before) {
		t.Errorf("before MRTR %s asks; lost: %v", r.Instance, demo.Lost(before))
	}
}

// TestDemo_StateIsValidForADay, and one of a lesson for an hour (which the
// claims of that lesson check), as both pages say.
func TestDemo_StateIsValidForADay(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local).stage("rolling-upgrade")
	for range 3 {
		s.press("next")
	}
	if page := s.page(); !htmltest.Parse(page).Has(
		`"for 24 hours. Outside of demos, the samples' states usually expire after 1 hour."`) {
		t.Errorf("the state is said to live otherwise: %s", excerpt(page))
	}
}

func TestDemo_LegacyCallDiesWithItsInstance(t *testing.T) {
	t.Parallel()
	for _, story := range []string{"azure-devops", "rolling-upgrade"} {
		t.Run(story, func(t *testing.T) {
			s := newSite(t, app.Local).stage(story)
			page := s.press("legacy")
			for range 6 {
				if htmltest.Parse(page).Has(`[data-do="next"]`) {
					page = s.press("next")
				}
			}
			own, past := s.lanes()
			if f := playground.Fold(own.Log); f.Status != playground.StatusComplete {
				t.Errorf("with MRTR the call ends %s", f.Status)
			}
			f := playground.Fold(past.Log)
			if !demo.Lost(f) || f.Status == playground.StatusComplete {
				t.Errorf("before MRTR the call ends %s: %+v", f.Status, f.Last())
			}
			if head := f.Last().Head.Status; head != http.StatusNotFound {
				t.Errorf("the answer met %d", head)
			}
			if !htmltest.Parse(page).Has("[data-lost]") {
				t.Error("the page does not say that the call is lost")
			}
		})
	}
}

func TestDemo_LegacyWorkStaysOnItsInstance(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local).stage("load-shedding")
	for range 4 {
		s.press("next")
	}
	s.page()
	own, past := s.lanes()
	if bars := demo.Bars(playground.Fold(own.Log)); len(bars) != 2 || bars[0].Instance == bars[1].Instance ||
		bars[1].From != 6 || bars[1].To != 10 {
		t.Errorf("with MRTR the work went %v", bars)
	}
	if bars := demo.Bars(playground.Fold(past.Log)); len(bars) != 1 || bars[0].To != 10 {
		t.Errorf("before MRTR the work went %v", bars)
	}
}

func TestDemo_ContinuesAfterReloadAndDoublePress(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local).stage("azure-devops")
	s.press("next")
	own, _ := s.lanes()
	if got := s.post(s.path, "do=next&step=1"); got.status != http.StatusSeeOther ||
		!strings.Contains(s.last, "step=2") {
		t.Errorf("a press that comes too late: %d to %s", got.status, s.last)
	}
	if again, _ := s.lanes(); len(again.Log) != len(own.Log) {
		t.Error("it sent something")
	}
	if page := s.get(s.path + "?step=1").body; shownBy(stepShown, page) != "1" ||
		htmltest.Parse(page).Has(`[data-do="next"]`) {
		t.Error("an earlier step shows what was there, and its button only leads on")
	}
	if got := s.get(s.path + "?step=5"); got.status != http.StatusSeeOther {
		t.Errorf("a step that was not reached: %d", got.status)
	}
	if page := s.get(s.path).body; shownBy(stepShown, page) != "2" || shownBy(ownShown, page) != own.ID {
		t.Error("without a step the newest one is shown")
	}
}

func TestDemo_ShowsWhatHappenedOffScript(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local).stage("rolling-upgrade")
	s.press("next")
	// version 1 still runs there, and gets answers to its own questions
	page := s.press("choose", "instance", "b")
	if !strings.Contains(page, "next=b") {
		t.Error("the address of the next request names the chosen instance")
	}
	page = s.press("next")
	if shownBy(statusShown, page) != "complete" || !strings.Contains(page, "not in the script") {
		t.Errorf("the page says %s", excerpt(page))
	}

	s = s.testSite.stage("azure-devops")
	s.press("kill", "instance", "a")
	s.press("kill", "instance", "b")
	page = s.press("next") // no instance is left
	if shownBy(statusShown, page) != "failed" || !htmltest.Parse(page).Has(`[data-do="again"]`) {
		t.Fatalf("with every instance down: %s", excerpt(page))
	}
	s.press("start", "instance", "b")
	if page = s.press("again"); shownBy(statusShown, page) != "waiting" {
		t.Errorf("sent again, it is %s", shownBy(statusShown, page))
	}
}

func TestDemo_BelongsToItsWorkspace(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Public)
	s.post("/demos/azure-devops", "")
	path, _, _ := strings.Cut(s.last, "?")
	for _, got := range []answer{s.get(path), s.post(path, "do=next&step=1"),
		s.get("/demos/rolling-upgrade/" + path[strings.LastIndexByte(path, '/')+1:])} {
		if got.status != http.StatusNotFound {
			t.Errorf("another workspace gets %d", got.status)
		}
	}
}
