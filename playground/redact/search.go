package redact

import "encoding/binary"

// Search finds texts in other texts, with one pass over each of these.
type Search struct {
	begins [1 << 10]uint64 // a bit for the first two bytes of each text
	byHead map[uint32][]searched
}

// searched is a text of the value with a number.
type searched struct {
	text  string
	value int
}

// minSearched is the least length of a text that is searched for, in bytes.
const minSearched = 4

// NewSearch returns a search for nothing yet.
func NewSearch() *Search { return &Search{byHead: map[uint32][]searched{}} }

// Add adds texts to search for, such as the Spellings of a value, which is known
// to the caller by its number. Texts of fewer than four bytes are left out.
func (s *Search) Add(value int, texts ...string) {
	for _, text := range texts {
		if len(text) < minSearched {
			continue
		}
		two := binary.LittleEndian.Uint16([]byte(text))
		s.begins[two>>6] |= 1 << (two & 63)
		head := binary.LittleEndian.Uint32([]byte(text))
		s.byHead[head] = append(s.byHead[head], searched{text, value})
	}
}

// In calls found for every occurrence of a text that was added, with the number
// of its value.
func (s *Search) In(text []byte, found func(start, end, value int)) {
	if len(s.byHead) == 0 {
		return
	}
	for i := 0; i+minSearched <= len(text); i++ {
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
