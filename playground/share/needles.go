package share

import "encoding/binary"

// maxSearched is the largest number of values that are searched for everywhere.
// Further values are masked only where they were found.
const maxSearched = 200

// needles holds the texts to search for by their first four bytes, so that one
// pass over a text finds all of them.
type needles map[uint32][]needle

type needle struct {
	text string
	of   *finding
}

func newNeedles(list []*finding) needles {
	n := needles{}
	values := 0
	for _, f := range list {
		if !f.searched || values == maxSearched {
			continue
		}
		values++
		for _, text := range encodings(f.value) {
			key := binary.LittleEndian.Uint32([]byte(text[:4]))
			n[key] = append(n[key], needle{text, f})
		}
	}
	return n
}

// in calls found for every occurrence of every needle in text.
func (n needles) in(text []byte, found func(start, end int, f *finding)) {
	for i := 0; i+minValue <= len(text); i++ {
		for _, x := range n[binary.LittleEndian.Uint32(text[i:])] {
			if end := i + len(x.text); end <= len(text) && string(text[i:end]) == x.text {
				found(i, end, x.of)
			}
		}
	}
}
