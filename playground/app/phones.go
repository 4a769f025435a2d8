package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Phones is a listener at an address of this machine in its network, which serves the pages
// of followers and nothing else. It is closed at first, and may close by itself.
type Phones interface {
	// Open opens the listener unless it is open. The channel is closed with the listener. The
	// error is ErrNoNetwork or says why the program cannot listen.
	Open() (closed <-chan struct{}, err error)
	// URL returns the URL of the listener without a slash at its end, or "" while it is closed.
	URL() string
	// Close closes the listener. Running requests have some seconds to end.
	Close()
}

// ErrNoNetwork says that this machine has no address that another one could reach.
var ErrNoNetwork = errors.New("this machine has no network address")

// invited are the talks that were started here in local mode, and go on. While there is one,
// the listener for phones is open. A talk of an earlier process opens nothing by itself.
type invited struct {
	mu    sync.Mutex
	talks map[string]<-chan struct{} // by code; closed with the listener of the talk
}

// startLocalTalk starts a talk, and keeps the listener for phones open until its end.
func (s *App) startLocalTalk(v *Visit, session string) error {
	s.invited.mu.Lock()
	defer s.invited.mu.Unlock()
	defer s.closeUnused()
	closed, err := s.Phones.Open()
	if err != nil {
		return refusePhones(err)
	}
	if err := s.storeTalk(v, session); err != nil {
		return err
	}
	t, err := s.TalkOf(v, session) // the talk may have started earlier, with another code
	if err != nil || t.Code == "" || s.invited.talks[t.Code] == closed {
		return err
	}
	if s.invited.talks == nil {
		s.invited.talks = map[string]<-chan struct{}{}
	}
	s.invited.talks[t.Code] = closed
	go s.awaitEnd(t.Code, closed)
	return nil
}

// closeUnused closes the listener for phones if no talk needs it. s.invited.mu must be held.
func (s *App) closeUnused() {
	if len(s.invited.talks) == 0 {
		s.Phones.Close()
	}
}

// awaitEnd waits for the end of a talk, or of the listener that was opened for it, and closes
// the listener if that talk was the last.
func (s *App) awaitEnd(code string, closed <-chan struct{}) {
	for s.goesOn(code, closed) {
	}
	s.invited.mu.Lock()
	defer s.invited.mu.Unlock()
	if s.invited.talks[code] == closed {
		delete(s.invited.talks, code)
	}
	s.closeUnused()
}

// goesOn waits until a talk may have changed, and returns false if it had ended before, or if
// the listener is closed.
func (s *App) goesOn(code string, closed <-chan struct{}) bool {
	t, err := s.Store.Talk(context.Background(), code, s.Now())
	if errors.Is(err, playground.ErrNotFound) {
		return false
	}
	noticed, unsubscribe := s.Notices.Changes(t.Session)
	defer unsubscribe()
	poll := time.NewTimer(followPoll)
	defer poll.Stop()
	select {
	case <-noticed:
	case <-poll.C:
	case <-closed:
		return false
	}
	return true
}

// refusePhones returns the refusal of a talk for which no listener can be opened.
func refusePhones(err error) error {
	if errors.Is(err, ErrNoNetwork) {
		return Refuse(Conflict, "no_network", "This machine has no network address that a phone could reach.",
			"Connect it to the network of the phones, such as a Wi-Fi network, and try again.")
	}
	return RefuseBecause(err, Conflict, "no_room_address",
		"The address for phones can't be opened: "+err.Error()+".",
		"Start this program with -room and another address or port, such as -room :2323.")
}
