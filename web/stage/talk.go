package stage

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TalkPage shows the code of a talk to the room. If phones cannot reach this program,
// it says how to start it so that they can.
func (s *Pages) TalkPage(r *web.Request) error {
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	talk, err := s.talkOf(r, t.Stage.Session)
	if err != nil {
		return err
	}
	model := stageview.Talk{
		Slug: t.Story.Slug, Story: t.Story.Title, Session: t.Stage.Session, Step: t.Newest(),
		Present: r.QueryParam("present") == "1",
	}
	from := s.roomURL(r)
	switch {
	case from == "":
		model.Reach = &stageview.Reach{
			Local: s.Mode == app.Local, Port: portOf(s.BaseURL), Program: s.Program,
		}
	case talk.Code != "":
		model.URL = from + stageview.FollowPath(talk.Code)
		if model.QR, err = drawing.QR(model.URL); err != nil {
			return err
		}
	}
	page := s.Page(r, "Follow "+t.Story.Title, "/demos")
	page.Bare = model.Present
	return s.Render(r, http.StatusOK, stageview.TalkPage(page, model))
}

// ChangeTalk starts or ends the talk of a stage.
func (s *Pages) ChangeTalk(r *web.Request) error {
	ctx := r.Context()
	t, err := s.demoSession(r)
	if err != nil {
		return err
	}
	form, err := s.FormValues(r)
	if err != nil {
		return err
	}
	workspace, present := r.Visit.Workspace(), web.First(form["present"]) == "1"
	if web.First(form["do"]) == "end" {
		if err := s.Store.EndTalk(ctx, workspace, t.Stage.Session); err != nil {
			return err
		}
		s.Notices.Changed(t.Stage.Session)
		return web.SeeOther(r, stageview.Path(t.Story.Slug, t.Stage.Session, t.Newest(), present))
	}
	if s.roomURL(r) != "" {
		talk := demo.Talk{
			Code: demo.NewCode(s.NewID()), Workspace: workspace, Session: t.Stage.Session,
		}
		if err := s.Store.StartTalk(ctx, talk, s.Now()); err != nil {
			return err
		}
	}
	return web.SeeOther(r, stageview.TalkPath(t.Story.Slug, t.Stage.Session, present))
}

// talkOf returns the talk that a stage of the visitor is. Its code is empty if it is
// none.
func (s *Pages) talkOf(r *web.Request, session string) (demo.Talk, error) {
	talk, err := s.Store.TalkOf(r.Context(), r.Visit.Workspace(), session, s.Now())
	if errors.Is(err, playground.ErrNotFound) {
		return demo.Talk{}, nil
	}
	return talk, err
}

// talkLine returns what the page of a stage shows of its talk; nil if it is none.
func (s *Pages) talkLine(r *web.Request, session string) (*stageview.TalkLine, error) {
	talk, err := s.talkOf(r, session)
	if err != nil || talk.Code == "" {
		return nil, err
	}
	return stageview.NewTalkLine(s.roomURL(r), talk.Code), nil
}

// moveTalk makes the talk of a stage that of a new one, so that its followers stay when
// the story is started over.
func (s *Pages) moveTalk(r *web.Request, workspace, from, to string) error {
	if from == "" {
		return nil
	}
	err := s.Store.MoveTalk(r.Context(), workspace, from, to, s.Now())
	s.Notices.Changed(from)
	return err
}

// roomURL returns the URL at which the phones of a room reach this program, or "" if
// there is none: in a trusted network the one that the presenter uses, which was
// checked, unless it is of this machine alone.
func (s *Pages) roomURL(r *web.Request) string {
	own := r.Visit.Origin
	switch {
	case s.Mode == app.Public:
		return own
	case s.Mode == app.Local:
		return ""
	case !isOwnMachine(own):
		return own
	case !isOwnMachine(s.BaseURL):
		return s.BaseURL
	}
	return ""
}

// isOwnMachine reports whether a URL leads to this machine wherever it is opened.
func isOwnMachine(origin string) bool {
	addr, err := netip.ParseAddr(app.HostOf(origin))
	return web.IsLoopbackOrigin(origin) || err == nil && addr.IsUnspecified()
}

func portOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	return u.Port()
}
