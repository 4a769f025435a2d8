package lab

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Judge judges the experiments of one Session. It finds what an experiment is
// compared with once for all that are compared with the same.
type Judge struct {
	session []playground.Exchange
	bases   map[string]base // by the id of the right call; "" for none
}

// base is the standard that an experiment is compared with: the right call, and
// the evidence of the Session about the server.
type base struct {
	transcript playground.Transcript
	evidence   evidence
}

// NewJudge returns a Judge of the exchanges of a Session, oldest first.
func NewJudge(session []playground.Exchange) *Judge {
	return &Judge{session, map[string]base{}}
}

// Branch returns the result of the experiment that x, an exchange of the Session,
// was made for. It returns false if x was made for none.
func (j *Judge) Branch(x playground.Exchange) (Result, bool) {
	own := x.FoldOwn().Rounds
	if len(own) == 0 {
		return Result{}, false
	}
	e, known := ExperimentByID(own[0].Decision.Experiment)
	if !known {
		return Result{}, false
	}
	r := Result{Experiment: e, Verdict: verdict.NotReached, Text: "There is no response yet.",
		Exchanges: []playground.Exchange{x}}
	_, answered := changed(x)
	if answered || x.Fold().Status != playground.StatusRunning {
		r.judge(j.baseOf(x))
	}
	return r, true
}

// baseOf returns the base that the experiment of x is compared with. Its
// transcript is empty if the right call is not recorded.
func (j *Judge) baseOf(x playground.Exchange) base {
	right, ok := rightCallOf(x, j.session)
	b, found := j.bases[right.ID]
	if found {
		return b
	}
	if ok {
		b.transcript = right.Fold()
	}
	b.evidence = gatherEvidence(b.transcript, j.session)
	j.bases[right.ID] = b
	return b
}
