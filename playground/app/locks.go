package app

import (
	"context"
	"sync"
	"time"
)

// keyLocks are locks by key. A key that is not in use takes no memory.
type keyLocks struct {
	mu   sync.Mutex
	held map[string]*keyLock
}

type keyLock struct {
	sync.Mutex
	users int // those that hold it or wait for it
}

// lock waits until it holds the lock of a key, and returns the function that
// gives it back.
func (l *keyLocks) lock(key string) (unlock func()) {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[string]*keyLock{}
	}
	k := l.held[key]
	if k == nil {
		k = &keyLock{}
		l.held[key] = k
	}
	k.users++
	l.mu.Unlock()
	k.Lock()
	return func() {
		k.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		if k.users--; k.users == 0 {
			delete(l.held, key)
		}
	}
}

// tokenWait is how long to wait for another process that changes a token.
const tokenWait = 30 * time.Second

// LockToken locks the token of the visitor's workspace for a server, across processes.
// It returns the function that unlocks it.
func (s *App) LockToken(v *Visit, target string) func() {
	workspace := v.Workspace()
	unlock := s.tokens.lock(workspace + " " + target)
	if s.Exclusive == nil {
		return unlock
	}
	ctx, stop := context.WithTimeout(v.Context(), tokenWait)
	defer stop()
	release, err := s.Exclusive(ctx, "token:"+workspace+":"+target)
	if err != nil {
		s.logError(v, "wait for a token", err)
		return unlock
	}
	return func() {
		release()
		unlock()
	}
}
