package sampletools

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// host serves the instances of one scenario behind their load balancer.
type host struct {
	scenario
	server   *serve.Host
	balancer cluster.Balancer

	quotas
	closing context.Context
	close   context.CancelFunc // ends the open calls
}

// quotas bound the calls of legacy clients that are open, and the streams of
// subscriptions/listen.
type quotas struct{ open, listeners serve.Places }

func newQuotas(c Config) quotas {
	of := func(most int) Places { return c.Places(most, serve.PartOf(most, c.Shared)) }
	return quotas{of(c.Limits.OpenCalls), of(c.Limits.Listeners)}
}

// newHost returns a host without running instances. Its calls and streams count
// in the quotas.
func newHost(c Config, s scenario, q quotas) *host {
	s.Options = urlOptions(s)
	h := &host{scenario: s, quotas: q}
	h.closing, h.close = context.WithCancel(context.Background())
	h.server = serve.New(h.closing, serve.Config{
		Keys: c.Keys, Now: c.Now, Rand: c.Rand, Log: c.Log.With("sample", s.pool()), Shared: c.Shared,
		Open: q.open, Listeners: q.listeners, Sessions: c.Limits.Sessions, Process: c.Process,
		Refuse: func(code string) { c.Refuse(refusedPrefix + code) }, AnswerWait: c.AnswerWait,
	}, h.service())
	if h.runner != nil && h.Token == "" {
		h.runner.Resume(h.server.Redo)
	}
	return h
}

// service returns the Service of the scenario.
func (h *host) service() serve.Service {
	return serve.Service{
		Name: cmp.Or(h.serverName, h.Slug), Title: h.Name(), Instructions: h.instructions, Era: h.Era,
		ID: h.Slug, Scope: h.scope(), Owners: h.owners(),
		Tools: h.tools, Prompts: h.prompts, Resources: h.resources,
		Runner: h.runner, Extensions: h.extensions, Extend: h.extend, Adjust: h.adjust,
		Handler: h.handler, Lenient: h.lenient, Deny: h.denyScope,
		Principal: func(header http.Header) string {
			who, _ := identify(header)
			return who
		},
	}
}

// Path returns the path of the sample's MCP endpoint.
func (s Sample) Path() string {
	if s.Token != "" {
		return flowPath + s.Token
	}
	return "/mcp/" + s.Slug
}

// Name returns the title with the kind of server.
func (s Sample) Name() string {
	switch {
	case s.Example:
		return s.Title + " (an example flow)"
	case s.Token != "":
		return s.Title + " (a visitor's flow)"
	}
	return s.Title + " (sample)"
}

// pool returns the name that the sample has in logs and counts, where the token of a
// flow must not be.
func (s Sample) pool() string {
	if s.Token != "" {
		return flowPool
	}
	return s.Slug
}

// owners returns the prefix of the principal in the owner of a task. All flows
// have one runner, so an owner there is one of a flow.
func (s Sample) owners() string {
	if s.Token != "" {
		return s.Slug + " "
	}
	return ""
}

// ServeHTTP is the load balancer: it reads the topology, chooses an instance
// and names it in the response header Mcp-Sample-Instance.
func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, serve.MaxBody)
	serve.MarkCaller(r)
	forgetUser(r)
	o, t, err := parseOptions(h.Sample, r.URL.Query())
	if err != nil {
		serve.RefuseUnread(w, r, http.StatusBadRequest, "invalid parameter of the URL: "+err.Error())
		return
	}
	h.server.ForgetSession(r, o)
	c, err := h.pick(t, r)
	if c.Name != "" {
		w.Header().Set("Mcp-Sample-Instance", c.Label())
	}
	switch {
	case errors.Is(err, errNoSession):
		serve.RefuseUnread(w, r, http.StatusNotFound, err.Error())
	case err != nil:
		serve.RefuseUnread(w, r, http.StatusServiceUnavailable, downMessage(c))
	case h.checkToken(w, r):
		h.server.Serve(c, o, w, r)
	}
}

// downMessage says which instance does not answer.
func downMessage(c cluster.Instance) string {
	if c.Name == "" {
		return "no instance is live: the URL declares all of them dead or drained"
	}
	return "the instance " + c.Name + " is down"
}

// Close ends the sessions of all instances, and the tasks.
func (h *host) Close() {
	h.close()
	if h.runner != nil && h.Token == "" {
		h.runner.Close()
	}
	h.server.Close()
}
