package share

import (
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/export"
)

// TestFiles_AreThoseOfThePages: every file that a page links is there, and the other way
// round.
func TestFiles_AreThoseOfThePages(t *testing.T) {
	var list []string
	for _, f := range files() {
		list = append(list, f.Suffix)
	}
	if !slices.Equal(list, export.Suffixes(true)) {
		t.Errorf("%q and %q", list, export.Suffixes(true))
	}
}
