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
	"context"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/mock"
)

// MaxBody is the largest request that is read, in bytes.
const MaxBody = 1 << 20

// Turns counts the answers that were given. The zero value of a Counter does it in memory.
type Turns interface {
	// Turn returns how often it was called with the key before, since the key began again.
	Turn(ctx context.Context, key string) (int, error)
	// Begin lets keys begin again.
	Begin(ctx context.Context, keys []string) error
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
func (c *Counter) Begin(_ context.Context, keys []string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		delete(c.given, key)
	}
	return nil
}

// Endpoint serves one recording.
type Endpoint struct {
	Recording *mock.Recording
	Turns     Turns
	// Hold takes a place for an answer that stays open; nil if there are enough.
	Hold func(ctx context.Context) (release func(), err error)
	// Served is told each request that was answered; nil if nobody wants to know.
	Served func(method string, r mock.Reply)

	mu      sync.Mutex
	waiting map[string][]chan string // by the key of a question: who waits for its answer, oldest first
}

// reply returns the next answer to a request.
func (s *Endpoint) reply(ctx context.Context, f mock.Found) (mock.Reply, error) {
	n := 0
	if f.Answers() > 1 {
		var err error
		if n, err = s.Turns.Turn(ctx, f.Key()); err != nil {
			return mock.Reply{}, err
		}
	}
	if keys := f.Begins(n); len(keys) > 0 {
		if err := s.Turns.Begin(ctx, keys); err != nil {
			return mock.Reply{}, err
		}
	}
	return f.Reply(n), nil
}

// wait returns when a question was answered: why the answer is not the recorded one, or "".
func (s *Endpoint) wait(ctx context.Context, key string) (why string, err error) {
	came := make(chan string, 1)
	s.mu.Lock()
	if s.waiting == nil {
		s.waiting = map[string][]chan string{}
	}
	s.waiting[key] = append(s.waiting[key], came)
	s.mu.Unlock()
	select {
	case why := <-came:
		return why, nil
	case <-ctx.Done():
		s.leave(key, came)
		return "", ctx.Err()
	}
}

// leave ends waiting.
func (s *Endpoint) leave(key string, who chan string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.waiting[key]
	for i, c := range list {
		if c == who {
			s.waiting[key] = append(list[:i:i], list[i+1:]...)
			break
		}
	}
	if len(s.waiting[key]) == 0 {
		delete(s.waiting, key)
	}
}

// answer passes an answer on to the request that waits for it the longest, and reports whether
// there is one.
func (s *Endpoint) answer(key, why string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.waiting[key]
	if len(list) == 0 {
		return false
	}
	list[0] <- why
	if s.waiting[key] = list[1:]; len(list) == 1 {
		delete(s.waiting, key)
	}
	return true
}

func (s *Endpoint) note(method string, r mock.Reply) {
	if s.Served != nil {
		s.Served(method, r)
	}
}
