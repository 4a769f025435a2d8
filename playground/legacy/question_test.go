package legacy

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// slowServer takes each message once the test allows it.
type slowServer struct {
	mu         sync.Mutex
	open, most int
	bodies     []string
	asked      chan struct{} // has a token for each message
	next       chan struct{}
}

func (s *slowServer) Send(_ context.Context, _ string, f wire.Frame, _ func(wire.Part) error) wire.Timing {
	s.mu.Lock()
	s.open++
	s.most = max(s.most, s.open)
	s.bodies = append(s.bodies, string(f.Body))
	s.mu.Unlock()
	s.asked <- struct{}{}
	<-s.next
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	return wire.Timing{}
}

// TestTap_RootsAnswersAreBounded: a server that asks for the roots again and again gets one
// answer after the other, and none of those that would wait beyond the limit.
func TestTap_RootsAnswersAreBounded(t *testing.T) {
	const many = 10 * playground.MaxRootsAnswers
	s := &slowServer{asked: make(chan struct{}, many), next: make(chan struct{})}
	recorded := 0 // by one goroutine at a time
	tap := newTap(Config{
		Target: playground.Target{URL: "http://h/mcp", Capabilities: []byte(`{"roots":{}}`)}, Short: s,
		Record: func(wire.Frame) (func(wire.Part) error, error) {
			recorded++
			return func(wire.Part) error { return nil }, nil
		},
	})
	ask := func(id int) {
		tap.answerRoots(wire.Part{Kind: wire.Message, Bytes: fmt.Appendf(nil,
			"data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"roots/list\"}\n\n", id)})
	}
	for id := range many {
		ask(id)
	}
	<-s.asked
	close(s.next)
	tap.wg.Wait()
	ask(many) // no other waits any more
	tap.wg.Wait()
	if s.most != 1 || recorded != playground.MaxRootsAnswers+1 || len(s.bodies) != recorded {
		t.Errorf("%d answers, %d at a time", recorded, s.most)
	}
	for at, id := range map[int]int{0: 0, 1: 1, len(s.bodies) - 1: many} {
		if !strings.Contains(s.bodies[at], fmt.Sprintf(`"id":%d,"result":{"roots":[]}`, id)) {
			t.Errorf("answer %d is %s", at, s.bodies[at])
		}
	}
}

// TestTap_RootsEndWithTheSession: what still waits then is not posted.
func TestTap_RootsEndWithTheSession(t *testing.T) {
	s := &slowServer{asked: make(chan struct{}, 1), next: make(chan struct{})}
	tap := newTap(Config{
		Target: playground.Target{URL: "http://h/mcp"}, Short: s,
		Record: func(wire.Frame) (func(wire.Part) error, error) {
			return func(wire.Part) error { return nil }, nil
		},
	})
	for range 2 {
		tap.answerRoots(wire.Part{Kind: wire.Message,
			Bytes: []byte("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n\n")})
	}
	<-s.asked
	tap.stop()
	s.next <- struct{}{}
	tap.close()
	if len(s.bodies) != 1 || !strings.Contains(s.bodies[0], `"error":{"code":-32601`) {
		t.Error(s.bodies)
	}
}
