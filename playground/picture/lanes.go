package picture

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// maxInstances bounds the lanes of one Picture. Instances beyond it are drawn as
// answers of the balancer.
const maxInstances = 6

// Instance is one instance of a sample: Name "b", Version "v2". An instance that is down has
// the version "dead".
type Instance struct {
	Name, Version string
}

// ParseInstances reads the topology of a sample's URL: "a:v1:drain,b:v2,c:dead".
// A drained instance has its version all the same.
func ParseInstances(s string) []Instance {
	var list []Instance
	for entry := range strings.SplitSeq(s, ",") {
		name, version, _ := strings.Cut(strings.TrimSpace(entry), ":")
		version = strings.TrimSuffix(version, ":drain")
		if name != "" {
			list = append(list, Instance{name, version})
		}
	}
	return list
}

// cast is who takes part, and where each stands. You are always lane 0 and the
// client lane 1; behind them comes either one server, or a balancer and instances.
type cast struct {
	lanes     []Lane
	instances map[string]int
}

const (
	you    = 0
	client = 1
	entry  = 2 // the server, or the balancer before the instances
)

func newCast(x playground.Exchange, f playground.Transcript, o Options) cast {
	c := cast{
		lanes:     []Lane{{Name: "You"}, {Name: "Client", Note: "this page"}},
		instances: map[string]int{},
	}
	if x.Target.Sample != "" {
		known := o.Instances
		if known == nil {
			known = instancesOfURL(x.Target.URL)
		}
		for _, k := range slices.Concat(known, instancesSeen(f)) {
			c.add(k)
		}
	}
	if len(c.instances) == 0 {
		c.lanes = append(c.lanes, Lane{Name: "Server", Note: serverName(x.Target)})
	}
	return c
}

// add gives an instance its lane; an instance that changed its version keeps it.
func (c *cast) add(k Instance) {
	note := visible(k.Version)
	if note == "dead" {
		note = "down"
	}
	at, ok := c.instances[k.Name]
	switch {
	case ok && note != "" && !strings.HasSuffix(c.lanes[at].Note, note):
		c.lanes[at].Note = strings.TrimPrefix(c.lanes[at].Note+" → "+note, " → ")
	case ok || len(c.instances) == maxInstances:
	default:
		if len(c.instances) == 0 {
			c.lanes = append(c.lanes, Lane{Name: "Balancer"})
		}
		c.instances[k.Name] = len(c.lanes)
		c.lanes = append(c.lanes, Lane{Name: "Instance " + visible(k.Name), Note: note})
	}
}

// server is the lane that serves a Round, as far as it is known: the instance that
// answered, else the one that the user chose, else whoever stands at the entry.
func (c *cast) server(r playground.Round) int {
	for _, name := range []string{r.Instance, r.Decision.Instance} {
		if at, ok := c.instances[splitInstance(name).Name]; ok {
			return at
		}
	}
	return entry
}

// via is the lane that a Step to the server passes on its way; 0 for none.
func (c *cast) via(server int) int {
	if server > entry {
		return entry
	}
	return 0
}

// name is what a lane is called in a sentence.
func (c *cast) name(lane int) string {
	name := c.lanes[lane].Name
	if lane == entry {
		return "the " + strings.ToLower(name)
	}
	return strings.Replace(name, "Instance", "instance", 1)
}

func instancesOfURL(address string) []Instance {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return ParseInstances(u.Query().Get("instances"))
}

func instancesSeen(f playground.Transcript) []Instance {
	var list []Instance
	for _, r := range f.Rounds {
		if r.Instance != "" {
			list = append(list, splitInstance(r.Instance))
		}
	}
	return list
}

// splitInstance reads the header Mcp-Sample-Instance: "b/v2".
func splitInstance(s string) Instance {
	name, version, _ := strings.Cut(s, "/")
	return Instance{name, version}
}

// serverName is the host, or the target's name when it has no host.
func serverName(t playground.Target) string {
	if t.Sample == "" {
		if u, err := url.Parse(t.URL); err == nil && u.Host != "" {
			return visible(u.Host)
		}
	}
	if t.Name != "" {
		return visible(t.Name)
	}
	return "the server"
}
