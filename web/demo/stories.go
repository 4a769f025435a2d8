package demo

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	demoview "github.com/mrtr-playground/mrtr-playground/views/demo"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// NewStory shows the story that can be made of a call, a board, a flow or a story of
// the program. Nothing is stored yet. An address without one says how to choose.
func (s *Pages) NewStory(r *web.Request) error {
	q := r.QueryParams()
	if q.Get("kind") == "" || q.Get("id") == "" {
		return app.Refuse(app.Invalid, "nothing_chosen", "Nothing is chosen to make a demo of.",
			"Open a call, a results board or a flow, and choose “Make a demo of it” there.")
	}
	draft, err := s.propose(r, q)
	if err != nil {
		return err
	}
	return s.App.Render(r, http.StatusOK, demoview.NewStoryPage(s.App.Page(r, draft.Story.Title, "/demos"),
		demoview.Propose(draft, q.Get("kind"), q.Get("id"), q.Get("x"))))
}

// AddStory stores a story, a proposed one or that of a file, and leads to its editor.
func (s *Pages) AddStory(r *web.Request) error {
	source, err := s.newStory(r)
	if err != nil {
		return err
	}
	id, err := s.App.MakeStory(r.Visit, source)
	if err != nil {
		return err
	}
	return web.SeeOther(r, demoview.StoryPath(id))
}

// newStory returns the text of a story that is to be stored: of a file, or what is proposed with the
// sentences of the form. The editor shows the problems of either.
func (s *Pages) newStory(r *web.Request) (string, error) {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		data, err := web.Uploaded(r.Request)
		if err != nil {
			return "", err
		}
		return string(data), s.App.LimitImports(r.Visit)
	}
	form, err := s.App.FormValues(r)
	if err != nil {
		return "", err
	}
	draft, err := s.propose(r, form)
	if err != nil {
		return "", err
	}
	if _, problems := demo.Parse([]byte(draft.Story.YAML())); len(problems) > 0 {
		return "", app.Refuse(app.Invalid, "story", "No demo can be made of this.", problems[0].String())
	}
	return draft.Edited(func(name string) (string, bool) {
		return web.First(form[name]), form.Has(name)
	}), nil
}

// propose returns the story that can be made of what values name.
func (s *Pages) propose(r *web.Request, values url.Values) (demo.Draft, error) {
	return s.App.ProposeStory(r.Visit, values.Get("kind"), values.Get("id"), values.Get("x"))
}

// EditStory shows the editor of a story, or gives its text as a file.
func (s *Pages) EditStory(r *web.Request) error {
	id, file := strings.CutSuffix(r.Param("id"), ".yaml")
	d, err := s.Store.SavedStory(r.Context(), r.Visit.Workspace(), id)
	if err != nil {
		return err
	}
	if file {
		r.Writer.Header().Set("Content-Disposition", `attachment; filename="demo.yaml"`)
		return r.Bytes(http.StatusOK, "text/plain; charset=utf-8", []byte(d.Text))
	}
	story, problems := s.App.ReadStory(r.Visit, d.Text)
	model := demoview.NewStoryEditor(d, story, problems, s.App.Place(story.Sample, story.Flow).Legacy)
	return s.App.Render(r, http.StatusOK, demoview.StoryEditorPage(s.App.Page(r, d.Title, "/demos"), model))
}

// SaveStory stores the text of the editor, and does what its button says: shows the
// story, or changes its steps. A preview stores nothing.
func (s *Pages) SaveStory(r *web.Request) error {
	d, err := s.Store.SavedStory(r.Context(), r.Visit.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	form, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	d.Text = web.First(form["text"])
	if d, err = app.StoredStory(d); err != nil {
		return err
	}
	story, problems := s.App.ReadStory(r.Visit, d.Text)
	do := web.First(form["do"])
	if do == "preview" {
		model := demoview.NewStoryEditor(d, story, problems, s.App.Place(story.Sample, story.Flow).Legacy)
		return s.App.Render(r, http.StatusOK, demoview.StoryPreviewView(model.Preview))
	}
	if changed, ok := s.App.ChangeStory(story, do); ok && len(problems) == 0 {
		d.Text = changed.YAML()
		if d, err = app.StoredStory(d); err != nil {
			return err
		}
	}
	if err := s.App.SaveStory(r.Visit, d); err != nil {
		return err
	}
	if do == "watch" && len(problems) == 0 {
		return web.SeeOther(r, "/demos/"+url.PathEscape(d.ID))
	}
	return web.SeeOther(r, demoview.StoryPath(d.ID))
}

// DeleteStory deletes a story.
func (s *Pages) DeleteStory(r *web.Request) error {
	if err := s.App.DeleteStory(r.Visit, r.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(r, "/demos")
}
