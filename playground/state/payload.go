package state

import (
	"encoding/json"
	"time"
	"unicode"
	"unicode/utf8"
)

// members returns the members of a payload, or nil if it is not an object.
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

// expiryOf returns the member exp, in Unix seconds as in all known libraries,
// or the zero time if there is none that can be a date.
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
		return " No visible expiry."
	}
	return " Expires " + t.Format(time.RFC3339) + "."
}

// printable returns b if it is printable text, or "".
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
