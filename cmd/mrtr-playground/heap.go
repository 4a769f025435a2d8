package main

import (
	"context"
	"runtime"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"time"
)

// heapFloor is how many bytes the heap grows, at least, between two garbage
// collections. The program keeps about 3 MiB, and a round leaves half a megabyte
// behind, most of it buffers in which the SDK reads JSON. So without a floor every
// few rounds pay for a collection: 3.4 ms of processor time for a round, 2.6 with
// 8 MiB, 2.3 with 32.
const heapFloor = 32 << 20

// keepHeapFloor returns a function to call at the end. Until then a block that
// is never written to, and so takes no memory, counts as part of the heap: the
// next collection begins when as much again is in use (GOGC).
func keepHeapFloor() (end func()) {
	floor := make([]byte, heapFloor)
	return func() { runtime.KeepAlive(floor) }
}

// When the program gives memory back: after a time in which it hardly allocated,
// if it has allocated much since the last time.
const (
	idleTime   = 5 * time.Second
	idleBytes  = 1 << 20
	spentBytes = 16 << 20
)

// giveMemoryBack gives the memory that a crowd has left to the operating system
// once the crowd has gone, until ctx ends. The runtime would keep most of it, for
// the floor of the heap.
func giveMemoryBack(ctx context.Context) {
	tick := time.NewTicker(idleTime)
	defer tick.Stop()
	var s spending
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if s.isOver(allocated()) {
			debug.FreeOSMemory()
		}
	}
}

// spending is the number of bytes that the program has allocated since its
// start: at the last look, and when it last gave memory back.
type spending struct{ seen, returned uint64 }

// isOver reports whether the program is idle after it has allocated much. allocated is
// the total so far, in bytes.
func (s *spending) isOver(allocated uint64) bool {
	idle := allocated-s.seen < idleBytes
	s.seen = allocated
	if !idle || allocated-s.returned < spentBytes {
		return false
	}
	s.returned = allocated
	return true
}

// allocated returns how many bytes the program has allocated since its start.
func allocated() uint64 {
	sample := []runtimemetrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	runtimemetrics.Read(sample)
	return sample[0].Value.Uint64()
}
