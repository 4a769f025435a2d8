// Package demo shows the stories for an audience: their list, their start, and the editor of
// the visitor's own.
package demo

import (
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/views/stage"
)

// Demo is the page that opens a story.
type Demo struct {
	Story   demo.Story
	Present bool
	Reach   *stage.Reach // nil if phones can follow
}

// OwnStory is a story of the visitor in a list.
type OwnStory struct{ ID, Title string }

// NewOwnStories returns the lines of the visitor's stories.
func NewOwnStories(saved []demo.Saved) []OwnStory {
	list := make([]OwnStory, len(saved))
	for i, s := range saved {
		list[i] = OwnStory{s.ID, s.Title}
	}
	return list
}

// NewDemo returns the page that opens a story, before anything is sent.
func NewDemo(story demo.Story, present bool, reach *stage.Reach) Demo {
	return Demo{Story: story, Present: present, Reach: reach}
}
