package seal

import (
	"encoding/json"
	"time"
)

// Explanation shows a state as the server that issued it sees it. A client must
// not look inside a state (basic/patterns/mrtr, client requirement 2).
type Explanation struct {
	Mode    Mode
	Parts   []Part          // in order, covering the whole token; nil if the format is unknown
	KeyID   string          // eight hex digits; empty in plain mode
	Claims  *Claims         // nil unless opened
	JSON    json.RawMessage // the claims as the state contains them
	Issued  time.Time
	Expires time.Time
	Refused Reason // empty if a server would accept the state now from its owner
	Why     string // Refused in words
}

// Part is a section of a token's text.
type Part struct {
	Name    string // prefix, version, mode, key id, claims, nonce, ciphertext, tag, mac or separator
	Offset  int    // into the token
	Text    string
	Bytes   int    // decoded length; 0 for prefix, version, mode and separator
	Meaning string // one sentence
}

// Explain splits a state into its parts and opens it if possible. It never
// fails: a state that cannot be opened is explained too. It does not check
// whether the state fits a request.
func Explain(text string, keys *Keys, now time.Time) Explanation {
	t, ok := parse(text)
	if !ok {
		return Explanation{Refused: Malformed, Why: Malformed.Sentence()}
	}
	e := Explanation{Mode: t.mode, Parts: parts(t), KeyID: encode("key id", t.bytes("key id"))}
	body, reason := keys.body(t, text)
	if reason == "" {
		reason = e.open(body, now)
	}
	e.Refused, e.Why = reason, reason.Sentence()
	return e
}

// open adds the claims. It returns the reason if they are malformed or not
// valid at this time.
func (e *Explanation) open(body []byte, now time.Time) Reason {
	c, ok := parseClaims(body)
	if !ok {
		return Malformed
	}
	e.Claims, e.JSON = &c, body
	e.Issued, e.Expires = time.Unix(c.Issued, 0).UTC(), time.Unix(c.Expires, 0).UTC()
	return c.expired(now)
}

// parts covers the token without gaps, so that a page can colour every
// character.
func parts(t token) []Part {
	list := []Part{
		{Name: "prefix", Offset: 0, Text: "mrtr", Meaning: meanings["prefix"]},
		{Name: "version", Offset: 4, Text: "1", Meaning: meanings["version"]},
		{Name: "separator", Offset: 5, Text: "."},
		{Name: "mode", Offset: len(prefix), Text: string(t.mode), Meaning: meanings[string(t.mode)]},
	}
	for _, s := range t.segments {
		list = append(list,
			Part{Name: "separator", Offset: s.offset - 1, Text: "."},
			Part{Name: s.name, Offset: s.offset, Text: s.text, Bytes: len(s.bytes),
				Meaning: meanings[s.name]})
	}
	return list
}

// meanings explains the parts of a token and the modes.
var meanings = map[string]string{
	"prefix":     "Identifies the format, so that a foreign token is rejected at once.",
	"version":    "The version of the format.",
	"plain":      "Not protected: anyone can read and change it.",
	"signed":     "Anyone can read it, but any change is detected.",
	"sealed":     "Encrypted and authenticated: only the server can read it, and any change is detected.",
	"key id":     "The key that was used, so that keys can be rotated while calls are open.",
	"claims":     "The JSON itself, in base64url.",
	"nonce":      "A random number used once, so that two states with the same content look different.",
	"ciphertext": "The JSON, encrypted with AES-256-GCM.",
	"tag":        "The authentication tag: it matches only if no bit of the state was changed.",
	"mac":        "The signature (HMAC-SHA256) over everything before it.",
}
