package web

import (
	"crypto/sha256"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
)

// maxVerdicts is how many sessions the verdicts are kept of.
const maxVerdicts = 256

// Verdicts keeps what the experiments of sessions showed. Judging one needs all
// recordings of its session, but the tree of branches is on every page of a call.
type Verdicts struct{ kept *lru.Cache[string, judged] } // by session

func newVerdicts() Verdicts {
	kept, err := lru.New[string, judged](maxVerdicts)
	if err != nil { // the size is positive
		panic(err)
	}
	return Verdicts{kept}
}

// judged has the results of the experiments of a session, by exchange.
type judged struct {
	of      Digest // of the rows that it was made from
	results map[string]boardview.Showed
}

// Get returns the results of the experiments of a session. It returns false if
// that has to be judged: the session has changed, or it was not judged yet.
func (v Verdicts) Get(id string, rows []session.ExchangeRow) (map[string]boardview.Showed, bool) {
	got, ok := v.kept.Get(id)
	return got.results, ok && got.of == digestOfRows(rows)
}

// Judge judges the experiments of a session and keeps the results.
func (v Verdicts) Judge(
	id string, rows []session.ExchangeRow, exchanges []playground.Exchange,
) map[string]boardview.Showed {
	results := map[string]boardview.Showed{}
	judge := lab.NewJudge(exchanges)
	for _, x := range exchanges {
		if tried, ok := judge.Branch(x); ok && tried.Ended() && tried.ID != lab.EditedID {
			results[x.ID] = boardview.Showed{Verdict: tried.Verdict, Got: tried.Got()}
		}
	}
	v.kept.Add(id, judged{digestOfRows(rows), results})
	return results
}

// Of returns the results of the experiments of a session, whose recordings are
// at hand.
func (v Verdicts) Of(
	id string, rows []session.ExchangeRow, exchanges []playground.Exchange,
) map[string]boardview.Showed {
	if known, ok := v.Get(id, rows); ok {
		return known
	}
	return v.Judge(id, rows, exchanges)
}

// digestOfRows returns the digest of the parts that change when a session does.
func digestOfRows(rows []session.ExchangeRow) Digest {
	h := sha256.New()
	for _, x := range rows {
		Add(h, x.ID, string(x.Status), fmt.Sprint(x.Rounds))
	}
	var d Digest
	h.Sum(d[:0])
	return d
}

// HasExperiment reports whether an experiment of a session has ended.
func HasExperiment(rows []session.ExchangeRow) bool {
	for _, x := range rows {
		if x.Experiment != "" && x.Status != playground.StatusRunning {
			return true
		}
	}
	return false
}
