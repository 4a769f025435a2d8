package picture

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// maxCopies bounds the lanes of one Picture. Copies beyond it are drawn as
// answers of the balancer.
const maxCopies = 6

// Copy is one copy of a sample: Name "b", Version "v2". A copy that is down has
// the version "dead".
type Copy struct {
	Name, Version string
}

// ParseCopies reads the topology of a sample's URL: "a:v1:drain,b:v2,c:dead".
// A drained copy has its version all the same.
func ParseCopies(s string) []Copy {
	var list []Copy
	for entry := range strings.SplitSeq(s, ",") {
		name, version, _ := strings.Cut(strings.TrimSpace(entry), ":")
		version = strings.TrimSuffix(version, ":drain")
		if name != "" {
			list = append(list, Copy{name, version})
		}
	}
	return list
}

// cast is who takes part, and where each stands. You are always lane 0 and the
// client lane 1; behind them comes either one server, or a balancer and copies.
type cast struct {
	lanes  []Lane
	copies map[string]int
}

const (
	you    = 0
	client = 1
	entry  = 2 // the server, or the balancer before the copies
)

func newCast(x playground.Exchange, f playground.Folded, o Options) cast {
	c := cast{
		lanes:  []Lane{{Name: "You"}, {Name: "Client", Note: "this page"}},
		copies: map[string]int{},
	}
	if x.Target.Sample != "" {
		known := o.Copies
		if known == nil {
			known = copiesOfURL(x.Target.URL)
		}
		for _, k := range slices.Concat(known, copiesSeen(f)) {
			c.add(k)
		}
	}
	if len(c.copies) == 0 {
		c.lanes = append(c.lanes, Lane{Name: "Server", Note: serverName(x.Target)})
	}
	return c
}

// add gives a copy its lane; a copy that changed its version keeps it.
func (c *cast) add(k Copy) {
	note := visible(k.Version)
	if note == "dead" {
		note = "down"
	}
	at, ok := c.copies[k.Name]
	switch {
	case ok && note != "" && !strings.HasSuffix(c.lanes[at].Note, note):
		c.lanes[at].Note = strings.TrimPrefix(c.lanes[at].Note+" → "+note, " → ")
	case ok || len(c.copies) == maxCopies:
	default:
		if len(c.copies) == 0 {
			c.lanes = append(c.lanes, Lane{Name: "Balancer"})
		}
		c.copies[k.Name] = len(c.lanes)
		c.lanes = append(c.lanes, Lane{Name: "Copy " + visible(k.Name), Note: note})
	}
}

// server is the lane that serves a Round, as far as it is known: the copy that
// answered, else the one that the user chose, else whoever stands at the entry.
func (c *cast) server(r playground.Round) int {
	for _, name := range []string{r.Copy, r.Decision.Copy} {
		if at, ok := c.copies[splitCopy(name).Name]; ok {
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
	return strings.Replace(name, "Copy", "copy", 1)
}

func copiesOfURL(address string) []Copy {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return ParseCopies(u.Query().Get("copies"))
}

func copiesSeen(f playground.Folded) []Copy {
	var list []Copy
	for _, r := range f.Rounds {
		if r.Copy != "" {
			list = append(list, splitCopy(r.Copy))
		}
	}
	return list
}

// splitCopy reads the header Mcp-Sample-Copy: "b/v2".
func splitCopy(s string) Copy {
	name, version, _ := strings.Cut(s, "/")
	return Copy{name, version}
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
