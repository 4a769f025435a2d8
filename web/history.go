package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// Limits of the list and of titles and notes.
const (
	pageOfSessions = 50
	maxSearch      = 8 // words
	maxTitle       = 200
	maxNote        = 4000
)

// sessionStore keeps sessions with their exchanges.
type sessionStore interface {
	AddSession(ctx context.Context, workspace string, n session.Session) error
	Session(ctx context.Context, workspace, id string) (session.Session, error)
	HasSession(ctx context.Context, workspace, id string) error
	Sessions(ctx context.Context, workspace string, q session.Search) (session.Page, error)
	SessionSize(ctx context.Context, id string) (bytes int, err error)
	EditSession(ctx context.Context, workspace, id, title, note string, pinned bool) error
	PinSession(ctx context.Context, workspace, id string, pinned bool) error
	DeleteSession(ctx context.Context, workspace, id string) error
	DeleteSessions(ctx context.Context, workspace string) error
}

// history lists the user's sessions; ?q= and ?status= filter, ?after= pages on.
func (s *app) history(c echo.Context) error {
	model := views.History{
		Query: cut(c.QueryParam("q"), maxTitle), Status: playground.Status(c.QueryParam("status")),
	}
	after, _ := session.ParseCursor(c.QueryParam("after")) // an invalid cursor means the beginning
	return s.showHistory(c, http.StatusOK, model, after)
}

func (s *app) showHistory(c echo.Context, status int, model views.History, after session.Cursor) error {
	words := strings.Fields(model.Query)
	page, err := s.Store.Sessions(c.Request().Context(), s.owners.reading(c), session.Search{
		Words: words[:min(len(words), maxSearch)], Status: model.Status, After: after,
		Limit: pageOfSessions + 1,
	})
	if err != nil {
		return err
	}
	model.First = after.ID == ""
	lines, next := page.Rows, page.Cut
	model.Cut = page.Cut.ID != ""
	if len(lines) > pageOfSessions {
		lines = lines[:pageOfSessions]
		model.Cut, next = false, lines[pageOfSessions-1].Cursor()
	}
	if next.ID != "" {
		model.Older = views.HistoryPath(model.Query, model.Status, next.String())
	}
	model.Everybody, model.Now, model.Zone = s.Mode != Public, s.Now(), zoneOf(c.Request())
	links, err := s.links(c)
	if err != nil {
		return err
	}
	for _, row := range views.NewSessionRows(lines) {
		row.Links = links[row.ID]
		if row.ID == c.QueryParam("saved") {
			model.Saved = row.Title
		}
		model.Lines = append(model.Lines, row)
	}
	if model.First && !model.Searches() {
		if model.SavedCalls, err = s.savedLines(c); err != nil {
			return err
		}
	}
	return s.render(c, status, views.HistoryPage(s.page(c, "History", "/history"), model))
}

// session shows the form that edits a session.
func (s *app) session(c echo.Context) error {
	n, err := s.Store.Session(c.Request().Context(), s.owners.reading(c), c.Param("id"))
	if err != nil {
		return err
	}
	s.look(c, n.Exchanges...)
	shares, err := s.Store.Shares(c.Request().Context(), s.owners.reading(c), s.Now())
	if err != nil {
		return err
	}
	row := session.RowOf(n)
	model := views.SessionPageModel{Row: views.NewSessionRow(row), Title: n.Title, Note: n.Note}
	if n.Kind == session.KindExchange && len(row.Exchanges) > 0 {
		if err := s.takeTurn(c, n); err != nil {
			return err
		}
		showed := s.verdicts.of(n.ID, row.Exchanges, n.Exchanges)
		model.Tree = views.NewTree(row.Exchanges, showed, "")
	}
	for _, h := range shares {
		if h.Session == n.ID {
			model.Shares++
		}
	}
	return s.render(c, http.StatusOK, views.SessionPage(s.page(c, model.Row.Title, "/history"), model))
}

