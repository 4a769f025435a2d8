package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	callview "github.com/mrtr-playground/mrtr-playground/views/call"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// maxSavedArguments is the size of the arguments of a saved call, in bytes.
const maxSavedArguments = 64 << 10

// NewSaved shows the form that saves the call of ?exchange=. The saved calls are in the history.
func (s *Pages) NewSaved(r *web.Request) error {
	id := r.QueryParam("exchange")
	if id == "" {
		return r.Redirect(http.StatusFound, paths.SavedCalls)
	}
	x, err := s.Store.Exchange(r.Context(), r.Visit.Workspace(), id)
	if err != nil {
		return err
	}
	kept := session.SavedCall{}
	if params, err := jsontree.Parse(x.Call.Params, jsontree.Limits{}); err == nil {
		kept.Arguments, _ = s.withoutSecrets(r, x.Target, params.Get("arguments").Raw())
	}
	summary := kept.Summary()
	model := serverview.NewSaved{
		Exchange: x.ID, Server: text.Visible(x.Target.Name, 120), Summary: text.Visible(summary, 160),
		Title: savedTitle(app.Title(x.Call), summary),
	}
	return s.App.Render(r, http.StatusOK, serverview.NewSavedPage(s.App.Page(r, "Save a call", "/history"), model))
}

