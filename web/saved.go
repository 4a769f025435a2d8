package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// savedStore keeps calls that users save under a name. They hold no secrets.
type savedStore interface {
	AddSavedCall(ctx context.Context, workspace string, c session.SavedCall, most int) (added bool, err error)
	SavedCalls(ctx context.Context, workspace, target string) ([]session.SavedCall, error)
	SavedCall(ctx context.Context, workspace, id string) (session.SavedCall, error)
	RenameSavedCall(ctx context.Context, workspace, id, title string) error
	DeleteSavedCall(ctx context.Context, workspace, id string) error
	LastCall(ctx context.Context, workspace, called string) (exchange string, err error)
}

// maxSavedArguments is the size of the arguments of a saved call, in bytes.
const maxSavedArguments = 64 << 10

// savedCalls lists the saved calls. ?exchange= shows the form that saves a call
// of the history.
func (s *app) savedCalls(c echo.Context) error {
	model := views.SavedCalls{}
	if id := c.QueryParam("exchange"); id != "" {
		x, err := s.Store.Exchange(c.Request().Context(), s.owners.reading(c), id)
		if err != nil {
			return err
		}
		kept := session.SavedCall{}
		if params, err := jsontree.Parse(x.Call.Params, jsontree.Limits{}); err == nil {
			kept.Arguments, _ = s.withoutSecrets(c, x.Target, params.Get("arguments").Raw())
		}
		summary := kept.Summary()
		model.New = &views.NewSaved{
			Exchange: x.ID, Server: text.Visible(x.Target.Name, 120), Summary: text.Visible(summary, 160),
			Title: savedTitle(title(x.Call), summary),
		}
	}
	var err error
	if model.Lines, err = s.savedLines(c); err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.SavedPage(s.page(c, "Saved calls", "/history"), model))
}

// savedLines returns the saved calls of all servers.
func (s *app) savedLines(c echo.Context) ([]views.SavedLine, error) {
	list, err := s.Store.SavedCalls(c.Request().Context(), s.owners.reading(c), "")
	if err != nil {
		return nil, err
	}
	var lines []views.SavedLine
	for _, call := range list {
		if x, ok := s.samples.lookup(call.Target); ok {
			call.Server = x.Title + " (sample)"
		}
		lines = append(lines, views.NewSavedLine(call))
	}
	return lines, nil
}

// saveCall saves the call of a form on a server's page, or that of an exchange.
func (s *app) saveCall(c echo.Context) error {
	values, err := s.formValues(c)
	if err != nil {
		return err
	}
	if id := first(values["exchange"]); id != "" {
		return s.saveExchange(c, id, first(values["title"]))
	}
	k, err := s.find(c, first(values["target"]))
	if err != nil {
		return err
	}
	f := k.submittedForm(values)
	if f == nil {
		return notFound()
	}
	arguments, ok := readArguments(f, values)
	if !ok {
		return s.showTarget(c, http.StatusUnprocessableEntity, k, f)
	}
	call := session.SavedCall{
		Target: k.target.ID, Kind: f.Kind, Name: f.Name, Arguments: arguments, Level: f.Level, Wait: f.Wait,
	}
	return s.addSaved(c, k.target, call)
}

