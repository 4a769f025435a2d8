package jsontree

import (
	"bytes"
	"sync"
)

// slabs hold what the Nodes of a document consist of.
type slabs struct {
	nodes   slab[Node]
	members slab[Member]
	items   slab[*Node]
}

// firstSlab is the most that the first slab of a document holds.
const firstSlab = 128

// slabsFor returns slabs of which the first ones suffice for most short
// documents: the punctuation and the length of src tell how much it has at most.
func slabsFor(src []byte) slabs {
	count := func(c byte) int { return bytes.Count(src, []byte{c}) }
	var s slabs
	s.nodes.taken, s.members.taken = firstSlab, firstSlab
	if len(src) <= shortText {
		s.nodes.taken = min(1+count(',')+count('{')+count('['), 1+len(src)/8, firstSlab)
		s.members.taken = min(count(':'), len(src)/8, firstSlab)
	}
	return s
}

// stacks are memory that a parser needs only until it is done.
type stacks struct {
	open    []frame
	members []Member
	items   []*Node
}

var stacksOf = sync.Pool{New: func() any {
	return &stacks{open: make([]frame, 0, 8), members: make([]Member, 0, 16)}
}}

// longStack is the length above which a stack is not kept for the next document.
const longStack = 64

// release keeps short stacks for the next document, without their content.
func (s *stacks) release() {
	if cap(s.open) > longStack || cap(s.members) > longStack || cap(s.items) > longStack {
		return
	}
	clear(s.open[:cap(s.open)])
	clear(s.members[:cap(s.members)])
	clear(s.items[:cap(s.items)])
	s.open, s.members, s.items = s.open[:0], s.members[:0], s.items[:0]
	stacksOf.Put(s)
}

// slab gives out short slices of one long one, because very many short ones are
// what a parser would spend its time with. It grows with the number of taken
// slices.
type slab[T any] struct {
	free  []T
	taken int // or what the first one is expected to take
}

// take returns n zero values.
func (s *slab[T]) take(n int) []T {
	if len(s.free) < n {
		s.free = make([]T, max(n, min(s.taken, 512)))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	s.taken += n
	return out
}

// copy returns a copy of list, or nil if it is empty.
func (s *slab[T]) copy(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := s.take(len(list))
	copy(out, list)
	return out
}
