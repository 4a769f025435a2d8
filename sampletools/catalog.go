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

	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// Config has the parts that the samples need from the program.
type Config struct {
	Keys    *seal.Keys
	Now     func() time.Time // nil means time.Now
	Rand    io.Reader        // nil means crypto/rand.Reader
	Log     *slog.Logger     // gets errors, refused states and traced requests; nil discards
	BaseURL string           // public URL of this program, for links in questions
	// Shared says that strangers use the samples, so one caller may hold only a
	// part of the limited resources: tasks, listeners, open calls, sessions.
	Shared bool
	Limits Limits // zero means DefaultLimits
	// Places returns a counter of things that are open at once: at most inAll,
	// and each for one caller. nil counts nothing.
	Places func(inAll, each int) Places
	// Flows returns a flow by the token in its URL, or ErrNoFlow. It is asked for each
	// request, so that a flow changes and ends at once. nil means that there are none.
	Flows func(ctx context.Context, token string) (FlowText, error)
	// Table keeps what all instances of a sample share, for several processes; nil
	// means that this is the only one, and its memory does.
	Table Table
	// Process is the name of this process among several: letters, digits and
	// hyphens. Session ids of legacy clients end with it.
	Process string
	Refuse  func(code string) // counts refusals because of a limit; nil counts nothing
	// Wait pauses a sample that takes time; nil waits for real.
	Wait func(context.Context, time.Duration) error
	// AnswerWait is how long a call of a legacy client stays open for an
	// answer; 0 means five minutes.
	AnswerWait time.Duration
}

// Table keeps tasks and tickets for several processes.
type Table interface {
	tasks.Table
	tickets
}

// Limits bound what the samples keep, each for one sample. All flows together count
// as one.
type Limits struct {
	Tasks     int // that are kept; each can have a goroutine
	Listeners int // streams of subscriptions/listen; most samples send nothing on them
	Sessions  int // of legacy clients, in one instance
	OpenCalls int // of legacy clients that wait for an answer
	Tickets   int // vouchers that were redeemed, sign-ins, and tokens that were used or revoked
	Flows     int // instances of flows that run
}

// DefaultLimits returns the limits that hold unless others are configured.
func DefaultLimits() Limits {
	return Limits{Tasks: 500, Listeners: 100, Sessions: 200, OpenCalls: 200, Tickets: 10000, Flows: 300}
}

// Codes of refusals because of a limit.
const (
	refusedPrefix   = "sample_"
	refusedTask     = refusedPrefix + serve.RefusedTask
	refusedListener = refusedPrefix + serve.RefusedListener
	refusedCall     = refusedPrefix + serve.RefusedCall
	refusedTicket   = refusedPrefix + "tickets"
)

// Sample describes a sample server to users. It is data only.
type Sample struct {
	Slug    string
	Title   string
	Group   string   // title of its group, such as "Basics"
	Summary string   // one line
	Teaches string   // what the sample shows
	Try     []string // suggestions
	Replay  string   // effect of sending the same retry twice
	Era     Era
	// Versions lists the versions that an instance can run, the default first.
	Versions  []string
	Instances string // topology if the URL sets none
	Stream    bool   // answers with SSE unless the URL says stream=0
	OnceOnly  bool   // a retry counts once; the second is refused
	// Protection and Life are those of its state unless the URL sets others; zero
	// means sealed, and an hour.
	Protection seal.Mode
	Life       time.Duration
	Token      string // of the URL of a flow; empty for the samples of this program
	Example    bool   // a flow that is part of this program
	Start      Start
	Options    []Option
	Faults     []Fault // the rules that it breaks on purpose; empty for a right server
}

// Era says which revisions of MCP a sample supports.
type Era = serve.Era

// The eras of the samples.
const (
	Both   = serve.Both
	Modern = serve.Modern
	Legacy = serve.Legacy
)

// Start is the call that a sample's start button makes.
type Start struct {
	Label  string
	Method string
	Params json.RawMessage
	Query  string // parameters of the sample's URL, such as "instances=a:v1,b:v1"
	// Answers holds prepared answers for a client that runs without a user: a
	// JSON object from keys to answers. It is empty if any valid answer will
	// do.
	Answers json.RawMessage
}

// Option is a parameter that a sample's URL accepts.
type Option struct {
	Name    string
	Values  []string // the allowed values; empty if not a choice
	Default string
	Meaning string
}

// ClientTest is the slug of the server that tests clients. It is no Sample: it is of use
// only behind a capture, which records what a client does.
const ClientTest = "client-test"

// Catalog serves the samples.
type Catalog struct {
	hosts   []*host
	flows   *flows
	mux     *http.ServeMux
	closers []func()
}

