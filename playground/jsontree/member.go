package jsontree

// fewMembers is up to where a scan of the names beats a map.
const fewMembers = 8

// frame is an open container and the names it has seen, once they are many.
type frame struct {
	*Node
	seen map[string]bool
}

// key reads a name and its colon into a new Member of the open object.
func (p *parser) key() error {
	p.i = skipSpace(p.src, p.i)
	if p.i == len(p.src) || p.src[p.i] != '"' {
		return &SyntaxError{p.i, "member name missing"}
	}
	end, broken, err := scanString(p.src, p.i)
	if err != nil {
		return err
	}
	top := &p.open[len(p.open)-1]
	m := Member{Key: unquote(p.src[p.i:end]), KeyStart: p.i, KeyEnd: end, Broken: broken}
	m.Duplicate = top.has(m.Key)
	top.Members = append(top.Members, m)
	p.i = skipSpace(p.src, end)
	if p.i == len(p.src) || p.src[p.i] != ':' {
		return &SyntaxError{p.i, "colon missing after a member name"}
	}
	p.i++
	return nil
}

// has reports whether the object has key already, and remembers key.
func (f *frame) has(key string) bool {
	if len(f.Members) < fewMembers {
		return f.Has(key)
	}
	if f.seen == nil {
		f.seen = make(map[string]bool, 2*fewMembers)
		for _, m := range f.Members {
			f.seen[m.Key] = true
		}
	}
	was := f.seen[key]
	f.seen[key] = true
	return was
}
