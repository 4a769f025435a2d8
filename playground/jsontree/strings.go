package jsontree

// MapStrings returns a JSON document with each string value replaced by what change returns.
// Names of members, and everything else, stay as they are, byte for byte; so does a string
// that is not changed. src must be JSON.
func MapStrings(src []byte, change func(string) (string, error)) ([]byte, error) {
	root, err := Parse(src, Limits{})
	if err != nil {
		return nil, err
	}
	m := mapper{src: src, change: change}
	if err := m.walk(root); err != nil {
		return nil, err
	}
	return append(m.out, src[m.done:]...), nil
}

type mapper struct {
	src, out []byte
	done     int // bytes of src that are in out
	change   func(string) (string, error)
}

func (m *mapper) walk(n *Node) error {
	for _, member := range n.Members {
		if err := m.walk(member.Value); err != nil {
			return err
		}
	}
	for _, item := range n.Items {
		if err := m.walk(item); err != nil {
			return err
		}
	}
	if n.Kind != String {
		return nil
	}
	old := n.Str()
	changed, err := m.change(old)
	if err != nil || changed == old {
		return err
	}
	m.out = append(append(m.out, m.src[m.done:n.Start]...), Quote(changed)...)
	m.done = n.End
	return nil
}
