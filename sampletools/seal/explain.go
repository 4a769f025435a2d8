package seal

import (
	"encoding/json"
	"time"
)

// An Explanation shows a state as the server that made it sees it. It is the server's view:
// a client must not look inside (basic/patterns/mrtr, client requirement 2).
type Explanation struct {
	Mode    Mode
	Parts   []Part          // in order, covering the whole token; nil if it is none of ours
	KeyID   string          // eight hex digits; empty in plain mode
	Claims  *Claims         // nil unless opened
	JSON    json.RawMessage // the claims as they stand in the state
	Issued  time.Time
	Expires time.Time
	Refused Reason // empty if a server would take the state at this time from its rightful owner
	Why     string // Refused in words
}

// A Part is a stretch of a token's text.
type Part struct {
	Name    string // prefix, version, mode, key id, claims, nonce, ciphertext, tag, mac or separator
	Offset  int    // into the token
	Text    string
	Bytes   int    // bytes that the text stands for; 0 for prefix, version, mode and separator
	Meaning string // one sentence
}

// Explain takes a state apart and opens it if it can. It never fails: what cannot be opened
// is explained too. Whether the state fits a certain request is not asked here.
func Explain(text string, keys *Keys, now time.Time) Explanation {
	t, ok := parse(text)
	if !ok {
		return Explanation{Refused: Malformed, Why: Malformed.Sentence()}
	}
	e := Explanation{Mode: t.mode, Parts: parts(t, text), KeyID: encode("key id", t.bytes("key id"))}
	body, reason := keys.body(t, text)
	if reason == "" {
		reason = e.open(body, now)
	}
	e.Refused, e.Why = reason, reason.Sentence()
	return e
}

func (e *Explanation) open(body []byte, now time.Time) Reason {
	c, ok := parseClaims(body)
	if !ok {
		return Malformed
	}
	e.Claims, e.JSON = &c, body
	e.Issued, e.Expires = time.Unix(c.Issued, 0).UTC(), time.Unix(c.Expires, 0).UTC()
	return c.expired(now)
}

// parts covers the token without a gap, so that a page can colour every character.
func parts(t token, text string) []Part {
	list := []Part{
		{Name: "prefix", Offset: 0, Text: "mrtr", Meaning: meaning("prefix")},
		{Name: "version", Offset: 4, Text: "1", Meaning: meaning("version")},
		{Name: "separator", Offset: 5, Text: "."},
		{Name: "mode", Offset: len(prefix), Text: string(t.mode), Meaning: meaning(string(t.mode))},
	}
	for _, s := range t.segments {
		list = append(list,
			Part{Name: "separator", Offset: s.offset - 1, Text: "."},
			Part{Name: s.name, Offset: s.offset, Text: s.text, Bytes: len(s.bytes), Meaning: meaning(s.name)})
	}
	return list
}

func meaning(name string) string {
	switch name {
	case "prefix":
		return "Says whose format this is, so that a foreign token is refused at once."
	case "version":
		return "The version of the format."
	case "plain":
		return "Not protected: anybody can read and change it."
	case "signed":
		return "Anybody can read it, a change is noticed."
	case "sealed":
		return "Encrypted and authenticated: only the server can read it, a change is noticed."
	case "key id":
		return "Which of the server's keys was used; keys can be rotated while calls are open."
	case "claims":
		return "The JSON itself, in base64url."
	case "nonce":
		return "A random number used once: two states with the same content look different."
	case "ciphertext":
		return "The JSON, encrypted with AES-256-GCM."
	case "tag":
		return "The seal: it fits only if no bit of the state was changed."
	case "mac":
		return "The signature (HMAC-SHA256) over everything before it."
	}
	return ""
}
