package stage_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestDemo_EveryStoryRunsToItsEnd(t *testing.T) {
	t.Parallel()
	for _, story := range demo.Stories() {
		t.Run(story.Slug, func(t *testing.T) {
			s := sitetest.NewStage(sitetest.New(t, app.Local), story.Slug)
			for n := range story.Steps {
				page := s.Newest()
				if got := sitetest.ShownBy(sitetest.StepShown, page); got != string(rune('1'+n)) {
					t.Fatalf("step %s is shown, not %d", got, n+1)
				}
				if strings.Contains(page, "not in the script") {
					t.Errorf("step %d: what happened is not what is told: %s", n+1, sitetest.Excerpt(page))
				}
				if n+1 < len(story.Steps) {
					s.Press("next")
				}
			}
			own, past := s.Lanes()
			if f := playground.Fold(own.Log); f.Status != playground.StatusComplete {
				t.Errorf("the call ends %s", f.Status)
			}
			if past == nil {
				t.Fatal("no lane before MRTR")
			}
		})
	}
}

func TestDemo_KilledInstanceLosesNoExchange(t *testing.T) {
	t.Parallel()
	for _, story := range []string{"azure-devops", "rolling-upgrade"} {
		t.Run(story, func(t *testing.T) {
			s := sitetest.NewStage(sitetest.New(t, app.Local), story)
			for range 8 { // at every question its instance is killed; another must be there
				own, _ := s.Lanes()
				f := playground.Fold(own.Log)
				if f.Status != playground.StatusWaiting {
					break
				}
				asked, _, _ := strings.Cut(f.Last().Instance, "/")
				other := map[string]string{"a": "b", "b": "a"}[asked]
				s.Press("start", "instance", other)
				s.Press("kill", "instance", asked)
				s.UntilRound(len(f.Rounds) + 1)
			}
			own, _ := s.Lanes()
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
	s := sitetest.NewStage(sitetest.New(t, app.Local), "rolling-upgrade")
	page := s.Press("legacy")
	for htmltest.Parse(page).Has(`[data-do="next"]`) {
		page = s.Press("next")
	}
	own, past := s.Lanes()
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
	s := sitetest.NewStage(sitetest.New(t, app.Local), "rolling-upgrade")
	for range 3 {
		s.Press("next")
	}
	if page := s.Newest(); !htmltest.Parse(page).Has(
		`"for 24 hours. Outside of demos, the samples' states usually expire after 1 hour."`) {
		t.Errorf("the state is said to live otherwise: %s", sitetest.Excerpt(page))
	}
}

func TestDemo_LegacyCallDiesWithItsInstance(t *testing.T) {
	t.Parallel()
	for _, story := range []string{"azure-devops", "rolling-upgrade"} {
		t.Run(story, func(t *testing.T) {
			s := sitetest.NewStage(sitetest.New(t, app.Local), story)
			page := s.Press("legacy")
			for range 6 {
				if htmltest.Parse(page).Has(`[data-do="next"]`) {
					page = s.Press("next")
				}
			}
			own, past := s.Lanes()
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
	s := sitetest.NewStage(sitetest.New(t, app.Local), "load-shedding")
	for range 4 {
		s.Press("next")
	}
	s.Newest()
	own, past := s.Lanes()
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
	s := sitetest.NewStage(sitetest.New(t, app.Local), "azure-devops")
	s.Press("next")
	own, _ := s.Lanes()
	if got := s.Post(s.Path, "do=next&step=1"); got.Status != http.StatusSeeOther ||
		!strings.Contains(s.Last, "step=2") {
		t.Errorf("a press that comes too late: %d to %s", got.Status, s.Last)
	}
	if again, _ := s.Lanes(); len(again.Log) != len(own.Log) {
		t.Error("it sent something")
	}
	if page := s.Get(s.Path + "?step=1").Body; sitetest.ShownBy(sitetest.StepShown, page) != "1" ||
		htmltest.Parse(page).Has(`[data-do="next"]`) {
		t.Error("an earlier step shows what was there, and its button only leads on")
	}
	if got := s.Get(s.Path + "?step=5"); got.Status != http.StatusSeeOther {
		t.Errorf("a step that was not reached: %d", got.Status)
	}
	if page := s.Get(s.Path).Body; sitetest.ShownBy(sitetest.StepShown, page) != "2" ||
		sitetest.ShownBy(sitetest.OwnShown, page) != own.ID {
		t.Error("without a step the newest one is shown")
	}
}

func TestDemo_ShowsWhatHappenedOffScript(t *testing.T) {
	t.Parallel()
	s := sitetest.NewStage(sitetest.New(t, app.Local), "rolling-upgrade")
	s.Press("next")
	// version 1 still runs there, and gets answers to its own questions
	page := s.Press("choose", "instance", "b")
	if !strings.Contains(page, "next=b") {
		t.Error("the address of the next request names the chosen instance")
	}
	page = s.Press("next")
	if sitetest.ShownBy(sitetest.StatusShown, page) != "complete" ||
		!strings.Contains(page, "not in the script") {
		t.Errorf("the page says %s", sitetest.Excerpt(page))
	}

	s = sitetest.NewStage(s.Site, "azure-devops")
	s.Press("kill", "instance", "a")
	s.Press("kill", "instance", "b")
	page = s.Press("next") // no instance is left
	if sitetest.ShownBy(sitetest.StatusShown, page) != "failed" ||
		!htmltest.Parse(page).Has(`[data-do="again"]`) {
		t.Fatalf("with every instance down: %s", sitetest.Excerpt(page))
	}
	s.Press("start", "instance", "b")
	if page = s.Press("again"); sitetest.ShownBy(sitetest.StatusShown, page) != "waiting" {
		t.Errorf("sent again, it is %s", sitetest.ShownBy(sitetest.StatusShown, page))
	}
}

func TestDemo_BelongsToItsWorkspace(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	s.Post("/demos/azure-devops", "")
	path, _, _ := strings.Cut(s.Last, "?")
	for _, got := range []sitetest.Answer{s.Get(path), s.Post(path, "do=next&step=1"),
		s.Get("/demos/rolling-upgrade/" + path[strings.LastIndexByte(path, '/')+1:])} {
		if got.Status != http.StatusNotFound {
			t.Errorf("another workspace gets %d", got.Status)
		}
	}
}
