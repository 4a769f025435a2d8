package stage

import (
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// readStory reads a story and checks that what it plays on is here.
func (s *Pages) readStory(r *web.Request, text string) (demo.Story, []document.Problem) {
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
		if err := s.Store.HasExchange(r.Context(), r.Visit.Workspace(), id); err != nil {
			problems = append(problems, document.Problem{Line: 1, Column: 1, Path: "server.recorded",
				Text: "A recorded call of this demo does not exist here. " +
					"It was deleted, or the demo came from elsewhere."})
			break
		}
	}
	return story, problems
}
