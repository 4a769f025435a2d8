package history

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	historyview "github.com/mrtr-playground/mrtr-playground/views/history"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// History lists the user's sessions, saved calls and links; ?q=, ?status= and ?kind= filter, ?after=
// pages on.
func (s *Pages) History(r *web.Request) error {
	model := historyview.History{
		Query: text.Chars(r.QueryParam("q"), app.MaxTitle), Status: playground.Status(r.QueryParam("status")),
		Kind: session.Kind(r.QueryParam("kind")),
	}
	after, _ := session.ParseCursor(r.QueryParam("after")) // an invalid cursor means the beginning
	return s.showHistory(r, http.StatusOK, model, after)
}

func (s *Pages) showHistory(
	r *web.Request, status int, model historyview.History, after session.Cursor,
) error {
	words := strings.Fields(model.Query)
	page, err := s.Store.History(r.Context(), r.Visit.Workspace(), session.Search{
		Words: words[:min(len(words), web.MaxSearch)], Status: model.Status, Kind: model.Kind,
		After: after,
		Limit: web.PageOfSessions + 1,
	}, s.App.Now())
	if err != nil {
		return err
	}
	model.First = after.ID == ""
	lines, next := page.Rows, page.Cut
	model.Cut = page.Cut.ID != ""
	if len(lines) > web.PageOfSessions {
		lines = lines[:web.PageOfSessions]
		model.Cut, next = false, lines[web.PageOfSessions-1].Cursor()
	}
	if next.ID != "" {
		model.Older = model.Path(next.String())
	}
	model.Everybody, model.Now, model.Zone = !s.App.Mode.Shared(), s.App.Now(), web.ZoneOf(r.Request)
	s.nameServers(lines)
	for _, row := range historyview.NewSessionRows(lines) {
		if row.ID == r.QueryParam("saved") {
			model.Saved = row.Title
		}
		model.Lines = append(model.Lines, row)
	}
	return s.App.Render(r, status, historyview.Page(s.App.Page(r, layout.HistoryTitle, "/history"), model))
}

// nameServers names the samples that saved calls are of.
func (s *Pages) nameServers(rows []session.Row) {
	for _, row := range rows {
		if row.Saved == nil {
			continue
		}
		if x, ok := s.App.Samples.Lookup(row.Saved.Target); ok {
			row.Saved.Server = x.Name()
		}
	}
}

// Session shows the form that edits a session.
func (s *Pages) Session(r *web.Request) error {
	v := r.Visit
	n, err := s.Store.Session(v.Context(), v.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	s.App.Look(v, n.Exchanges...)
	shares, err := s.Store.Shares(v.Context(), v.Workspace(), s.App.Now())
	if err != nil {
		return err
	}
	row := session.RowOf(n)
	model := historyview.SessionPageModel{Row: historyview.NewSessionRow(row), Title: n.Title, Note: n.Note}
	if n.Kind == session.KindExchange || n.Kind == session.KindCapture {
		model.Tools = historyview.CalledTools(n.Exchanges)
	}
	if n.Kind == session.KindExchange && len(row.Exchanges) > 0 {
		if err := s.App.TakeTurn(v, n); err != nil {
			return err
		}
		showed := s.App.Verdicts.Of(n.ID, row.Exchanges, n.Exchanges)
		model.Tree = boardview.NewTree(row.Exchanges, showed, "")
	}
	for _, h := range shares {
		if h.Session == n.ID {
			model.Shares++
		}
	}
	return s.App.Render(
		r,
		http.StatusOK,
		historyview.SessionPage(s.App.Page(r, model.Row.Title, "/history"), model),
	)
}

// EditSession sets the title, the note and the pin of a session.
func (s *Pages) EditSession(r *web.Request) error {
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	err = s.App.EditSession(r.Visit, r.Param("id"), web.First(form["title"]), web.First(form["note"]),
		web.First(form["pinned"]) == "yes")
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/history?"+url.Values{"saved": {r.Param("id")}}.Encode())
}

// DeleteSession deletes a session with its recording and its links.
func (s *Pages) DeleteSession(r *web.Request) error {
	if err := s.App.DeleteSession(r.Visit, r.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(r, "/history")
}

// Selected does one thing with the sessions that are selected in the list.
func (s *Pages) Selected(r *web.Request) error {
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	ids := form["id"]
	if len(ids) == 0 || len(ids) > web.PageOfSessions {
		return app.Refuse(http.StatusUnprocessableEntity, "nothing_selected", "Nothing is selected.",
			"Go back and tick the calls first.")
	}
	switch do := web.First(form["do"]); do {
	case "pin", "unpin":
		err = s.App.PinSessions(r.Visit, ids, do == "pin")
	case "compare":
		return s.compareSessions(r, ids)
	case "delete":
		err = s.App.DeleteSessions(r.Visit, ids)
	default:
		return app.NotFound()
	}
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/history")
}

// compareSessions compares the first calls of two sessions.
func (s *Pages) compareSessions(r *web.Request, ids []string) error {
	if len(ids) != 2 {
		return app.Refuse(http.StatusUnprocessableEntity, "not_two", "Only two calls can be compared.",
			"Go back and tick exactly two.")
	}
	query := url.Values{}
	for i, name := range []string{"a", "b"} {
		n, err := s.Store.Session(r.Context(), r.Visit.Workspace(), ids[i])
		if err != nil {
			return err
		}
		if len(n.Exchanges) == 0 {
			return app.NotFound()
		}
		query.Set(name, n.Exchanges[0].ID)
	}
	return web.SeeOther(r, "/compare?"+query.Encode())
}

// DeleteSessions deletes all sessions of the workspace.
func (s *Pages) DeleteSessions(r *web.Request) error {
	if err := s.App.DeleteHistory(r.Visit); err != nil {
		return err
	}
	return web.SeeOther(r, "/history")
}
