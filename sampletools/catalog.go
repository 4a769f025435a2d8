// Package sampletools holds the sample MCP servers: specimens of the protocol that lessons, demos
// and any MCP client can be pointed at. Each is a real Streamable HTTP endpoint under /mcp/{sample},
// served by instances behind a small load balancer (package cluster) that share nothing but the keys
// which seal a requestState (package seal).
//
// A scenario is written as a script: a function that runs from the top in every round, asks for what
// it needs, and is stopped where an answer is missing (see [Turn.Ask]). One file, one scenario.
//
// The package never imports the client side of the project: a client and a server that share
// structs hide shared mistakes.
package sampletools

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// Config is what the samples need from the program.
type Config struct {
	Keys    *seal.Keys
	Now     func() time.Time // nil means time.Now
	Rand    io.Reader        // nil means crypto/rand
	Log     *slog.Logger     // nil discards
	BaseURL string           // where browsers reach this program; used for links that samples hand out
	// Wait lets time pass for samples that take theirs; nil really waits.
	Wait func(context.Context, time.Duration) error
	// AnswerWait is how long a server of an older era holds a call open for an answer; 0 means five minutes.
	AnswerWait time.Duration
}

// A Sample describes a sample server to people. It is data only.
type Sample struct {
	Slug    string
	Title   string
	Summary string   // one line
	Teaches string   // what there is to see
	Try     []string // things worth doing
	Replay  string   // what happens when the same retry comes twice
	Era     Era
	// Versions are the versions an instance can run, the default first.
	Versions  []string
	Instances string // the topology when the URL names none
	Stream    bool   // answers with SSE unless the URL says stream=0
	Start     Start
	Options   []Option
}

// An Era says which revisions of MCP a sample speaks.
type Era string

// The eras of the samples.
const (
	Both   Era = "both"   // 2026-07-28 and, by server-initiated requests, the revisions before it
	Modern Era = "modern" // 2026-07-28 only
	Legacy Era = "legacy" // revisions up to 2025-11-25 only
)

// A Start is the call that a sample's start button makes.
type Start struct {
	Label  string
	Method string
	Params json.RawMessage
	Query  string // parameters for the sample's URL, like "instances=a:v1,b:v1"
	// Answers leads through the story for whoever has no person to ask: an object from keys to
	// answers. Empty where any answer will do.
	Answers json.RawMessage
}

// An Option is a parameter that a sample's URL takes.
type Option struct {
	Name    string
	Values  []string // what may stand there; empty if not a choice
	Default string
	Meaning string
}

// A Catalog serves the samples.
type Catalog struct {
	hosts   []*host
	mux     *http.ServeMux
	closers []func()
}

// New builds the samples.
func New(c Config) (*Catalog, error) {
	if c.Keys == nil {
		return nil, errors.New("build samples: no keys")
	}
	c.Rand = cmp.Or(c.Rand, io.Reader(rand.Reader))
	c.AnswerWait = cmp.Or(c.AnswerWait, 5*time.Minute)
	c.BaseURL = cmp.Or(c.BaseURL, "http://127.0.0.1:2322")
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Wait == nil {
		c.Wait = wait
	}
	catalog := &Catalog{mux: http.NewServeMux()}
	for _, s := range scenarios(c) {
		h := newHost(c, s)
		catalog.hosts = append(catalog.hosts, h)
		catalog.mux.Handle("/mcp/"+s.Slug, h)
		if s.pages != nil {
			catalog.mux.Handle("/samples/"+s.Slug+"/", http.StripPrefix("/samples/"+s.Slug, s.pages))
		}
		catalog.closers = append(catalog.closers, h.Close)
	}
	return catalog, nil
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// scenarios lists the samples in the order in which they are shown.
func scenarios(c Config) []scenario {
	return []scenario{
		azureDevOps(),
		rollingUpgrade(),
		loadShedding(c),
		confirm(),
		checkout(c),
		profile(),
		trip(),
		interview(),
		workspace(),
		signIn(c),
		wizard(),
		voucher(c),
		promptAndResource(),
		slow(c),
		tasksSample(c),
		beforeMRTR(),
		naughty(),
		conformance(c),
	}
}

// Samples describes all samples, in the order in which they are shown.
func (c *Catalog) Samples() []Sample {
	list := make([]Sample, len(c.hosts))
	for i, h := range c.hosts {
		list[i] = h.Sample
	}
	return list
}

// Lookup describes one sample.
func (c *Catalog) Lookup(slug string) (Sample, bool) {
	i := slices.IndexFunc(c.hosts, func(h *host) bool { return h.Slug == slug })
	if i < 0 {
		return Sample{}, false
	}
	return c.hosts[i].Sample, true
}

// ServeHTTP serves /mcp/{sample} and /samples/{sample}/.
func (c *Catalog) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.mux.ServeHTTP(w, r) }

// Close ends all sessions and tasks.
func (c *Catalog) Close() {
	for _, f := range c.closers {
		f()
	}
}
