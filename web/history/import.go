package history

import (
	"fmt"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	historyview "github.com/mrtr-playground/mrtr-playground/views/history"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ImportFile stores a session from a file. Nothing in it is sent anywhere.
func (s *Pages) ImportFile(r *web.Request) error {
	if err := s.App.LimitImports(r.Visit); err != nil {
		return err
	}
	data, err := web.Uploaded(r.Request)
	if err != nil {
		return err
	}
	if err := s.App.WaitTurn(r.Visit); err != nil {
		return err
	}
	n, err := export.Read(data, s.App.Limits.Session)
	if err != nil {
		model := historyview.History{Problem: importWords(err)}
		return s.showHistory(r, http.StatusUnprocessableEntity, model, session.Cursor{})
	}
	if n.Kind == session.KindCapture {
		id, err := s.App.AdoptRecording(r.Visit, n)
		if err != nil {
			return err
		}
		return web.SeeOther(r, "/clients/"+id)
	}
	id, err := s.App.Adopt(r.Visit, n, 0)
	if err != nil {
		return err
	}
	return web.SeeOther(r, "/x/"+id)
}

// importWords name the fault of a file; its content is quoted by Import,
// shortened.
func importWords(err error) string {
	return text.Visible(fmt.Sprintf("%s. Nothing was imported.", err), 300)
}
