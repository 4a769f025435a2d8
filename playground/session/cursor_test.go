package session

import (
	"testing"
	"time"
)

func TestCursor_SurvivesItsText(t *testing.T) {
	for _, c := range []Cursor{
		{ID: "a", Changed: time.Date(2026, 11, 22, 3, 4, 5, 678000, time.UTC)},
		{ID: "with.dots", Pinned: true, Changed: time.UnixMicro(-1).UTC()},
	} {
		if got, ok := ParseCursor(c.String()); !ok || got != c {
			t.Errorf("%v: got %v, %v", c, got, ok)
		}
	}
}

func TestParseCursor_RejectsOtherText(t *testing.T) {
	for _, s := range []string{"", "0", "0.a", "2.a.b", "0.a.", "0.!.b", "1..b"} {
		if c, ok := ParseCursor(s); ok {
			t.Errorf("%q: got %v", s, c)
		}
	}
}