// saveExchange saves the call of an exchange.
func (s *app) saveExchange(c echo.Context, id, title string) error {
	x, err := s.Store.Exchange(c.Request().Context(), s.owners.reading(c), id)
	if err != nil {
		return err
	}
	k, err := s.find(c, x.Target.ID)
	if err != nil {
		return refuse(http.StatusUnprocessableEntity, "server_gone",
			"The server of this call is not in your list.",
			"Connect to it first, then make the call again and save that.")
	}
	if x, err = s.unlockExchange(c, x); err != nil {
		return err
	}
	params, err := jsontree.Parse(x.Call.Params, jsontree.Limits{})
	if err != nil {
		return refuse(http.StatusUnprocessableEntity, "not_a_call", "This call cannot be saved.",
			"Its params are not a JSON object.")
	}
	call := session.SavedCall{
		Title: title, Target: k.target.ID, Kind: kindOf(x.Call.Method), Name: params.Get("name").Str(),
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
	return s.addSaved(c, x.Target, call)
}

// addSaved stores a call of t without its secrets and leads to its form.
func (s *app) addSaved(c echo.Context, t playground.Target, call session.SavedCall) error {
	if len(call.Arguments) > 0 {
		call.Arguments, call.Omitted = s.withoutSecrets(c, t, call.Arguments)
	}
	if len(call.Arguments) > maxSavedArguments || len(call.Name) > maxSavedArguments {
		return refuse(http.StatusUnprocessableEntity, "saved_too_large",
			"This call is too large to be saved.",
			"The limit for its arguments is "+text.Size(maxSavedArguments)+". Nothing was saved.")
	}
	workspace, err := s.owners.writing(c)
	if err != nil {
		return err
	}
	call.ID, call.Created = s.NewID(), s.Now()
	call.Title = cut(strings.TrimSpace(call.Title), maxTitle)
	call.Title = cmp.Or(call.Title, savedTitle(call.Name, call.Summary()))
	var added bool
	err = s.store(c, 4*len(call.Title)+len(call.Name)+len(call.Arguments)+1024, func() error {
		added, err = s.Store.AddSavedCall(c.Request().Context(), workspace, call, s.Limits.Saved)
		return err
	})
	if err != nil {
		return err
	}
	if !added {
		return refuse(http.StatusUnprocessableEntity, "too_many_saved",
			fmt.Sprintf("You already have %d saved calls, which is the limit.", s.Limits.Saved),
			"Nothing was saved. Delete one under Saved calls first.")
	}
	return seeOther(c, views.SavedPath(call)+"&added="+url.QueryEscape(call.ID))
}

// savedTitle returns the name of a saved call until the user changes it.
func savedTitle(name, summary string) string {
	if summary != "" {
		name += " · " + summary
	}
	return cut(strings.Join(strings.Fields(name), " "), 80)
}

// savedForm returns the form of a saved call of a server, filled in. It is nil
// if the server does not offer it any more.
func (s *app) savedForm(c echo.Context, k knownServer, id string) (*views.CallForm, error) {
	call, err := s.Store.SavedCall(c.Request().Context(), s.owners.reading(c), id)
	if err != nil {
		return nil, err
	}
	if call.Target != k.target.ID {
		return nil, notFound()
	}
	o := k.offer(offersOf(k.connection), call.Kind, call.Name, "")
	if o == nil {
		return nil, refuse(http.StatusNotFound, "not_offered",
			fmt.Sprintf("The server does not offer %s any more.", text.Visible(call.Name, 120)),
			"Connect to it again, or delete the saved call.")
	}
	f := k.form(*o)
	f.Level, f.Wait = call.Level, call.Wait
	if len(call.Arguments) > 0 {
		fillArguments(f, call.Arguments)
	}
	return f, nil
}

// setAdded confirms on a server's page that a call was saved.
func setAdded(model *views.Target, id string) {
	for _, line := range model.Saved {
		if line.ID == id {
			model.Added = &line
		}
	}
}

// runSaved makes a saved call again. If an argument of it was not saved, it
// leads to the form.
func (s *app) runSaved(c echo.Context) error {
	ctx, workspace := c.Request().Context(), s.owners.reading(c)
	call, err := s.Store.SavedCall(ctx, workspace, c.Param("id"))
	if err != nil {
		return err
	}
	if !call.Complete() {
		return seeOther(c, views.SavedPath(call))
	}
	k, err := s.find(c, call.Target)
	if err != nil {
		return err
	}
	f, err := s.savedForm(c, k, call.ID)
	if err != nil {
		return err
	}
	if f.Excluded != "" {
		return seeOther(c, views.SavedPath(call))
	}
	return s.makeCall(c, k, f, call.Arguments)
}

// renameSaved changes the name of a saved call.
func (s *app) renameSaved(c echo.Context) error {
	values, err := s.formValues(c)
	if err != nil {
		return err
	}
	ctx, workspace, id := c.Request().Context(), s.owners.reading(c), c.Param("id")
	call, err := s.Store.SavedCall(ctx, workspace, id)
	if err != nil {
		return err
	}
	title := cut(strings.TrimSpace(first(values["title"])), maxTitle)
	if title == "" {
		return refuse(http.StatusUnprocessableEntity, "no_title", "A saved call needs a name.",
			"Go back and enter one.")
	}
	err = s.store(c, 4*len(title), func() error { return s.Store.RenameSavedCall(ctx, workspace, id, title) })
	if err != nil {
		return err
	}
	if first(values["back"]) == "server" {
		return seeOther(c, views.SavedPath(call))
	}
	return seeOther(c, "/saved")
}

// deleteSaved deletes a saved call. The calls that were made with it stay.
func (s *app) deleteSaved(c echo.Context) error {
	err := s.Store.DeleteSavedCall(c.Request().Context(), s.owners.reading(c), c.Param("id"))
	if err != nil {
		return err
	}
	return seeOther(c, "/saved")
}
