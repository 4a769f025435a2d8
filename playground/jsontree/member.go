package jsontree

import "slices"

// fewMembers is the size up to which scanning the names is faster than a map.
const fewMembers = 8

// key parses a name and its colon and appends a Member to the open object.
func (p *parser) key() error {
	p.i = skipSpace(p.src, p.i)
	if p.i == len(p.src) || p.src[p.i] != '"' {
		return &SyntaxError{p.i, "member name is missing"}
	}
	end, broken, err := scanString(p.src, p.i)
	if err != nil {
		return err
	}
	top := &p.open[len(p.open)-1]
	m := Member{Key: p.name(p.i, end), KeyStart: p.i, KeyEnd: end, Broken: broken}
	m.Duplicate = top.has(p.members[top.first:], m.Key)
	p.members = append(p.members, m)
	p.i = skipSpace(p.src, end)
	if p.i == len(p.src) || p.src[p.i] != ':' {
		return &SyntaxError{p.i, "colon is missing after a member name"}
	}
	p.i++
	return nil
}

// name returns the decoded name that is quoted at src[start:end].
func (p *parser) name(start, end int) string {
	if p.shared.text == "" && len(p.src) <= shortText {
		p.shared.text = string(p.src)
	}
	return p.shared.unquote(start, end)
}

// has reports whether key is among the members of the object so far, and adds it.
func (f *frame) has(members []Member, key string) bool {
	if len(members) < fewMembers {
		return slices.ContainsFunc(members, func(m Member) bool { return m.Key == key })
	}
	if f.seen == nil {
		f.seen = make(map[string]bool, 2*fewMembers)
		for _, m := range members {
			f.seen[m.Key] = true
		}
	}
	was := f.seen[key]
	f.seen[key] = true
	return was
}
