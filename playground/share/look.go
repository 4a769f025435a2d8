package share

// Scan finds what looks like a secret in one text, such as an address that
// somebody was given as a link.
func Scan(text string) []Finding {
	s := newScanner()
	s.scan([]*piece{{label: "text", data: []byte(text)}}, nil)
	var list []Finding
	for _, f := range s.order {
		list = append(list, f.Finding)
	}
	return list
}