// editSession sets the title, the note and the pin of a session.
func (s *app) editSession(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	title, note := cut(strings.TrimSpace(first(form["title"])), maxTitle), cut(first(form["note"]), maxNote)
	err = s.Store.EditSession(
		c.Request().Context(), s.owners.reading(c), c.Param("id"), title, note,
		first(form["pinned"]) == "yes",
	)
	if err != nil {
		return err
	}
	return seeOther(c, "/history?"+url.Values{"saved": {c.Param("id")}}.Encode())
}

// deleteSession deletes a session with its recording and its links.
func (s *app) deleteSession(c echo.Context) error {
	if err := s.removeSession(c, c.Param("id")); err != nil {
		return err
	}
	return seeOther(c, "/history")
}

// removeSession ends what is running of a session and deletes it.
func (s *app) removeSession(c echo.Context, id string) error {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	n, err := s.Store.Session(ctx, workspace, id)
	if err != nil {
		return err
	}
	s.Checker.Stop(n.ID)
	for _, x := range n.Exchanges {
		s.Runner.Cancel(x.ID)
	}
	return s.Store.DeleteSession(ctx, workspace, n.ID)
}

// selected does one thing with the sessions that are selected in the list.
func (s *app) selected(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	ids := form["id"]
	if len(ids) == 0 || len(ids) > pageOfSessions {
		return refuse(http.StatusUnprocessableEntity, "nothing_selected", "Nothing is selected.",
			"Go back and tick the calls first.")
	}
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	switch do := first(form["do"]); do {
	case "pin", "unpin":
		for _, id := range ids {
			if err := s.Store.PinSession(ctx, workspace, id, do == "pin"); err != nil {
				return err
			}
		}
	case "compare":
		return s.compareSessions(c, ids)
	case "delete":
		if first(form["sure"]) != "yes" {
			return s.askToDelete(c, ids)
		}
		for _, id := range ids {
			if err := s.removeSession(c, id); err != nil && !errors.Is(err, playground.ErrNotFound) {
				return err
			}
		}
	default:
		return notFound()
	}
	return seeOther(c, "/history")
}

// compareSessions compares the first calls of two sessions.
func (s *app) compareSessions(c echo.Context, ids []string) error {
	if len(ids) != 2 {
		return refuse(http.StatusUnprocessableEntity, "not_two", "Only two calls can be compared.",
			"Go back and tick exactly two.")
	}
	query := url.Values{}
	for i, name := range []string{"a", "b"} {
		n, err := s.Store.Session(c.Request().Context(), s.owners.reading(c), ids[i])
		if err != nil {
			return err
		}
		if len(n.Exchanges) == 0 {
			return notFound()
		}
		query.Set(name, n.Exchanges[0].ID)
	}
	return seeOther(c, "/compare?"+query.Encode())
}

// askToDelete lists the sessions that would be deleted.
func (s *app) askToDelete(c echo.Context, ids []string) error {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	shares, err := s.Store.Shares(ctx, workspace, s.Now())
	if err != nil {
		return err
	}
	var model views.Deletion
	for _, id := range ids {
		n, err := s.Store.Session(ctx, workspace, id)
		if err != nil {
			return err
		}
		model.Rows = append(model.Rows, views.NewSessionRow(session.RowOf(n)))
		for _, h := range shares {
			if h.Session == n.ID {
				model.Shares++
			}
		}
	}
	return s.render(c, http.StatusOK, views.DeletionPage(s.page(c, "Delete calls", "/history"), model))
}

// deleteSessions deletes all sessions of the workspace.
func (s *app) deleteSessions(c echo.Context) error {
	form, err := s.formValues(c)
	if err != nil {
		return err
	}
	if first(form["sure"]) != "yes" {
		return refuse(
			http.StatusUnprocessableEntity, "not_sure", "Nothing was deleted.",
			"Select the confirmation checkbox, then try again.",
		)
	}
	if err := s.Store.DeleteSessions(c.Request().Context(), s.owners.reading(c)); err != nil {
		return err
	}
	return seeOther(c, "/history")
}

// cut returns at most the first most characters of a text.
func cut(text string, most int) string {
	runes := []rune(strings.ToValidUTF8(text, "\ufffd"))
	return string(runes[:min(len(runes), most)])
}
