package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// most is how many calls a recording has, by kind, beside those that show what failed and what
// was advised: the program has all recordings in it.
var most = map[field.Kind]int{field.Server: 32, field.Client: 12, field.Gateway: 3}

// trim keeps of a recording the calls that show what failed or was advised, then those that show
// most of what passed, what is about MRTR first. A passed fact that none of them shows loses its
// place. Trimming again changes nothing. It returns a file of package export.
func trim(s *field.Subject, data []byte) ([]byte, error) {
	_, n, err := share.Decode(data)
	if err != nil {
		return nil, err
	}
	s.Facts = slices.Clone(s.Facts)
	for i, f := range s.Facts { // what one call does not show
		if f.Outcome == verdict.Passed && strings.HasSuffix(f.Check, "/list-again") {
			s.Facts[i].Exchange, s.Facts[i].Round = 0, 0
		}
	}
	keep := map[int]bool{}
	add := func(exchange int) {
		for _, i := range together(s.Kind, n, exchange-1) {
			keep[i] = true
		}
	}
	addFact := func(f field.Fact) {
		add(f.Exchange)
		scenario, _, _ := strings.Cut(f.Check, "/")
		for i, x := range n.Exchanges { // a fact about a list can be about what came before it
			if s.Kind == field.Client && x.Call.Name() == scenario {
				add(i + 1)
			}
		}
	}
	for _, f := range s.Facts {
		if f.Outcome.Wrong() && f.Exchange > 0 {
			addFact(f)
		}
	}
	for range most[s.Kind] {
		worth := map[int]int{}
		best := 0
		for _, f := range s.Facts {
			if f.Outcome != verdict.Passed || f.Exchange == 0 || keep[f.Exchange-1] {
				continue
			}
			worth[f.Exchange]++
			if strings.HasPrefix(f.Requirement, "mrtr.") {
				worth[f.Exchange] += 2
			}
		}
		for x, w := range worth {
			if w > worth[best] || w == worth[best] && x < best {
				best = x
			}
		}
		if best == 0 {
			break
		}
		for _, f := range s.Facts {
			if f.Exchange == best {
				addFact(f)
			}
		}
	}
	numbers := make([]int, len(n.Exchanges))
	var kept []playground.Exchange
	for i, x := range n.Exchanges {
		if keep[i] {
			x.ID = fmt.Sprint(len(kept) + 1)
			kept = append(kept, coarse(s.Kind, x))
			numbers[i] = len(kept)
		}
	}
	n.Exchanges, n.Title = kept, s.Title()
	for i, f := range s.Facts {
		if f.Exchange == 0 {
			continue
		}
		if s.Facts[i].Exchange = numbers[f.Exchange-1]; s.Facts[i].Exchange == 0 {
			s.Facts[i].Round = 0
		}
	}
	return export.JSON(n)
}

// together returns the calls that are needed to judge one: of a client all calls of the same
// name, of a server the right calls and those of the same experiment, or all of connecting, and of
// a gateway what the upstream got.
func together(kind field.Kind, n session.Session, at int) []int {
	cited := n.Exchanges[at]
	list := []int{at}
	for i, x := range n.Exchanges {
		same := x.Call.Method == cited.Call.Method && x.Call.Name() == cited.Call.Name()
		needed := false
		switch kind {
		case field.Client:
			needed = same
		case field.Server:
			connecting := x.Call.Method != playground.ToolsCall
			needed = same && !connecting && (x.Experiment() == "" || x.Experiment() == cited.Experiment()) ||
				connecting && cited.Call.Method != playground.ToolsCall
		case field.Gateway:
			needed = i > at && !slices.ContainsFunc(n.Exchanges[at+1:i+1], func(x playground.Exchange) bool {
				return !strings.HasPrefix(x.Target.Name, upstreamOf)
			})
		}
		if needed && i != at {
			list = append(list, i)
		}
	}
	return list
}

// coarse returns a call with its times to the millisecond, of a gateway to the hundredth of one,
// by which its two ends are paired, and without the times of the steps of its connections. More
// digits do not compress.
func coarse(kind field.Kind, x playground.Exchange) playground.Exchange {
	unit := time.Millisecond
	if kind == field.Gateway {
		unit /= 100
	}
	x.Created = x.Created.Truncate(unit)
	x.Log = slices.Clone(x.Log)
	for i := range x.Log {
		x.Log[i].At, x.Log[i].Timing = x.Log[i].At.Truncate(unit), nil
	}
	return x
}
