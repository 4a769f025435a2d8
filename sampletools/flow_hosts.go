package sampletools

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// flowPath is where the MCP endpoints of flows are, before the token.
const flowPath = "/mcp/flow/"

// flows serves the flows of visitors. The host of a flow is built when a request for
// it comes, and kept until the flow changes or ends, or too many instances run.
// All flows share one runner of tasks and the limits of one sample.
type flows struct {
	config  Config
	runner  *tasks.Runner
	pressed book
	quotas

	mu    sync.Mutex
	hosts map[string]*flowHost // by token
	uses  int                  // counts requests, to find the host that is unused the longest
}

// flowHost is the host of one text of a flow.
type flowHost struct {
	*host
	service *flow.Service
	digest  string
	owner   string // whose instances count together
	broken  error  // why the flow cannot run; then there is no host
	used    int    // the last use
	users   int    // requests that use it
	gone    bool   // it is not the host of the flow any more
}

func newFlows(c Config) *flows {
	if c.Flows == nil {
		c.Flows = func(context.Context, string) (FlowText, error) { return FlowText{}, ErrNoFlow }
	}
	f := &flows{
		config: c, runner: newRunner(c, flowPool), pressed: newBook(c, flowPool),
		quotas: newQuotas(c), hosts: map[string]*flowHost{},
	}
	f.runner.Resume(f.redo)
	return f
}

// register adds the endpoints and pages of flows to mux.
func (f *flows) register(mux *http.ServeMux) {
	mux.HandleFunc(flowPath+"{token}", f.serve)
	page := http.NewServeMux()
	page.HandleFunc("GET "+flowPagePath("{token}"), f.servePage)
	page.HandleFunc("POST "+flowPagePath("{token}"), f.servePage)
	mux.Handle(flowPagePath("{token}"), http.NewCrossOriginProtection().Handler(page))
}

// serve passes a request to the host of a flow.
func (f *flows) serve(w http.ResponseWriter, r *http.Request) {
	h, err := f.enter(r.Context(), r.PathValue("token"))
	if err == nil {
		leave := sync.OnceFunc(func() { f.leave(h) })
		defer leave()
		if r.Method != http.MethodPost {
			leave() // the stream of a session ends with its host
		}
		if err = h.broken; err == nil {
			h.ServeHTTP(w, r)
			return
		}
	}
	r.Body = http.MaxBytesReader(w, r.Body, serve.MaxBody)
	switch {
	case errors.Is(err, ErrNoFlow):
		serve.RefuseUnread(w, r, http.StatusNotFound, ErrNoFlow.Error())
	case h != nil:
		serve.RefuseUnread(w, r, http.StatusInternalServerError, "this flow cannot run: "+err.Error())
	default:
		f.config.Log.Error("read flow", "err", err)
		serve.RefuseUnread(w, r, http.StatusServiceUnavailable, "the flow cannot be read now; try again")
	}
}

// servePage shows the page of a question, or records that its button was pressed.
func (f *flows) servePage(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, serve.MaxBody)
	status, content := flow.Expired()
	if h, err := f.enter(r.Context(), r.PathValue("token")); err == nil {
		defer f.leave(h)
		switch {
		case h.broken != nil:
		case r.Method == http.MethodPost:
			status, content = h.service.Press(r.PostFormValue("ticket"), serve.CallerOf(r.RemoteAddr))
		default:
			status, content = h.service.Page(r.URL.Query().Get("ticket"))
		}
	}
	showPage(w, status, content, f.config.Log)
}

// flowToken is the form of a token.
var flowToken = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// enter returns the host of a flow as it is now. The caller calls leave when it needs
// the host no more.
func (f *flows) enter(ctx context.Context, token string) (*flowHost, error) {
	if !flowToken.MatchString(token) {
		return nil, ErrNoFlow
	}
	text, err := f.config.Flows(ctx, token)
	if errors.Is(err, ErrNoFlow) {
		f.keep(token, nil)
	}
	if err != nil {
		return nil, err
	}
	if h := f.find(token, text.Digest); h != nil {
		return h, nil
	}
	return f.keep(token, f.build(token, text)), nil
}

// find returns the host of a text, if there is one.
func (f *flows) find(token, digest string) *flowHost {
	var unused []*host
	defer closeAll(&unused)
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.hosts[token]
	if h == nil || h.digest != digest {
		return nil
	}
	f.use(h)
	unused = f.trim()
	return h
}

// closeAll closes hosts. Its argument is read when a deferred call is made.
func closeAll(list *[]*host) {
	for _, h := range *list {
		h.Close()
	}
}

