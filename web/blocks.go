package web

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// blockStore keeps which visitors are blocked.
type blockStore interface {
	Blocks(ctx context.Context) ([]usage.Block, error)
}

// blocksAge is how old the list of blocked visitors may be where other processes
// can change it.
const blocksAge = 5 * time.Second

// blocksRetry is the time between two tries to read the list for the first time.
const blocksRetry = time.Second

// blocks keeps the blocked visitors in memory.
type blocks struct {
	shared bool // other processes can change the list

	reading sync.Mutex // held by the one request that reads the list

	mu    sync.Mutex
	known bool
	read  time.Time // when the list was read, or could not be
	list  []usage.Block
	salts [][]byte // of the hashes in list, each once
}

// load returns the list, which it reads from the store once, and again after
// forget or when it is too old. One request reads; meanwhile, and after an error,
// the list that there was counts.
func (b *blocks) load(ctx context.Context, store blockStore, now time.Time) ([]usage.Block, [][]byte, error) {
	list, salts, fresh := b.now(now)
	if fresh || !b.reading.TryLock() {
		return list, salts, nil
	}
	defer b.reading.Unlock()
	found, err := store.Blocks(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.read = now; err != nil {
		return b.list, b.salts, err
	}
	b.keep(found)
	return b.list, b.salts, nil
}

// now returns the list, and whether it need not be read.
func (b *blocks) now(now time.Time) (list []usage.Block, salts [][]byte, fresh bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	age := now.Sub(b.read)
	fresh = b.known && (!b.shared || age < blocksAge) || !b.known && age < blocksRetry
	return b.list, b.salts, fresh
}

// keep makes list the list. b.mu must be held.
func (b *blocks) keep(list []usage.Block) {
	b.list, b.salts, b.known = list, nil, true
	for _, one := range list {
		same := func(salt []byte) bool { return bytes.Equal(salt, one.Salt) }
		if one.Kind == usage.Address && !slices.ContainsFunc(b.salts, same) {
			b.salts = append(b.salts, one.Salt)
		}
	}
}

// forget makes the next load read the list again.
func (b *blocks) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known, b.read = false, time.Time{}
}

// isBlocked reports whether the operator has blocked a visitor. An address is
// hashed as it was when it was blocked.
func (s *app) isBlocked(c echo.Context) (bool, error) {
	list, salts, err := s.blocked.load(c.Request().Context(), s.Store, s.Now())
	if len(list) == 0 {
		return false, err
	}
	who := s.visitor(c)
	ids := []string{who.workspace}
	for _, salt := range salts {
		ids = append(ids, usage.Hash(salt, who.address.String()))
	}
	return slices.ContainsFunc(list, func(b usage.Block) bool {
		if b.Kind == usage.Workspace {
			return b.ID == who.workspace && b.ID != ""
		}
		return slices.Contains(ids[1:], b.ID)
	}), err
}

// refuseBlocked refuses visitors whom the operator has blocked. If the list
// cannot be read, the last one counts.
func (s *app) refuseBlocked(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.Mode != Public || isUnlimited(c) {
			return next(c)
		}
		blocked, err := s.isBlocked(c)
		if err != nil {
			s.Logger.Warn("read blocked visitors", "err", err)
		}
		if blocked {
			return refuse(http.StatusForbidden, "blocked", "The operator of this site has blocked you.",
				"The block is for your workspace or for your network. If you think it is a mistake, ask "+
					"the operator. Your recordings are not deleted by it.")
		}
		return next(c)
	}
}
