package seal

// Forge returns a state like text with other claims, as one without the keys can
// make it. A plain state is simply encoded. In a signed one the old signature
// stays, and in a sealed one the claims stand unencrypted in the place of the
// ciphertext with the old tag: Open accepts neither. It returns false if text is
// no state.
func Forge(text string, claims []byte) (string, bool) {
	t, ok := parse(text)
	if !ok || len(claims) == 0 {
		return "", false
	}
	var segments [][]byte
	for _, s := range t.segments {
		if s.name == "claims" || s.name == "ciphertext" {
			s.bytes = claims
		}
		segments = append(segments, s.bytes)
	}
	return format(t.mode, segments...), true
}

// ModeOf returns how a state is protected, or "" if text is no state.
func ModeOf(text string) Mode {
	t, _ := parse(text)
	return t.mode
}
