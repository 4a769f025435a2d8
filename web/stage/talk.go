package stage

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TalkPage shows the code of a talk to the room. If phones cannot reach this program,
// it says what that takes.
func (s *Pages) TalkPage(r *web.Request) error {
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	talk, err := s.App.TalkOf(r.Visit, t.Stage.Session)
	if err != nil {
		return err
	}
	model := stageview.Talk{
		Slug: t.Story.Slug, Story: t.Story.Title, Session: t.Stage.Session, Step: t.Newest(),
		Present: r.QueryParam("present") == "1",
	}
	from := s.App.RoomURL(r.Visit)
	model.Own = s.App.Mode == app.Local
	switch {
	case !s.App.CanInvite(r.Visit):
		model.Reach = stageview.NewReach(model.Own, s.App.BaseURL)
	case from == "":
		model.Closed = talk.Code != ""
	case talk.Code != "":
		model.URL = from + stageview.FollowPath(talk.Code)
		if model.QR, err = drawing.QR(model.URL); err != nil {
			return err
		}
	}
	page := s.App.Page(r, "Follow "+t.Story.Title, "/demos")
	page.Bare = model.Present
	return s.App.Render(r, http.StatusOK, stageview.TalkPage(page, model))
}

// ChangeTalk starts or ends the talk of a stage.
func (s *Pages) ChangeTalk(r *web.Request) error {
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	present := web.First(form["present"]) == "1"
	if web.First(form["do"]) == "end" {
		if err := s.App.EndTalk(r.Visit, t.Stage.Session); err != nil {
			return err
		}
		return web.SeeOther(r, stageview.Path(t.Story.Slug, t.Stage.Session, t.Newest(), present))
	}
	if err := s.App.StartTalk(r.Visit, t.Stage.Session); err != nil {
		return err
	}
	return web.SeeOther(r, stageview.TalkPath(t.Story.Slug, t.Stage.Session, present))
}

// talkLine returns what the page of a stage shows of its talk; nil if it is none, or if no
// phone reaches it.
func (s *Pages) talkLine(r *web.Request, session string) (*stageview.TalkLine, error) {
	talk, err := s.App.TalkOf(r.Visit, session)
	from := s.App.RoomURL(r.Visit)
	if err != nil || talk.Code == "" || from == "" {
		return nil, err
	}
	return stageview.NewTalkLine(from, talk.Code), nil
}
