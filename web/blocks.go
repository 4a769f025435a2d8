package web

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// blockStore keeps which visitors are blocked.
type blockStore interface {
	Blocks(ctx context.Context) ([]usage.Block, error)
}

// blocks keeps the blocked visitors in memory.
type blocks struct {
	mu    sync.Mutex
	known bool
	list  []usage.Block
	salts [][]byte // of the hashes in list, each once
}

// load returns the list, which it reads from the store once, and again after
// forget.
func (b *blocks) load(ctx context.Context, store blockStore) ([]usage.Block, [][]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known {
		return b.list, b.salts, nil
	}
	list, err := store.Blocks(ctx)
	if err != nil {
		return nil, nil, err
	}
	b.list, b.salts, b.known = list, nil, true
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
	list, salts, err := s.blocked.load(c.Request().Context(), s.Store)
	if err != nil || len(list) == 0 {
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
	}), nil
}

// refuseBlocked refuses visitors whom the operator has blocked. If the list
// cannot be read, no visitor is refused.
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
