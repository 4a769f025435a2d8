package seal

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
)

const prefix = "mrtr1."

// Lengths of the fixed parts, in bytes.
const (
	keyIDSize = 4
	nonceSize = 12
	tagSize   = 16
	macSize   = 32
)

// segment is one dot-separated part of a token with its position in the text.
type segment struct {
	name   string
	offset int
	text   string
	bytes  []byte
}

// token is the parsed text of a state, not yet verified.
type token struct {
	mode     Mode
	segments []segment
}

// shape returns the parts that follow the mode and their length in bytes; 0
// means any length above 0.
func shape(mode Mode) []segmentShape {
	switch mode {
	case Plain:
		return []segmentShape{{"claims", 0}}
	case Signed:
		return []segmentShape{{"key id", keyIDSize}, {"claims", 0}, {"mac", macSize}}
	case Sealed:
		return []segmentShape{{"key id", keyIDSize}, {"nonce", nonceSize}, {"ciphertext", 0},
			{"tag", tagSize}}
	}
	return nil
}

// segmentShape is the name of a segment and its length in bytes.
type segmentShape struct {
	name string
	size int
}

// parse splits text into a token. It reports false for any text that format
// would not produce.
func parse(text string) (token, bool) {
	if len(text) > MaxToken || !strings.HasPrefix(text, prefix) {
		return token{}, false
	}
	parts := strings.Split(text[len(prefix):], ".")
	t := token{mode: Mode(parts[0])}
	want := shape(t.mode)
	if want == nil || len(parts) != len(want)+1 {
		return token{}, false
	}
	offset := len(prefix) + len(parts[0]) + 1
	for i, w := range want {
		b, ok := decode(w.name, parts[i+1])
		if !ok || len(b) == 0 || w.size > 0 && len(b) != w.size {
			return token{}, false
		}
		t.segments = append(t.segments, segment{w.name, offset, parts[i+1], b})
		offset += len(parts[i+1]) + 1
	}
	return t, true
}

// format returns the text of a token.
func format(mode Mode, segments ...[]byte) string {
	var b strings.Builder
	b.WriteString(prefix + string(mode))
	for i, s := range segments {
		b.WriteByte('.')
		b.WriteString(encode(shape(mode)[i].name, s))
	}
	return b.String()
}

// encode returns the text of a segment: hex for a key id, base64url for any
// other.
func encode(name string, b []byte) string {
	if name == "key id" {
		return hex.EncodeToString(b)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// decode is the strict inverse of encode. Comparing with a second encoding
// rejects what Go's decoders accept: line breaks in base64 and upper-case hex.
func decode(name, text string) ([]byte, bool) {
	var b []byte
	var err error
	if name == "key id" {
		b, err = hex.DecodeString(text)
	} else {
		b, err = base64.RawURLEncoding.Strict().DecodeString(text)
	}
	return b, err == nil && encode(name, b) == text
}

func (t token) bytes(name string) []byte {
	for _, s := range t.segments {
		if s.name == name {
			return s.bytes
		}
	}
	return nil
}

// parseClaims decodes claims strictly: no unknown members, no trailing data, a
// known version.
func parseClaims(b []byte) (Claims, bool) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var c Claims
	if d.Decode(&c) != nil || c.Version != claimsVersion {
		return Claims{}, false
	}
	_, err := d.Token()
	return c, err == io.EOF
}
