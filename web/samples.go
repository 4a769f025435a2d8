package web

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// samples keeps the samples as targets. Each is asked once for what it offers,
// when it is first shown.
type samples struct {
	base     string
	list     []sampletools.Sample
	discover func(context.Context, playground.Target) server.Connection

	mu          sync.Mutex
	connections map[string]server.Connection
}

func newSamples(cfg Config) *samples {
	return &samples{
		base: cfg.BaseURL, list: cfg.Samples, discover: cfg.Discover,
		connections: map[string]server.Connection{},
	}
}

func (s *samples) lookup(slug string) (sampletools.Sample, bool) {
	for _, x := range s.list {
		if x.Slug == slug {
			return x, true
		}
	}
	return sampletools.Sample{}, false
}

// target returns a sample as a target; query sets its options.
func (s *samples) target(x sampletools.Sample, query string) playground.Target {
	url := s.base + "/mcp/" + x.Slug
	if query != "" {
		url += "?" + query
	}
	t := playground.Target{
		ID: x.Slug, Sample: x.Slug, Name: x.Title + " (sample)", URL: url, Capabilities: declared(),
	}
	if x.Era == sampletools.Legacy {
		t.Era = playground.Legacy
	}
	return t
}

// leads returns the answers that complete a sample's own call, by key.
func leads(answers json.RawMessage) map[string]json.RawMessage {
	var list map[string]json.RawMessage
	if err := json.Unmarshal(answers, &list); err != nil {
		return nil // a sample without a story
	}
	return list
}

// connection returns what the sample x offers at t. What it offers without a
// token is asked once.
func (s *samples) connection(
	ctx context.Context, x sampletools.Sample, t playground.Target,
) server.Connection {
	t.Era = "" // to be detected like that of any server
	if t.Token != (wire.Field{}) {
		return s.discover(ctx, t)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.connections[x.Slug]; ok {
		return c
	}
	c := s.discover(ctx, t)
	if _, refused := connectChallenge(c); refused || c.Status == server.Connected {
		s.connections[x.Slug] = c
	}
	return c
}

func (s *samples) lines() []views.StartLine {
	lines := make([]views.StartLine, len(s.list))
	for i, x := range s.list {
		lines[i] = startLine(x)
	}
	return lines
}

func startLine(x sampletools.Sample) views.StartLine {
	line := views.StartLine{Slug: x.Slug, Title: x.Title, Group: x.Group, Summary: x.Summary}
	if x.Start.Method != "" {
		line.Label = x.Start.Label
	}
	return line
}

func optionLines(x sampletools.Sample) []views.OptionLine {
	var lines []views.OptionLine
	for _, o := range x.Options {
		lines = append(
			lines, views.OptionLine{Name: o.Name, Values: strings.Join(o.Values, ", "), Meaning: o.Meaning},
		)
	}
	return lines
}

// sample passes a request of another program to the samples, which see the
// address of the client and not that of a proxy.
func (s *app) sample(c echo.Context) error {
	r := c.Request()
	r.RemoteAddr = net.JoinHostPort(c.RealIP(), "0")
	s.SampleMCP.ServeHTTP(c.Response(), r)
	return nil
}
