package demo

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Mark is a step that a Stage has reached: who stands behind the balancer then,
// and how many Rounds of the story's own lane there are.
type Mark struct {
	Instances, Next string
	Rounds          int
}

// Stage is a Story under way: a Session of the kind demo. Marks has one entry
// for every step that was reached, the first step's first.
type Stage struct {
	Session string
	Story   string // slug
	Own     string // id of the Exchange of the story
	Legacy  string // and of the same story before MRTR; empty when nobody asked for it
	Marks   []Mark
}

// Topology is who stands behind the balancer at step n, from 1.
func (s Stage) Topology(story Story, n int) server.Topology {
	if n < 1 || n > len(s.Marks) {
		return story.Opening()
	}
	m := s.Marks[n-1]
	return server.ParseTopology(m.Instances, m.Next, story.Versions[0])
}

// HistoryEntry is a Change and the Round after which it came.
type HistoryEntry struct {
	Change
	After int
}

// History is what happened to the instances up to step n.
func (s Stage) History(story Story, n int) []HistoryEntry {
	var list []HistoryEntry
	was := story.Opening()
	for i := 1; i <= min(n, len(s.Marks)); i++ {
		is := s.Topology(story, i)
		for _, c := range Changes(was, is) {
			list = append(list, HistoryEntry{c, s.Marks[i-1].Rounds})
		}
		was = is
	}
	return list
}

// LogAt is the lane as it stood at step n. The newest step sees everything.
func (s Stage) LogAt(log []playground.Event, n int) []playground.Event {
	if n < 1 || n >= len(s.Marks) {
		return log
	}
	return firstRounds(log, s.Marks[n-1].Rounds)
}

// StepOf is the first step that shows Round r.
func (s Stage) StepOf(r int) int {
	i := slices.IndexFunc(s.Marks, func(m Mark) bool { return m.Rounds >= r })
	if i < 0 {
		return len(s.Marks)
	}
	return i + 1
}

// firstRounds cuts a log before the Round that comes after the first n.
func firstRounds(log []playground.Event, n int) []playground.Event {
	i := slices.IndexFunc(log, func(e playground.Event) bool { return e.Opens() > n })
	if i < 0 {
		return log
	}
	return log[:i]
}

// NewMark is the Mark of a topology with so many Rounds.
func NewMark(t server.Topology, rounds int) Mark {
	return Mark{Instances: t.String(), Next: t.Next, Rounds: rounds}
}
