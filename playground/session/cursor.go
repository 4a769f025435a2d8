package session

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// Cursor is the position of a row in the list. The zero Cursor is the beginning of the
// list.
type Cursor struct {
	ID      string
	Pinned  bool
	Changed time.Time
	Kind    Kind // KindSaved or KindLink; empty for a session
}

// Compare orders a list: it is negative if c is before other. Pinned rows are first, then the
// newest. Of the same moment, sessions are before saved calls, and those before links.
func (c Cursor) Compare(other Cursor) int {
	pinned := func(c Cursor) int {
		if c.Pinned {
			return 0
		}
		return 1
	}
	return cmp.Or(pinned(c)-pinned(other), other.Changed.Compare(c.Changed),
		c.Kind.rank()-other.Kind.rank(), strings.Compare(other.ID, c.ID))
}

// CompareKind is Compare for a row of a kind that has the same time as c, if the kinds differ.
func (c Cursor) CompareKind(k Kind) int { return c.Kind.rank() - k.rank() }

// rank returns the place of a kind among rows of the same moment.
func (k Kind) rank() int {
	switch k {
	case KindSaved:
		return 1
	case KindLink:
		return 2
	}
	return 0
}

// cursorHeads are what the texts of cursors begin with.
var cursorHeads = map[string]Cursor{
	"0": {}, "1": {Pinned: true}, "s": {Kind: KindSaved}, "l": {Kind: KindLink},
}

// head returns what the text of the cursor begins with.
func (c Cursor) head() string {
	switch {
	case c.Kind == KindSaved:
		return "s"
	case c.Kind == KindLink:
		return "l"
	case c.Pinned:
		return "1"
	}
	return "0"
}

// String returns the cursor as text for a URL. ParseCursor reads it.
func (c Cursor) String() string {
	return c.head() + "." + strconv.FormatInt(c.Changed.UnixMicro(), 36) + "." + c.ID
}

// ParseCursor returns the cursor that String wrote, or false for any other
// text.
func ParseCursor(s string) (Cursor, bool) {
	parts := strings.SplitN(s, ".", 3)
	c, ok := cursorHeads[parts[0]]
	if len(parts) != 3 || !ok || parts[2] == "" {
		return Cursor{}, false
	}
	us, err := strconv.ParseInt(parts[1], 36, 64)
	if err != nil {
		return Cursor{}, false
	}
	c.ID, c.Changed = parts[2], time.UnixMicro(us).UTC()
	return c, true
}
