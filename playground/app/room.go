package app

import (
	"context"
	"slices"
	"sync"
)

// rooms are the talks that this process shows to followers. All followers of a talk
// share one room, in which each step is read, masked and rendered once.
type rooms struct {
	mu   sync.Mutex
	open map[string]*room // by code
	kept keptSights
}

// Bounds of the sights that are kept of talks without a follower, for the next follower: how many,
// and of how many bytes.
const (
	mostSights     = 200
	mostSightBytes = 16 << 20
)

// keptSights are the last sights of the talks that were followed lately. Without them, each
// page of a talk that has no follower who stays would be masked and rendered anew.
type keptSights struct {
	mu    sync.Mutex
	m     map[string]Sight // by code
	order []string         // the code whose sight was made longest ago is the first
	size  int              // of the screens, in bytes
}

// of returns the sight of a talk that has an id, or false if it is not kept.
func (k *keptSights) of(code, id string) (Sight, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.m[code]
	return v, ok && v.ID == id
}

// keep replaces the sight of a talk, and drops the oldest ones if there are too many.
func (k *keptSights) keep(code string, v Sight) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(code)
	if k.m == nil {
		k.m = map[string]Sight{}
	}
	k.m[code] = v
	k.order = append(k.order, code)
	for k.size += v.bytes(); len(k.order) > mostSights || k.size > mostSightBytes; {
		k.drop(k.order[0])
	}
}

// forget drops the sight of a talk that has ended.
func (k *keptSights) forget(code string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(code)
}

// drop drops a sight, if it is kept. k.mu must be held.
func (k *keptSights) drop(code string) {
	v, ok := k.m[code]
	if !ok {
		return
	}
	k.size -= v.bytes()
	delete(k.m, code)
	k.order = slices.DeleteFunc(k.order, func(other string) bool { return other == code })
}

// room is one talk with those who follow it in this process.
type room struct {
	stop   context.CancelFunc // ends the watch
	guests int                // requests that use the room; guarded by rooms.mu

	mu      sync.Mutex
	now     Sight
	changed chan struct{} // closed when now is replaced
}

// Sight is what all followers of a talk see. The zero value comes before the first.
type Sight struct {
	Screen
	ID    string // another one for each sight of a talk; "" if there is nothing to see
	Title string // of the demo
	Over  bool   // the talk has ended

	presenter Account // for whom the followers count
	err       error   // why there is no page
}

func (v Sight) bytes() int { return len(v.Main) + len(v.Event) }

// Screen is a sight as its followers get it.
type Screen struct {
	Main  []byte // to those who come
	Event []byte // to those who stay, when it changes
}

// enter returns the room of a talk, and a function that must be called to leave it.
// The first to enter opens it: watch then runs until the last has left.
func (s *rooms) enter(code string, watch func(context.Context, *room)) (*room, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.open[code]
	if r == nil {
		if s.open == nil {
			s.open = map[string]*room{}
		}
		ctx, stop := context.WithCancel(context.Background())
		r = &room{stop: stop, changed: make(chan struct{})}
		s.open[code] = r
		go watch(ctx, r)
	}
	r.guests++
	return r, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if r.guests--; r.guests == 0 {
			r.stop()
			delete(s.open, code)
		}
	}
}

// has reports whether someone follows the talk in this process.
func (s *rooms) has(code string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[code] != nil
}

// show replaces what followers see. If there is nothing to see, because the storage is
// away, they keep what they have.
func (r *room) show(v Sight) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now.ID != "" && (v.ID == "" || v.ID == r.now.ID) {
		return
	}
	r.now = v
	close(r.changed)
	r.changed = make(chan struct{})
}

// view returns what followers see, and a channel that is closed when it changes.
func (r *room) view() (Sight, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now, r.changed
}

// first waits for the first sight, and returns the one that followers then see.
func (r *room) first(ctx context.Context) (Sight, error) {
	for {
		v, changed := r.view()
		if v.ID != "" || v.err != nil {
			return v, v.err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}