// use notes that a request uses a host. f.mu must be held.
func (f *flows) use(h *flowHost) *flowHost {
	f.uses++
	h.used = f.uses
	h.users++
	return h
}

// leave ends the use of a host.
func (f *flows) leave(h *flowHost) {
	f.mu.Lock()
	h.users--
	last := h.gone && h.users == 0 && h.host != nil
	f.mu.Unlock()
	if last {
		h.Close()
	}
}

// build returns a host for a text.
func (f *flows) build(token string, text FlowText) *flowHost {
	h := &flowHost{digest: text.Digest, owner: cmp.Or(text.Owner, token)}
	if h.service, h.broken = newFlowService(f.config, token, text, f.pressed); h.broken != nil {
		return h
	}
	var s scenario
	if s, h.broken = flowScenario(h.service, token, text.Example, f.runner); h.broken != nil {
		return h
	}
	h.host = newHost(f.config, s, f.quotas)
	return h
}

// keep makes h the host of a flow, unless another request was faster, and retires the
// one before it. A nil host ends the flow.
func (f *flows) keep(token string, h *flowHost) *flowHost {
	var unused []*host
	defer closeAll(&unused)
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.hosts[token]
	switch {
	case before != nil && h != nil && before.digest == h.digest:
		return f.use(before) // h has no instances yet
	case before != nil:
		unused = append(unused, f.retire(token)...)
	}
	if h == nil {
		return nil
	}
	f.hosts[token] = h
	f.use(h)
	unused = append(unused, f.trim()...)
	return h
}

// trim retires hosts while too many instances run, but the one that was used last: of the
// owner with the most instances the one that is unused the longest, so that an owner's
// flows do not end those of another who has fewer. It returns those to close. f.mu must be held.
func (f *flows) trim() (unused []*host) {
	for f.running() > f.config.Limits.Flows && len(f.hosts) > 1 {
		of := map[string]int{}
		for _, h := range f.hosts {
			of[h.owner] += h.instances()
		}
		token := ""
		for other, h := range f.hosts {
			if h.used == f.uses {
				continue
			}
			if token == "" || cmp.Or(of[h.owner]-of[f.hosts[token].owner], f.hosts[token].used-h.used) > 0 {
				token = other
			}
		}
		unused = append(unused, f.retire(token)...)
	}
	return unused
}

// running returns how many instances run. f.mu must be held.
func (f *flows) running() int {
	n := 0
	for _, h := range f.hosts {
		n += h.instances()
	}
	return n
}

// instances returns how many instances of a host run; one at least.
func (h *flowHost) instances() int {
	if h.host == nil {
		return 1
	}
	return max(1, h.server.Launched())
}

// retire forgets the host of a flow. Its streams and open calls of legacy clients end
// at once; it is returned if no request uses it, or else closed by the last one. f.mu
// must be held.
func (f *flows) retire(token string) []*host {
	h := f.hosts[token]
	delete(f.hosts, token)
	h.gone = true
	if h.host == nil {
		return nil
	}
	h.close()
	if h.users > 0 {
		return nil
	}
	return []*host{h.host}
}

// lookup returns the description of a flow.
func (f *flows) lookup(token string) (Sample, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), lookupTime)
	defer cancel()
	h, err := f.enter(ctx, token)
	if err != nil {
		return Sample{}, false
	}
	defer f.leave(h)
	if h.broken != nil {
		return Sample{}, false
	}
	return h.Sample, true
}

// lookupTime is how long a page waits for the description of a flow.
const lookupTime = 5 * time.Second

// redo returns the work of a task whose process is gone.
func (f *flows) redo(task tasks.Task) (tasks.Work, error) {
	slug, err := serve.ServiceOf(task)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookupTime)
	defer cancel()
	h, err := f.enter(ctx, tokenOf(slug))
	if err != nil {
		return nil, err
	}
	defer f.leave(h)
	if h.broken != nil {
		return nil, h.broken
	}
	return h.server.Redo(task)
}

// counts returns how many places are taken.
func (f *flows) counts() []PlaceCount {
	used, limit := f.runner.Count()
	return []PlaceCount{
		placeCount(f.listeners, flowPool, refusedListener), placeCount(f.open, flowPool, refusedCall),
		{flowPool, refusedTask, used, limit},
	}
}

// Close ends all sessions and tasks.
func (f *flows) Close() {
	f.mu.Lock()
	for _, h := range f.hosts {
		if h.host != nil {
			h.Close()
		}
	}
	f.mu.Unlock()
	f.runner.Close()
}
