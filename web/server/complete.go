package server

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	callview "github.com/mrtr-playground/mrtr-playground/views/call"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Complete asks the server for completions of one argument of a prompt or URI
// template (server/utilities/completion) and shows them beside the argument.
func (s *Pages) Complete(r *web.Request) error {
	v := r.Visit
	f, k, values, err := s.readCallForm(r)
	if err != nil {
		return err
	}
	i, ok := fieldIndex(*f, values.Get("complete"))
	if !ok || !f.Completes {
		return app.NotFound()
	}
	open, ok := s.App.Unlock(v, k.Target)
	if !ok {
		return app.SecretLost(playground.Exchange{Target: k.Target})
	}
	others, _ := f.Form.Read(form.ReadEntries(values, f.Prefix))
	property := f.Form.Fields[i].Property
	params, err := server.Completion(f.Kind, f.Name, property, values.Get(values.Get("complete")), others)
	if err != nil {
		return err
	}
	if err := s.App.Admit(v, playground.Exchange{ID: s.App.NewID(), Target: open}); err != nil {
		return err
	}
	if open, err = s.App.TargetWithToken(v, open); err != nil {
		return err
	}
	answer, err := s.App.Ask(v.Context(), open, playground.Complete, params)
	if err != nil {
		return err
	}
	f.Suggestions = serverview.NewSuggestions(values.Get("complete"), answer)
	if web.WantsFragment(r) {
		return s.App.Render(r, http.StatusOK, callview.SuggestedView(*f, values.Get("complete")))
	}
	return s.showTarget(r, http.StatusOK, k, f)
}

// fieldIndex returns the index of the field of a control such as p0.f1.
func fieldIndex(f callview.Form, control string) (int, bool) {
	number, ok := strings.CutPrefix(control, f.Prefix+".f")
	i, err := strconv.Atoi(number)
	return i, ok && err == nil && i >= 0 && i < len(f.Form.Fields)
}
