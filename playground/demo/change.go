package demo

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Change is one thing that an operator does to an instance or to the load
// balancer.
type Change struct {
	Do       Operation
	Instance string
	Version  string // of an upgrade
}

// Operation says what an operator does.
type Operation string

// The operations. Choose names the instance that gets the next request; without
// an instance it returns the choice to the load balancer.
const (
	Kill    Operation = "kill"
	Stop    Operation = "drain"
	Upgrade Operation = "upgrade"
	Revive  Operation = "start"
	Choose  Operation = "choose"
)

// Apply returns the topology after the change. It reports false if there is no
// such instance or operation.
func (c Change) Apply(t server.Topology) (server.Topology, bool) {
	i := slices.IndexFunc(t.Instances, func(k server.Instance) bool { return k.Name == c.Instance })
	if i < 0 {
		t.Next = ""
		return t, c.Do == Choose && c.Instance == ""
	}
	t.Instances = slices.Clone(t.Instances)
	k := &t.Instances[i]
	switch c.Do {
	case Kill:
		k.Health = server.Dead
	case Stop:
		k.Health = server.Drain
	case Upgrade:
		k.Version, k.Health = c.Version, server.Live
	case Revive:
		k.Health = server.Live
	case Choose:
		t.Next = c.Instance
		return t, true
	default:
		return t, false
	}
	if k.Health != server.Live && t.Next == c.Instance {
		t.Next = "" // a stopped instance does not get the next request
	}
	return t, true
}

// Changes returns what an operator did to the instances between two topologies.
func Changes(before, after server.Topology) []Change {
	var list []Change
	for _, k := range after.Instances {
		was, ok := before.Find(k.Name)
		switch {
		case !ok || was == k:
		case k.Health == server.Dead && was.Health != server.Dead:
			list = append(list, Change{Do: Kill, Instance: k.Name})
		case k.Health == server.Drain && was.Health != server.Drain:
			list = append(list, Change{Do: Stop, Instance: k.Name})
		case k.Health == server.Live && was.Health != server.Live:
			list = append(list, Change{Do: Revive, Instance: k.Name})
		}
		if ok && was.Version != k.Version && k.Health != server.Dead {
			list = append(list, Change{Do: Upgrade, Instance: k.Name, Version: k.Version})
		}
	}
	return list
}
