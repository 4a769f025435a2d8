package cluster

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Change is one thing that an operator does to an instance or to the load
// balancer.
type Change struct {
	Do       Operation
	Instance string
	Version  string // of an upgrade
}

// Operation is an action of an operator.
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
func (c Change) Apply(t Topology) (Topology, bool) {
	i := slices.IndexFunc(t.Instances, func(k Instance) bool { return k.Name == c.Instance })
	if i < 0 {
		t.Next = ""
		return t, c.Do == Choose && c.Instance == ""
	}
	t.Instances = slices.Clone(t.Instances)
	k := &t.Instances[i]
	switch c.Do {
	case Kill:
		k.Health = Dead
	case Stop:
		k.Health = Drain
	case Upgrade:
		k.Version, k.Health = c.Version, Live
	case Revive:
		k.Health = Live
	case Choose:
		t.Next = c.Instance
		return t, true
	default:
		return t, false
	}
	if k.Health != Live && t.Next == c.Instance {
		t.Next = "" // a stopped instance does not get the next request
	}
	return t, true
}

// Changes returns the actions of an operator on the instances between two
// topologies.
func Changes(before, after Topology) []Change {
	var list []Change
	for _, k := range after.Instances {
		was, ok := before.Find(k.Name)
		switch {
		case !ok || was == k:
		case k.Health == Dead && was.Health != Dead:
			list = append(list, Change{Do: Kill, Instance: k.Name})
		case k.Health == Drain && was.Health != Drain:
			list = append(list, Change{Do: Stop, Instance: k.Name})
		case k.Health == Live && was.Health != Live:
			list = append(list, Change{Do: Revive, Instance: k.Name})
		}
		if ok && was.Version != k.Version && k.Health != Dead {
			list = append(list, Change{Do: Upgrade, Instance: k.Name, Version: k.Version})
		}
	}
	return list
}

// HistoryEntry is a Change and the Round after which it happened.
type HistoryEntry struct {
	Change
	After int
}

// History returns the events of the instances of a sample between the Rounds of
// a call, as far as the record shows it: each request names the topology in its
// URL, and each response the instance that sent it.
func History(f playground.Transcript) []HistoryEntry {
	var list []HistoryEntry
	var before Topology
	for _, r := range f.Rounds {
		now := topologyOf(r)
		for i, k := range now.Instances {
			if was, ok := before.Find(k.Name); ok && k.Health == Dead {
				now.Instances[i].Version = was.Version
			}
		}
		for _, c := range Changes(before, now) {
			list = append(list, HistoryEntry{c, r.N - 1})
		}
		if len(now.Instances) > 0 {
			before = now
		}
		before.saw(r.ServedBy())
	}
	return list
}

// topologyOf returns the topology in the URL of a request, which is empty if
// the URL has none.
func topologyOf(r playground.Round) Topology {
	line, _, _ := bytes.Cut(r.Request.Head, []byte("\r\n"))
	words := strings.Fields(string(line))
	if len(words) < 2 {
		return Topology{}
	}
	u, err := url.ParseRequestURI(words[1])
	if err != nil {
		return Topology{}
	}
	return ParseTopology(u.Query().Get("instances"), "", "")
}

// saw notes the instance that answered: it is live and has that version.
func (t *Topology) saw(name, version string) {
	if name == "" {
		return
	}
	i := slices.IndexFunc(t.Instances, func(k Instance) bool { return k.Name == name })
	if i < 0 {
		t.Instances = append(t.Instances, Instance{Name: name, Version: version})
		return
	}
	t.Instances[i].Version = version
}
