package state_test

import (
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/state"
)

// TestNewExample_IsRecognised: an example has the format that it is an example of.
func TestNewExample_IsRecognised(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for _, e := range state.Examples() {
		token, ok := state.NewExample(e.ID, now)
		again, _ := state.NewExample(e.ID, now)
		if f := state.Recognise(token); !ok || f.ID != e.ID {
			t.Errorf("%s is taken for %s: %s", e.Name, f.ID, token)
		}
		if token == again && e.ID != state.Base64JSON {
			t.Errorf("%s has the same key twice", e.Name)
		}
	}
	if token, ok := state.NewExample(state.Masked, now); ok {
		t.Error(token)
	}
}
