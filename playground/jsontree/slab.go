package jsontree

// slabs hold what the Nodes of a document consist of.
type slabs struct {
	nodes   slab[Node]
	members slab[Member]
	items   slab[*Node]
}

// slabsFor returns slabs of which the first ones suffice for most documents of a
// length.
func slabsFor(length int) slabs {
	var s slabs
	s.nodes.taken = min(length/20, 64)
	s.members.taken = min(length/24, 64)
	return s
}

// slab gives out short slices of one long one, because very many short ones are
// what a parser would spend its time with. It grows with what was taken.
type slab[T any] struct {
	free  []T
	taken int // or what the first one is expected to take
}

// take returns n zero values.
func (s *slab[T]) take(n int) []T {
	if len(s.free) < n {
		s.free = make([]T, max(n, min(max(s.taken, 4), 512)))
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
