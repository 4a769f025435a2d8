package stage

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// NewStory shows the story that can be made of a call, a board, a flow or a story of
// the program. Nothing is stored yet.
func (s *Pages) NewStory(c echo.Context) error {
	q := c.QueryParams()
	story, _, err := s.propose(c, q)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, views.NewStoryPage(s.Page(c, story.Title, "/demos"), views.NewStory{
		Kind: q.Get("kind"), ID: q.Get("id"), Of: q.Get("x"), Preview: views.NewStoryPreview(story, nil),
	}))
}

// AddStory stores a story: a proposed one, or that of a file.
func (s *Pages) AddStory(c echo.Context) error {
	if strings.HasPrefix(c.Request().Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm) {
		return s.importStory(c)
	}
	form, err := s.FormValues(c)
	if err != nil {
		return err
	}
	story, source, err := s.propose(c, form)
	if err != nil {
		return err
	}
	if _, problems := demo.Parse([]byte(source)); len(problems) > 0 {
		return app.Refuse(http.StatusUnprocessableEntity, "story", "No demo can be made of this.",
			problems[0].String())
	}
	return s.addStory(c, demo.Saved{Title: story.Title, Text: source})
}

// importStory stores the story of a file. Problems are shown in the editor.
func (s *Pages) importStory(c echo.Context) error {
	data, err := web.Uploaded(c.Request())
	if err != nil {
		return err
	}
	if err := s.LimitImports(web.VisitOf(c)); err != nil {
		return err
	}
	return s.addStory(c, demo.Saved{Text: string(data)})
}

// addStory stores a story and leads to its editor.
func (s *Pages) addStory(c echo.Context, d demo.Saved) error {
	v := web.VisitOf(c)
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
	return web.SeeOther(c, views.StoryPath(d.ID))
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
func (s *Pages) EditStory(c echo.Context) error {
	id, file := strings.CutSuffix(c.Param("id"), ".yaml")
	d, err := s.Store.SavedStory(c.Request().Context(), web.VisitOf(c).Workspace(), id)
	if err != nil {
		return err
	}
	if file {
		c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="demo.yaml"`)
		return c.Blob(http.StatusOK, "text/plain; charset=utf-8", []byte(d.Text))
	}
	story, problems := s.readStory(c, d.Text)
	model := views.NewStoryEditor(d, story, problems, s.place(story.Sample, story.Flow).Legacy)
	return s.Render(c, http.StatusOK, views.StoryEditorPage(s.Page(c, d.Title, "/demos"), model))
}

// SaveStory stores the text of the editor, and does what its button says: shows the
// story, or changes its steps. A preview stores nothing.
func (s *Pages) SaveStory(c echo.Context) error {
	v := web.VisitOf(c)
	ctx := v.Context()
	d, err := s.Store.SavedStory(ctx, v.Workspace(), c.Param("id"))
	if err != nil {
		return err
	}
	form, err := s.FormValues(c)
	if err != nil {
		return err
	}
	d.Text = web.First(form["text"])
	if err := checkStory(&d); err != nil {
		return err
	}
	story, problems := s.readStory(c, d.Text)
	do := web.First(form["do"])
	if do == "preview" {
		model := views.NewStoryEditor(d, story, problems, s.place(story.Sample, story.Flow).Legacy)
		return s.Render(c, http.StatusOK, views.StoryPreviewView(model.Preview))
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
		return web.SeeOther(c, "/demos/"+url.PathEscape(d.ID))
	}
	return web.SeeOther(c, views.StoryPath(d.ID))
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
func (s *Pages) DeleteStory(c echo.Context) error {
	workspace, err := web.VisitOf(c).Writing()
	if err != nil {
		return err
	}
	if err := s.Store.DeleteStory(c.Request().Context(), workspace, c.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(c, "/demos")
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
