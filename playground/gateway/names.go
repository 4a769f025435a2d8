package gateway

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsNameOf reports whether a name or URI at a gateway is one of the upstream: the same, the same
// with a prefix, or with the name of its server behind a separator. Where other names of the
// upstream are known, MatchNames is right more often: "up.create_issue" is a name of "issue" too.
func IsNameOf(listed, own string) bool {
	if listed == own {
		return true
	}
	if prefix, ends := strings.CutSuffix(listed, own); ends && own != "" {
		last, _ := utf8.DecodeLastRuneInString(prefix)
		return !unicode.IsLetter(last) && !unicode.IsDigit(last)
	}
	rest, begins := strings.CutPrefix(listed, own)
	return begins && own != "" && strings.ContainsAny(rest[:1], "@/:#. (")
}

// MatchNames returns the index in listed of each name of the upstream, or -1 for a name that the
// gateway does not list, or of which it cannot be told which one it is. Each index is returned
// once at most.
func MatchNames(own, listed []string) []int {
	return match(own, listed).of
}

// matching is which names that a gateway lists are which names of the upstream.
type matching struct {
	of       []int  // by name of the upstream: the index in the list, or -1
	doubtful []bool // by name of the upstream: several may be meant
	related  []bool // by index in the list: a name of the upstream is in it
}

// affix is what a gateway puts before and behind a name of the upstream.
type affix struct{ before, after string }

func (a affix) len() int { return len(a.before) + len(a.after) }

// extends reports whether an affix has another one at its ends.
func (a affix) extends(b affix) bool {
	return strings.HasPrefix(a.before, b.before) && strings.HasSuffix(a.after, b.after)
}

// candidate is a name of the upstream with a name in the list, by their indexes.
type candidate struct{ own, listed int }

// match matches names. The same name goes first, unless one affix fits all names. A gateway has one
// affix for all names of a server as a rule, so that of the others the affix with the most names goes
// first, and of several the shortest: that of the longest name.
func match(own, listed []string) matching {
	m := matching{make([]int, len(own)), make([]bool, len(own)), make([]bool, len(listed))}
	for i := range own {
		m.of[i] = -1
	}
	found := candidates(own, listed)
	weight := func(a affix) int {
		if a == (affix{}) {
			return max(len(found[a]), len(own)-1)
		}
		return len(found[a])
	}
	affixes := slices.SortedFunc(maps.Keys(found), func(a, b affix) int {
		return cmp.Or(
			cmp.Compare(weight(b), weight(a)), cmp.Compare(a.len(), b.len()),
			cmp.Compare(a.before, b.before), cmp.Compare(a.after, b.after))
	})
	affixesOf := make([][]affix, len(own))
	at := map[affix]map[int]int{}
	for _, a := range affixes {
		at[a] = map[int]int{}
		for _, c := range found[a] {
			at[a][c.own] = c.listed
			m.related[c.listed] = true
			affixesOf[c.own] = append(affixesOf[c.own], a)
		}
	}
	taken := make([]bool, len(listed))
	for _, a := range affixes {
		for _, c := range found[a] {
			if m.of[c.own] >= 0 || m.doubtful[c.own] || taken[c.listed] {
				continue
			}
			m.doubtful[c.own] = slices.ContainsFunc(affixesOf[c.own], func(b affix) bool {
				return len(found[b]) == len(found[a]) && !b.extends(a) && !taken[at[b][c.own]]
			})
			if !m.doubtful[c.own] {
				m.of[c.own], taken[c.listed] = c.listed, true
			}
		}
	}
	return m
}

// maxName is the length up to which a name is searched for others, in bytes.
const maxName = 1000

// candidates returns which names may be which, by the affix. Of equal names the first counts.
func candidates(own, listed []string) map[affix][]candidate {
	index := map[string]int{}
	for i, name := range slices.Backward(own) {
		index[name] = i
	}
	found := map[affix][]candidate{}
	seen := map[string]bool{}
	for i, name := range listed {
		if seen[name] || name == "" {
			continue
		}
		seen[name] = true
		try := func(from, to int) {
			if o, is := index[name[from:to]]; is {
				a := affix{name[:from], name[to:]}
				found[a] = append(found[a], candidate{o, i})
			}
		}
		try(0, len(name))
		if len(name) > maxName {
			continue
		}
		for at := 1; at < len(name); at++ {
			if IsNameOf(name, name[at:]) {
				try(at, len(name))
			}
			if IsNameOf(name, name[:at]) {
				try(0, at)
			}
		}
	}
	return found
}
