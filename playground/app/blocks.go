package app

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// blockStore keeps which visitors are blocked.
type blockStore interface {
	Blocks(ctx context.Context) ([]usage.Block, error)
}

// blocksAge is how old the list of blocked visitors may be where other processes
// can change it.
const blocksAge = time.Second

// blocksRetry is the time between two tries to read the list for the first time.
const blocksRetry = time.Second

// Blocks keeps the blocked visitors in memory.
type Blocks struct {
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
func (b *Blocks) load(ctx context.Context, store blockStore, now time.Time) ([]usage.Block, [][]byte, error) {
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
func (b *Blocks) now(now time.Time) (list []usage.Block, salts [][]byte, fresh bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	age := now.Sub(b.read)
	fresh = b.known && (!b.shared || age < blocksAge) || !b.known && age < blocksRetry
	return b.list, b.salts, fresh
}

// keep makes list the list. b.mu must be held.
func (b *Blocks) keep(list []usage.Block) {
	b.list, b.salts, b.known = list, nil, true
	for _, one := range list {
		same := func(salt []byte) bool { return bytes.Equal(salt, one.Salt) }
		if one.Kind == usage.Address && !slices.ContainsFunc(b.salts, same) {
			b.salts = append(b.salts, one.Salt)
		}
	}
}

// Forget makes the next load read the list again.
func (b *Blocks) Forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known, b.read = false, time.Time{}
}

// IsBlocked reports whether the operator has blocked a visitor. An address is
// hashed as it was when it was blocked.
func (s *App) IsBlocked(v *Visit) (bool, error) {
	list, salts, err := s.Blocked.load(v.Context(), s.Store, s.Now())
	if len(list) == 0 {
		return false, err
	}
	var hashes []string // of the address
	for _, salt := range salts {
		hashes = append(hashes, usage.Hash(salt, v.Address.String()))
	}
	return slices.ContainsFunc(list, func(b usage.Block) bool {
		if b.Kind == usage.Workspace {
			return b.ID == v.Workspace() && b.ID != ""
		}
		return slices.Contains(hashes, b.ID)
	}), err
}
