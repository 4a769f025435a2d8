package jsontree_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

func TestPosition(t *testing.T) {
	src := []byte("ä{\n  \"a\": é,\n}")
	for part, want := range map[string][2]int{"ä": {1, 1}, "{": {1, 2}, `"a"`: {2, 3}, ",": {2, 9},
		"}": {3, 1}} {
		line, column := jsontree.Position(src, strings.Index(string(src), part))
		if got := [2]int{line, column}; got != want {
			t.Errorf("%s is at %v, want %v", part, got, want)
		}
	}
	if line, column := jsontree.Position(src, 1000); line != 3 || column != 2 {
		t.Errorf("behind the end: %d, %d", line, column)
	}
	_, err := jsontree.Parse([]byte("{\n  1}"), jsontree.Limits{})
	if line, column, ok := jsontree.Place([]byte("{\n  1}"), err); !ok || line != 2 || column != 3 {
		t.Errorf("%d, %d, %v", line, column, ok)
	}
	if _, _, ok := jsontree.Place(nil, errors.ErrUnsupported); ok {
		t.Error("another error has a place")
	}
}

func TestParsePointer(t *testing.T) {
	for _, path := range [][]string{nil, {""}, {"a"}, {"a", "0", "b"}, {"a/b", "~", "~1"}, {"", ""}} {
		got, ok := jsontree.ParsePointer(jsontree.Pointer(path...))
		if !ok || !slices.Equal(got, path) {
			t.Errorf("%q: %q, %v", path, got, ok)
		}
	}
	for _, wrong := range []string{"a", "a/b", "/~", "/~2"} {
		if path, ok := jsontree.ParsePointer(wrong); ok {
			t.Errorf("%s: %q", wrong, path)
		}
	}
}

// TestMapStrings: only string values change; names, numbers and white space stay, byte for
// byte.
func TestMapStrings(t *testing.T) {
	const src = "{ \"a\" : \"a\",\n \"n\": 1.50, \"l\": [\"b\", \"a\", {\"a\": \"\\u0061\"}]}"
	upper := func(s string) (string, error) { return strings.ToUpper(s), nil }
	const want = "{ \"a\" : \"A\",\n \"n\": 1.50, \"l\": [\"B\", \"A\", {\"a\": \"A\"}]}"
	if got, err := jsontree.MapStrings([]byte(src), upper); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	same := func(s string) (string, error) { return s, nil }
	if got, err := jsontree.MapStrings([]byte(src), same); err != nil || string(got) != src {
		t.Errorf("%s, %v", got, err)
	}
	fails := func(string) (string, error) { return "", errors.ErrUnsupported }
	if _, err := jsontree.MapStrings([]byte(src), fails); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}
