package server_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// TestWarnings_HiddenCharacters holds fault 106 for the words of a server about
// itself: characters that are not seen are named, wherever they stand, and
// those of other alphabets and emoji are not.
func TestWarnings_HiddenCharacters(t *testing.T) {
	for words, want := range map[string][]string{
		`"instructions":"état 中文 עברית 👩\u200d💻 ❤️ می\u200cخواهم","x\ty":"a\r\nb"`: nil,
		`"instructions":"a\u200db"`:                          {"U+200D"},
		`"instructions":"état 中文 עברית ❤️","xy":"a\r\nb\tc"`: nil,
		`"instructions":"a\u200bb"`:                          {"U+200B"},
		`"instructions":"a\udb40\udc41b"`:                    {"U+E0041"},
		`"_meta":{"a":[{"b":"\u202e\u2066"}]}`:               {"U+202E, U+2066"},
		`"_meta":{"\u001b[31m":1}`:                           {"U+001B"},
		`"instructions":"\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u000b"`: {
			"U+0008, and 1 more",
		},
	} {
		c, _ := listed(t, func(string, string) string {
			return `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
				`"capabilities":{},` + words + `}`
		})
		got := slices.DeleteFunc(server.Warnings(c), func(w string) bool {
			return !strings.Contains(w, "not visible")
		})
		if len(got) != len(want) || len(want) > 0 && (!strings.Contains(got[0], want[0]) ||
			!strings.Contains(got[0], "server/discover")) {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
}
