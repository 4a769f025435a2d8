package app

import "sync"

// Notices tells that a topic, which is a word, has changed.
type Notices interface {
	Changed(topic string)
	// Changes returns a channel that is closed at the next Changed of a topic, or when one
	// may have been missed, and a function that must be called to end the subscription.
	Changes(topic string) (changed <-chan struct{}, stop func())
}

// notices are the Notices of the only process. Each wakes all who wait, whatever the
// topic: there are few, and they look for themselves.
type notices struct {
	mu      sync.Mutex
	changed chan struct{}
}

func newNotices() *notices { return &notices{changed: make(chan struct{})} }

// Changed wakes all who wait.
func (n *notices) Changed(string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.changed)
	n.changed = make(chan struct{})
}

// Changes returns a channel that is closed at the next Changed.
func (n *notices) Changes(string) (changed <-chan struct{}, stop func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.changed, func() {}
}
