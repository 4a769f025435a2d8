package picture

import "testing"

func TestStatePhrase(t *testing.T) {
	for label, want := range map[string]string{
		"requestState 1\u00a0B":             "requestState (1 byte)",
		"requestState 90\u00a0B, unchanged": "requestState (90 bytes, unchanged)",
		"requestState 21\u00a0B, changed":   "requestState (21 bytes, changed)",
	} {
		if got := statePhrase(label); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}
