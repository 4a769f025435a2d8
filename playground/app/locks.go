package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
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
// It returns the function that unlocks it, or a refusal: then the token must not be changed,
// because another process may use its refresh token at the same time, which a server takes for
// theft and answers by revoking everything.
func (s *App) LockToken(v *Visit, target string) (unlock func(), err error) {
	workspace := v.Workspace()
	here := s.tokens.lock(workspace + " " + target)
	if s.Exclusive == nil {
		return here, nil
	}
	ctx, stop := context.WithTimeout(v.Context(), tokenWait)
	defer stop()
	release, err := s.Exclusive(ctx, "token:"+workspace+":"+target)
	if err != nil {
		here()
		if errors.Is(err, playground.ErrStorage) && !errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		return nil, RefuseBecause(err, Unavailable, "token_busy",
			"Another request is changing the token for this server.",
			"Nothing was sent or changed. Try again in a minute.")
	}
	return func() {
		release()
		here()
	}, nil
}
