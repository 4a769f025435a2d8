package demo_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// addStory makes a story of something and returns the path of its editor.
func addStory(s *sitetest.Site, kind, id, of string) string {
	s.T.Helper()
	form := url.Values{"kind": {kind}, "id": {id}, "x": {of}}
	if got := s.Post("/stories", form.Encode()); got.Status != http.StatusSeeOther {
		s.T.Fatalf("a story of the %s %s: %d %s", kind, id, got.Status, sitetest.Excerpt(got.Body))
	}
	return s.Last
}

// storyText returns the text of a story.
func storyText(s *sitetest.Site, editor string) string {
	s.T.Helper()
	return s.Get(editor + ".yaml").Body
}

// demoOf returns the slug of a story's page.
func demoOf(editor string) string { return strings.TrimPrefix(editor, "/stories/") }

// playedCall is the id of the call of a demo that was played to its end.
func playedCall(s *sitetest.Site, slug string) string {
	s.T.Helper()
	st := sitetest.NewStage(s, slug)
	for htmltest.Parse(st.Newest()).Has(`[data-do="next"]`) {
		st.Press("next")
	}
	own, _ := st.Lanes()
	return own.ID
}

// play plays a story to its end, and fails if a step shows something else than it
// tells.
func play(s *sitetest.Site, slug string) *sitetest.Stage {
	s.T.Helper()
	st := sitetest.NewStage(s, slug)
	for {
		page := st.Newest()
		if strings.Contains(page, "not in the script") {
			s.T.Errorf("step %s is not what is told: %s", sitetest.ShownBy(sitetest.StepShown, page),
				sitetest.Excerpt(page))
		}
		if !htmltest.Parse(page).Has(`[data-do="next"]`) {
			return st
		}
		st.Press("next")
	}
}

// A call on a sample becomes a demo that makes the call again. With an instance that is
// killed, the call completes, and before MRTR it is lost.
func TestStory_OfACallIsPlayed(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	editor := addStory(s, "exchange", playedCall(s, "azure-devops"), "")
	for _, do := range []string{"insert-kill-2", "raise-3", "raise-2"} {
		form := url.Values{"do": {do}, "text": {storyText(s, editor)}}
		s.Post(editor, form.Encode())
	}
	if got := s.Get(editor); !got.HTML().Has(`[data-problem] "The first step sends the call"`) {
		t.Errorf("a kill before the call: %s", sitetest.Excerpt(got.Body))
	}
	text := strings.Replace(storyText(s, editor), "steps:", "# none\nsteps:", 1)
	s.Post(editor, url.Values{"do": {"save"}, "text": {text}}.Encode())
	if got := storyText(s, editor); !strings.Contains(got, "# none") {
		t.Error("a comment is lost by saving")
	}
	editor = addStory(s, "exchange", playedCall(s, "azure-devops"), "")
	s.Post(editor, url.Values{"do": {"insert-kill-2"}, "text": {storyText(s, editor)}}.Encode())
	st := play(s, demoOf(editor))
	own, past := st.Lanes()
	if f := playground.Fold(own.Log); f.Status != playground.StatusComplete || past == nil ||
		!demo.Lost(playground.Fold(past.Log)) {
		t.Errorf("%s, and before MRTR %v", f.Status, past)
	}
	page := st.Newest()
	if !htmltest.Parse(page).Has(`.legacy-lane [data-verdict="fail"] "The call is lost."`) {
		t.Errorf("no verdict: %s", sitetest.Excerpt(page))
	}
}

// A stage keeps the story that it began with.
func TestStory_EditedOnStage(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	editor := addStory(s, "demo", "load-shedding", "")
	st := sitetest.NewStage(s, demoOf(editor))
	s.Post(editor, url.Values{"do": {"save"}, "text": {"story: 1"}}.Encode())
	if got := s.Post("/demos/"+demoOf(editor), ""); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("a story with mistakes: %d", got.Status)
	}
	s.Post(editor+"/delete", "")
	page := st.Press("next")
	if sitetest.ShownBy(sitetest.StepShown, page) != "2" || strings.Contains(page, "not in the script") {
		t.Errorf("after its story was deleted: %s", sitetest.Excerpt(page))
	}
	if got := s.Get("/history"); !got.HTML().Has(`[href^="/demos/` + demoOf(editor) + `/"]`) {
		t.Error("the history does not lead to the stage")
	}
}

// A call that cannot be made again, here a board of a call, is shown as it was
// recorded. Nothing is sent, and the demo stays when the recording is deleted.
func TestStory_OfARecordingSendsNothing(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	st := sitetest.NewStage(s, "azure-devops")
	own, _ := st.Lanes()
	s.Post("/x/"+own.ID+"/run-all", "round=1&mine=yes")
	sitetest.Await(t, func() string {
		if s.Get("/x/" + own.ID + "?panel=lab").HTML().Has(`[data-board="running"]`) {
			return "the experiments still run"
		}
		return ""
	})
	editor := addStory(s, "board", own.Session, own.ID)
	text := storyText(s, editor)
	if !strings.Contains(text, "recorded: [") || !strings.Contains(text, "verdict: ") {
		t.Fatalf("no experiment is shown: %s", text)
	}
	played := play(s, demoOf(editor))
	s.Post("/sessions/"+own.Session+"/delete", "")
	page := htmltest.Parse(played.Newest())
	if page.Has(".controls") || !page.Has("[data-step-verdict]") {
		t.Error("no verdict, or controls of what is not there")
	}
	s.Get(editor).Has(t, `[data-problem] "A recorded call of this demo does not exist here."`)
}

