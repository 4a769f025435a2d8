package state

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
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

// expiryNames are the members that say when a payload expires, in lower case
// and without underscores.
var expiryNames = []string{"exp", "expires", "expiresat", "expiry", "expiration", "until", "validuntil"}

// maxDepth bounds how deep an expiry is looked for.
const maxDepth = 8

// expiryOf returns the time in the first member of a payload, at any depth,
// that names an expiry, or the zero time if there is none that can be a date.
func expiryOf(payload string) time.Time {
	return findExpiry(decoded(payload), maxDepth)
}

// decoded returns the value of a payload, or nil if it is not JSON.
func decoded(payload string) any {
	var value any
	d := json.NewDecoder(strings.NewReader(payload))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil
	}
	return value
}

// findExpiry looks for an expiry in a value: first in its own members.
func findExpiry(value any, depth int) time.Time {
	if depth == 0 {
		return time.Time{}
	}
	var inner []any
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			plain := strings.ToLower(strings.ReplaceAll(name, "_", ""))
			if t := timeOf(v[name]); slices.Contains(expiryNames, plain) && !t.IsZero() {
				return t
			}
			inner = append(inner, v[name])
		}
	case []any:
		inner = v
	}
	for _, i := range inner {
		if t := findExpiry(i, depth-1); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// hasTimeAfter reports whether a value has a time after t in it.
func hasTimeAfter(value any, t time.Time, depth int) bool {
	var inner []any
	switch v := value.(type) {
	case map[string]any:
		inner = slices.Collect(maps.Values(v))
	case []any:
		inner = v
	}
	return timeOf(value).After(t) || depth > 0 && slices.ContainsFunc(inner,
		func(i any) bool { return hasTimeAfter(i, t, depth-1) })
}

// Bounds of numbers that can be times: seconds and milliseconds from the year
// 2001 to the year 2242.
const (
	minSeconds = 1e9
	maxSeconds = 1 << 33
)

// timeOf returns the time that a value is in Unix seconds, in Unix milliseconds
// or in RFC 3339, or the zero time.
func timeOf(value any) time.Time {
	switch v := value.(type) {
	case json.Number:
		n, err := v.Float64()
		switch {
		case err != nil:
		case n >= minSeconds && n <= maxSeconds:
			return time.UnixMilli(int64(n * 1000)).UTC()
		case n >= 1000*minSeconds && n <= 1000*maxSeconds:
			return time.UnixMilli(int64(n)).UTC()
		}
	case string:
		if t, err := time.Parse(time.RFC3339, v); err == nil {
			return t.UTC()
		}
		if _, err := strconv.ParseFloat(v, 64); err == nil {
			return timeOf(json.Number(v))
		}
	}
	return time.Time{}
}

func expiryNote(t time.Time) string {
	if t.IsZero() {
		return " No expiry is named."
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
