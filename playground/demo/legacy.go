package demo

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
)

// LegacyPlan returns the next plan of the lane before MRTR on its way to step
// n, or false if it is there. The lane has a topology of its own.
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
		t.Next = "" // after the first request, sticky routing chooses
	}
	return Plan{}, false
}

// LegacyAt returns the lane before MRTR as it stood at step n: what had
// happened to its instances, and its number of Rounds.
func (s Story) LegacyAt(n int, f playground.Transcript) (history []cluster.HistoryEntry, rounds int) {
	t := s.legacyOpening()
	for _, act := range s.Before.Acts[:min(n, len(s.Before.Acts))] {
		if act.Kind == Send {
			rounds++
		}
		later := act.apply(t, askerAt(f, rounds)).Topology
		for _, c := range cluster.Changes(t, later) {
			history = append(history, cluster.HistoryEntry{Change: c, After: rounds})
		}
		t = later
	}
	return history, rounds
}

// LegacyLogAt returns the log of that lane as it stood at step n.
func (s Story) LegacyLogAt(n int, log []playground.Event) []playground.Event {
	_, rounds := s.LegacyAt(n, playground.Fold(log))
	return firstRounds(log, rounds)
}

// LegacyCaption returns the text of that lane at step n.
func (s Story) LegacyCaption(n int, f playground.Transcript) string {
	if f.Last() == nil || len(s.Before.Captions) == 0 {
		return ""
	}
	return valuesAt(f).Fill(s.Before.Captions[min(n, len(s.Before.Captions))-1])
}

// OwnVerdict returns how the story's own call ended, or "" if it goes on or
// ended in another way than the story expects.
func (s Story) OwnVerdict(f playground.Transcript) string {
	if last := f.Last(); last == nil || last.Kind != playground.OutcomeComplete || last.IsError {
		return ""
	}
	return valuesAt(f).Fill(s.Verdict)
}

// LegacyVerdict returns how the lane before MRTR ended: its answer was lost, or
// its call completed where it began while the story's own completed elsewhere.
// It returns "" if one of them goes on or ended in another way.
func (s Story) LegacyVerdict(own, legacy playground.Transcript) string {
	if !s.HasBefore() {
		return ""
	}
	last, losesAnswer := legacy.Last(), s.losesAnswer()
	completed := last != nil && last.Kind == playground.OutcomeComplete && !last.IsError
	if losesAnswer && !Lost(legacy) || !losesAnswer && !(completed && s.OwnVerdict(own) != "") {
		return ""
	}
	return valuesAt(legacy).Fill(s.Before.Verdict)
}

// losesAnswer reports whether an answer is sent before MRTR after the instance that
// asked has lost its memory.
func (s Story) losesAnswer() bool {
	gone := slices.IndexFunc(s.Before.Acts, func(a Act) bool {
		return a.To == Asker && (a.Do == cluster.Kill || a.Do == cluster.Upgrade)
	})
	return gone >= 0 &&
		slices.ContainsFunc(s.Before.Acts[gone:], func(a Act) bool { return a.Kind == Send })
}

// Lost reports whether the lane lost an answer.
func Lost(f playground.Transcript) bool {
	last := f.Last()
	return last != nil && last.Lost != ""
}

// legacyOpening returns the first topology of the lane. Its first request goes
// to the same instance as the story's own, so that only the protocol differs.
func (s Story) legacyOpening() cluster.Topology {
	return cluster.ParseTopology(s.Before.Instances, s.First, s.Versions[0])
}

// askerAt returns the instance that served Round n. If that is not known yet,
// it returns the instance of the Round before: a legacy call stays on its
// instance.
func askerAt(f playground.Transcript, n int) string {
	for ; n > 0; n-- {
		if r := f.Round(n); r != nil && instanceOf(*r) != "" {
			return instanceOf(*r)
		}
	}
	return ""
}
