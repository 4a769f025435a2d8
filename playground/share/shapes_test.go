package share

import "testing"

func TestMaskText(t *testing.T) {
	for text, want := range map[string]string{
		"send: Bearer abcdefgh1234: refused":            "send: Bearer ***: refused",
		"two: sk-aaaaaaaaaaaaaaaa, sk-bbbbbbbbbbbbbbbb": "two: ***, ***",
		"postgres://u:secret@db/name":                   "postgres://u:***@db/name",
		"call x of target y ended":                      "call x of target y ended",
		"":                                              "",
	} {
		if got := MaskText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
