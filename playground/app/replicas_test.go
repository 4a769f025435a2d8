package app

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// blockList is a store of blocks that counts how often it is read.
type blockList struct {
	list  []usage.Block
	err   error
	reads int
}

func (b *blockList) Blocks(context.Context) ([]usage.Block, error) {
	b.reads++
	return b.list, b.err
}

// TestBlocks_OfAnotherProcess are noticed after a few seconds, and stay while the
// storage is away.
func TestBlocks_OfAnotherProcess(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	for _, shared := range []bool{false, true} {
		store := &blockList{}
		b := &Blocks{shared: shared}
		load := func(want int) {
			t.Helper()
			list, _, err := b.load(t.Context(), store, now)
			if len(list) != want || (err != nil) != (store.err != nil && shared) {
				t.Errorf("shared %v: %d blocks, %v", shared, len(list), err)
			}
		}
		load(0)
		store.list = []usage.Block{{Kind: usage.Workspace, ID: "w"}}
		load(0)
		now = now.Add(blocksAge)
		if !shared {
			load(0)
			if b.Forget(); store.reads != 1 {
				t.Errorf("read %d times", store.reads)
			}
		}
		load(1)
		now = now.Add(blocksAge)
		store.list, store.err = nil, errors.New("the database restarts")
		load(1)
	}
}

// TestLimits_Over: three processes together grant what one grants alone, and each
// of them something.
func TestLimits_Over(t *testing.T) {
	t.Parallel()
	one := DefaultLimits()
	if one.Over(1) != one {
		t.Error("the limits of one process changed")
	}
	three := one.Over(3)
	for name, rates := range map[string][2]Rate{
		"pages": {one.Pages, three.Pages}, "parts": {one.Parts, three.Parts},
		"calls": {one.Calls, three.Calls}, "shares": {one.Shares, three.Shares},
		"imports": {one.Imports, three.Imports}, "samples": {one.Samples, three.Samples},
		"wrong links":    {one.WrongLinks, three.WrongLinks},
		"pages of talks": {one.FollowPages, three.FollowPages},
	} {
		all, share := rates[0], rates[1]
		perHour := func(r Rate) float64 { return float64(r.N) * float64(time.Hour) / float64(r.Per) }
		if got, want := 3*perHour(share), perHour(all); got < 0.999*want || got > 1.001*want {
			t.Errorf("%s: three processes grant %v an hour, one grants %v", name, got, want)
		}
		if 3*share.Burst < all.Burst || 3*(share.Burst-1) >= all.Burst {
			t.Errorf("%s: bursts of %d in three processes, of %d in one", name, share.Burst, all.Burst)
		}
	}
	for name, n := range map[string][2]int{
		"checks": {one.Checks, three.Checks}, "streams": {one.Streams, three.Streams},
		"calls in all":        {one.CallsInAll, three.CallsInAll},
		"calls to a host":     {one.CallsToHost, three.CallsToHost},
		"calls of an address": {one.CallsOfAddress, three.CallsOfAddress},
	} {
		if 3*n[1] < n[0] || n[1] >= n[0] {
			t.Errorf("%s: %d in each of three processes, %d in one", name, n[1], n[0])
		}
	}
	if three.Followers != one.Followers || three.FollowersInAll != 667 {
		t.Errorf("each of three processes has %d followers of a talk, %d of all",
			three.Followers, three.FollowersInAll)
	}
	if three.CallsOfWorkspace != 2 {
		t.Errorf("a workspace may make %d calls at once", three.CallsOfWorkspace)
	}
	if three.Storage != one.Storage || three.StorageWorkspace != one.StorageWorkspace {
		t.Error("what is stored is counted in all processes together")
	}
}

// slowBlocks is a store whose reads fail once they are let go on.
type slowBlocks struct {
	reads atomic.Int32
	gate  chan struct{}
}

func (b *slowBlocks) Blocks(context.Context) ([]usage.Block, error) {
	if b.reads.Add(1) == 1 {
		return []usage.Block{{Kind: usage.Workspace, ID: "w"}}, nil
	}
	<-b.gate
	return nil, errors.New("the database does not answer")
}

// TestBlocks_DoNotQueue while the storage does not answer: one request reads, and
// the others use the list that is known.
func TestBlocks_DoNotQueue(t *testing.T) {
	t.Parallel()
	store := &slowBlocks{gate: make(chan struct{})}
	b := &Blocks{shared: true}
	now := time.Unix(1_800_000_000, 0)
	if _, _, err := b.load(t.Context(), store, now); err != nil {
		t.Fatal(err)
	}
	now = now.Add(blocksAge)
	reading := make(chan struct{})
	go func() {
		defer close(reading)
		_, _, _ = b.load(t.Context(), store, now)
	}()
	for store.reads.Load() < 2 {
		runtime.Gosched()
	}
	for range 20 { // each would wait for the gate
		if list, _, err := b.load(t.Context(), store, now); len(list) != 1 || err != nil {
			t.Errorf("%d blocks, %v", len(list), err)
		}
	}
	close(store.gate)
	<-reading
	list, _, err := b.load(t.Context(), store, now)
	if len(list) != 1 || err != nil || store.reads.Load() != 2 {
		t.Errorf("%d blocks after %d reads, %v", len(list), store.reads.Load(), err)
	}
}
