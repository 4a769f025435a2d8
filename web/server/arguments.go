package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	callview "github.com/mrtr-playground/mrtr-playground/views/call"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// readArguments reads the fields or, if the user chose so, the raw JSON.
// Problems are stored in the form.
func readArguments(f *callview.Form, values url.Values) (json.RawMessage, bool) {
	if !f.HasForm() {
		return nil, true
	}
	if !f.UseJSON && f.FormErr == nil {
		arguments, problems := f.Form.Read(form.ReadEntries(values, f.Prefix))
		f.Problems = problems
		return f.Form.Keep(arguments, json.RawMessage(f.JSON)), len(problems) == 0
	}
	node, err := jsontree.Parse([]byte(f.JSON), jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		f.Problems = []form.Problem{{Index: -1, Text: "The arguments must be a JSON object."}}
		return nil, false
	}
	return json.RawMessage(f.JSON), true
}

// Arguments synchronizes the fields and the raw JSON of a form: it reads the
// one that is in use and renders the other from it. The buttons inside the
// fields add and remove rows. Nothing is sent to the server.
func (s *Pages) Arguments(r *web.Request) error {
	f, k, values, err := s.readCallForm(r)
	if err != nil {
		return err
	}
	if values.Has(form.EditName) && f.FormErr == nil {
		return s.editArguments(r, k, f, values)
	}
	if !f.UseJSON {
		arguments, problems := f.Form.Read(form.ReadEntries(values, f.Prefix))
		f.JSON = serverview.Indented(f.Form.Keep(arguments, json.RawMessage(f.JSON)))
		s.replaceAddress(r, k, f)
		return s.App.Render(r, http.StatusOK, callview.Fragment(*f, len(problems)))
	}
	node, err := jsontree.Parse([]byte(f.JSON), jsontree.Limits{})
	if err != nil || node.Kind != jsontree.Object {
		return s.App.Render(
			r, http.StatusOK,
			callview.SyncView(*f, "Not a JSON object yet. The fields are unchanged.", false),
		)
	}
	f.Form = f.Form.Fill(json.RawMessage(f.JSON))
	s.replaceAddress(r, k, f)
	return s.App.Render(r, http.StatusOK, callview.Fragment(*f, 0))
}

// editArguments changes the rows of a form and shows it, whole or as a
// fragment.
func (s *Pages) editArguments(r *web.Request, k app.KnownServer, f *callview.Form, values url.Values) error {
	made, ok := f.Form.Edited(values.Get(form.EditName), f.Prefix)
	if !ok {
		return app.NotFound()
	}
	f.Form, f.UseJSON = made, false
	arguments, problems := f.Form.Read(f.Form.Entries())
	f.JSON = serverview.Indented(f.Form.Keep(arguments, json.RawMessage(f.JSON)))
	if web.WantsFragment(r) {
		s.replaceAddress(r, k, f)
		return s.App.Render(r, http.StatusOK, callview.Edited(*f, len(problems)))
	}
	return s.showTarget(r, http.StatusOK, k, f)
}

// replaceAddress makes htmx show the address of a form with its input.
func (s *Pages) replaceAddress(r *web.Request, k app.KnownServer, f *callview.Form) {
	s.address(r, k, f)
	r.Writer.Header().Set("HX-Replace-Url", f.Path)
}

// address sets the address of a form with the arguments of its JSON, except
// those that hold a secret.
func (s *Pages) address(r *web.Request, k app.KnownServer, f *callview.Form) {
	if !f.HasForm() {
		return
	}
	kept, omitted := s.withoutSecrets(r, k.Target, json.RawMessage(f.JSON))
	f.Omitted = text.Visible(strings.Join(omitted, ", "), 200)
	entry := ""
	if o := findOffer(offersOf(k.Connection), f.Kind, f.Name, f.Prefix); o != nil {
		entry = o.entry()
	}
	f.Path = paths.Call(f.Target, f.Kind, f.Name, entry, compacted(kept))
}

// withoutSecrets returns the arguments of a call of t without those that hold a
// secret, and the names of these. If the credentials of t are not available in
// this browser, their values cannot be in its input.
func (s *Pages) withoutSecrets(r *web.Request, t playground.Target,
	arguments json.RawMessage) (kept json.RawMessage, omitted []string) {
	open, _ := s.App.Unlock(r.Visit, t)
	return share.Arguments(arguments, redact.New(open.Header, open.URL, nil))
}

// compacted returns JSON without the white space between its values, and an
// empty object as nil.
func compacted(raw json.RawMessage) json.RawMessage {
	short := jsontree.Compact(raw)
	if !json.Valid(short) || string(short) == "{}" {
		return nil
	}
	return short
}

// readCallForm returns the submitted form of the server in the path.
func (s *Pages) readCallForm(r *web.Request) (*callview.Form, app.KnownServer, url.Values, error) {
	values, err := s.App.FormValues(r)
	if err != nil {
		return nil, app.KnownServer{}, nil, err
	}
	k, err := s.App.Find(r.Visit, r.Param("id"))
	if err != nil {
		return nil, k, nil, err
	}
	f := submittedForm(k, values)
	if f == nil {
		return nil, k, nil, app.NotFound()
	}
	return f, k, values, nil
}
