package playground

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// metaTrace is the member of _meta that carries a trace (basic/index,
// "OpenTelemetry Trace Context").
const metaTrace = "traceparent"

// Trace is a position in a trace, as the traceparent of W3C Trace Context holds
// it. All its parts are lower-case hexadecimal digits.
type Trace struct {
	Version string // 2 digits
	ID      string // of the trace; 32 digits, not all zero
	Span    string // the parent-id; 16 digits, not all zero
	Flags   string // 2 digits
}

// NewTrace returns the start of a new, sampled trace, with ids made of random
// bytes.
func NewTrace(random [24]byte) Trace {
	id := random[:16]
	id[15] |= 1 // no id is all zero
	span := spanID([8]byte(random[16:]))
	return Trace{Version: "00", ID: hex.EncodeToString(id), Span: span, Flags: "01"}
}

// ParseTrace reads a traceparent. It returns false for a value that has not
// exactly the form of version 00, whatever version it names, for version ff, and
// for an id that is all zero.
func ParseTrace(s string) (Trace, bool) {
	parts := strings.Split(s, "-")
	if len(parts) != 4 {
		return Trace{}, false
	}
	t := Trace{Version: parts[0], ID: parts[1], Span: parts[2], Flags: parts[3]}
	ok := isHex(t.Version, 2) && isHex(t.ID, 32) && isHex(t.Span, 16) && isHex(t.Flags, 2) &&
		t.Version != "ff" && strings.Trim(t.ID, "0") != "" && strings.Trim(t.Span, "0") != ""
	if !ok {
		return Trace{}, false
	}
	return t, true
}

// isHex reports whether s is n lower-case hexadecimal digits.
func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

// String returns the traceparent.
func (t Trace) String() string {
	return strings.Join([]string{t.Version, t.ID, t.Span, t.Flags}, "-")
}

// Trace returns the trace that the params of the Call continue, or false if they
// have none or one that is not valid.
func (c Call) Trace() (Trace, bool) {
	n, err := jsontree.Parse(c.Params, jsontree.Limits{})
	if err != nil {
		return Trace{}, false
	}
	return ParseTrace(n.At("_meta", metaTrace).Str())
}

// Trace returns the trace and the span of the Round's request, or false if none
// was sent or one that is not valid. If a Round is several polls, the span is
// that of the first.
func (r Round) Trace() (Trace, bool) {
	if r.Sent == nil {
		return Trace{}, false
	}
	return ParseTrace(r.Sent.At("params", "_meta", metaTrace).Str())
}

// spanOf returns the members of _meta that make the request with this token a
// span of its own in the trace of an Exchange. There are none if the Call
// continues no valid trace: another value in its place is sent unchanged.
//
// The span id is derived from the Exchange, the trace and the token, so that a
// preview shows the request as it is sent. A Round that is sent again has
// another number, thus another token and a span of its own. Branches and reruns
// are Exchanges of their own: they stay in the trace and have other spans.
func spanOf(x Exchange, token string) []jsontree.Pair {
	t, ok := x.Call.Trace()
	if !ok {
		return nil
	}
	// The parent is part of it, because not every Exchange has an id of its own.
	sum := sha256.Sum256([]byte(strings.Join([]string{x.ID, t.ID, t.Span, token}, "\n")))
	t.Span = spanID([8]byte(sum[:8]))
	return []jsontree.Pair{{Key: metaTrace, Value: jsontree.Quote(t.String())}}
}

// spanID returns a span id, which must not be all zero.
func spanID(b [8]byte) string {
	if b == [8]byte{} {
		b[7] = 1
	}
	return hex.EncodeToString(b[:])
}
