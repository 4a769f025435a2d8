// Package endpoint serves a recording of package mock: over HTTP and as lines.
//
// # Contract
//
// An Endpoint counts which answers it has given, so that requests that mean the same get them in
// their order, and holds the streams of legacy servers until their questions are answered.
// It reads at most MaxBody bytes of a request and starts nothing that outlives it, so what a
// stranger can make it do is bounded by the number of requests that are admitted.
package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// MaxBody is the largest request that is read, in bytes.
const MaxBody = 1 << 20

// Turns counts the answers that were given. The zero value of a Counter does it in memory.
type Turns interface {
	// Turn returns how often it was called with the key before, since the key began again.
	Turn(ctx context.Context, key string) (int, error)
	// Begin lets the keys begin again that begin with a prefix.
	Begin(ctx context.Context, prefix string) error
}

// Counter counts in memory.
type Counter struct {
	mu    sync.Mutex
	given map[string]int
}

// Turn is that of Turns.
func (c *Counter) Turn(_ context.Context, key string) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.given == nil {
		c.given = map[string]int{}
	}
	n := c.given[key]
	c.given[key] = n + 1
	return n, nil
}

// Begin is that of Turns.
func (c *Counter) Begin(_ context.Context, prefix string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.given, func(key string, _ int) bool { return strings.HasPrefix(key, prefix) })
	return nil
}

// Endpoint serves one recording.
type Endpoint struct {
	Recording *mock.Recording
	Turns     Turns
	// Hold takes a place for an answer that stays open; nil if there are enough.
	Hold func(ctx context.Context) (release func(), err error)
	// Served is told each request that was answered; it may be nil.
	Served func(method string, r mock.Reply)

	mu      sync.Mutex
	ids     map[string]json.RawMessage // the newest ids of clients, by the recorded ones
	waiting []*waiter                  // the oldest first
}

// mostID is the size of an id, in bytes, that is kept for a stream that is resumed.
const mostID = 256

// reply returns the next answer to a request.
func (s *Endpoint) reply(ctx context.Context, f mock.Found) (mock.Reply, error) {
	n := 0
	if f.Answers() > 1 {
		var err error
		if n, err = s.Turns.Turn(ctx, f.Key()); err != nil {
			return mock.Reply{}, err
		}
	}
	if prefix := f.Begins(n); prefix != "" {
		if err := s.Turns.Begin(ctx, prefix); err != nil {
			return mock.Reply{}, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := f.Resumed(s.ids).Reply(n)
	if r.ID != nil && s.Recording.Resumes() && len(r.ID.Raw()) <= mostID {
		if s.ids == nil {
			s.ids = map[string]json.RawMessage{}
		}
		s.ids[r.WasID] = bytes.Clone(r.ID.Raw())
	}
	return r, nil
}

// waiter is an answer that goes on when a question is answered.
type waiter struct {
	event mock.Event
	came  chan string // why the answer is not the recorded one, or ""
}

// send sends an event and, if it asks something, returns when that was answered: why the answer is
// not the recorded one, or "". The client may answer before send has returned.
func (s *Endpoint) send(ctx context.Context, e mock.Event, send func() error) (why string, err error) {
	if e.Awaits == "" {
		return "", send()
	}
	w := &waiter{e, make(chan string, 1)}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waiting = slices.DeleteFunc(s.waiting, func(other *waiter) bool { return other == w })
	}()
	if err := send(); err != nil {
		return "", err
	}
	select {
	case why := <-w.came:
		return why, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// answer passes an answer of a client on to what waits for it the longest. It returns why it is
// not the recorded one, or "".
func (s *Endpoint) answer(message *jsontree.Node) (why string) {
	key := playground.IDKey(message.Get("id"))
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.waiting, func(w *waiter) bool { return w.event.Awaits == key })
	if i < 0 {
		return "Nothing waits for an answer with the id " + text.Visible(
			string(message.Get("id").Raw()),
			100,
		) + "."
	}
	w := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	why = s.Recording.Differs(w.event, message)
	w.came <- why
	return why
}

func (s *Endpoint) note(method string, r mock.Reply) {
	if s.Served != nil {
		s.Served(method, r)
	}
}
