package main

import "testing"

// TestSpending: memory is given back once after much was allocated, and not while
// more is.
func TestSpending(t *testing.T) {
	const mib = 1 << 20
	var s spending
	for i, look := range []struct {
		allocated uint64
		over      bool
	}{
		{40 * mib, false}, {40 * mib, true}, {40 * mib, false}, {41*mib - 1, false},
		{60 * mib, false}, {100 * mib, false}, {100*mib + 100, true}, {100*mib + 200, false},
	} {
		if got := s.isOver(look.allocated); got != look.over {
			t.Errorf("look %d at %d bytes: %v", i, look.allocated, got)
		}
	}
}

func TestAllocated(t *testing.T) {
	before := allocated()
	block := make([]byte, 1<<20)
	if after := allocated(); after < before+uint64(len(block)) {
		t.Errorf("%d bytes, then %d", before, after)
	}
}
