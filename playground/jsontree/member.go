package jsontree

// fewMembers is the size up to which scanning the names is faster than a map.
const fewMembers = 8

// frame is an open container, with a set of its names if there are many.
type frame struct {
	*Node
	seen map[string]bool
}

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
	m := Member{Key: unquote(p.src[p.i:end]), KeyStart: p.i, KeyEnd: end, Broken: broken}
	m.Duplicate = top.has(m.Key)
	top.Members = append(top.Members, m)
	p.i = skipSpace(p.src, end)
	if p.i == len(p.src) || p.src[p.i] != ':' {
		return &SyntaxError{p.i, "colon is missing after a member name"}
	}
	p.i++
	return nil
}

// has reports whether the object already has key, and adds key.
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
