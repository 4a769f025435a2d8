package demo

import "github.com/mrtr-playground/mrtr-playground/playground"

// Bar is the part of the work that one instance did, as its Round reported it.
type Bar struct {
	Instance        string
	From, To, Total int
}

// Bars returns the work that the Rounds of a lane report, in order. Each Round
// starts where the one before it stopped.
func Bars(f playground.Transcript) []Bar {
	var list []Bar
	done := 0
	for _, r := range f.Rounds {
		b := Bar{Instance: instanceOf(r), From: done, To: done}
		for _, m := range r.AllMessages() {
			params := m.Node.Get("params")
			if m.Err != nil || m.Method() != playground.ProgressNotified {
				continue
			}
			if far, ok := params.Get("progress").Int(); ok {
				b.To = int(far)
			}
			if total, ok := params.Get("total").Int(); ok {
				b.Total = int(total)
			}
		}
		if b.Total > 0 {
			list = append(list, b)
			done = b.To
		}
	}
	return list
}