// Notes are on the page of the presenter, which leads on, and on no other.
func TestPresenter_LeadsOn(t *testing.T) {
	t.Parallel()
	s := sitetest.NewStage(sitetest.New(t, app.Local), "azure-devops")
	notes := s.Path + "/presenter"
	page := s.Get(notes)
	if !page.HTML().Has(`[data-note] "the example of the proposal"`) ||
		!page.HTML().Has(`[data-next] "Another instance takes the answer."`) {
		t.Fatalf("%s", sitetest.Excerpt(page.Body))
	}
	if got := s.Get(s.Path + "?present=1"); strings.Contains(got.Body, "the example of the proposal") ||
		!got.HTML().Has("[data-follows]") {
		t.Error("the audience reads the notes, or the projector does not follow")
	}
	live := page.HTML().Value("main", "data-live")
	got := s.Post(s.Path, "do=next&step=1&screen=presenter")
	if got.Status != http.StatusSeeOther || s.Last != notes {
		t.Errorf("%d to %s", got.Status, s.Last)
	}
	s.Newest()
	if got := s.Get(live); !strings.Contains(got.Body, "event: changed") {
		t.Errorf("the stream of an outdated page: %s", sitetest.Excerpt(got.Body))
	}
	if got := s.Get(notes); sitetest.ShownBy(sitetest.StepShown, got.Body) != "2" {
		t.Errorf("%s", sitetest.Excerpt(got.Body))
	}
}

func TestStory_BelongsToItsWorkspace(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	s.Post("/stories", "kind=demo&id=azure-devops")
	editor := s.Last
	stage := "/demos/" + demoOf(editor)
	for path, form := range map[string]string{
		editor: "", editor + ".yaml": "", stage: "", stage + "/presenter": "",
	} {
		if got := s.Get(path + form); got.Status != http.StatusNotFound {
			t.Errorf("GET %s: %d", path, got.Status)
		}
	}
	for _, path := range []string{editor, editor + "/delete", stage} {
		if got := s.Post(path, "do=save&text=a"); got.Status != http.StatusNotFound {
			t.Errorf("POST %s: %d", path, got.Status)
		}
	}
}

// A link to a demo of one's own has the story without its notes and with its secrets
// masked, whether its calls are made or recorded.
func TestStory_IsShared(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	editor := addStory(s, "demo", "load-shedding", "")
	const secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	text := strings.Replace(storyText(s, editor), "Count the primes", "Count with "+secret, 1)
	s.Post(editor, url.Values{"do": {"save"}, "text": {text}}.Encode())
	live := play(s, demoOf(editor))
	own, _ := live.Lanes()
	recorded := play(s, demoOf(addStory(s, "exchange", own.ID, "")))
	x := copyOf(s, own.ID)
	for name, st := range map[string]*sitetest.Stage{
		"live": live, "of a call": recorded, "recorded": play(s, demoOf(addStory(s, "exchange", x, ""))),
	} {
		page := st.Newest()
		token := s.ShareAs(sitetest.Value(t, page, `[href*="/share?kind=demo"]`, "href"))
		for step := range strings.Count(page, `class="dot"`) {
			got := s.Get("/s/" + token + "?step=" + string(rune('1'+step)))
			got.Has(t, "[data-step]")
			got.Lacks(t, secret, "not in the script", "The work is real", "/demos/"+demoOf(editor)+"/")
		}
		if got := s.Get("/s/" + token + ".png"); got.Status != http.StatusOK {
			t.Errorf("%s: its card: %d", name, got.Status)
		}
	}
}

// copyOf imports the file of a call, and returns the id of the copy.
func copyOf(s *sitetest.Site, id string) string {
	s.T.Helper()
	s.Do("POST", "/import", s.Get("/x/"+id+".json").Body, http.Header{"Content-Type": {"application/json"}})
	return strings.TrimPrefix(s.Last, "/x/")
}

// The demo of a flow is proposed with the result of the editor's preview, and what is then changed in
// its form is stored; the rest keeps its placeholders.
func TestStory_OfAFlowIsEditedBeforeItIsMade(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Post("/flows", "example=approval")
	flow := strings.TrimPrefix(s.Last, "/flows/")
	ending := s.Get(s.Last).HTML().Texts("[data-ending]")[0]
	page := s.Get("/stories/new?kind=flow&id=" + flow).HTML()
	form := page.Form(".story-new")
	text := form.Get("text-2")
	if text != "Instance b finishes: “"+ending+"”" || !page.Has(`[data-step="2"] "another instance"`) {
		t.Errorf("for the ending %q, %q is proposed", ending, text)
	}
	form.Set("claim", "May we deploy?")
	if got := s.Post("/stories", form.Encode()); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	text = storyText(s, s.Last)
	for _, want := range []string{`claim: "May we deploy?"`, "Instance {asked} finishes: “{result}”"} {
		if !strings.Contains(text, want) || strings.Contains(text, "Instance a") {
			t.Errorf("%s is missing, or an instance is named, in\n%s", want, text)
		}
	}
}

// A flow becomes a demo that plays what its first version does with its examples.
func TestStory_OfAFlowIsPlayed(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, example := range []string{"refund", "several", "load-shedding", "model"} {
		s.Post("/flows", "example="+example)
		editor := addStory(s, "flow", strings.TrimPrefix(s.Last, "/flows/"), "")
		st := play(s, demoOf(editor))
		own, past := st.Lanes()
		if f := playground.Fold(own.Log); f.Status != playground.StatusComplete || past == nil {
			t.Errorf("%s: %s, and before MRTR %v", example, f.Status, past)
		}
	}
}
