package state

import "slices"

// Flip returns a token with one character changed in the middle of its MAC, tag
// or signature, or of its last part if it has none. It returns false for a token
// without a letter or digit there.
func Flip(token string) (string, bool) {
	start, end := 0, len(token)
	for _, p := range Recognise(token).Parts {
		if p.End > p.Start {
			start, end = p.Start, p.End
		}
		if slices.Contains(tagNames, p.Label) {
			break
		}
	}
	for i := range end - start {
		at := start + ((end-start)/2+i)%(end-start)
		if other := flipped(token[at]); other != token[at] {
			return token[:at] + string(other) + token[at+1:], true
		}
	}
	return token, false
}

// flipped returns another character of the same kind: a digit stays a digit, so
// that hex stays hex. Other characters than letters and digits stay.
func flipped(c byte) byte {
	switch kindOf(c) {
	case digit:
		return '0' + (c-'0'+1)%10
	case lowerCase:
		return nextOf(c, 'a', 'f', 'z')
	case upperCase:
		return nextOf(c, 'A', 'F', 'Z')
	}
	return c
}

// nextOf returns the letter after c. Letters up to that of hex stay such.
func nextOf(c, first, hex, last byte) byte {
	if c == hex || c == last {
		return first
	}
	return c + 1
}
