package picture

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// maxInstances bounds the lanes of one Picture. Responses of further instances
// are drawn as those of the balancer.
const maxInstances = 6

// Instance is one instance of a sample, such as "b" with the version "v2". An
// instance that is down has the version "dead".
type Instance struct {
	Name, Version string
}

// ParseInstances reads the topology of a sample's URL,
// "a:v1:drain,b:v2,c:dead". A drained instance keeps its version.
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

// participants are the lanes of an Exchange: you, the client, and either one
// server, or a balancer and its instances.
type participants struct {
	lanes     []Lane
	instances map[string]int // lanes of instances, by name
}

// Lanes that every Exchange has.
const (
	you    = 0
	client = 1
	entry  = 2 // the server, or the balancer of the instances
)

func newParticipants(x playground.Exchange, f playground.Transcript, o Options) participants {
	p := participants{
		lanes:     users(f),
		instances: map[string]int{},
	}
	if x.Imported && !f.Foreign() { // this page did not make the call
		p.lanes[client].Note = "imported"
	}
	if x.Target.Sample != "" {
		known := o.Instances
		if known == nil {
			known = instancesOfURL(x.Target.URL)
		}
		for _, k := range slices.Concat(known, instancesSeen(f)) {
			p.add(k)
		}
	}
	if len(p.instances) == 0 {
		p.lanes = append(p.lanes, Lane{Name: "Server", Note: serverName(x.Target)})
	}
	return p
}

// users returns the lanes of the person who answers and of the client.
func users(f playground.Transcript) []Lane {
	if f.Foreign() {
		return []Lane{{Name: userName}, {Name: clientName, Note: clientNote(f)}}
	}
	return []Lane{{Name: youName}, {Name: clientName}}
}

// clientNote returns how a foreign client names itself.
func clientNote(f playground.Transcript) string {
	for _, r := range f.Rounds {
		info := r.Sent.At("params", "_meta", "io.modelcontextprotocol/clientInfo")
		if name := info.Get("name").Str(); name != "" {
			return visible(strings.TrimSpace(name + " " + info.Get("version").Str()))
		}
	}
	return ""
}

// add gives an instance a lane. An instance with a new version keeps its lane.
func (p *participants) add(k Instance) {
	lane := InstanceLane(k)
	at, ok := p.instances[k.Name]
	switch {
	case ok && lane.Note != "" && !strings.HasSuffix(p.lanes[at].Note, lane.Note):
		p.lanes[at].Note = strings.TrimPrefix(p.lanes[at].Note+" → "+lane.Note, " → ")
	case ok || len(p.instances) == maxInstances:
	default:
		if len(p.instances) == 0 {
			p.lanes = append(p.lanes, Lane{Name: balancer})
		}
		p.instances[k.Name] = len(p.lanes)
		p.lanes = append(p.lanes, lane)
	}
}

// server is the lane that serves a Round, as far as it is known: the instance
// that responded, else the one that the user chose, else the entry.
func (p *participants) server(r playground.Round) int {
	for _, name := range []string{r.Instance, r.Decision.Instance} {
		if at, ok := p.instances[splitInstance(name).Name]; ok {
			return at
		}
	}
	return entry
}

// via is the lane that forwards a Step to a server; 0 for none.
func (p *participants) via(server int) int {
	if server > entry {
		return entry
	}
	return 0
}

// name is the name of a lane in a sentence.
func (p *participants) name(lane int) string {
	name := p.lanes[lane].Name
	if lane == entry {
		return "the " + strings.ToLower(name)
	}
	return strings.Replace(name, "Instance", "instance", 1)
}

// instancesOfURL are the instances that the URL of a sample asks for.
func instancesOfURL(address string) []Instance {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return ParseInstances(u.Query().Get("instances"))
}

// instancesSeen are the instances that responded.
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

// serverName is the host of a Target, or its name for a sample.
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