// SavedCall shows a saved call, to rename or delete it.
func (s *Pages) SavedCall(r *web.Request) error {
	call, err := s.Store.SavedCall(r.Context(), r.Visit.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	line := serverview.NewSavedLine(s.named(call))
	return s.App.Render(r, http.StatusOK, serverview.SavedPage(s.App.Page(r, line.Title, "/history"), line))
}

// named returns a saved call with the name of its server, if that is a sample.
func (s *Pages) named(call session.SavedCall) session.SavedCall {
	if x, ok := s.App.Samples.Lookup(call.Target); ok {
		call.Server = x.Name()
	}
	return call
}

// SavedLines returns the saved calls of all servers.
func (s *Pages) SavedLines(r *web.Request) ([]serverview.SavedLine, error) {
	list, err := s.Store.SavedCalls(r.Context(), r.Visit.Workspace(), "")
	if err != nil {
		return nil, err
	}
	var lines []serverview.SavedLine
	for _, call := range list {
		lines = append(lines, serverview.NewSavedLine(s.named(call)))
	}
	return lines, nil
}

// SaveCall saves the call of a form on a server's page, or that of an exchange.
func (s *Pages) SaveCall(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	if id := web.First(values["exchange"]); id != "" {
		return s.saveExchange(r, id, web.First(values["title"]))
	}
	k, err := s.App.Find(r.Visit, web.First(values["target"]))
	if err != nil {
		return err
	}
	f := submittedForm(k, values)
	if f == nil {
		return app.NotFound()
	}
	arguments, ok := readArguments(f, values)
	if !ok {
		return s.showTarget(r, http.StatusUnprocessableEntity, k, f)
	}
	call := session.SavedCall{
		Target: k.Target.ID, Kind: f.Kind, Name: f.Name, Arguments: arguments, Level: f.Level, Wait: f.Wait,
	}
	return s.addSaved(r, k.Target, call)
}

// saveExchange saves the call of an exchange.
func (s *Pages) saveExchange(r *web.Request, id, title string) error {
	v := r.Visit
	x, err := s.Store.Exchange(v.Context(), v.Workspace(), id)
	if err != nil {
		return err
	}
	k, err := s.App.Find(v, x.Target.ID)
	if err != nil {
		return app.Refuse(http.StatusUnprocessableEntity, "server_gone",
			"The server of this call is not in your list.",
			"Connect to it first, then make the call again and save that.")
	}
	if x, err = s.App.UnlockExchange(v, x); err != nil {
		return err
	}
	params, err := jsontree.Parse(x.Call.Params, jsontree.Limits{})
	if err != nil {
		return app.Refuse(http.StatusUnprocessableEntity, "not_a_call", "This call cannot be saved.",
			"Its params are not a JSON object.")
	}
	call := session.SavedCall{
		Title: title, Target: k.Target.ID, Kind: kindOf(x.Call.Method), Name: params.Get("name").Str(),
		Arguments: params.Get("arguments").Raw(),
		Level:     params.At("_meta", "io.modelcontextprotocol/logLevel").Str(),
	}
	if call.Kind == "resource" {
		call.Name, call.Arguments = params.Get("uri").Str(), nil
	} else if len(call.Arguments) == 0 {
		call.Arguments = json.RawMessage("{}")
	}
	if x.Call.Wait > 0 {
		call.Wait = fmt.Sprint(int(x.Call.Wait / time.Second))
	}
	return s.addSaved(r, x.Target, call)
}

// addSaved stores a call of t without its secrets and leads to its form.
func (s *Pages) addSaved(r *web.Request, t playground.Target, call session.SavedCall) error {
	v := r.Visit
	if len(call.Arguments) > 0 {
		call.Arguments, call.Omitted = s.withoutSecrets(r, t, call.Arguments)
	}
	if len(call.Arguments) > maxSavedArguments || len(call.Name) > maxSavedArguments {
		return app.Refuse(http.StatusUnprocessableEntity, "saved_too_large",
			"This call is too large to be saved.",
			"The limit for its arguments is "+text.Size(maxSavedArguments)+". Nothing was saved.")
	}
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	call.ID, call.Created = s.App.NewID(), s.App.Now()
	call.Title = text.Chars(strings.TrimSpace(call.Title), app.MaxTitle)
	call.Title = cmp.Or(call.Title, savedTitle(call.Name, call.Summary()))
	var added bool
	err = s.App.Write(v, 4*len(call.Title)+len(call.Name)+len(call.Arguments)+1024, func() error {
		added, err = s.Store.AddSavedCall(v.Context(), workspace, call, s.App.Limits.Saved)
		return err
	})
	if err != nil {
		return err
	}
	if !added {
		return app.Refuse(http.StatusUnprocessableEntity, "too_many_saved",
			fmt.Sprintf("You already have %d saved calls, which is the limit.", s.App.Limits.Saved),
			"Nothing was saved. Delete one in the history first.")
	}
	return web.SeeOther(r, serverview.SavedPath(call)+"&added="+url.QueryEscape(call.ID))
}

// savedTitle returns the name of a saved call until the user changes it.
func savedTitle(name, summary string) string {
	if summary != "" {
		name += " · " + summary
	}
	return text.Chars(strings.Join(strings.Fields(name), " "), 80)
}

// savedForm returns the form of a saved call of a server, filled in. It is nil
// if the server does not offer it any more.
func (s *Pages) savedForm(r *web.Request, k app.KnownServer, id string) (*callview.Form, error) {
	call, err := s.Store.SavedCall(r.Context(), r.Visit.Workspace(), id)
	if err != nil {
		return nil, err
	}
	if call.Target != k.Target.ID {
		return nil, app.NotFound()
	}
	o := offerOf(k, offersOf(k.Connection), call.Kind, call.Name, "")
	if o == nil {
		return nil, app.Refuse(http.StatusNotFound, "not_offered",
			fmt.Sprintf("The server does not offer %s any more.", text.Visible(call.Name, 120)),
			"Connect to it again, or delete the saved call.")
	}
	f := formOf(k, *o)
	f.Level, f.Wait = call.Level, call.Wait
	if len(call.Arguments) > 0 {
		fillArguments(f, call.Arguments)
	}
	return f, nil
}

// setAdded confirms on a server's page that a call was saved.
func setAdded(model *serverview.Target, id string) {
	for _, line := range model.Saved {
		if line.ID == id {
			model.Added = &line
		}
	}
}

// RunSaved makes a saved call again. If an argument of it was not saved, it
// leads to the form.
func (s *Pages) RunSaved(r *web.Request) error {
	v := r.Visit
	ctx, workspace := v.Context(), v.Workspace()
	call, err := s.Store.SavedCall(ctx, workspace, r.Param("id"))
	if err != nil {
		return err
	}
	if !call.Complete() {
		return web.SeeOther(r, serverview.SavedPath(call))
	}
	k, err := s.App.Find(v, call.Target)
	if err != nil {
		return err
	}
	f, err := s.savedForm(r, k, call.ID)
	if err != nil {
		return err
	}
	if f.Excluded != "" {
		return web.SeeOther(r, serverview.SavedPath(call))
	}
	return s.makeCall(r, k, f, call.Arguments)
}

// RenameSaved changes the name of a saved call.
func (s *Pages) RenameSaved(r *web.Request) error {
	v := r.Visit
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	ctx, workspace, id := v.Context(), v.Workspace(), r.Param("id")
	call, err := s.Store.SavedCall(ctx, workspace, id)
	if err != nil {
		return err
	}
	title := text.Chars(strings.TrimSpace(web.First(values["title"])), app.MaxTitle)
	if title == "" {
		return app.Refuse(http.StatusUnprocessableEntity, "no_title", "A saved call needs a name.",
			"Go back and enter one.")
	}
	err = s.App.Write(v, 4*len(title), func() error { return s.Store.RenameSavedCall(ctx, workspace, id, title) })
	if err != nil {
		return err
	}
	if web.First(values["back"]) == "server" {
		return web.SeeOther(r, serverview.SavedPath(call))
	}
	return web.SeeOther(r, paths.SavedCalls)
}

// DeleteSaved deletes a saved call. The calls that were made with it stay.
func (s *Pages) DeleteSaved(r *web.Request) error {
	err := s.Store.DeleteSavedCall(r.Context(), r.Visit.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	return web.SeeOther(r, paths.SavedCalls)
}
