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

// addStory makes a story of something and returns the path of its editor.
func (s *testSite) addStory(kind, id, of string) string {
	s.t.Helper()
	form := url.Values{"kind": {kind}, "id": {id}, "x": {of}}
	if got := s.post("/stories", form.Encode()); got.status != http.StatusSeeOther {
		s.t.Fatalf("a story of the %s %s: %d %s", kind, id, got.status, excerpt(got.body))
	}
	return s.last
}

// storyText returns the text of a story.
func (s *testSite) storyText(editor string) string {
	s.t.Helper()
	return s.get(editor + ".yaml").body
}

// demoOf returns the slug of a story's page.
func demoOf(editor string) string { return strings.TrimPrefix(editor, "/stories/") }

// playedCall is the id of the call of a demo that was played to its end.
func (s *testSite) playedCall(slug string) string {
	s.t.Helper()
	st := s.stage(slug)
	for htmltest.Parse(st.page()).Has(`[data-do="next"]`) {
		st.press("next")
	}
	own, _ := st.lanes()
	return own.ID
}

// play plays a story to its end, and fails if a step shows something else than it
// tells.
func (s *testSite) play(slug string) *stage {
	s.t.Helper()
	st := s.stage(slug)
	for {
		page := st.page()
		if strings.Contains(page, "not in the script") {
			s.t.Errorf("step %s is not what is told: %s", shownBy(stepShown, page), excerpt(page))
		}
		if !htmltest.Parse(page).Has(`[data-do="next"]`) {
			return st
		}
		st.press("next")
	}
}

// A call on a sample becomes a demo that makes the call again. With an instance that is
// killed, the call completes, and before MRTR it is lost.
func TestStory_OfACallIsPlayed(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	editor := s.addStory("exchange", s.playedCall("azure-devops"), "")
	for _, do := range []string{"insert-kill-2", "raise-3", "raise-2"} {
		form := url.Values{"do": {do}, "text": {s.storyText(editor)}}
		s.post(editor, form.Encode())
	}
	if got := s.get(editor); !got.html().Has(`[data-problem] "The first step sends the call"`) {
		t.Errorf("a kill before the call: %s", excerpt(got.body))
	}
	text := strings.Replace(s.storyText(editor), "steps:", "# none\nsteps:", 1)
	s.post(editor, url.Values{"do": {"save"}, "text": {text}}.Encode())
	if got := s.storyText(editor); !strings.Contains(got, "# none") {
		t.Error("a comment is lost by saving")
	}
	editor = s.addStory("exchange", s.playedCall("azure-devops"), "")
	s.post(editor, url.Values{"do": {"insert-kill-2"}, "text": {s.storyText(editor)}}.Encode())
	st := s.play(demoOf(editor))
	own, past := st.lanes()
	if f := playground.Fold(own.Log); f.Status != playground.StatusComplete || past == nil ||
		!demo.Lost(playground.Fold(past.Log)) {
		t.Errorf("%s, and before MRTR %v", f.Status, past)
	}
	page := st.page()
	if !htmltest.Parse(page).Has(`.legacy-lane [data-verdict="fail"] "The call is lost."`) {
		t.Errorf("no verdict: %s", excerpt(page))
	}
}

// A stage keeps the story that it began with.
func TestStory_EditedOnStage(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	editor := s.addStory("demo", "load-shedding", "")
	st := s.stage(demoOf(editor))
	s.post(editor, url.Values{"do": {"save"}, "text": {"story: 1"}}.Encode())
	if got := s.post("/demos/"+demoOf(editor), ""); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a story with mistakes: %d", got.status)
	}
	s.post(editor+"/delete", "")
	page := st.press("next")
	if shownBy(stepShown, page) != "2" || strings.Contains(page, "not in the script") {
		t.Errorf("after its story was deleted: %s", excerpt(page))
	}
	if got := s.get("/history"); !got.html().Has(`[href^="/demos/` + demoOf(editor) + `/"]`) {
		t.Error("the history does not lead to the stage")
	}
}

// A call that cannot be made again, here a board of a call, is shown as it was
// recorded. Nothing is sent, and the demo stays when the recording is deleted.
func TestStory_OfARecordingSendsNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	st := s.stage("azure-devops")
	own, _ := st.lanes()
	s.post("/x/"+own.ID+"/run-all", "round=1&mine=yes")
	await(t, func() string {
		if s.get("/x/" + own.ID + "?panel=lab").html().Has(`[data-board="running"]`) {
			return "the experiments still run"
		}
		return ""
	})
	editor := s.addStory("board", own.Session, own.ID)
	text := s.storyText(editor)
	if !strings.Contains(text, "recorded: [") || !strings.Contains(text, "verdict: ") {
		t.Fatalf("no experiment is shown: %s", text)
	}
	played := s.play(demoOf(editor))
	s.post("/sessions/"+own.Session+"/delete", "")
	page := htmltest.Parse(played.page())
	if page.Has(".controls") || !page.Has("[data-step-verdict]") {
		t.Error("no verdict, or controls of what is not there")
	}
	s.get(editor).has(t, `[data-problem] "A recorded call of this demo does not exist here."`)
}

