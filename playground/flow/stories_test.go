package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// The built-in stories with flows in place of their samples have the same rounds:
// questions, headers and results, on the same instances. Only states differ.
func TestServer_StoriesAsFlows(t *testing.T) {
	for _, story := range demo.Stories() {
		bubble(t, story.Slug, func(t *testing.T) {
			s := newServer(t)
			e, _ := flow.FindExample(story.Slug)
			s.add(story.Slug, e.Source)
			want, got := s.stage(story, story.Sample), s.stage(story, "flow-"+story.Slug)
			if !slices.Equal(got, want) || len(want) < 2 {
				t.Errorf(" got %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// stage shows a story with a sample or flow and returns its rounds.
func (s *server) stage(story demo.Story, slug string) []string {
	s.t.Helper()
	x := s.call(slug, "ttl=24h")
	x.Call = story.Call
	topology := story.Opening()
	for n := range story.Steps {
		p := story.Plan(n+1, topology, x.Fold())
		if topology = p.Topology; p.Decision == nil {
			continue
		}
		sent := x
		sent.Target.URL = topology.URL(x.Target.URL)
		sent, err := s.driver.Open(s.t.Context(), sent, *p.Decision)
		if err != nil {
			s.t.Fatal(err)
		}
		x.Log = sent.Log
	}
	var list []string
	for _, r := range x.Fold().Rounds {
		list = append(list, fmt.Sprintf("round %d, %s at %s", r.N, r.Kind, r.Instance),
			"  request "+heads(r.Request.Head), "  response "+heads(r.Response.Head),
			fmt.Sprintf("  state: %v, error: %v", r.State != nil, r.IsError))
		for _, q := range r.Questions {
			list = append(list, "  asks "+q.Key+" "+string(q.Node.Raw()))
		}
		if r.Final != nil {
			list = append(list, "  ends "+string(r.Final.Get("content").Raw()))
		}
	}
	return list
}

// heads returns the headers of a head but those that differ between any two messages.
func heads(raw []byte) string {
	head, _ := wire.ParseHead(raw)
	var list []string
	for _, f := range head.Fields {
		if f.Name != "Date" && f.Name != "Content-Length" && f.Name != "Traceparent" {
			list = append(list, f.Name+": "+f.Value)
		}
	}
	return strings.Join(list, ", ")
}
