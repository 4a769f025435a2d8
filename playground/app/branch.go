package app

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
)

// Branch continues a call from Round n of an exchange, with other answers, for which the
// page of the branch asks.
func (s *App) Branch(v *Visit, x playground.Exchange, n int) (playground.Exchange, error) {
	if err := branchable(x.Fold(), n); n == 0 || err != nil {
		return x, notBranchable()
	}
	open, err := s.UnlockExchange(v, x)
	if err != nil {
		return x, err
	}
	return s.AddBranch(v, BranchOf(open, n))
}

// branchable returns an error for a Round that nothing branches from; 0 is before the
// first.
func branchable(f playground.Transcript, n int) error {
	if n < 0 || len(f.Rounds) == 0 || f.Rounds[0].Legacy {
		return notBranchable()
	}
	if r := f.Round(n); n > 0 && (r == nil || !r.Branchable()) {
		return notBranchable()
	}
	return nil
}

func notBranchable() *Refusal {
	return Refuse(Invalid, "no_branch", "You can't branch from there.",
		"A branch goes on from a round that asked something or that can be retried.")
}

// BranchOf returns a branch from Round n of an unlocked exchange, not stored
// yet.
func BranchOf(x playground.Exchange, n int) playground.Exchange {
	from := x.At(n)
	return playground.Exchange{Session: x.Session, Target: x.Target, Call: x.Call, Origin: &from}
}

// Rerun says how a call is made again.
type Rerun struct {
	State string // how a sample is to protect its state; empty as before
	Kill  bool   // the instance of a sample that asked last is killed before it is answered
}

// Rerun makes the call again from Round 1 with the recorded answers, as long as
// the server asks the same questions.
func (s *App) Rerun(v *Visit, x playground.Exchange, how Rerun) (playground.Exchange, error) {
	open, err := s.UnlockExchange(v, x)
	if err != nil {
		return x, err
	}
	if how.State != "" && x.Target.Sample != "" {
		open.Target.URL = playground.SetQuery(open.Target.URL, "state", how.State)
	}
	ctx, stop := context.WithTimeout(v.Context(), s.Settle+s.Times.Rerun)
	defer stop()
	if how.Kill {
		return s.rerunWithKill(ctx, v, open)
	}
	return s.Driver(v).Rerun(ctx, open, playground.MaxRounds)
}

// rerunWithKill makes the call of x again up to its last question, kills the
// instance that asked it, and goes on with the recorded answer. What was killed
// is data in the URL of the requests that follow.
func (s *App) rerunWithKill(
	ctx context.Context, v *Visit, x playground.Exchange,
) (playground.Exchange, error) {
	f := x.Fold()
	n := len(f.Rounds) - 1
	if x.Target.Sample == "" || n < 1 || !f.Rounds[n-1].Branchable() {
		return x, notBranchable()
	}
	b, err := s.Driver(v).Rerun(ctx, x, n)
	if err != nil {
		return b, err
	}
	last := b.Fold().Last()
	if last == nil || last.N != n || !last.Branchable() {
		return b, nil // it went another way, which its page shows
	}
	asker, _ := last.ServedBy()
	t, ok := cluster.Change{Do: cluster.Kill, Instance: asker}.Apply(s.Topology(b))
	if !ok || t.Other(asker) == "" {
		return b, notBranchable()
	}
	killed := b
	killed.Target.URL = t.URL(b.Target.URL)
	_, err = s.repeater(v, x).To(ctx, killed, n+1)
	return b, err
}
