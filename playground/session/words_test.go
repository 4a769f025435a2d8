package session_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

func TestSearchWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        nil,
		"!? -":                    nil,
		"update_work_item":        {"update", "work", "item"},
		"http://h:2322/mcp?a=b h": {"http", "h", "2322", "mcp", "a", "b"},
		"übung ﾊﾟ हिन्दी 検索":           {"übung", "ﾊﾟ", "हिन्दी", "検索"},
		`{"id":4522,"title":"a a 4522`: {"id", "4522", "title", "a"},
	} {
		if got := session.SearchWords(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestSearchWords_LongOne: any part of a long word is looked up.
func TestSearchWords_LongOne(t *testing.T) {
	numbers := make([]string, 300)
	for i := range numbers {
		numbers[i] = strconv.Itoa(i) + "ö"
	}
	runes := []rune(strings.Join(numbers, ""))
	words := session.SearchWords(string(runes))
	for _, w := range words {
		if n := len([]rune(w)); n > session.MaxWord {
			t.Errorf("a word of %d characters", n)
		}
	}
	for i := range len(runes) - session.MaxEnding {
		part := string(runes[i : i+session.MaxEnding])
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, part) }) {
			t.Fatalf("the part at %d is in no word", i)
		}
	}
}

func TestEndings(t *testing.T) {
	if got := session.Endings("größe"); !slices.Equal(got, []string{"größe", "röße", "öße", "ße", "e"}) {
		t.Errorf("%q", got)
	}
	if got := session.Endings("aaaa"); !slices.Equal(got, []string{"aaaa", "aaa", "aa", "a"}) {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("ä", session.MaxEnding+2)
	if got := session.Endings(long); len(got) != session.MaxEnding || got[0] != long[:2*session.MaxEnding] {
		t.Errorf("%d: %q", len(got), got)
	}
}

func TestAfterPrefix(t *testing.T) {
	for prefix, want := range map[string]string{
		"": "", "a": "b", "az": "a{", "ä": "å", "a\U0010ffff": "b", "\U0010ffff": "", "\ud7ff": "\ue000",
		"\x7f": "\u0080",
	} {
		got := session.AfterPrefix(prefix)
		if got != want || want != "" && (got <= prefix || got <= prefix+"\U0010fffe") {
			t.Errorf("%q: %q, want %q", prefix, got, want)
		}
	}
}

// FuzzSearchWords compares what words and endings find with strings.Contains.
func FuzzSearchWords(f *testing.F) {
	f.Add("update_work_item 4522", "k_it")
	f.Add("οδοσ größe", "röß")
	f.Add("検索の言葉", "の言")
	f.Fuzz(func(t *testing.T, text, part string) {
		text, part = session.Normalise(text), session.Normalise(part)
		if !strings.Contains(text, part) {
			return
		}
		words := session.SearchWords(text)
		for _, piece := range session.SearchWords(part) {
			from := session.Beginning(piece)
			until := session.AfterPrefix(from)
			if !slices.ContainsFunc(words, func(w string) bool {
				return slices.ContainsFunc(session.Endings(w), func(e string) bool {
					return e >= from && (until == "" || e < until)
				})
			}) {
				t.Errorf("%q of %q is not found in %q", piece, part, text)
			}
		}
	})
}
