package main

import (
	"context"
	"encoding/json"
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
	p := pairs{gateway: s.Name}
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
			var err error
			if f.Exchange, f.Round, err = p.find(d, l.Where.Request); err != nil {
				return session.Session{}, fmt.Errorf("line %s: %w", l.ID, err)
			}
			f.Condition = "Tool " + l.Where.Name
		}
		f.Sentence = steady(f.Sentence, d)
		s.Facts = append(s.Facts, f)
	}
	return session.Session{Exchanges: p.made}, nil
}

// pairs are calls with both ends.
type pairs struct {
	gateway string
	made    []playground.Exchange
}

// end is one end of the requests of a call.
type end struct {
	name     string
	requests []gateway.EndDocument
}

// find returns the number of the client's end of the call that has a request, and the round.
func (p *pairs) find(d gateway.Document, request int) (exchange, round int, err error) {
	for _, c := range d.Calls {
		at := slices.IndexFunc(c.Requests, func(q gateway.RequestDocument) bool { return q.Request == request })
		if at < 0 {
			continue
		}
		client, upstream := end{name: "through " + p.gateway}, end{name: "the upstream of " + p.gateway}
		for _, q := range c.Requests[:at+1] {
			client.requests = append(client.requests, q.Client)
			upstream.requests = append(upstream.requests, q.Upstream...)
		}
		n, err := p.add(client)
		if err == nil && len(upstream.requests) > 0 {
			_, err = p.add(upstream)
		}
		return n, len(client.requests), err
	}
	return 0, 0, fmt.Errorf("request %d is in no call", request)
}

// add adds one end of a call and returns its number. Of the same call the longest is kept.
func (p *pairs) add(e end) (int, error) {
	x, err := e.exchange()
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(p.made, func(old playground.Exchange) bool {
		return old.Target.Name == x.Target.Name && old.Created.Equal(x.Created) &&
			string(old.Log[1].Data) == string(x.Log[1].Data)
	})
	switch {
	case i < 0:
		i = len(p.made)
		x.ID = fmt.Sprint(i + 1)
		p.made = append(p.made, x)
	case len(x.Log) > len(p.made[i].Log):
		x.ID = p.made[i].ID
		p.made[i] = x
	}
	return i + 1, nil
}

// exchange returns the requests of an end as a call.
func (e end) exchange() (playground.Exchange, error) {
	first := e.requests[0]
	method, _, params, err := read(capture.RequestDocument{RoundDocument: first.RoundDocument})
	x := playground.Exchange{
		Created: first.Started, Target: playground.Target{Name: e.name, URL: addressOf(first)},
		Call: playground.Call{Method: method, Params: json.RawMessage("{}")},
	}
	if err == nil && params != nil {
		x.Call.Params = capture.CallParams(params)
		if c := params.At("_meta", "io.modelcontextprotocol/clientCapabilities"); c != nil {
			x.Target.Capabilities = c.Raw()
		}
	}
	for i, r := range e.requests {
		d := playground.Decision{Action: playground.ActionStart, Round: i + 1, By: playground.ByClient}
		if i > 0 {
			d.Action, d.Join = playground.ActionAnswer, playground.JoinCertain
		}
		q := capture.RequestDocument{RoundDocument: r.RoundDocument, Started: r.Started, Ended: r.Ended}
		if err := record(&x, q, d); err != nil {
			return x, err
		}
	}
	return x, nil
}

// addressOf returns the address that a request went to, or "" of a line.
func addressOf(r gateway.EndDocument) string {
	first, _, _ := strings.Cut(r.Request.Head, "\r\n")
	words := strings.Fields(first)
	if len(words) < 2 {
		return ""
	}
	for line := range strings.SplitSeq(r.Request.Head, "\r\n") {
		if name, host, ok := strings.Cut(line, ": "); ok && strings.EqualFold(name, "Host") {
			return "http://" + host + words[1]
		}
	}
	return ""
}

// steady returns a sentence without the marks of one run.
func steady(sentence string, d gateway.Document) string {
	for _, c := range d.Calls {
		sentence = strings.ReplaceAll(sentence, c.Mark, "MARK")
	}
	return sentence
}
