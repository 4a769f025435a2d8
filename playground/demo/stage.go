package demo

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
)

// Mark is a step that a Stage has reached: its topology, and the number of
// Rounds of the story's own lane.
type Mark struct {
	Instances, Next string
	Rounds          int
}

// Stage is a running Story: a Session of the kind demo. Marks has one entry for
// every step that was reached, in order.
type Stage struct {
	Session string
	Story   string // slug, or the id of a user's story
	Own     string // id of the story's Exchange
	Legacy  string // id of the Exchange before MRTR; empty until it is started
	Text    string // of a user's story as it was when the stage began; empty for one of the program
	Marks   []Mark
	Started time.Time
}

// Played returns the story that the stage plays, or false if the story is not one
// of this program any more.
func (s Stage) Played() (Story, bool) {
	if s.Text == "" {
		return Find(s.Story)
	}
	story, problems := Parse([]byte(s.Text))
	story.Slug = s.Story
	return story, len(problems) == 0
}

// Public returns the story without the parts that the audience does not see:
// the notes, and the params and answers that are sent. The recorded calls get
// the given ids.
func (s Story) Public(ids map[string]string) Story {
	s.Call.Params, s.Answers, s.Responses = json.RawMessage("{}"), nil, nil
	if s.Flow != "" {
		s.Flow = "flow" // its token is its maker's
	}
	s.Recorded, s.Steps = slices.Clone(s.Recorded), slices.Clone(s.Steps)
	for i, id := range s.Recorded {
		s.Recorded[i] = ids[id]
	}
	for i := range s.Steps {
		s.Steps[i].Note = ""
	}
	return s
}

// Call returns the id of the Exchange that step n shows.
func (s Stage) Call(story Story, n int) string {
	if story.IsRecorded() {
		return story.Recorded[story.Steps[n-1].Call-1]
	}
	return s.Own
}

// Topology returns the topology at step n, from 1.
func (s Stage) Topology(story Story, n int) cluster.Topology {
	if n < 1 || n > len(s.Marks) {
		return story.Opening()
	}
	m := s.Marks[n-1]
	return cluster.ParseTopology(m.Instances, m.Next, story.Versions[0])
}

// History returns the changes to the instances up to step n.
func (s Stage) History(story Story, n int) []cluster.HistoryEntry {
	var list []cluster.HistoryEntry
	was := story.Opening()
	for i := 1; i <= min(n, len(s.Marks)); i++ {
		is := s.Topology(story, i)
		for _, c := range cluster.Changes(was, is) {
			list = append(list, cluster.HistoryEntry{Change: c, After: s.Marks[i-1].Rounds})
		}
		was = is
	}
	return list
}

// LogAt returns the log as it stood at step n. The newest step has all of it,
// except in a recorded story.
func (s Stage) LogAt(story Story, log []playground.Event, n int) []playground.Event {
	if n < 1 || n > len(s.Marks) || n == len(s.Marks) && !story.IsRecorded() {
		return log
	}
	return firstRounds(log, s.Marks[n-1].Rounds)
}

// StepOf returns the first step that shows Round r of the call that step n shows.
func (s Stage) StepOf(story Story, n, r int) int {
	for i, m := range s.Marks {
		if m.Rounds >= r && story.Steps[i].Call == story.Steps[n-1].Call {
			return i + 1
		}
	}
	return len(s.Marks)
}

// firstRounds returns the part of a log that belongs to its first n Rounds.
func firstRounds(log []playground.Event, n int) []playground.Event {
	i := slices.IndexFunc(log, func(e playground.Event) bool { return e.Opens() > n })
	if i < 0 {
		return log
	}
	return log[:i]
}

// NewMark returns the Mark of a topology and a number of Rounds.
func NewMark(t cluster.Topology, rounds int) Mark {
	return Mark{Instances: t.String(), Next: t.Next, Rounds: rounds}
}
