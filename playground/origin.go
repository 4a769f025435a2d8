package playground

import (
	"encoding/json"
	"slices"
)

// Origin is where a Branch goes on from: Round n of another Exchange of the
// same Session. The Rounds up to n belong to both; they are read from there and
// never copied.
type Origin struct {
	Exchange string    // id of the other one
	Round    int       // n; 0 when the Branch begins with the first request
	Parent   *Exchange // the other one, with its own Origin; nil when no Round of it is needed
}

// Fold returns the Transcript of the Exchange's log, after the Rounds that it
// goes on from. A Branch that nothing was sent on is as open as the Round it
// comes from.
func (x Exchange) Fold() Transcript { return x.after(x.FoldOwn()) }

// FoldOwn returns the Transcript of the Exchange's log, without the Rounds that
// it goes on from.
func (x Exchange) FoldOwn() Transcript {
	if x.Reading == nil {
		return Fold(x.Log)
	}
	return x.Reading.fold(x.Log)
}

// ReadOnce gives an Exchange, and those that it goes on from, a Reading, so that
// each log is read once, however often it is folded. The events of the logs must
// not change after that.
func (x *Exchange) ReadOnce() {
	if x.Reading == nil {
		x.Reading = new(Reading)
	}
	if x.Origin != nil && x.Origin.Parent != nil {
		x.Origin.Parent.ReadOnce()
	}
}

// after returns own, the transcript of the exchange's log, after the Rounds that
// the exchange inherits.
func (x Exchange) after(own Transcript) Transcript {
	past := x.inherited()
	if len(past) == 0 {
		return own
	}
	f := Transcript{Status: own.Status, Rounds: slices.Concat(past, own.Rounds), Inherited: len(past)}
	if len(own.Rounds) == 0 {
		f.Status = status(f, slices.ContainsFunc(x.Log, refuses))
	}
	return f
}

func (x Exchange) inherited() []Round {
	if x.Origin == nil || x.Origin.Parent == nil || x.Origin.Round == 0 {
		return nil
	}
	rounds := x.Origin.Parent.Fold().Rounds
	past := slices.IndexFunc(rounds, func(r Round) bool { return r.N > x.Origin.Round })
	if past < 0 {
		return rounds
	}
	return rounds[:past:past]
}

func refuses(e Event) bool { return readDecision(e).Action == ActionRefuse }

// Inherits reports whether Round n is one of those that the Exchange goes on
// from.
func (x Exchange) Inherits(n int) bool { return x.Origin != nil && n <= x.Origin.Round }

// Lineage returns the Exchange preceded by those that it branches from, oldest
// first.
func (x Exchange) Lineage() []Exchange {
	if x.Origin == nil || x.Origin.Parent == nil || x.Origin.Round == 0 {
		return []Exchange{x}
	}
	return append(x.Origin.Parent.Lineage(), x)
}

// At is the Origin of a Branch from Round n: of a Round that was inherited, the
// Exchange it is from, so that a line is never longer than its Rounds.
func (x Exchange) At(n int) Origin {
	if n > 0 && x.Inherits(n) && x.Origin.Parent != nil {
		return x.Origin.Parent.At(n)
	}
	return Origin{Exchange: x.ID, Round: n, Parent: &x}
}

// Experiment returns the id of the Experiment that a decision was made for, or
// "" if there is none. The first event of a log names the purpose of the log.
func (e Event) Experiment() string { return readDecision(e).Experiment }

// Experiment returns the id of the Experiment that the Exchange was made for,
// or "" if there is none.
func (x Exchange) Experiment() string {
	if len(x.Log) == 0 {
		return ""
	}
	return x.Log[0].Experiment()
}

// Answers returns the user's answers by key. If a key was asked more than once,
// the last answer counts.
func (f Transcript) Answers() map[string]json.RawMessage {
	answers := map[string]json.RawMessage{}
	for _, r := range f.Rounds {
		for _, a := range r.Decision.Answers {
			answers[a.Key] = a.Value
		}
	}
	return answers
}
