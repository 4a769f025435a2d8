package state

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode"
)

const (
	sealedNote = "Only the server can read it."
	nonceNote  = "Random, used once."
	tagNote    = "Detects any change."
	openNote   = "Readable JSON, not protected: anyone can change it."
)

// jwe recognises JSON Web Encryption in its compact form (RFC 7516, section
// 3.1).
func jwe(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if len(segments) != 5 {
		return Format{}, false
	}
	header, ok := decodeJSON(segments[0])
	f := Format{ID: JWE, Name: "An encrypted JSON Web Token (JWE)", Protected: true}
	f.Parts = parts(segments,
		label{"header", "Readable JSON."}, label{"encrypted key", "May be empty."},
		label{"nonce", nonceNote}, label{"ciphertext", sealedNote}, label{"tag", tagNote})
	return f, ok && has(header, "enc")
}

// jwt recognises a signed token in its compact form (RFC 7519). With the
// algorithm none it is not signed.
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
	f := Format{
		ID: JWT, Name: "A JSON Web Token (JWT)", Protected: segments[2] != "",
		Readable: readable, Payload: payload, Expires: expiryOf(payload),
	}
	f.Parts = parts(segments,
		label{"header", "Readable JSON: " + printable([]byte(header))},
		label{"payload", "Readable JSON." + expiryNote(f.Expires)},
		label{"signature", tagNote + " If it is empty, the token is not signed."})
	return f, true
}

// handle recognises a key of a state that the server keeps: the C# SDK sends 32
// hex digits.
func handle(token string) (Format, bool) {
	digits := token
	if len(token) == 36 && token[8] == '-' && token[13] == '-' && token[18] == '-' && token[23] == '-' {
		digits = strings.ReplaceAll(token, "-", "")
	}
	if _, err := hex.DecodeString(digits); err != nil || len(digits) != 32 {
		return Format{}, false
	}
	const note = "The state itself stays on one server; another instance cannot continue from here."
	return Format{
		ID: Handle, Name: "A handle into the server's memory, as the C# SDK sends",
		Parts: whole(token, "handle", note),
	}, true
}

func base64JSON(token string) (Format, bool) {
	payload, ok := decodeJSON(token)
	expires := expiryOf(payload)
	return Format{
		ID: Base64JSON, Name: "JSON in Base64", Readable: true, Payload: payload, Expires: expires,
		Parts: whole(token, "payload", openNote+expiryNote(expires)),
	}, ok
}

func plainJSON(token string) (Format, bool) {
	expires := expiryOf(token)
	return Format{
		ID: JSON, Name: "Plain JSON", Readable: true, Payload: token, Expires: expires,
		Parts: whole(token, "payload", openNote+expiryNote(expires)),
	}, isJSON(token)
}

// opaque recognises long Base64 of bytes that are not text. Words joined by
// hyphens are Base64 too, so it requires letters of both cases and digits.
func opaque(token string) (Format, bool) {
	var upper, lower, digit bool
	for _, r := range token {
		upper = upper || unicode.IsUpper(r)
		lower = lower || unicode.IsLower(r)
		digit = digit || unicode.IsDigit(r)
	}
	body, ok := decodeAny(token)
	ok = ok && len(body) >= 16 && upper && lower && digit && printable(body) == ""
	return Format{
		ID: Opaque, Name: "Bytes in Base64 that only the server understands",
		Parts: whole(token, "bytes", "Whether they are protected is not visible from outside."),
	}, ok
}

// decode decodes strict Base64url: no padding, no line breaks, no stray bits.
func decode(s string) ([]byte, bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return b, err == nil && s != "" && !strings.ContainsAny(s, "\r\n")
}

// decodeAny also accepts padding and the standard alphabet.
func decodeAny(s string) ([]byte, bool) {
	if b, ok := decode(strings.TrimRight(s, "=")); ok {
		return b, true
	}
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return b, err == nil && s != "" && !strings.ContainsAny(s, "\r\n")
}

// decodeJSON returns the JSON object or array that s encodes.
func decodeJSON(s string) (string, bool) {
	b, ok := decodeAny(s)
	if !ok || !isJSON(string(b)) {
		return "", false
	}
	return string(b), true
}

// isMAC reports whether s can be 32 bytes, the size of HMAC-SHA256.
func isMAC(s string) bool {
	b, ok := decode(s)
	return ok && len(s) == 43 && len(b) == 32
}

// isJSON reports whether s is a JSON object or array. Other JSON, such as 42,
// is too common to count.
func isJSON(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && (s[0] == '{' || s[0] == '[') && json.Valid([]byte(s))
}
