package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// Why a server ends a subscription, for notifications/cancelled.
const (
	shutsDown     = "the server shuts down"
	tasksAreOver  = "all tasks of this subscription are over"
	nothingToSend = "this server sends none of the requested notifications"
)

// subscription is the stream of one request of subscriptions/listen. The SDK
// writes the notifications about lists and resources; notifications about tasks,
// which it does not know, are added here, and so is the end of a subscription as
// basic/patterns/cancellation asks for it.
type subscription struct {
	id     json.RawMessage
	server mcp.Implementation
	watch  *tasks.Watch  // of the tasks in the filter; nil if there are none
	agreed chan struct{} // closed when the acknowledgment is written

	mu                   sync.Mutex // held for one message
	w                    http.ResponseWriter
	acknowledged, failed bool // what the SDK wrote: the acknowledgment, an error
}

// serveListen answers subscriptions/listen and returns when the subscription
// ends.
func (h *Host) serveListen(c cluster.Instance, o Options, m *Envelope, w *responseWriter, r *http.Request) {
	leave, ok := h.config.Listeners.Enter(r.Header.Get(CallerHeader))
	if !ok {
		h.config.Refuse(RefusedListener)
		w.Header().Set("Retry-After", "60")
		f := Refuse(m.ID, jsonrpc.CodeInternalError, "too many listeners; try again in a minute")
		f.Status = http.StatusServiceUnavailable
		f.Write(w.ResponseWriter)
		return
	}
	defer leave()
	s := &subscription{id: m.ID, w: w.ResponseWriter, agreed: make(chan struct{}),
		server: h.implementation(c)}
	w.subscription = s
	if ids := taskIDs(m); len(ids) > 0 && h.Runner != nil {
		s.watch = h.Runner.Watch(h.owner(h.principal(r.Header)), ids)
		defer s.watch.Close()
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	defer context.AfterFunc(h.closing, stop)()
	var pump sync.WaitGroup
	pump.Go(func() { s.sendTasks(ctx) })
	h.running(c).modern(o).ServeHTTP(w, h.pass(m, r))
	if !s.isOpen() {
		stop() // the request was refused: there is no stream
	}
	pump.Wait()
	if r.Context().Err() != nil {
		return // the client ended it
	}
	s.end(h.closing.Err() != nil)
}

// taskIDs returns the tasks that a filter names.
func taskIDs(m *Envelope) []string {
	var filter struct {
		TaskIDs []string `json:"taskIds"`
	}
	_ = json.Unmarshal(m.Params["notifications"], &filter) // checkParams checked it
	return filter.TaskIDs
}

// Write writes an event of the SDK. It adds the tasks to the acknowledgment, and
// drops the SDK's response: end writes one when nothing else can follow.
func (s *subscription) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	message := p
	if _, data, ok := bytes.Cut(p, []byte("data: ")); ok {
		message = data
	}
	var m struct {
		Method        string
		Result, Error json.RawMessage
	}
	_ = json.Unmarshal(message, &m) // an event without a message has nothing to change
	switch {
	case m.Method == "notifications/subscriptions/acknowledged" && !s.acknowledged:
		s.acknowledged = true
		defer close(s.agreed)
		if s.watch != nil && len(s.watch.IDs()) > 0 {
			p = []byte(Event(string(s.addTasks(message))))
		}
	case m.Result != nil && s.acknowledged:
		return len(p), nil
	case m.Error != nil:
		s.failed = true
	}
	if _, err := s.w.Write(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// addTasks returns the acknowledgment with the tasks that are watched.
func (s *subscription) addTasks(acknowledgment []byte) []byte {
	var m, params, filter map[string]json.RawMessage
	ids, err := json.Marshal(s.watch.IDs())
	if json.Unmarshal(acknowledgment, &m) != nil || json.Unmarshal(m["params"], &params) != nil ||
		json.Unmarshal(params["notifications"], &filter) != nil || err != nil {
		return acknowledgment // cannot happen: the SDK writes these objects
	}
	filter["taskIds"] = ids
	params["notifications"] = MustMarshal(filter)
	m["params"] = MustMarshal(params)
	return MustMarshal(m)
}

// isOpen reports whether the subscription was acknowledged and has not failed.
func (s *subscription) isOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acknowledged && !s.failed
}

// sendTasks sends the statuses of the tasks, after the acknowledgment, until all
// tasks are over or the context is done.
func (s *subscription) sendTasks(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-s.agreed:
	}
	for s.watch != nil {
		t, ok := s.watch.Next(ctx)
		if !ok {
			return
		}
		body, err := json.Marshal(t)
		if err != nil { // cannot happen: a task came from JSON
			return
		}
		s.send(`{"jsonrpc":"2.0","method":"notifications/tasks","params":{` + s.meta() + `},` +
			strings.TrimPrefix(string(body), "{") + `}`)
	}
}

// meta returns the member _meta without its last brace.
func (s *subscription) meta() string {
	return `"_meta":{"io.modelcontextprotocol/subscriptionId":` + string(s.id)
}

// end ends a subscription that the server closes: it names the request that
// ends, and completes it (basic/patterns/cancellation; basic/patterns/
// subscriptions, "Graceful Closure"). The SDK sends no notification, and no
// response when it shuts down.
func (s *subscription) end(closing bool) {
	if !s.isOpen() {
		return
	}
	reason := nothingToSend
	switch {
	case closing:
		reason = shutsDown
	case s.watch != nil && len(s.watch.IDs()) > 0:
		reason = tasksAreOver
	}
	info, err := json.Marshal(s.server)
	if err != nil { // strings always marshal
		return
	}
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{` + s.meta() +
		`},"requestId":` + string(s.id) + `,"reason":` + Quote(reason) + `}}`)
	s.send(`{"jsonrpc":"2.0",` + IDMember(s.id) + `"result":{"resultType":"complete",` + s.meta() +
		`,"io.modelcontextprotocol/serverInfo":` + string(info) + `}}}`)
}

// FlushError sends the written bytes.
func (s *subscription) FlushError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return http.NewResponseController(s.w).Flush()
}

// send writes one message and flushes it.
func (s *subscription) send(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Write errors are ignored: the client is gone.
	_, _ = io.WriteString(s.w, Event(message))
	_ = http.NewResponseController(s.w).Flush()
}

// checkListen refuses to send task notifications to a client that did not
// declare tasks (ext-tasks, "Task Status Notifications").
func (h *Host) checkListen(m *Envelope) *Refusal {
	if m.Method != "subscriptions/listen" || h.Runner == nil {
		return nil
	}
	filter, err := Object(m.Params["notifications"])
	_, asks := filter["taskIds"]
	if err != nil || !asks {
		return nil
	}
	var missing *jsonrpc.Error
	if !m.DeclaresExtension(tasks.Extension) && errors.As(missingTasks(), &missing) {
		f := Refuse(m.ID, int(missing.Code), missing.Message)
		f.Data = missing.Data
		return f
	}
	return nil
}
