package share

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// minValue is how long a value must be to be looked for everywhere; shorter
// ones stand in too many places by chance.
const minValue = 8

// Finding is a value that is likely a secret.
type Finding struct {
	ID     string // of the value, the same in every scan
	Reason string // what it looks like
	Where  string // the first place it was found in
	Prefix string // how it begins, to know it again
	Count  int
	Shown  bool // stays in clear, because the user said so
	Locked bool // one of the user's own credentials: cannot be kept
	Random bool // neither name nor shape says so, it only looks drawn by lot
}

// finding is a Finding with its value.
type finding struct {
	Finding
	value    string
	searched bool // is looked for everywhere, in every encoding
}

func newFinding(value, words string) *finding {
	sum := sha256.Sum256([]byte(value))
	return &finding{
		Finding: Finding{ID: hex.EncodeToString(sum[:6]), Reason: words, Prefix: hint(value)},
		value:   value, searched: len(value) >= minValue,
	}
}

// hint shows the first signs of a long value and nothing of a short one.
func hint(value string) string {
	runes := []rune(strings.ToValidUTF8(value, "?"))
	if len(runes) < 16 {
		return "…"
	}
	return string(runes[:4]) + "…"
}

// mark is a stretch of a piece that belongs to a finding. A mark without one is
// always masked: an answer that was left out, a state that may carry what is
// masked elsewhere.
type mark struct {
	start, end int
	of         *finding
	number     bool
}

// markStart tells marks of one piece apart.
type markStart struct {
	start int
	of    *finding
}

func (m mark) masks() bool { return m.of == nil || !m.of.Shown }
