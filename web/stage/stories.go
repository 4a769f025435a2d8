package stage

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// NewStory shows the story that can be made of a call, a board, a flow or a story of
// the program. Nothing is stored yet.
func (s *Pages) NewStory(r *web.Request) error {
	q := r.QueryParams()
	story, _, err := s.propose(r, q)
	if err != nil {
		return err
	}
	proposed := stageview.NewStory{
		Kind: q.Get("kind"), ID: q.Get("id"), Of: q.Get("x"), Preview: stageview.NewStoryPreview(story, nil),
	}
	return s.Render(r, http.StatusOK, stageview.NewStoryPage(s.Page(r, story.Title, "/demos"), proposed))
}

// AddStory stores a story: a proposed one, or that of a file.
func (s *Pages) AddStory(r *web.Request) error {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return s.importStory(r)
	}
	form, err := s.FormValues(r)
	if err != nil {
		return err
	}
	story, source, err := s.propose(r, form)
	if err != nil {
		return err
	}
	if _, problems := demo.Parse([]byte(source)); len(problems) > 0 {
		return app.Refuse(http.StatusUnprocessableEntity, "story", "No demo can be made of this.",
			problems[0].String())
	}
	return s.addStory(r, demo.Saved{Title: story.Title, Text: source})
}

// importStory stores the story of a file. Problems are shown in the editor.
func (s *Pages) importStory(r *web.Request) error {
	data, err := web.Uploaded(r.Request)
	if err != nil {
		return err
	}
	if err := s.LimitImports(r.Visit); err != nil {
		return err
	}
	return s.addStory(r, demo.Saved{Text: string(data)})
}

// addStory stores a story and leads to its editor.
func (s *Pages) addStory(r *web.Request, d demo.Saved) error {
	v := r.Visit
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	if err := checkStory(&d); err != nil {
		return err
	}
	d.ID, d.Created, d.Used = s.NewID(), s.Now(), s.Now()
	added := false
	err = s.Write(v, 1024+4*len(d.Title)+len(d.Text), func() error {
		added, err = s.Store.AddStory(v.Context(), workspace, d, s.Limits.Stories)
		return err
	})
	if err != nil {
		return err
	}
	if !added {
		return app.Refuse(http.StatusUnprocessableEntity, "too_many_stories",
			fmt.Sprintf("You already have %d demos, which is the limit.", s.Limits.Stories),
			"Nothing was saved. Delete one first.")
	}
	return web.SeeOther(r, stageview.StoryPath(d.ID))
}

// checkStory refuses a text that cannot be kept, and sets the title for lists.
func checkStory(d *demo.Saved) error {
	d.Text = strings.ToValidUTF8(strings.ReplaceAll(d.Text, "\r\n", "\n"), "\ufffd")
	d.Text = strings.ReplaceAll(d.Text, "\x00", "\ufffd")
	if len(d.Text) > document.MaxBytes {
		return app.Refuse(http.StatusUnprocessableEntity, "story_too_large", "This demo is too long.",
			"Its text has "+text.Size(len(d.Text))+", at most "+text.Size(document.MaxBytes)+" are allowed. "+
				"Nothing was saved.")
	}
	if story, problems := demo.Parse([]byte(d.Text)); len(problems) == 0 {
		d.Title = story.Title
	}
	d.Title = cmp.Or(d.Title, "A demo with problems")
	return nil
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
	story, problems := s.readStory(r, d.Text)
	model := stageview.NewStoryEditor(d, story, problems, s.place(story.Sample, story.Flow).Legacy)
	return s.Render(r, http.StatusOK, stageview.StoryEditorPage(s.Page(r, d.Title, "/demos"), model))
}

// SaveStory stores the text of the editor, and does what its button says: shows the
// story, or changes its steps. A preview stores nothing.
func (s *Pages) SaveStory(r *web.Request) error {
	v := r.Visit
	ctx := v.Context()
	d, err := s.Store.SavedStory(ctx, v.Workspace(), r.Param("id"))
	if err != nil {
		return err
	}
	form, err := s.FormValues(r)
	if err != nil {
		return err
	}
	d.Text = web.First(form["text"])
	if err := checkStory(&d); err != nil {
		return err
	}
	story, problems := s.readStory(r, d.Text)
	do := web.First(form["do"])
	if do == "preview" {
		model := stageview.NewStoryEditor(d, story, problems, s.place(story.Sample, story.Flow).Legacy)
		return s.Render(r, http.StatusOK, stageview.StoryPreviewView(model.Preview))
	}
	if changed, ok := s.change(story, do); ok && len(problems) == 0 {
		d.Text = changed.YAML()
		if err := checkStory(&d); err != nil {
			return err
		}
	}
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	d.Used = s.Now()
	err = s.Write(v, 1024+4*len(d.Title)+len(d.Text), func() error {
		return s.Store.SetStory(ctx, workspace, d)
	})
	if err != nil {
		return err
	}
	if do == "watch" && len(problems) == 0 {
		return web.SeeOther(r, "/demos/"+url.PathEscape(d.ID))
	}
	return web.SeeOther(r, stageview.StoryPath(d.ID))
}

// change makes the change of a button of the editor, or returns false if it is none.
func (s *Pages) change(story demo.Story, do string) (demo.Story, bool) {
	word, rest, _ := strings.Cut(do, "-")
	switch word {
	case "insert":
		operation, at, _ := strings.Cut(rest, "-")
		n, _ := strconv.Atoi(at) // 0 is no step
		return story.Insert(n, server.Operation(operation))
	case "raise":
		n, _ := strconv.Atoi(rest)
		return story.Raise(n)
	case "remove":
		n, _ := strconv.Atoi(rest)
		return story.Remove(n)
	case "with":
		return story.WithBefore(""), !story.IsRecorded() && s.place(story.Sample, story.Flow).Legacy
	case "without":
		return story.WithoutBefore(), story.HasBefore()
	}
	return story, false
}

// DeleteStory deletes a story. What was shown stays in the history.
func (s *Pages) DeleteStory(r *web.Request) error {
	workspace, err := r.Visit.Writing()
	if err != nil {
		return err
	}
	if err := s.Store.DeleteStory(r.Context(), workspace, r.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(r, "/demos")
}

// place returns where a story of a sample or a flow can be played.
func (s *Pages) place(sample, flow string) demo.Place {
	x, ok := s.Samples.Lookup(slugOf(sample, flow))
	if !ok {
		return demo.Place{}
	}
	p := demo.Place{Sample: x.Slug, Flow: x.Token, Versions: x.Versions, Legacy: x.Era == sampletools.Both}
	if p.Flow != "" {
		p.Sample = ""
	}
	return p
}

// slugOf returns the slug of the sample or flow that a story calls.
func slugOf(sample, flow string) string {
	if flow != "" && sample == "" {
		return sampletools.FlowSlug(flow)
	}
	return sample
}
