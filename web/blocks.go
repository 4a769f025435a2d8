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

// blocks keeps the blocked visitors in memory.
type blocks struct {
	shared bool // other processes can change the list

	mu    sync.Mutex
	known bool
	read  time.Time // when the list was read
	list  []usage.Block
	salts [][]byte // of the hashes in list, each once
}

// load returns the list, which it reads from the store once, and again after
// forget or when it is too old. With an error it returns the list that it had.
func (b *blocks) load(ctx context.Context, store blockStore, now time.Time) ([]usage.Block, [][]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known && (!b.shared || now.Sub(b.read) < blocksAge) {
		return b.list, b.salts, nil
	}
	list, err := store.Blocks(ctx)
	if err != nil {
		return b.list, b.salts, err
	}
	b.list, b.salts, b.known, b.read = list, nil, true, now
	for _, one := range list {
		same := func(salt []byte) bool { return bytes.Equal(salt, one.Salt) }
		if one.Kind == usage.Address && !slices.ContainsFunc(b.salts, same) {
			b.salts = append(b.salts, one.Salt)
		}
	}
	return b.list, b.salts, nil
}

// forget makes the next load read the list again.
func (b *blocks) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known = false
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
