package exercise

import (
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

// seen is the evidence of the right call and the others.
type seen struct {
	right  playground.Transcript
	others []playground.Transcript // as in others; no Rounds before it was made
	ids    []string                // of the exchanges of others
}

// look finds the right calls among the exchanges.
func look(report lab.Report, exchanges []playground.Exchange) seen {
	s := seen{right: report.Control.Fold(), others: make([]playground.Transcript, len(others)),
		ids: make([]string, len(others))}
	for _, x := range exchanges {
		if x.Experiment() != "" || x.ID == report.Control.ID {
			continue
		}
		for i, t := range others {
			if f := x.Fold(); t.is(x.Call, f.Answers()) {
				s.others[i], s.ids[i] = f, x.ID
			}
		}
	}
	return s
}

// is reports whether a call is that of the table, as far as its first two
// questions were answered.
func (t table) is(c playground.Call, given map[string]json.RawMessage) bool {
	params, err := jsontree.Parse(c.Params, jsontree.Limits{})
	equal := func(node *jsontree.Node, want json.RawMessage) bool {
		value, err := jsontree.Parse(want, jsontree.Limits{})
		return err == nil && jsontree.Equal(node, value)
	}
	if err != nil || !equal(params.Get("arguments"), t.arguments()) {
		return false
	}
	for _, key := range []string{keyPeople, keyTime} {
		answer, err := jsontree.Parse(given[key], jsontree.Limits{})
		if err != nil || !equal(answer.Get("content"), t.answers()[key]) {
			return false
		}
	}
	return true
}

// ended returns Round n of a call once it has an outcome.
func ended(t playground.Transcript, n int) (playground.Round, bool) {
	r := t.Round(n)
	if r == nil || r.Kind == playground.OutcomePending {
		return playground.Round{}, false
	}
	return *r, true
}

// asks are the keys of the questions of the first two rounds, sorted.
var asks = [][]string{{keyPeople, keyTime}, {keyConfirm}}

// asked reports whether Round n of the right call, and each before it, asked
// the right questions.
func (s seen) asked(n int) bool {
	for i := range n {
		if r, ok := ended(s.right, i+1); !ok || !slices.Equal(keysOf(r), asks[i]) {
			return false
		}
	}
	return true
}

// keysOf returns the keys of the questions of a Round, sorted.
func keysOf(r playground.Round) []string {
	var keys []string
	for _, q := range r.Questions {
		keys = append(keys, q.Key)
	}
	slices.Sort(keys)
	return keys
}
