package jsontree

import "encoding/json"

// Aligned is a value of two documents, laid side by side. Before is nil if the
// value was added, After if it was removed.
type Aligned struct {
	Key           json.RawMessage // of a member, its quoted name as in the source; nil for an item
	Before, After *Node
	Same          bool // both have the same meaning; see Equal

	// Parts are the members or items of both, if both are objects or both are
	// arrays: in the order of After, with the removed ones where they were.
	Parts []Aligned
}

// Align lays b beside a. Members are matched by name, of duplicates the first
// with the first; their order does not count. Items are matched by value where
// that takes little time, and by index otherwise.
func Align(a, b *Node) Aligned {
	p := Aligned{Before: a, After: b}
	switch {
	case a == nil || b == nil:
		p.Same = a == b
	case a.Kind == Object && b.Kind == Object:
		p.Parts = alignMembers(a, b)
		p.Same = allSame(p.Parts)
	case a.Kind == Array && b.Kind == Array:
		p.Parts = alignItems(a, b)
		p.Same = allSame(p.Parts)
	default:
		p.Same = a.Kind == b.Kind && Equal(a, b)
	}
	return p
}

func allSame(parts []Aligned) bool {
	for _, p := range parts {
		if !p.Same {
			return false
		}
	}
	return true
}

func alignMembers(a, b *Node) []Aligned {
	before := make(map[string][]int, len(a.Members)) // indexes of the members not matched yet
	for i, m := range a.Members {
		before[m.Key] = append(before[m.Key], i)
	}
	match := make([]int, len(b.Members)) // index in a, or -1
	kept := make([]bool, len(a.Members))
	for i, m := range b.Members {
		match[i] = -1
		if list := before[m.Key]; len(list) > 0 {
			match[i], before[m.Key] = list[0], list[1:]
			kept[list[0]] = true
		}
	}
	parts := make([]Aligned, 0, len(b.Members))
	// A removed member follows the one that it followed before.
	removed := func(i int) {
		for ; i < len(a.Members) && !kept[i]; i++ {
			parts = append(parts, Aligned{Key: a.RawKey(a.Members[i]), Before: a.Members[i].Value})
		}
	}
	removed(0)
	for i, m := range b.Members {
		var was *Node
		if match[i] >= 0 {
			was = a.Members[match[i]].Value
		}
		p := Align(was, m.Value)
		p.Key = b.RawKey(m)
		parts = append(parts, p)
		if match[i] >= 0 {
			removed(match[i] + 1)
		}
	}
	return parts
}

// Items are matched by value only in arrays up to these sizes, which bounds the
// time.
const (
	maxAlignedBytes = 64 << 10
	maxAlignedItems = 200
)

func alignItems(a, b *Node) []Aligned {
	x, y := a.Items, b.Items
	if len(a.Raw())+len(b.Raw()) > maxAlignedBytes || max(len(x), len(y)) > maxAlignedItems {
		return alignByIndex(nil, x, y)
	}
	var parts []Aligned
	i, j := 0, 0
	for _, m := range commonItems(x, y) {
		parts = alignByIndex(parts, x[i:m[0]], y[j:m[1]])
		parts = append(parts, Align(x[m[0]], y[m[1]]))
		i, j = m[0]+1, m[1]+1
	}
	return alignByIndex(parts, x[i:], y[j:])
}

// alignByIndex appends the items of x and y to parts, pair by pair.
func alignByIndex(parts []Aligned, x, y []*Node) []Aligned {
	for i := range max(len(x), len(y)) {
		var a, b *Node
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		parts = append(parts, Align(a, b))
	}
	return parts
}

// commonItems returns the indexes in x and y of a longest common subsequence.
func commonItems(x, y []*Node) [][2]int {
	a, b := canonicalItems(x), canonicalItems(y)
	length := make([][]int, len(a)+1) // of the subsequence of a[i:] and b[j:]
	length[len(a)] = make([]int, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		length[i] = make([]int, len(b)+1)
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

func canonicalItems(list []*Node) []string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = string(Canonical(n))
	}
	return texts
}
