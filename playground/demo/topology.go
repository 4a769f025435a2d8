package demo

import (
	"net/url"
	"slices"
	"strings"
)

// Health is what the balancer may send to an instance.
type Health string

// Healths of an instance, as they are spelt in the URL of a sample.
const (
	Live  Health = ""
	Drain Health = "drain" // gets no request unless it is named
	Dead  Health = "dead"
)

// Instance is one of the instances behind the balancer.
type Instance struct {
	Name, Version string
	Health        Health
}

// String is the instance as it stands in the URL. A dead one has no version there.
func (c Instance) String() string {
	switch c.Health {
	case Dead:
		return c.Name + ":dead"
	case Drain:
		return c.Name + ":" + c.Version + ":drain"
	}
	return c.Name + ":" + c.Version
}

// Topology is who stands behind the balancer, and who gets the next request.
type Topology struct {
	Instances []Instance
	Next      string // name of an instance; empty leaves it to the balancer
}

// ParseTopology reads what stands in the URL of a sample. A dead instance comes
// back with the version first, for its own is not written down.
func ParseTopology(instances, next, first string) Topology {
	t := Topology{Next: next}
	for entry := range strings.SplitSeq(instances, ",") {
		words := strings.Split(entry, ":")
		c := Instance{Name: words[0], Version: first}
		for _, w := range words[1:] {
			switch Health(w) {
			case Drain, Dead:
				c.Health = Health(w)
			default:
				c.Version = w
			}
		}
		t.Instances = append(t.Instances, c)
	}
	return t
}

// String is the instances as they stand in the URL.
func (t Topology) String() string {
	words := make([]string, len(t.Instances))
	for i, c := range t.Instances {
		words[i] = c.String()
	}
	return strings.Join(words, ",")
}

// Address is a sample's URL with this topology in it. Whatever else stands in
// the URL stays.
func (t Topology) Address(sample string) string {
	u, err := url.Parse(sample)
	if err != nil {
		return sample
	}
	q := u.Query()
	q.Set("instances", t.String())
	q.Del("next")
	if t.Next != "" {
		q.Set("next", t.Next)
	}
	u.RawQuery = strings.NewReplacer("%2C", ",", "%3A", ":").Replace(q.Encode())
	return u.String()
}

// Find is the instance of that name.
func (t Topology) Find(name string) (Instance, bool) {
	i := t.index(name)
	if i < 0 {
		return Instance{}, false
	}
	return t.Instances[i], true
}

func (t Topology) index(name string) int {
	return slices.IndexFunc(t.Instances, func(c Instance) bool { return c.Name == name })
}

// Other is the name of a live instance that is not the named one; empty when there
// is none.
func (t Topology) Other(name string) string {
	for _, c := range t.Instances {
		if c.Name != name && c.Health == Live {
			return c.Name
		}
	}
	return ""
}

// Change is one thing that an operator does to an instance, or to the balancer.
type Change struct {
	Do       Operation
	Instance string
	Version  string // of an upgrade
}

// Operation is what an operator does.
type Operation string

// Operations. Choose names the instance that gets the next request; with no instance
// the balancer chooses again.
const (
	Kill    Operation = "kill"
	Stop    Operation = "drain"
	Upgrade Operation = "upgrade"
	Revive  Operation = "start"
	Choose  Operation = "choose"
)

// With is the topology after a change; false when there is no such instance or
// nothing to change.
func (t Topology) With(c Change) (Topology, bool) {
	i := t.index(c.Instance)
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
		t.Next = "" // nobody sends to it on purpose
	}
	return t, true
}

// Changes are what happened to the instances on the way from t to the later one.
func (t Topology) Changes(later Topology) []Change {
	var list []Change
	for _, c := range later.Instances {
		was, ok := t.Find(c.Name)
		switch {
		case !ok || was == c:
		case c.Health == Dead && was.Health != Dead:
			list = append(list, Change{Do: Kill, Instance: c.Name})
		case c.Health == Drain && was.Health != Drain:
			list = append(list, Change{Do: Stop, Instance: c.Name})
		case c.Health == Live && was.Health != Live:
			list = append(list, Change{Do: Revive, Instance: c.Name})
		}
		if ok && was.Version != c.Version && c.Health != Dead {
			list = append(list, Change{Do: Upgrade, Instance: c.Name, Version: c.Version})
		}
	}
	return list
}
