package app

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// StoryStore keeps the stories of users.
type StoryStore interface {
	AddStory(ctx context.Context, workspace string, d demo.Saved, most int) (bool, error)
	SavedStory(ctx context.Context, workspace, id string) (demo.Saved, error)
	SetStory(ctx context.Context, workspace string, d demo.Saved) error
	DeleteStory(ctx context.Context, workspace, id string) error
	HasExchange(ctx context.Context, workspace, id string) error
}

// OpenStory returns a story by its slug, which is one of the program or of the visit's
// workspace, and its text if it is the workspace's. One with problems is refused.
func (s *App) OpenStory(v *Visit, slug string) (story demo.Story, text string, err error) {
	if story, ok := demo.Find(slug); ok {
		return story, "", nil
	}
	saved, err := s.Store.SavedStory(v.Context(), v.Workspace(), slug)
	if err != nil {
		return demo.Story{}, "", err
	}
	story, problems := s.ReadStory(v, saved.Text)
	if len(problems) > 0 {
		return demo.Story{}, "", Refuse(Invalid, "story",
			"This demo has problems, so it cannot be shown yet.",
			"The first: "+problems[0].String()+" Edit the demo to fix it.")
	}
	story.Slug = saved.ID
	return story, saved.Text, nil
}

// ReadStory reads a story and checks that what it plays on is here.
func (s *App) ReadStory(v *Visit, text string) (demo.Story, []document.Problem) {
	story, problems := demo.Parse([]byte(text))
	if len(problems) > 0 {
		return story, problems
	}
	for _, slug := range []string{story.Sample, story.Before.Sample} {
		if _, ok := s.Samples.Lookup(slug); slug != "" && !ok {
			problems = append(problems, document.Problem{Line: 1, Column: 1, Path: "server.sample",
				Text: "There is no sample " + document.Quote(slug) + " here."})
		}
	}
	if _, ok := s.Samples.Lookup(slugOf("", story.Flow)); story.Flow != "" && !ok {
		problems = append(problems, document.Problem{Line: 1, Column: 1, Path: "server.flow",
			Text: "The flow of this demo does not exist here, or its address has ended."})
	}
	for _, id := range story.Recorded {
		if err := s.Store.HasExchange(v.Context(), v.Workspace(), id); err != nil {
			problems = append(problems, document.Problem{Line: 1, Column: 1, Path: "server.recorded",
				Text: "A recorded call of this demo does not exist here. " +
					"It was deleted, or the demo came from elsewhere."})
			break
		}
	}
	return story, problems
}

// MakeStory stores a new story for the workspace of a visit, and returns its id. A text with
// problems is stored, too: its maker goes on with it in the editor.
func (s *App) MakeStory(v *Visit, source string) (id string, err error) {
	workspace, err := v.Writing()
	if err != nil {
		return "", err
	}
	d, err := StoredStory(demo.Saved{Text: source})
	if err != nil {
		return "", err
	}
	d.ID, d.Created, d.Used = s.NewID(), s.Now(), s.Now()
	added := false
	err = s.Write(v, 1024+4*len(d.Title)+len(d.Text), func() error {
		added, err = s.Store.AddStory(v.Context(), workspace, d, s.Limits.Stories)
		return err
	})
	if err != nil {
		return "", err
	}
	if !added {
		return "", Refuse(Invalid, "too_many_stories",
			fmt.Sprintf("You already have %d demos, which is the limit.", s.Limits.Stories),
			"Nothing was saved. Delete one first.")
	}
	return d.ID, nil
}

// StoredStory returns a story with its text as it is stored, and its title for lists. A text
// that cannot be kept is refused.
func StoredStory(d demo.Saved) (demo.Saved, error) {
	d.Text = strings.ToValidUTF8(strings.ReplaceAll(d.Text, "\r\n", "\n"), "\ufffd")
	d.Text = strings.ReplaceAll(d.Text, "\x00", "\ufffd")
	if len(d.Text) > document.MaxBytes {
		return d, Refuse(Invalid, "story_too_large", "This demo is too long.",
			"Its text has "+text.Size(len(d.Text))+", at most "+text.Size(document.MaxBytes)+" are allowed. "+
				"Nothing was saved.")
	}
	if story, problems := demo.Parse([]byte(d.Text)); len(problems) == 0 {
		d.Title = story.Title
	}
	d.Title = cmp.Or(d.Title, "A demo with problems")
	return d, nil
}

// SaveStory stores the text of a story.
func (s *App) SaveStory(v *Visit, d demo.Saved) error {
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	d.Used = s.Now()
	return s.Write(v, 1024+4*len(d.Title)+len(d.Text), func() error {
		return s.Store.SetStory(v.Context(), workspace, d)
	})
}

// DeleteStory deletes a story. What was shown stays in the history.
func (s *App) DeleteStory(v *Visit, id string) error {
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	return s.Store.DeleteStory(v.Context(), workspace, id)
}

// ChangeStory makes the change of a button of the editor, or returns false if it is none.
func (s *App) ChangeStory(story demo.Story, do string) (demo.Story, bool) {
	word, rest, _ := strings.Cut(do, "-")
	switch word {
	case "insert":
		operation, at, _ := strings.Cut(rest, "-")
		n, _ := strconv.Atoi(at) // 0 is no step
		return story.Insert(n, cluster.Operation(operation))
	case "raise":
		n, _ := strconv.Atoi(rest)
		return story.Raise(n)
	case "remove":
		n, _ := strconv.Atoi(rest)
		return story.Remove(n)
	case "with":
		return story.WithBefore(""), !story.IsRecorded() && s.Place(story.Sample, story.Flow).Legacy
	case "without":
		return story.WithoutBefore(), story.HasBefore()
	}
	return story, false
}

// Place returns where a story of a sample or a flow can be played.
func (s *App) Place(sample, flow string) demo.Place {
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
