package redact

import "encoding/binary"

// Search finds values in texts, in all their Spellings, with one pass over each
// text.
type Search struct {
	begins [1 << 10]uint64 // a bit for the first two bytes of each spelling
	byHead map[uint32][]spelled
}

// spelled is a spelling of the value with an index.
type spelled struct {
	text  string
	value int
}

// NewSearch returns a search for values. One that is shorter than MinSecret is
// not searched for.
func NewSearch(values []string) *Search {
	s := &Search{byHead: map[uint32][]spelled{}}
	for i, value := range values {
		if len(value) < MinSecret {
			continue
		}
		for _, text := range Spellings(value) {
			two := binary.LittleEndian.Uint16([]byte(text))
			s.begins[two>>6] |= 1 << (two & 63)
			head := binary.LittleEndian.Uint32([]byte(text))
			s.byHead[head] = append(s.byHead[head], spelled{text, i})
		}
	}
	return s
}

// In calls found for every occurrence of a value, which is given by its index in
// the list of NewSearch.
func (s *Search) In(text []byte, found func(start, end, value int)) {
	if len(s.byHead) == 0 {
		return
	}
	for i := 0; i+MinSecret <= len(text); i++ {
		if two := binary.LittleEndian.Uint16(text[i:]); s.begins[two>>6]&(1<<(two&63)) == 0 {
			continue
		}
		for _, x := range s.byHead[binary.LittleEndian.Uint32(text[i:])] {
			if end := i + len(x.text); end <= len(text) && string(text[i:end]) == x.text {
				found(i, end, x.value)
			}
		}
	}
}
