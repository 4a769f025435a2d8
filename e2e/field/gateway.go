package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/e2e/field/gateways"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// errMissing is the error of a subject that is not installed here.
var errMissing = errors.New("not installed")

// gatewaySources returns the gateways and proxies.
func gatewaySources() []source {
	var list []source
	for _, g := range gateways.Table() {
		s := field.Subject{
			Slug: "gateway-" + g.Slug, Kind: field.Gateway, Name: g.Name, Condition: g.Condition,
			Revisions: []string{},
		}
		list = append(list, source{s, func(ctx context.Context, s *field.Subject) (session.Session, error) {
			if why := g.Missing(); why != "" {
				return session.Session{}, fmt.Errorf("%w: %s", errMissing, why)
			}
			version, err := g.Version(ctx)
			if err != nil {
				return session.Session{}, err
			}
			s.Version = version
			d, err := gateways.Measure(ctx, os.Getenv("MRTR_PROGRAM"), g)
			if err != nil {
				return session.Session{}, err
			}
			return readGateway(s, d)
		}})
	}
	return list
}

// readGateway adds the facts of a report on a gateway to a subject, and returns the recording of
// both ends: after each call as the client made it, what the upstream got of it.
func readGateway(s *field.Subject, d gateway.Document) (session.Session, error) {
	s.Revisions = []string{d.Revision}
	p, err := newPairs(s.Name, d)
	if err != nil {
		return session.Session{}, err
	}
	for _, l := range d.Lines {
		f := field.Fact{
			Check: l.ID, Requirement: l.Requirement, Title: l.Title, Level: string(l.Level),
			Outcome: l.Verdict, Sentence: l.Text,
		}
		if f.Sentence == "" {
			f.Sentence = l.Title + "."
		}
		if l.Verdict.Judged() {
			if l.Where == nil {
				return session.Session{}, fmt.Errorf("line %s has no place", l.ID)
			}
			if f.Exchange, f.Round = p.number(l.Where.Request); f.Exchange == 0 {
				return session.Session{}, fmt.Errorf("line %s is about no request", l.ID)
			}
			f.Condition = "Tool " + l.Where.Name
		}
		f.Sentence = steady(f.Sentence, d)
		s.Facts = append(s.Facts, f)
	}
	return session.Session{Exchanges: p.client.made}, nil
}

// upstreamOf begins the name of an upstream as a target.
const upstreamOf = "the upstream of "

// pairs are the calls of a client with both ends.
type pairs struct {
	requests []gateway.RequestDocument // in the order of the client
	client   cited
	upstream traffic
	ups      [][]int // of each request of the client, those at the upstream
}

// newPairs joins the requests of both ends into calls.
func newPairs(name string, d gateway.Document) (*pairs, error) {
	p := &pairs{}
	for _, c := range d.Calls {
		p.requests = append(p.requests, c.Requests...)
	}
	slices.SortStableFunc(p.requests, func(a, b gateway.RequestDocument) int {
		return a.Client.Started.Compare(b.Client.Started)
	})
	var ends, ups []request
	for _, q := range p.requests {
		ends = append(ends, newRequest(q.Client))
		var list []int
		for _, u := range q.Upstream {
			list = append(list, len(ups))
			ups = append(ups, newRequest(u))
		}
		p.ups = append(p.ups, list)
	}
	if len(ends) == 0 || len(ups) == 0 {
		return p, errors.New("nothing reached the upstream")
	}
	through := playground.Target{Name: "through " + name, URL: "http://" + hostOf(ends[0].Request) + "/"}
	if hostOf(ends[0].Request) == "" { // the gateway is a command
		through.URL = wire.CommandURL([]string{name})
	}
	behind := playground.Target{
		Name: upstreamOf + name,
		URL:  "http://" + hostOf(ups[0].Request) + "/mcp",
	}
	var err error
	if p.client.traffic, err = join(through, ends); err != nil {
		return p, err
	}
	p.upstream, err = join(behind, ups)
	return p, err
}

func newRequest(e gateway.EndDocument) request {
	return request{
		capture.RequestDocument{
			RoundDocument: e.RoundDocument,
			Started:       e.Started,
			Ended:         e.Ended,
		}, e.Messages,
	}
}

// number returns the number of the client's end of the call that has a request, from 1, and the
// round; 0 if there is none. What the upstream got of the call follows it in the recording.
func (p *pairs) number(n int) (exchange, round int) {
	at := slices.IndexFunc(p.requests, func(q gateway.RequestDocument) bool { return q.Request == n })
	if at < 0 {
		return 0, 0
	}
	before := len(p.client.made)
	exchange, round = p.client.number(at)
	if len(p.client.made) == before {
		return exchange, round
	}
	added := map[int]bool{}
	for i, q := range p.client.places {
		if q.exchange != p.client.places[at].exchange {
			continue
		}
		for _, u := range p.ups[i] {
			if e := p.upstream.places[u].exchange; !added[e] {
				added[e] = true
				x := p.upstream.exchanges[e]
				x.ID = fmt.Sprint(len(p.client.made) + 1)
				p.client.made = append(p.client.made, x)
			}
		}
	}
	return exchange, round
}

// steady returns a sentence without the marks of one run.
func steady(sentence string, d gateway.Document) string {
	for _, c := range d.Calls {
		if c.Mark != "" {
			sentence = strings.ReplaceAll(sentence, c.Mark, "MARK")
		}
	}
	return sentence
}
