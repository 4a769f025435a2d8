package redact

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Search finds texts in other texts, in time that depends on the length of the
// searched text alone: neither on the number and the length of the texts that
// were added, nor on how often they occur.
//
// It may be used by several goroutines as long as none of them adds a text, and once the
// first In after Add has returned: that one builds the search.
type Search struct {
	added []searched // since parts were built
	// Each part is at least twice as large as the next one, so that texts that are
	// added one by one cost little.
	parts []*automaton
}

// searched is a text of the value with a number.
type searched struct {
	text  string
	value int
}

// minSearched is the least length of a text that is searched for, in bytes.
const minSearched = 4

// NewSearch returns a search for nothing yet.
func NewSearch() *Search { return &Search{} }

// Add adds texts to search for, such as the Spellings of a value, which is known
// to the caller by its number, from 0. Texts of fewer than four bytes are left out.
func (s *Search) Add(value int, texts ...string) {
	for _, text := range texts {
		if len(text) >= minSearched {
			s.added = append(s.added, searched{text, value})
		}
		joined := strings.Map(func(r rune) rune {
			if r < 0x80 && spaceChars[r] {
				return -1
			}
			return r
		}, text)
		if joined != text && len(joined) >= MinSecret {
			s.added = append(s.added, searched{joined, value})
		}
	}
}

// build makes automata of the added texts.
func (s *Search) build() {
	if len(s.added) == 0 {
		return
	}
	last := newAutomaton(s.added)
	for n := len(s.parts); n > 0 && len(s.parts[n-1].label) < 2*len(last.label); n-- {
		last = newAutomaton(slices.Concat(s.parts[n-1].texts, last.texts))
		s.parts = s.parts[:n-1]
	}
	s.parts, s.added = append(s.parts, last), nil
}

// In calls found for every occurrence of a text that was added, as it stands in the
// View and also if there is white space in it, with the number of its value and the
// View that has it without this space. Occurrences of one value that overlap are one.
// In returns the number of steps that it took.
func (s *Search) In(v View, found func(at View, start, end, value int)) (steps int) {
	return s.in(v, v.Joined(), found)
}

// in is In for a View and the result of Joined for it.
func (s *Search) in(v, joined View, found func(at View, start, end, value int)) (steps int) {
	s.build()
	for _, a := range s.parts {
		steps += a.run(v.Text, minSearched, func(start, end, value int) { found(v, start, end, value) })
		if len(joined.Text) < len(v.Text) {
			steps += a.run(joined.Text, MinSecret,
				func(start, end, value int) { found(joined, start, end, value) })
		}
	}
	return steps
}

// automaton finds many texts with one pass (Aho and Corasick, 1975). A node stands for
// the beginning of a text; node 0 is the empty one. The nodes are in the order of their
// length, so those that a node leads to follow each other.
type automaton struct {
	texts   []searched
	label   []byte  // the last byte of each node
	first   []int32 // of the nodes that one leads to; they end where those of the next node begin
	shorter []int32 // the longest end of a node that is a node, too
	ends    []int32 // the longest text that ends at a node, in endings; or -1
	endings []ending
	begins  [256]int32 // the nodes of one byte
	values  int        // the largest value, plus one
}

// ending is the end of a text.
type ending struct {
	value, length int
	next          int32 // a shorter text that ends there; or -1
}

// newAutomaton returns an automaton for texts.
func newAutomaton(texts []searched) *automaton {
	a := &automaton{texts: texts, label: []byte{0}, shorter: []int32{0}}
	slices.SortFunc(texts, func(x, y searched) int {
		return cmp.Or(strings.Compare(x.text, y.text), x.value-y.value)
	})
	a.texts = slices.Compact(texts)
	type node struct{ from, to, length int32 } // its texts
	size := 1
	for _, x := range a.texts {
		size += len(x.text)
	}
	nodes := append(make([]node, 0, size), node{0, int32(len(a.texts)), 0})
	for i := int32(0); int(i) < len(nodes); i++ {
		n := nodes[i]
		a.first = append(a.first, int32(len(nodes)))
		a.ends = append(a.ends, -1)
		if i > 0 {
			a.ends[i] = a.ends[a.shorter[i]]
		}
		for ; n.from < n.to && len(a.texts[n.from].text) == int(n.length); n.from++ {
			a.end(i, a.texts[n.from])
		}
		for n.from < n.to {
			c, to := a.texts[n.from].text[n.length], n.from+1
			for to < n.to && a.texts[to].text[n.length] == c {
				to++
			}
			child := int32(len(nodes))
			nodes = append(nodes, node{n.from, to, n.length + 1})
			a.label = append(a.label, c)
			if i == 0 {
				a.begins[c] = child
				a.shorter = append(a.shorter, 0)
			} else {
				next, _ := a.next(a.shorter[i], c)
				a.shorter = append(a.shorter, next)
			}
			n.from = to
		}
	}
	a.first = append(a.first, int32(len(nodes)))
	return a
}

// end adds a text that ends at a node. Of one value the longest is enough.
func (a *automaton) end(node int32, x searched) {
	next := a.ends[node]
	for next >= 0 && a.endings[next].value == x.value {
		next = a.endings[next].next
	}
	a.ends[node] = int32(len(a.endings))
	a.endings = append(a.endings, ending{x.value, len(x.text), next})
	a.values = max(a.values, x.value+1)
}

// next returns the node after a node and a byte, and how many others were looked at.
func (a *automaton) next(node int32, c byte) (next int32, steps int) {
	for node != 0 {
		from, to := a.first[node], a.first[node+1]
		if i := bytes.IndexByte(a.label[from:to], c); i >= 0 {
			return from + int32(i), steps
		}
		node = a.shorter[node]
		steps++
	}
	return a.begins[c], steps
}

// run calls found for the occurrences of at least minimum bytes, and returns the number
// of its steps: at most two for each byte, and one for each value that ends there.
func (a *automaton) run(text []byte, minimum int, found func(start, end, value int)) (steps int) {
	type stretch struct{ start, end int }
	var open []stretch // by value, the newest occurrences
	node := int32(0)
	for i := 0; i < len(text); i++ {
		if node == 0 {
			for i < len(text) && a.begins[text[i]] == 0 {
				i++
			}
			if i == len(text) {
				break
			}
		}
		var n int
		node, n = a.next(node, text[i])
		steps += n
		for e := a.ends[node]; e >= 0; e = a.endings[e].next {
			steps++
			x, start := a.endings[e], i+1-a.endings[e].length
			if x.length < minimum {
				continue
			}
			if open == nil {
				open = make([]stretch, a.values)
			}
			switch o := &open[x.value]; {
			case start < o.end:
				o.start, o.end = min(o.start, start), i+1
			default:
				if o.end > 0 {
					found(o.start, o.end, x.value)
				}
				*o = stretch{start, i + 1}
			}
		}
	}
	for value, o := range open {
		if o.end > 0 {
			found(o.start, o.end, value)
		}
	}
	return steps + len(text)
}
