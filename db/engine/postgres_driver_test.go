package engine

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRebind(t *testing.T) {
	for query, want := range map[string]string{
		"":                                   "",
		"SELECT 1":                           "SELECT 1",
		"SELECT ?":                           "SELECT $1",
		"a = ? AND b IN (?, ?)":              "a = $1 AND b IN ($2, $3)",
		"a = ?1 AND b = ?2 OR c = ?1":        "a = $1 AND b = $2 OR c = $1",
		"a = '?' AND b = ? AND c = 'it''s?'": "a = '?' AND b = $1 AND c = 'it''s?'",
		"?12":                                "$12",
	} {
		if got := rebind(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// FuzzToPostgres: every text comes back, and no two have the same form.
func FuzzToPostgres(f *testing.F) {
	for _, text := range []string{
		"", "plain", "\x00", "a\xffb", "\U0010FE00", "\U0010FEFF", "\xf4\x8f\xb8", "\U0010FFFF",
		"\xf4\x8f\xb8\x80\x00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		kept := toPostgres(text)
		if got := fromPostgres(kept); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
		if strings.Contains(kept, "\x00") || !utf8.ValidString(kept) {
			t.Errorf("%q is kept as %q", text, kept)
		}
	})
}
