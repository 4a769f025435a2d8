package history

import (
	"fmt"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	historyview "github.com/mrtr-playground/mrtr-playground/views/history"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ImportFile stores a session from a file. Nothing in it is sent anywhere.
func (s *Pages) ImportFile(r *web.Request) error {
	if err := s.LimitImports(r.Visit); err != nil {
		return err
	}
	data, err := web.Uploaded(r.Request)
	if err != nil {
		return err
	}
	n, err := export.Import(data, s.Limits.Session)
	if err != nil {
		model := historyview.History{Problem: importWords(err)}
		return s.showHistory(r, http.StatusUnprocessableEntity, model, session.Cursor{})
	}
	return s.Adopt(r, n, 0)
}

// importWords name the fault of a file; its content is quoted by Import,
// shortened.
func importWords(err error) string {
	return text.Visible(fmt.Sprintf("%s. Nothing was imported.", err), 300)
}

// Adopt stores a foreign session as the user's own, under new ids, and leads to
// its exchange with the index first. What a process held when the session was recorded, a running request or
// the open call of a legacy server, is closed as interrupted: its connection is
// not here.
func (s *Pages) Adopt(r *web.Request, n session.Session, first int) error {
	v := r.Visit
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	n.ID, n.Created, n.Changed, n.Pinned = s.NewID(), s.Now(), s.Now(), false
	n.Title, n.Note = web.Cut(n.Title, web.MaxTitle), web.Cut(n.Note, web.MaxNote)
	if len(n.Exchanges) == 0 {
		return app.Refuse(http.StatusUnprocessableEntity, "empty_session", "There is no call in it.",
			"A file needs at least one.")
	}
	n.ReadOnce()
	ids := map[string]string{}
	for i := range n.Exchanges {
		x := &n.Exchanges[i]
		old := x.ID
		x.ID, x.Session = s.NewID(), n.ID
		if x.Origin != nil {
			x.Origin.Exchange = ids[x.Origin.Exchange]
		}
		ids[old] = x.ID
		if _, ok := s.Samples.Lookup(x.Target.Sample); !ok {
			x.Target.Sample = "" // a sample of another program is a server like any other here
		}
		x.Target.ID = x.Target.Sample // an id of a foreign list of servers means nothing here
		app.CloseHeld(x)
	}
	err = s.Write(v, app.SizeOf(n), func() error {
		return s.Store.AddSession(v.Context(), workspace, n)
	})
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/x/"+n.Exchanges[first].ID)
}
