// Package cluster simulates the instances of a sample server behind a load
// balancer.
//
// The topology is data in the URL, not server memory:
// "?instances=a:v1,b:v2,c:dead&next=b". So one visitor's experiment never
// affects another's, it survives a restart, and every replica of the program
// sees the same instances. Instances share nothing but the keys that seal a
// requestState: a scenario that kept something in memory would work here and
// fail behind a real load balancer.
//
// A Balancer remembers only whose turn it is. It may be used from several
// goroutines.
package cluster

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Instance is one instance of a sample.
type Instance struct {
	Name    string // a letter from a to h
	Version string
	Health  Health
}

// Health says which requests the load balancer may send to an instance.
type Health string

// The healths of an instance.
const (
	Live  Health = ""
	Drain Health = "drain" // gets no new calls; the sessions that it holds may finish
	Dead  Health = "dead"  // answers no request
)

// Label returns the instance as the response header Mcp-Sample-Instance names
// it: "b/v2".
func (c Instance) Label() string { return c.Name + "/" + c.Version }

// String returns the instance as the URL spells it.
func (c Instance) String() string {
	switch c.Health {
	case Dead:
		return c.Name + ":dead"
	case Drain:
		return c.Name + ":" + c.Version + ":drain"
	}
	return c.Name + ":" + c.Version
}

// Topology lists the instances behind a load balancer.
type Topology struct {
	Instances []Instance
	Next      string // name of the instance that gets the next request; empty: the balancer rotates
}

// maxInstances bounds what one URL can start; names go from a to h.
const maxInstances = 8

// Parse reads the URL parameters instances and next. An instance without a
// version runs the first of versions.
func Parse(instances, next string, versions []string) (Topology, error) {
	t := Topology{Next: next}
	for entry := range strings.SplitSeq(instances, ",") {
		c, err := parseInstance(entry, versions)
		if err != nil {
			return Topology{}, err
		}
		if _, ok := t.Find(c.Name); ok {
			return Topology{}, fmt.Errorf("instances: duplicate name %s", c.Name)
		}
		t.Instances = append(t.Instances, c)
	}
	if _, ok := t.Find(next); next != "" && !ok {
		return Topology{}, fmt.Errorf("next: no instance %q among %s", next, instances)
	}
	return t, nil
}

func parseInstance(entry string, versions []string) (Instance, error) {
	parts := strings.Split(entry, ":")
	c := Instance{Name: parts[0], Version: versions[0]}
	if len(c.Name) != 1 || c.Name[0] < 'a' || c.Name[0] >= 'a'+maxInstances {
		return Instance{}, fmt.Errorf("instances: name %q: want a letter from a to %c", c.Name,
			'a'+maxInstances-1)
	}
	for _, word := range parts[1:] {
		switch {
		case word == string(Dead), word == string(Drain):
			c.Health = Health(word)
		case slices.Contains(versions, word):
			c.Version = word
		default:
			return Instance{}, fmt.Errorf("instances: %q of %s: want dead, drain or a version of %s",
				word, c.Name, strings.Join(versions, ", "))
		}
	}
	if len(parts) > 3 {
		return Instance{}, errors.New("instances: too many words for " + c.Name)
	}
	return c, nil
}

// Find returns the instance of that name.
func (t Topology) Find(name string) (Instance, bool) {
	i := slices.IndexFunc(t.Instances, func(c Instance) bool { return c.Name == name })
	if i < 0 {
		return Instance{}, false
	}
	return t.Instances[i], true
}

// String returns the instances as the URL spells them.
func (t Topology) String() string {
	words := make([]string, len(t.Instances))
	for i, c := range t.Instances {
		words[i] = c.String()
	}
	return strings.Join(words, ",")
}

// FirstLive returns the name of the first live instance, or "" if there is none.
func (t Topology) FirstLive() string {
	for _, c := range t.Instances {
		if c.Health == Live {
			return c.Name
		}
	}
	return ""
}
