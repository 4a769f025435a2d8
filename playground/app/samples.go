package app

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// Samples keeps the samples as targets. Each is asked once for what it offers,
// when it is first shown. A flow of a visitor is a sample, too: this program serves
// both, so what holds for servers of this program is decided by Lookup alone.
type Samples struct {
	base     string
	List     []sampletools.Sample
	flow     func(slug string) (sampletools.Sample, bool)
	discover func(context.Context, playground.Target) server.Connection

	mu          sync.Mutex
	connections map[string]server.Connection
}

func newSamples(cfg Config) *Samples {
	return &Samples{
		base: cfg.BaseURL, List: cfg.Samples, flow: cfg.Flow, discover: cfg.Discover,
		connections: map[string]server.Connection{},
	}
}

// Lookup returns a sample or a flow by its slug.
func (s *Samples) Lookup(slug string) (sampletools.Sample, bool) {
	for _, x := range s.List {
		if x.Slug == slug {
			return x, true
		}
	}
	if s.flow == nil {
		return sampletools.Sample{}, false
	}
	return s.flow(slug)
}

// Target returns a sample as a target; query sets its options. The URL names the
// protection of the state if the sample has one of its own.
func (s *Samples) Target(x sampletools.Sample, query string) playground.Target {
	url := s.base + x.Path()
	if query != "" {
		url += "?" + query
	}
	if x.Protection != "" && !strings.Contains("&"+query, "&state=") {
		url = playground.SetQuery(url, "state", string(x.Protection))
	}
	t := playground.Target{
		ID: x.Slug, Sample: x.Slug, Name: x.Name(), URL: url, Capabilities: Declared(),
	}
	if x.Era == sampletools.Legacy {
		t.Era = playground.Legacy
	}
	return t
}

// FlowTarget returns a flow as a target, be its address open or not.
func (s *App) FlowTarget(f flow.Saved) playground.Target {
	x, ok := s.Samples.Lookup(sampletools.FlowSlug(f.Token))
	if !ok {
		x = sampletools.Sample{Slug: sampletools.FlowSlug(f.Token), Token: f.Token, Title: f.Title}
	}
	t := s.Samples.Target(x, "")
	t.Name = f.Title + " (flow)" // its maker knows whose it is
	return t
}

// FlowTokens returns the tokens of the users' flows among the targets of exchanges. Who
// has one can call the flow, so no reader and no follower gets it.
func FlowTokens(list []playground.Exchange) []string {
	var tokens []string
	for _, x := range list {
		token, ok := strings.CutPrefix(x.Target.Sample, sampletools.FlowSlug(""))
		if _, example := flow.FindExample(token); ok && !example {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// OwnFlow returns the id of a flow whose maker asks, or "".
func (s *App) OwnFlow(v *Visit, x sampletools.Sample) string {
	if x.Token == "" {
		return ""
	}
	f, err := s.Store.FlowAt(v.Context(), x.Token)
	if err != nil || f.Workspace != v.Workspace() {
		return ""
	}
	return f.ID
}

// Leads returns the answers that complete a sample's own call, by key.
func Leads(answers json.RawMessage) map[string]json.RawMessage {
	var list map[string]json.RawMessage
	if err := json.Unmarshal(answers, &list); err != nil {
		return nil // a sample without a story
	}
	return list
}

// Connection returns what the sample x offers at t. What it offers without a
// token is asked once, but of a flow, which can change.
func (s *Samples) Connection(
	ctx context.Context, x sampletools.Sample, t playground.Target,
) server.Connection {
	t.Era = "" // to be detected like that of any server
	if t.Token != (wire.Field{}) || x.Token != "" {
		return s.discover(ctx, t)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.connections[x.Slug]; ok {
		return c
	}
	c := s.discover(ctx, t)
	if _, refused := ConnectChallenge(c); refused || c.Status == server.Connected {
		s.connections[x.Slug] = c
	}
	return c
}