// Notes are on the page of the presenter, which leads on, and on no other.
func TestPresenter_LeadsOn(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local).stage("azure-devops")
	notes := s.path + "/presenter"
	page := s.get(notes)
	if !page.html().Has(`[data-note] "the example of the proposal"`) ||
		!page.html().Has(`[data-next] "Another instance takes the answer."`) {
		t.Fatalf("%s", excerpt(page.body))
	}
	if got := s.get(s.path + "?present=1"); strings.Contains(got.body, "the example of the proposal") ||
		!got.html().Has("[data-follows]") {
		t.Error("the audience reads the notes, or the projector does not follow")
	}
	live := page.html().Value("main", "data-live")
	got := s.post(s.path, "do=next&step=1&screen=presenter")
	if got.status != http.StatusSeeOther || s.last != notes {
		t.Errorf("%d to %s", got.status, s.last)
	}
	s.page()
	if got := s.get(live); !strings.Contains(got.body, "event: changed") {
		t.Errorf("the stream of an outdated page: %s", excerpt(got.body))
	}
	if got := s.get(notes); shownBy(stepShown, got.body) != "2" {
		t.Errorf("%s", excerpt(got.body))
	}
}

func TestStory_BelongsToItsWorkspace(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Public)
	s.post("/stories", "kind=demo&id=azure-devops")
	editor := s.last
	stage := "/demos/" + demoOf(editor)
	for path, form := range map[string]string{
		editor: "", editor + ".yaml": "", stage: "", stage + "/presenter": "",
	} {
		if got := s.get(path + form); got.status != http.StatusNotFound {
			t.Errorf("GET %s: %d", path, got.status)
		}
	}
	for _, path := range []string{editor, editor + "/delete", stage} {
		if got := s.post(path, "do=save&text=a"); got.status != http.StatusNotFound {
			t.Errorf("POST %s: %d", path, got.status)
		}
	}
}

// A link to a demo of one's own has the story without its notes and with its secrets
// masked, whether its calls are made or recorded.
func TestStory_IsShared(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	editor := s.addStory("demo", "load-shedding", "")
	const secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	text := strings.Replace(s.storyText(editor), "Count the primes", "Count with "+secret, 1)
	s.post(editor, url.Values{"do": {"save"}, "text": {text}}.Encode())
	live := s.play(demoOf(editor))
	own, _ := live.lanes()
	recorded := s.play(demoOf(s.addStory("exchange", own.ID, "")))
	x := s.copyOf(own.ID)
	for name, st := range map[string]*stage{
		"live": live, "of a call": recorded, "recorded": s.play(demoOf(s.addStory("exchange", x, ""))),
	} {
		page := st.page()
		token := s.shareAs(value(t, page, `[href*="/share?kind=demo"]`, "href"))
		for step := range strings.Count(page, `class="dot"`) {
			got := s.get("/s/" + token + "?step=" + string(rune('1'+step)))
			got.has(t, "[data-step]")
			got.lacks(t, secret, "not in the script", "The work is real", "/demos/"+demoOf(editor)+"/")
		}
		if got := s.get("/s/" + token + ".png"); got.status != http.StatusOK {
			t.Errorf("%s: its card: %d", name, got.status)
		}
	}
}

// copyOf imports the file of a call, and returns the id of the copy.
func (s *testSite) copyOf(id string) string {
	s.t.Helper()
	s.do("POST", "/import", s.get("/x/"+id+".json").body, http.Header{"Content-Type": {"application/json"}})
	return strings.TrimPrefix(s.last, "/x/")
}

// A flow becomes a demo that plays what its first version does with its examples.
func TestStory_OfAFlowIsPlayed(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, example := range []string{"refund", "several", "load-shedding", "model"} {
		s.post("/flows", "example="+example)
		editor := s.addStory("flow", strings.TrimPrefix(s.last, "/flows/"), "")
		st := s.play(demoOf(editor))
		own, past := st.lanes()
		if f := playground.Fold(own.Log); f.Status != playground.StatusComplete || past == nil {
			t.Errorf("%s: %s, and before MRTR %v", example, f.Status, past)
		}
	}
}
