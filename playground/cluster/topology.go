// Package cluster is what a client knows of the instances of a sample behind their
// load balancer, which sampletools/cluster runs: the Topology that the URL of each
// request has, and the Changes that an operator makes to it. It shares no code
// with that package, so that a fault of one is none of the other.
package cluster

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Topology describes the instances of a sample behind its load balancer. It is
// data in the sample's URL: "instances=a:v1,b:v2:drain,c:dead&next=b".
type Topology struct {
	Instances []Instance
	Next      string // name of the instance that gets the next request; empty: the balancer chooses
}

// Instance is one instance of a sample.
type Instance struct {
	Name, Version string
	Health        Health
}

// Health says which requests the load balancer may send to an instance.
type Health string

// The healths of an instance, as the URL of a sample spells them.
const (
	Live  Health = ""
	Drain Health = "drain" // gets a request only if next names it
	Dead  Health = "dead"  // answers no request
)

// ParseTopology reads the URL parameters instances and next. An instance
// without a version gets the version argument. A dead instance never has a
// version of its own, since the URL does not contain it.
func ParseTopology(instances, next, version string) Topology {
	t := Topology{Next: next}
	for entry := range strings.SplitSeq(instances, ",") {
		words := strings.Split(strings.TrimSpace(entry), ":")
		if words[0] == "" {
			continue
		}
		k := Instance{Name: words[0], Version: version}
		for _, w := range words[1:] {
			switch Health(w) {
			case Drain, Dead:
				k.Health = Health(w)
			default:
				k.Version = w
			}
		}
		t.Instances = append(t.Instances, k)
	}
	return t
}

// InstancesOf returns the parameter instances of a sample's URL, or fallback if
// the URL does not set it.
func InstancesOf(rawURL, fallback string) string {
	u, err := url.Parse(rawURL)
	if err != nil || u.Query().Get("instances") == "" {
		return fallback
	}
	return u.Query().Get("instances")
}

// String returns the instance as the URL spells it. A dead one has no version
// there.
func (k Instance) String() string {
	switch k.Health {
	case Dead:
		return k.Name + ":dead"
	case Drain:
		return k.Name + ":" + k.Version + ":drain"
	}
	return k.Name + ":" + k.Version
}

// String returns the instances as the URL spells them.
func (t Topology) String() string {
	words := make([]string, len(t.Instances))
	for i, k := range t.Instances {
		words[i] = k.String()
	}
	return strings.Join(words, ",")
}

// URL returns a sample's URL with this topology in its query. The other
// parameters stay.
func (t Topology) URL(sample string) string {
	return playground.SetQuery(playground.SetQuery(sample, "instances", t.String()), "next", t.Next)
}

// Find returns the instance of that name.
func (t Topology) Find(name string) (Instance, bool) {
	i := slices.IndexFunc(t.Instances, func(k Instance) bool { return k.Name == name })
	if i < 0 {
		return Instance{}, false
	}
	return t.Instances[i], true
}

// Other returns the name of a live instance that is not the named one, or "" if
// there is none.
func (t Topology) Other(name string) string {
	for _, k := range t.Instances {
		if k.Name != name && k.Health == Live {
			return k.Name
		}
	}
	return ""
}
