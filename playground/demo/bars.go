package demo

import "github.com/mrtr-playground/mrtr-playground/playground"

// Bar is how far one instance brought the work, of what its Round reported.
type Bar struct {
	Instance        string
	From, To, Total int
}

// Bars are the stretches of work that the Rounds of a lane report, in order. A
// Round goes on where the one before it ended.
func Bars(f playground.Transcript) []Bar {
	var list []Bar
	done := 0
	for _, r := range f.Rounds {
		b := Bar{Instance: instanceOf(r), From: done, To: done}
		for _, m := range r.Messages {
			params := m.Node.Get("params")
			if m.Err != nil || m.Method() != "notifications/progress" {
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
