package lab

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// Tried is what became of one Experiment that was made on a Branch.
type Tried struct {
	Experiment Experiment
	Round      playground.Round // whose request was changed; zero before it was sent
	Reaction   Reaction
	Verdict    rules.Verdict
	Text       string // one sentence
}

// Ended reports whether there is an answer to judge.
func (t Tried) Ended() bool { return t.Round.N > 0 }

// JudgeBranch judges a JudgeBranch on which something was wrong on purpose, by what the
// other exchanges of its session show; false when nothing was.
func JudgeBranch(x playground.Exchange, session []playground.Exchange) (Tried, bool) {
	own := playground.Fold(x.Log).Rounds
	if len(own) == 0 {
		return Tried{}, false
	}
	e, known := ExperimentByID(own[0].Decision.Experiment)
	if !known {
		return Tried{}, false
	}
	t := Tried{Experiment: e, Verdict: rules.NA, Text: "There is no answer yet."}
	round, ended := changed(x)
	if !ended {
		return t, true
	}
	base := origin(x, session)
	s := trial{e: e, x: x, round: round, earlier: roundsBefore(x, round.N), evidence: gatherEvidence(base, byExperiment(session))}
	s.right = rightOf(s, base)
	o := s.judge()
	t.Round, t.Reaction, t.Verdict, t.Text = round, s.reaction(), o.verdict, o.text
	return t, true
}

// origin is what the right call did: the exchange that x goes on from, else the
// one that it began anew.
func origin(x playground.Exchange, session []playground.Exchange) playground.Transcript {
	if x.Origin == nil {
		return playground.Transcript{}
	}
	if x.Origin.Parent != nil {
		f := x.Origin.Parent.Fold()
		if f.Round(x.Origin.Round+1) != nil {
			return f
		}
	}
	for _, other := range session {
		if other.Origin == nil && other.ID != x.ID {
			return other.Fold()
		}
	}
	return playground.Transcript{}
}

// byExperiment sorts exchanges by what was changed on them.
func byExperiment(session []playground.Exchange) map[string][]playground.Exchange {
	made := map[string][]playground.Exchange{}
	for _, x := range session {
		own := playground.Fold(x.Log).Rounds
		if i := slices.IndexFunc(own, func(r playground.Round) bool { return r.Decision.Experiment != "" }); i >= 0 {
			id := own[i].Decision.Experiment
			made[id] = append(made[id], x)
		}
	}
	return made
}
