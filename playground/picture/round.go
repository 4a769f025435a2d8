package picture

import "slices"

// Round returns the request and the response of Round n of a diagram alone, as
// small as they can be read: without you, speech, links and the instances that
// have no part in it. It has no steps if nothing is known of the Round.
func (p Picture) Round(n int) Picture {
	out := Picture{Title: p.Title, Width: p.Width, ID: p.ID, Dense: true, Brief: true}
	for _, s := range p.Steps {
		if s.Round == n && (s.Kind == Call || s.Kind == Reply) && s.From != you && s.To != you {
			out.Steps = append(out.Steps, s)
		}
	}
	if len(out.Steps) > 2 {
		out.Steps = []Step{out.Steps[0], out.Steps[len(out.Steps)-1]}
	}
	moved := map[int]int{}
	for i, lane := range p.Lanes {
		if slices.ContainsFunc(out.Steps, func(s Step) bool { return s.From == i || s.To == i }) {
			moved[i] = len(out.Lanes)
			out.Lanes = append(out.Lanes, lane)
		}
	}
	for i := range out.Steps {
		s := &out.Steps[i]
		s.From, s.To, s.Via, s.Speech = moved[s.From], moved[s.To], 0, ""
	}
	return out
}
