package clienttest

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"time"
)

// The calls of the test of a gateway have a mark in their arguments. Calls that wait for each
// other have the same one but for its end.
const (
	markMember    = "mark"
	releaseSuffix = "-release" // of the call that releases the result of another one
)

// released is the note of a call that was released.
const released = "released"

// ids are the ids that notes may have.
var ids = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

// noteID returns the id of the notes of a call: its mark without one of these ends, or "" if it
// has none.
func (c *call) noteID(ends ...string) string {
	var arguments map[string]json.RawMessage
	var mark string
	_ = json.Unmarshal(c.params["arguments"], &arguments)
	_ = json.Unmarshal(arguments[markMember], &mark)
	for _, end := range ends {
		mark = strings.TrimSuffix(mark, end)
	}
	if !c.gateway || !ids.MatchString(mark) {
		return ""
	}
	return "hop." + mark
}

// pause is how long a call that waits for a note waits between two looks. Another process may
// have written it.
const pause = 50 * time.Millisecond

// await returns when the notes of an id meet a condition, when the client is gone, or after
// the longest time. Without an id it does not wait.
func (c *call) await(id string, enough func(notes []string) bool) {
	if id == "" {
		return
	}
	longest := time.NewTimer(min(c.s.config.Hold, longestPair))
	defer longest.Stop()
	look := time.NewTicker(pause)
	defer look.Stop()
	for !enough(c.s.config.Notes.Of(id)) {
		select {
		case <-look.C:
		case <-longest.C:
			return
		case <-c.r.Context().Done():
			return
		}
	}
}

// longestPair is how long a call waits for a second one. Two of the test of clients that are
// answered by different processes do not meet, and are open at the same time anyway.
const longestPair = 10 * time.Second

// meet returns when another call of meet is in progress, when the client is gone, or after the
// longest time.
func (c *call) meet() {
	id := c.noteID("-1", "-2")
	if id == "" {
		c.s.pair.meet(c.r.Context().Done(), min(c.s.config.Hold, longestPair))
		return
	}
	c.s.config.Notes.Add(c.r.RemoteAddr, id, c.nonce)
	c.await(id, func(notes []string) bool { return len(notes) > 1 })
}

// rendezvous lets two calls wait for each other.
type rendezvous struct {
	mu      sync.Mutex
	waiting chan struct{}
}

// meet returns when another call of meet is in progress, when stop is closed, or after
// the given time.
func (p *rendezvous) meet(stop <-chan struct{}, most time.Duration) {
	p.mu.Lock()
	if p.waiting != nil {
		close(p.waiting)
		p.waiting = nil
		p.mu.Unlock()
		return
	}
	mine := make(chan struct{})
	p.waiting = mine
	p.mu.Unlock()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-mine:
		return
	case <-stop:
	case <-timer.C:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == mine {
		p.waiting = nil
	}
}
