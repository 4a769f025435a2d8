package session

import (
	"testing"
	"time"
)

func TestCursor_SurvivesItsText(t *testing.T) {
	for _, c := range []Cursor{
		{ID: "a", Changed: time.Date(2026, 11, 22, 3, 4, 5, 678000, time.UTC)},
		{ID: "with.dots", Pinned: true, Changed: time.UnixMicro(-1).UTC()},
		{ID: "a", Kind: KindSaved, Changed: time.UnixMicro(2).UTC()},
		{ID: "0f", Kind: KindLink, Changed: time.UnixMicro(2).UTC()},
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

func TestCursor_Compare(t *testing.T) {
	at := func(us int64, kind Kind, id string) Cursor {
		return Cursor{ID: id, Kind: kind, Changed: time.UnixMicro(us).UTC()}
	}
	list := []Cursor{
		{ID: "a", Pinned: true, Changed: time.UnixMicro(1).UTC()}, at(3, KindLink, "a"), at(2, "", "b"),
		at(2, "", "a"), at(2, KindSaved, "z"), at(2, KindLink, "z"), at(2, KindLink, "y"), at(1, "", "z"),
	}
	for i, a := range list {
		for k, b := range list {
			if got := a.Compare(b); got < 0 != (i < k) || got > 0 != (i > k) {
				t.Errorf("%v and %v: %d", a, b, got)
			}
		}
	}
}
