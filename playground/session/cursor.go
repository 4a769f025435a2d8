package session

import (
	"strconv"
	"strings"
	"time"
)

// Cursor is the position of a session in the list. The zero Cursor is the
// beginning of the list.
type Cursor struct {
	ID      string
	Pinned  bool
	Changed time.Time
}

// String returns the cursor as text for a URL. ParseCursor reads it.
func (c Cursor) String() string {
	pinned := "0"
	if c.Pinned {
		pinned = "1"
	}
	return pinned + "." + strconv.FormatInt(c.Changed.UnixMicro(), 36) + "." + c.ID
}

// ParseCursor returns the cursor that String wrote, or false for any other
// text.
func ParseCursor(s string) (Cursor, bool) {
	parts := strings.SplitN(s, ".", 3)
	if len(parts) != 3 || parts[0] != "0" && parts[0] != "1" || parts[2] == "" {
		return Cursor{}, false
	}
	us, err := strconv.ParseInt(parts[1], 36, 64)
	if err != nil {
		return Cursor{}, false
	}
	return Cursor{ID: parts[2], Pinned: parts[0] == "1", Changed: time.UnixMicro(us).UTC()}, true
}
