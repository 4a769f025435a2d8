package exercise

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// shownBy returns the id of the exchange that shows why a requirement is missed: of the
// experiment that decided it, or else of the first call without which its judge does not
// see the reason.
func (r requirement) shownBy(report lab.Report, s seen, probe, why string) string {
	if probe != "" {
		i := slices.IndexFunc(report.Results, func(p lab.Result) bool { return p.ID == probe })
		return r.exchangeOf(s, report.Results[i])
	}
	some := seen{right: s.right, others: make([]playground.Transcript, len(s.others))}
	for i := range s.others {
		if r.judge == nil || why == "" {
			break
		}
		if now, _ := r.judge(some); now == why {
			break
		}
		if some.others[i] = s.others[i]; s.ids[i] == "" {
			continue
		}
		if now, _ := r.judge(some); now == why {
			return s.ids[i]
		}
	}
	return report.Control.ID
}

// exchangeOf returns the id of the exchange that a failure of the result is about, or "".
func (r requirement) exchangeOf(s seen, result lab.Result) string {
	if result.Verdict != verdict.Failed && result.Verdict != verdict.Advisory {
		for _, x := range result.Exchanges {
			if why, _ := r.wrong(s, lab.Result{Exchanges: []playground.Exchange{x}}); why != "" {
				return x.ID
			}
		}
	}
	if result.Decisive < len(result.Exchanges) {
		return result.Exchanges[result.Decisive].ID
	}
	return ""
}
