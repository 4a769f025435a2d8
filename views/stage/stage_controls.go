package stage

import (
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// Controls lists what an operator can do to the instances.
type Controls struct {
	Instances []InstanceControl
	Balance   bool   // the load balancer chooses
	Address   string // of the next request, without the host
}

// InstanceControl is one instance with what can be done to it.
type InstanceControl struct {
	Name, Note string
	Next       bool
	Dos        []InstanceAction
}

// InstanceAction is a button of an instance.
type InstanceAction struct{ Do, Label string }

// newControls returns the actions for each instance and the address of the next
// request.
func newControls(in Input, t cluster.Topology, f playground.Transcript) *Controls {
	next := t
	if in.N < len(in.Story.Steps) && in.Story.Steps[in.N].Act.Kind == demo.Send {
		next = in.Story.Plan(in.N+1, t, f).Topology
	}
	c := &Controls{Balance: next.Next == ""}
	if u, err := url.Parse(next.URL(in.Own.Target.URL)); err == nil {
		c.Address = u.RequestURI()
	}
	for _, k := range t.Instances {
		control := InstanceControl{Name: k.Name, Note: k.Version, Next: next.Next == k.Name}
		if k.Health == cluster.Live {
			control.Dos = append(control.Dos, InstanceAction{string(cluster.Stop), "Drain"},
				InstanceAction{string(cluster.Kill), "Kill"})
		} else {
			control.Note += map[cluster.Health]string{cluster.Dead: ", down",
				cluster.Drain: ", drained"}[k.Health]
			control.Dos = append(control.Dos, InstanceAction{string(cluster.Revive), "Start again"})
		}
		if v := in.Story.Versions; k.Version != v[len(v)-1] {
			control.Dos = append(control.Dos,
				InstanceAction{string(cluster.Upgrade), "Upgrade to " + v[len(v)-1]})
		}
		c.Instances = append(c.Instances, control)
	}
	return c
}
