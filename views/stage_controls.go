package views

import (
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// Controls are what an operator can do to the copies.
type Controls struct {
	Instances []CopyControl
	Balance   bool   // the balancer chooses
	Address   string // of the next request, without the host
}

// CopyControl is one copy with what can be done to it.
type CopyControl struct {
	Name, Note string
	Next       bool
	Dos        []CopyDo
}

// CopyDo is a button of a copy.
type CopyDo struct{ Do, Label string }

// newControls offers what can be done to each copy, and says where the next
// request goes.
func newControls(in StageInput, t demo.Topology, f playground.Transcript) *Controls {
	next := t
	if in.N < len(in.Story.Steps) && in.Story.Steps[in.N].Act.Kind == demo.Send {
		next = in.Story.Plan(in.N+1, t, f).Topology
	}
	c := &Controls{Balance: next.Next == ""}
	if u, err := url.Parse(next.Address(in.Own.Target.URL)); err == nil {
		c.Address = u.RequestURI()
	}
	for _, k := range t.Instances {
		control := CopyControl{Name: k.Name, Note: k.Version, Next: next.Next == k.Name}
		if k.Health == demo.Live {
			control.Dos = append(control.Dos, CopyDo{string(demo.Stop), "Drain"}, CopyDo{string(demo.Kill), "Kill"})
		} else {
			control.Note += map[demo.Health]string{demo.Dead: ", down", demo.Drain: ", drained"}[k.Health]
			control.Dos = append(control.Dos, CopyDo{string(demo.Revive), "Start again"})
		}
		if v := in.Story.Versions; k.Version != v[len(v)-1] {
			control.Dos = append(control.Dos, CopyDo{string(demo.Upgrade), "Upgrade to " + v[len(v)-1]})
		}
		c.Instances = append(c.Instances, control)
	}
	return c
}
