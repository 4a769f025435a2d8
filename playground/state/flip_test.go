package state_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/state"
)

// TestFlip_ChangesOneCharacter: the format stays, and so do the parts that are
// read without a key.
func TestFlip_ChangesOneCharacter(t *testing.T) {
	for _, token := range []string{
		tsToken, pythonToken, mcpkitToken, phpToken, fernetToken, djangoToken, "mrtr1.plain.eyJ2IjoxfQ",
		"5f4dcc3b5aa765d61d8327deb882cf99", "f", "Z", "9", "..a",
	} {
		other, ok := state.Flip(token)
		changed := 0
		for i := range token {
			if i < len(other) && other[i] != token[i] {
				changed++
			}
		}
		if !ok || len(other) != len(token) || changed != 1 {
			t.Errorf("%.40s became %.40s, %t: %d characters changed", token, other, ok, changed)
		}
		before, after := state.Recognise(token), state.Recognise(other)
		if before.Protected && (before.ID != after.ID || before.Payload != after.Payload) {
			t.Errorf("%.40s was %s %s and became %s %s", token, before.ID, before.Payload, after.ID,
				after.Payload)
		}
	}
	for _, token := range []string{"", "..", "é", "-"} {
		if other, ok := state.Flip(token); ok || other != token {
			t.Errorf("%q became %q", token, other)
		}
	}
}
