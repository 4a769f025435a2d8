package state

import (
	"encoding/json"
	"time"
	"unicode"
	"unicode/utf8"
)

// members reads the top level of a payload; nil when it is no object.
func members(payload string) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(payload), &m) != nil {
		return nil
	}
	return m
}

func has(payload, member string) bool {
	_, ok := members(payload)[member]
	return ok
}

// expiryOf reads the member exp, Unix seconds as in every library known here;
// zero when there is none that could be a date.
func expiryOf(payload string) time.Time { return unixOf(payload, "exp") }

func unixOf(payload, member string) time.Time {
	var seconds int64
	if json.Unmarshal(members(payload)[member], &seconds) != nil || seconds <= 0 || seconds > 1<<33 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

func expiryNote(t time.Time) string {
	if t.IsZero() {
		return " No expiry can be seen."
	}
	return " Expires " + t.Format(time.RFC3339) + "."
}

// printable is b as text; empty when it is none.
func printable(b []byte) string {
	if !utf8.Valid(b) {
		return ""
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return ""
		}
	}
	return string(b)
}
