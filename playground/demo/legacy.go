package demo

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// LegacyPlan is what the lane before MRTR does next to be as far as step n; false
// when it is. Its instances are its own: the story's fate is not theirs.
func (s Story) LegacyPlan(n int, f playground.Transcript) (Plan, bool) {
	if last := f.Last(); last != nil && last.Lost != "" {
		return Plan{}, false
	}
	t, sends := s.legacyOpening(), 0
	for _, act := range s.Before.Acts[:min(n, len(s.Before.Acts))] {
		p := act.apply(t, askerAt(f, sends))
		if act.Kind == Send {
			if sends++; sends > len(f.Rounds) {
				p.addDecision(s, f)
				return p, p.Decision != nil
			}
		}
		t = p.Topology
		t.Next = "" // from the second request on, routing is what it was then
	}
	return Plan{}, false
}

// LegacyAt is the lane before MRTR as it stood at step n: who stood there, what
// had happened to them, and how many Rounds there were.
func (s Story) LegacyAt(n int, f playground.Transcript) (history []HistoryEntry, rounds int) {
	t := s.legacyOpening()
	for _, act := range s.Before.Acts[:min(n, len(s.Before.Acts))] {
		if act.Kind == Send {
			rounds++
		}
		later := act.apply(t, askerAt(f, rounds)).Topology
		for _, c := range Changes(t, later) {
			history = append(history, HistoryEntry{c, rounds})
		}
		t = later
	}
	return history, rounds
}

// LegacyLogAt is the log of that lane as it stood at step n.
func (s Story) LegacyLogAt(n int, log []playground.Event) []playground.Event {
	_, rounds := s.LegacyAt(n, playground.Fold(log))
	return firstRounds(log, rounds)
}

// LegacyCaption are what is said of it at step n.
func (s Story) LegacyCaption(n int, f playground.Transcript) string {
	if f.Last() == nil || len(s.Before.Captions) == 0 {
		return ""
	}
	return placeholders(f).Replace(s.Before.Captions[min(n, len(s.Before.Captions))-1])
}

// Lost reports whether the lane lost what was answered.
func Lost(f playground.Transcript) bool {
	last := f.Last()
	return last != nil && last.Lost != ""
}

// legacyOpening begins where the story itself begins, if the server of 2025 leaves
// the choice: what differs is the protocol, not the luck with the balancer.
func (s Story) legacyOpening() server.Topology {
	return server.ParseTopology(s.Before.Instances, s.First, s.Versions[0])
}

// askerAt is the instance that served Round n. Who took an answer may be told later
// than the question that followed from it; the call is where it was.
func askerAt(f playground.Transcript, n int) string {
	for ; n > 0; n-- {
		if r := f.Round(n); r != nil && instanceOf(*r) != "" {
			return instanceOf(*r)
		}
	}
	return ""
}