// New builds the samples. Close must be called to release them.
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
	c.Limits = cmp.Or(c.Limits, DefaultLimits())
	if c.Refuse == nil {
		c.Refuse = func(string) {}
	}
	if c.Places == nil {
		c.Places = func(int, int) Places { return uncounted{} }
	}
	catalog := &Catalog{mux: http.NewServeMux()}
	for _, s := range scenarios(c) {
		h := newHost(c, s, newQuotas(c))
		catalog.hosts = append(catalog.hosts, h)
		catalog.mux.Handle(s.Path(), h)
		if s.pages != nil {
			catalog.mux.Handle("/samples/"+s.Slug+"/", http.StripPrefix("/samples/"+s.Slug, s.pages))
		}
		if s.guard != nil {
			s.guard.register(catalog.mux)
		}
		catalog.closers = append(catalog.closers, h.Close)
	}
	catalog.flows = newFlows(c)
	catalog.flows.register(catalog.mux)
	catalog.closers = append(catalog.closers, catalog.flows.Close)
	test := clienttest.New(clienttest.Config{Base: c.BaseURL + "/mcp/" + ClientTest, Random: c.Rand,
		Now: c.Now, Notes: newNotes(c), PublicURL: publicURL})
	catalog.mux.Handle("/mcp/"+ClientTest, test)
	catalog.mux.Handle("/mcp/"+ClientTest+"/", test) // addresses that a client must not visit by itself
	catalog.mux.Handle(wellKnownResource+"/mcp/"+ClientTest, test)
	return catalog, nil
}

// wait pauses for d, or until the context is done.
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

// scenarios returns the samples in display order.
func scenarios(c Config) []scenario {
	var list []scenario
	for _, g := range []struct {
		title   string
		samples []scenario
	}{
		{"Basics", []scenario{
			azureDevOps(), rollingUpgrade(), loadShedding(c), confirm(), promptAndResource(), conformance(c),
		}},
		{"Several questions", []scenario{wizard(), profile(), trip(), interview(), workspace()}},
		{"Security", []scenario{checkout(c), voucher(c), signIn(c), protected(c)}},
		{"Long work", []scenario{slow(c), tasksSample(c)}},
		{"Before MRTR", []scenario{beforeMRTR()}},
		{"Broken on purpose", []scenario{naughty(), naughtyLegacy()}},
	} {
		for _, s := range g.samples {
			s.Group = g.title
			list = append(list, s)
		}
	}
	return list
}

// Samples returns the description of every sample, in display order.
func (c *Catalog) Samples() []Sample {
	list := make([]Sample, len(c.hosts))
	for i, h := range c.hosts {
		list[i] = h.Sample
	}
	return list
}

// Lookup returns the description of one sample, or of a flow.
func (c *Catalog) Lookup(slug string) (Sample, bool) {
	if token := tokenOf(slug); token != "" {
		return c.flows.lookup(token)
	}
	i := slices.IndexFunc(c.hosts, func(h *host) bool { return h.Slug == slug })
	if i < 0 {
		return Sample{}, false
	}
	return c.hosts[i].Sample, true
}

// ServeHTTP serves /mcp/{sample}, /samples/{sample}/, the sample authorization
// server, and the metadata of both under /.well-known/.
func (c *Catalog) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.mux.ServeHTTP(w, r) }

// TaskCount says how many tasks of a sample are kept, and how many may be.
type TaskCount struct {
	Sample      string // its slug
	Held, Limit int
}

// TaskCounts returns the counts of the samples that have tasks.
func (c *Catalog) TaskCounts() []TaskCount {
	var list []TaskCount
	for _, h := range c.hosts {
		if h.runner != nil {
			held, limit := h.runner.Count()
			list = append(list, TaskCount{h.Slug, held, limit})
		}
	}
	held, limit := c.flows.runner.Count()
	return append(list, TaskCount{flowPool, held, limit})
}

// Places count things that are open at once, in all and for one caller.
type Places = serve.Places

// uncounted are places that are not counted.
type uncounted struct{}

// Enter always has a place.
func (uncounted) Enter(string) (leave func(), ok bool) { return func() {}, true }

// Count returns nothing.
func (uncounted) Count() (used, limit int) { return 0, 0 }

// PlaceCount says how many places of a limit of a sample are taken.
type PlaceCount struct {
	Sample      string // its slug
	Pool        string // sample_tasks, sample_listeners or sample_calls
	Used, Limit int
}

// placeCount returns how many places of a quota of a sample are taken.
func placeCount(q serve.Places, sample, pool string) PlaceCount {
	used, limit := q.Count()
	return PlaceCount{sample, pool, used, limit}
}

// PlaceCounts returns the counts of all samples.
func (c *Catalog) PlaceCounts() []PlaceCount {
	var list []PlaceCount
	for _, h := range c.hosts {
		list = append(list,
			placeCount(h.listeners, h.Slug, refusedListener), placeCount(h.open, h.Slug, refusedCall))
		if h.runner != nil {
			used, limit := h.runner.Count()
			list = append(list, PlaceCount{h.Slug, refusedTask, used, limit})
		}
	}
	return append(list, c.flows.counts()...)
}

// Close ends all sessions and tasks.
func (c *Catalog) Close() {
	for _, f := range c.closers {
		f()
	}
}
