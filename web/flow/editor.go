package flow

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/edit"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/preview"
	flowview "github.com/mrtr-playground/mrtr-playground/views/flow"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// FlowOrFile shows the editor of a flow or, if the path has a suffix, sends it as
// a file.
func (s *Pages) FlowOrFile(r *web.Request) error {
	id, suffix, file := strings.Cut(r.Param("id"), ".")
	f, err := s.App.OpenFlow(r.Visit, id)
	if err != nil {
		return err
	}
	if file {
		return s.sendFile(r, f, suffix)
	}
	return s.show(r, http.StatusOK, f, nil)
}

func (s *Pages) sendFile(r *web.Request, f flow.Saved, suffix string) error {
	data := []byte(f.Edited())
	as := web.Download{Suffix: "." + suffix, ContentType: "application/yaml", Saved: true}
	root, _ := document.Parse(data)
	switch {
	case suffix == "json" && root != nil:
		data, as.ContentType = root.Indented(), "application/json"
	case suffix != "yaml":
		return app.NotFound()
	case root != nil && strings.HasPrefix(strings.TrimSpace(string(data)), "{"):
		var err error
		if data, err = document.Apply(data); err != nil {
			return err
		}
	}
	return s.App.Blob(r, as, f.Title, data)
}

// show renders the editor.
func (s *Pages) show(r *web.Request, status int, f flow.Saved, note *prose.Sentence) error {
	e, err := s.editor(r, f, r.QueryParam("version"))
	if err != nil {
		return err
	}
	e.Note = note
	return s.App.Render(r, status, flowview.Page(s.App.Page(r, f.Title, layout.BuildPath), e))
}

func (s *Pages) editor(r *web.Request, f flow.Saved, version string) (flowview.Editor, error) {
	target := s.App.FlowTarget(f)
	e := flowview.NewEditor(f, preview.Input{Target: target, Client: s.App.Client, At: s.App.Now()}, version)
	e.Address, _, _ = strings.Cut(target.URL, "?") // a client needs no parameters
	e.Expires = s.App.Mode.Shared()
	e.Open = f.Open(s.App.Now(), e.Expires)
	var err error
	e.Editions, err = s.Store.FlowEditions(r.Context(), f.Workspace, f.ID)
	return e, err
}

// Edit handles the form of the editor: typed text, and its buttons.
func (s *Pages) Edit(r *web.Request) error {
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	v := r.Visit
	f, err := s.App.OpenFlow(v, r.Param("id"))
	if err != nil {
		return err
	}
	verb, _, _ := strings.Cut(web.First(values["do"]), " ")
	switch verb {
	case "end", "renew":
		return s.address(r, f, verb)
	case "restore":
		return s.restore(r, f, web.First(values["do"]))
	}
	edited, ofText := entered(f, values)
	acts := !slices.Contains([]string{"", "follow", "save", "run"}, verb)
	focus, before := "", f.Edited()
	if f, err = s.App.DraftFlow(v, f, edited); err != nil {
		return err
	}
	if acts {
		if f, focus, err = s.App.ActOnFlow(v, f, web.First(values["do"])); err != nil {
			return err
		}
		edited = f.Edited()
	}
	switch {
	case verb == "save" || verb == "run":
		return s.save(r, f, verb == "run")
	case web.WantsFragment(r):
		e, err := s.editor(r, f, web.First(values["version"]))
		if err != nil {
			return err
		}
		// A control that changes the controls, such as the kind of a field, changes the form.
		ofForm := !ofText && !acts && !edit.SameControls(before, edited)
		if e.Focus = focus; ofForm {
			e.Focus = edit.NewControl(before, edited)
		}
		// Only a text that the page does not have replaces what may be typed by now.
		ofSource := app.StoredFlow(web.First(values["source"])) != f.Edited()
		return s.App.Render(r, http.StatusOK, flowview.Parts(e, ofText || acts || ofForm, ofSource))
	}
	to := paths.Flow(f.ID)
	if v := web.First(values["version"]); v != "" {
		to += "?version=" + url.QueryEscape(v)
	}
	return web.SeeOther(r, to)
}

// entered returns the text that the form of the editor gives, and whether it is
// that of its text and not of its other controls. If the text was changed since it
// was rendered, it counts: the controls were made from the one before. What is
// stored may be newer than both, if one types while a response is on its way.
func entered(f flow.Saved, values url.Values) (edited string, ofText bool) {
	source := app.StoredFlow(web.First(values["source"]))
	base := cmp.Or(web.First(values["base"]), flowview.Base(f.Edited()))
	if _, has := values["source"]; has && flowview.Base(source) != base {
		return source, true
	}
	edited, err := edit.Change(f.Edited(), func(name string) (string, bool) {
		list, has := values[name]
		if !has {
			return "", false
		}
		return list[len(list)-1], true // a checkbox comes after its hidden control
	})
	if err != nil { // the text is no document, so there is no form of it
		return f.Edited(), false
	}
	return edited, false
}

// save makes the draft what the address runs, and runs it.
func (s *Pages) save(r *web.Request, f flow.Saved, run bool) error {
	parsed, problems, err := s.App.SaveFlow(r.Visit, f)
	if err != nil {
		return err
	}
	if parsed == nil {
		note := prose.SentenceCode("not_valid", "Nothing was saved.", "In "+problems[0].String())
		return s.show(r, http.StatusUnprocessableEntity, f, &note)
	}
	if !run {
		return web.SeeOther(r, paths.Flow(f.ID))
	}
	if !f.Open(s.App.Now(), s.App.Mode.Shared()) {
		note := prose.SentenceCode("ended", "The address has ended.", "Get another one to run the flow.")
		return s.show(r, http.StatusConflict, f, &note)
	}
	call := playground.Call{Method: playground.ToolsCall, Params: preview.Params(parsed)}
	return s.App.Begin(r, s.App.FlowTarget(f), call)
}

// address ends the address of a flow, or gives it another one.
func (s *Pages) address(r *web.Request, f flow.Saved, verb string) error {
	change := s.App.RenewFlow
	if verb == "end" {
		change = s.App.EndFlow
	}
	if err := change(r.Visit, f); err != nil {
		return err
	}
	return web.SeeOther(r, paths.Flow(f.ID))
}

// restore makes an earlier edition the draft.
func (s *Pages) restore(r *web.Request, f flow.Saved, do string) error {
	_, number, _ := strings.Cut(do, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return app.NotFound()
	}
	if err := s.App.RestoreFlow(r.Visit, f, n); err != nil {
		return err
	}
	return web.SeeOther(r, paths.Flow(f.ID))
}
