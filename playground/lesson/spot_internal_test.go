package lesson

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// Incomplete items are errors.
func TestSpot_RejectsIncompleteItems(t *testing.T) {
	data, err := fs.ReadFile(files, "content/spot.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"two right options":     {"```option S0", "```option right S0"},
		"no right option":       {"```option right S2", "```option S2"},
		"a fifth option":        {"```option S0", "```option S0\na\n---\nb\n```\n```option S0"},
		"no explanation":        {"---\nIt is there, and `input_required` is one of its values.\n", ""},
		"an empty explanation":  {"It is there, and `input_required` is one of its values.\n", ""},
		"an unknown sentence":   {"sentence: mrtr.requests-or-state", "sentence: mrtr.nothing"},
		"an unknown setting":    {"sentence: mrtr.requests-or-state", "sense: mrtr.requests-or-state"},
		"a mask without target": {"neither_field -> archive_order", "neither_field"},
		"an unknown verb":       {"call naughty", "shout naughty"},
		"no name":               {"name: neither\n", ""},
	} {
		text := strings.Replace(string(data), change[0], change[1], 1)
		if text == string(data) {
			t.Fatalf("%s: nothing changed", name)
		}
		if _, err := newMarkdown().parseSpot(text); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// A recording that is missing or damaged is an error.
func TestSpot_RejectsBadRecordings(t *testing.T) {
	for name, text := range map[string]string{
		"other.json":   "{}",
		"neither.json": "{",
	} {
		i := Item{Name: "neither"}
		if err := i.read(fstest.MapFS{"recordings/" + name: {Data: []byte(text)}}); err == nil {
			t.Errorf("%s with %s is taken", name, text)
		}
	}
}
