package playground

import "bytes"

// Limits of Find.
const (
	MaxFind     = 200     // bytes of the text to find
	mostFound   = 200     // occurrences
	mostScanned = 8 << 20 // bytes
)

// Found are the places of a text in the bytes of a call.
type Found struct {
	Places  []Place
	More    bool // there are more places than are listed
	Partial bool // the recording is so large that not all of it was searched
}

// Place is where a text stands in a recorded message.
type Place struct {
	Round  int
	Other  int // which of the Round's Others, from 1; 0 for its own request
	Sent   bool
	Nth    int  // of the places in this message, from 1
	Line   int  // of the message, from 1, head and body together
	InHead bool // and not in the body
	From   int  // offset in the head or the body
}

// Find returns where a text stands in the bytes of all Rounds, in order. Upper and
// lower case of ASCII letters are the same. Only as much is searched as one page
// may cost.
func (f Transcript) Find(text string) Found {
	var found Found
	if text == "" || len(text) > MaxFind {
		return found
	}
	left := mostScanned
	search := func(place Place, head, body []byte) {
		place.Line = 1
		for _, part := range []struct {
			bytes  []byte
			inHead bool
		}{{head, true}, {body, false}} {
			b := part.bytes
			if len(b) > left {
				b, found.Partial = b[:left], true
			}
			left -= len(b)
			place.InHead = part.inHead
			lines, at := place.Line, 0
			for _, from := range Occurrences(b, text, mostFound+1-len(found.Places)) {
				lines += bytes.Count(b[at:from], []byte("\n"))
				at = from
				place.Nth++
				place.From, place.Line = from, lines
				if len(found.Places) == mostFound {
					found.More = true
					return
				}
				found.Places = append(found.Places, place)
			}
			place.Line = lines + bytes.Count(b[at:], []byte("\n"))
		}
	}
	for _, r := range f.Rounds {
		for i, t := range append(r.Others[:len(r.Others):len(r.Others)], r.Trip) {
			if t.Copy {
				continue
			}
			place := Place{Round: r.N, Other: (i + 1) % (len(r.Others) + 1), Sent: true}
			search(place, t.Request.Head, t.Request.Body)
			place.Sent = false
			search(place, t.Response.Head, t.Response.Body)
			if found.More {
				return found
			}
		}
	}
	return found
}

// Occurrences returns where a text begins in b, at most so many places that do not
// overlap. Upper and lower case of ASCII letters are the same.
func Occurrences(b []byte, text string, most int) []int {
	var list []int
	b, want := lowerASCII(b), lowerASCII([]byte(text))
	for at := 0; len(want) > 0 && len(list) < most; {
		i := bytes.Index(b[at:], want)
		if i < 0 {
			break
		}
		list = append(list, at+i)
		at += i + len(want)
	}
	return list
}

// lowerASCII returns a copy of b with the lower case of ASCII letters, in which
// every byte stays where it is.
func lowerASCII(b []byte) []byte {
	lower := bytes.Clone(b)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return lower
}
