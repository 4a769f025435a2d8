package state

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode"
)

// jwe is the compact form of JSON Web Encryption (RFC 7516, section 3.1).
func jwe(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 5 {
		return Format{}, false
	}
	header, ok := decodeJSON(segments[0])
	f := Format{ID: JWE, Name: "An encrypted JSON Web Token (JWE)", Protected: true}
	f.Parts = parts(segments, [2]string{"header", "Readable JSON."}, [2]string{"encrypted key", "May be empty."},
		[2]string{"nonce", "Random, used once."}, [2]string{"ciphertext", "Only the server can read it."}, [2]string{"tag", "Shows any change."})
	return f, ok && has(header, "enc")
}

// jwt is the compact form of a signed token (RFC 7519); alg none is unsigned.
func jwt(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 3 {
		return Format{}, false
	}
	header, ok := decodeJSON(segments[0])
	if !ok || !has(header, "alg") {
		return Format{}, false
	}
	payload, readable := decodeJSON(segments[1])
	f := Format{ID: JWT, Name: "A JSON Web Token (JWT)", Protected: segments[2] != "", Readable: readable, Payload: payload}
	f.Expires = expiryOf(payload)
	f.Parts = parts(segments, [2]string{"header", "Readable JSON: " + printable([]byte(header))},
		[2]string{"payload", "Readable JSON." + expiryNote(f.Expires)}, [2]string{"signature", "Shows any change. Empty means not signed."})
	return f, true
}

// handle is a key into the server's memory: the C# SDK sends 32 hex digits.
func handle(token string) (Format, bool) {
	digits := token
	if len(token) == 36 && token[8] == '-' && token[13] == '-' && token[18] == '-' && token[23] == '-' {
		digits = strings.ReplaceAll(token, "-", "")
	}
	if _, err := hex.DecodeString(digits); err != nil || len(digits) != 32 {
		return Format{}, false
	}
	return Format{ID: Handle, Name: "A handle into the server's memory, as the C# SDK sends",
		Parts: []Part{{"handle", 0, len(token), "The state itself stays on one server; another instance cannot go on from here."}}}, true
}

func base64JSON(token string) (Format, bool) {
	payload, ok := decodeJSON(token)
	return Format{ID: Base64JSON, Name: "JSON in Base64", Readable: true, Payload: payload, Expires: expiryOf(payload),
		Parts: []Part{{"payload", 0, len(token), "Readable JSON, not protected: anybody can change it." + expiryNote(expiryOf(payload))}}}, ok
}

func plainJSON(token string) (Format, bool) {
	return Format{ID: JSON, Name: "Plain JSON", Readable: true, Payload: token, Expires: expiryOf(token),
		Parts: []Part{{"payload", 0, len(token), "Readable JSON, not protected: anybody can change it." + expiryNote(expiryOf(token))}}}, isJSON(token)
}

// opaque is long Base64 that means nothing as text. Words joined by hyphens
// are in its alphabet too, so letters of both cases and digits are asked for.
func opaque(token string) (Format, bool) {
	var upper, lower, digit bool
	for _, r := range token {
		upper, lower, digit = upper || unicode.IsUpper(r), lower || unicode.IsLower(r), digit || unicode.IsDigit(r)
	}
	body, ok := decodeAny(token)
	looks := ok && len(body) >= 16 && upper && lower && digit && printable(body) == ""
	return Format{ID: Opaque, Name: "Bytes in Base64 that only the server understands",
		Parts: []Part{{"bytes", 0, len(token), "Whether they are protected cannot be seen from outside."}}}, looks
}

// decode is strict: no padding, no line breaks, no stray bits.
func decode(s string) ([]byte, bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return b, err == nil && s != "" && !strings.ContainsAny(s, "\r\n")
}

// decodeAny also takes padding and the standard alphabet.
func decodeAny(s string) ([]byte, bool) {
	if b, ok := decode(strings.TrimRight(s, "=")); ok {
		return b, true
	}
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return b, err == nil && s != "" && !strings.ContainsAny(s, "\r\n")
}

// decodeJSON is the JSON object or array that s encodes.
func decodeJSON(s string) (string, bool) {
	b, ok := decodeAny(s)
	if !ok || !isJSON(string(b)) {
		return "", false
	}
	return string(b), true
}

// isMAC tells whether s can be 32 bytes, the size of HMAC-SHA256.
func isMAC(s string) bool {
	b, ok := decode(s)
	return ok && len(s) == 43 && len(b) == 32
}

// isJSON takes objects and arrays only: 42 and "x" are JSON too, but say nothing.
func isJSON(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && (s[0] == '{' || s[0] == '[') && json.Valid([]byte(s))
}
