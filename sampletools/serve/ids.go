package serve

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// isLegalID reports whether a JSON value can be an id or a progress token: a
// string or an integer (basic/index, "Requests").
func isLegalID(raw json.RawMessage) bool {
	switch {
	case len(raw) == 0:
		return false
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return isInteger(string(raw))
	}
	return raw[0] == '"'
}

// isInteger reports whether a JSON number has no fraction. 1.0 and 1e3 have
// none.
func isInteger(number string) bool {
	number = strings.TrimPrefix(number, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(number), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimRight(whole+fraction, "0")
	if digits == "" {
		return true // zero
	}
	n, err := strconv.Atoi(strings.TrimPrefix(power, "+"))
	if power != "" && err != nil {
		return false
	}
	return len(digits) <= len(whole)+n
}

// plainID matches the ids that the SDK returns byte for byte: short decimal
// integers, and strings without anything to escape.
var plainID = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,14}|"[A-Za-z0-9 _.:/+=-]*")$`)

// cloak stands for ids and progress tokens that the SDK would change, such as
// integers above 2^53 and strings with unusual escapes. The SDK sees a string
// with the original in Base64; the response writer puts the original back.
type cloak struct{ key string }

// newCloak returns a cloak whose strings no client can guess.
func newCloak() cloak { return cloak{rand.Text() + "."} }

// hide returns the value that the SDK sees.
func (c cloak) hide(raw json.RawMessage) json.RawMessage {
	return json.RawMessage(`"` + c.key + base64.RawURLEncoding.EncodeToString(raw) + `"`)
}

// cover replaces the id and the progress token of a message if the SDK would
// change them, and the id that a notification of cancellation names.
func (c cloak) cover(m *Envelope) {
	if m.isResponse() {
		return // its id is the server's own
	}
	if m.ID != nil && !plainID.Match(m.ID) {
		m.members["id"], m.changed = c.hide(m.ID), true
	}
	if token, ok := m.Meta["progressToken"]; ok && !plainID.Match(token) {
		m.Meta["progressToken"], m.changed = c.hide(token), true
	}
	if id := m.Params["requestId"]; m.Method == "notifications/cancelled" && isLegalID(id) &&
		!plainID.Match(id) {
		m.Params["requestId"], m.changed = c.hide(id), true
	}
}

// reveal puts the originals back into what the SDK wrote.
func (c cloak) reveal(p []byte) []byte {
	start := []byte(`"` + c.key)
	if !bytes.Contains(p, start) {
		return p
	}
	var out []byte
	for {
		before, rest, found := bytes.Cut(p, start)
		out = append(out, before...)
		if !found {
			return out
		}
		text, rest, _ := bytes.Cut(rest, []byte(`"`))
		raw, err := base64.RawURLEncoding.DecodeString(string(text))
		if err != nil { // cannot happen: only hide writes these
			raw = []byte("null")
		}
		out, p = append(out, raw...), rest
	}
}
