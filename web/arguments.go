package web

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// readArguments reads the fields or, if the user chose so, the raw JSON.
// Problems are stored in the form.
func readArguments(f *views.CallForm, values url.Values) (json.RawMessage, bool) {
	if !f.HasForm() {
		return nil, true
	}
	if !f.UseJSON && f.FormErr == nil {
		arguments, problems := f.Form.Read(form.ReadEntries(values, f.Prefix))
		f.Problems = problems
		return arguments, len(problems) == 0
	}
	node, err := jsontree.Parse([]byte(f.JSON), jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		f.Problems = []form.Problem{{Index: -1, Text: "The arguments must be a JSON object."}}
		return nil, false
	}
	return json.RawMessage(f.JSON), true
}

// arguments synchronizes the fields and the raw JSON of a form: it reads the
// one that is in use and renders the other from it. Nothing is sent.
func (s *app) arguments(c echo.Context) error {
	f, _, values, err := s.readCallForm(c)
	if err != nil {
		return err
	}
	if !f.UseJSON {
		arguments, problems := f.Form.Read(form.ReadEntries(values, f.Prefix))
		f.JSON = string(arguments)
		return s.render(c, http.StatusOK, views.CallFragment(*f, len(problems)))
	}
	node, err := jsontree.Parse([]byte(f.JSON), jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		return s.render(
			c, http.StatusOK, views.CallSyncView(*f, "Not a JSON object yet. The fields are unchanged."),
		)
	}
	f.Form = f.Form.Fill(json.RawMessage(f.JSON))
	return s.render(c, http.StatusOK, views.CallFragment(*f, 0))
}

// readCallForm returns the submitted form of the server in the path.
func (s *app) readCallForm(c echo.Context) (*views.CallForm, knownServer, url.Values, error) {
	values, err := s.formValues(c)
	if err != nil {
		return nil, knownServer{}, nil, err
	}
	k, err := s.find(c.Request().Context(), s.owners.reading(c), c.Param("id"))
	if err != nil {
		return nil, k, nil, err
	}
	f := submittedForm(callForms(k), values)
	if f == nil {
		return nil, k, nil, notFound()
	}
	return f, k, values, nil
}
