package share

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// Finding is a value that is likely a secret.
type Finding struct {
	ID     string // of the value; the same in every scan
	Reason string // why it is likely a secret: "looks like a GitHub token"
	Where  string // label of the first piece with it
	Prefix string // its first characters, if it is long, and an ellipsis
	Count  int
	Shown  bool // published unmasked, by the user's choice
	Locked bool // one of the user's own credentials, which is always masked
	Random bool // found only because it looks random
}

// finding is a Finding with its value.
type finding struct {
	Finding
	value    string
	searched bool // searched for everywhere, in every encoding
}

func newFinding(value, words string) *finding {
	sum := sha256.Sum256([]byte(value))
	return &finding{
		Finding: Finding{ID: hex.EncodeToString(sum[:6]), Reason: words, Prefix: prefix(value)},
		value:   value, searched: len(value) >= redact.MinSecret,
	}
}

// prefix returns the first characters of a long value, and nothing of a short
// one.
func prefix(value string) string {
	runes := []rune(strings.ToValidUTF8(value, "?"))
	if len(runes) < 16 {
		return "…"
	}
	return string(runes[:4]) + "…"
}

// mark is a stretch of a piece that belongs to a finding. A mark without a
// finding is always masked: an omitted answer, or a state that may contain a
// value that is masked elsewhere.
type mark struct {
	start, end int
	of         *finding
	number     bool
}

// markStart identifies a mark in a piece.
type markStart struct {
	start int
	of    *finding
}

// masks reports whether the stretch is masked.
func (m mark) masks() bool { return m.of == nil || !m.of.Shown }
