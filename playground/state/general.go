package state

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
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
		ID: JWT, Name: "A JSON Web Token (JWT)",
		Protected: segments[2] != "" && !unsigned(header),
		Readable:  readable, Payload: payload, Expires: expiryOf(payload),
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
		Protected: hasTag(payload),
		Parts:     whole(token, "payload", protectionNote(payload)+expiryNote(expires)),
	}, ok
}

func plainJSON(token string) (Format, bool) {
	expires := expiryOf(token)
	return Format{
		ID: JSON, Name: "Plain JSON", Readable: true, Payload: token, Expires: expires,
		Protected: hasTag(token),
		Parts:     whole(token, "payload", protectionNote(token)+expiryNote(expires)),
	}, isJSON(token)
}

// unsigned reports whether the header of a JWT says that there is no signature.
func unsigned(header string) bool {
	var algorithm string
	_ = json.Unmarshal(members(header)["alg"], &algorithm)
	return strings.EqualFold(algorithm, "none")
}

// tagged recognises two or more parts, one of which is readable JSON and another
// one has the size of a MAC or a signature.
func tagged(token string) (Format, bool) {
	segments, separated := split(token)
	f := Format{ID: Tagged, Name: "Readable JSON beside what can be a MAC or a signature", Readable: true}
	var labels []label
	for _, s := range segments {
		payload, readable := decodeJSON(s)
		switch {
		case readable && f.Payload == "":
			f.Payload, f.Expires = payload, expiryOf(payload)
			labels = append(labels, label{"payload", "Readable JSON." + expiryNote(f.Expires)})
		case isTag(s):
			f.Protected = true
			labels = append(labels, label{"tag", "Has the size of a MAC or a signature."})
		default:
			labels = append(labels, label{"part", "Unknown."})
		}
	}
	f.Parts = parts(segments, labels...)
	return f, separated && f.Protected && f.Payload != ""
}

// tagNames are the members of an object that hold its MAC or signature.
var tagNames = []string{"mac", "hmac", "sig", "signature", "tag", "digest", "hash"}

// hasTag reports whether a member of an object can be its MAC or signature.
func hasTag(payload string) bool {
	for name, value := range members(payload) {
		var text string
		if slices.Contains(tagNames, strings.ToLower(name)) && json.Unmarshal(value, &text) == nil &&
			isTag(text) {
			return true
		}
	}
	return false
}

func protectionNote(payload string) string {
	if hasTag(payload) {
		return "Readable JSON with what can be a MAC or a signature."
	}
	return openNote
}

// separators are the characters between the parts of a token.
const separators = ".:|~$"

// split returns the parts of a token, and false if there is only one.
func split(token string) ([]string, bool) {
	list := strings.FieldsFunc(token, func(r rune) bool { return strings.ContainsRune(separators, r) })
	if len(strings.Join(list, "."))+strings.Count(token, "..") != len(token) {
		return list, false
	}
	return list, len(list) > 1
}

// tagSizes are the sizes of MACs and signatures in bytes.
var tagSizes = []int{16, 20, 24, 28, 32, 48, 64}

// isTag reports whether s can be a MAC or a signature, in hex or Base64.
func isTag(s string) bool {
	if b, err := hex.DecodeString(s); err == nil {
		return slices.Contains(tagSizes, len(b))
	}
	b, ok := decodeAny(s)
	return ok && printable(b) == "" && slices.Contains(tagSizes, len(b))
}

// opaque recognises a token that has no visible meaning: in one of its parts
// there is a long sequence of characters that look random. It can be encrypted,
// signed, or a handle into a store.
func opaque(token string) (Format, bool) {
	segments, separated := split(token)
	random := looksRandom(token)
	for _, s := range segments {
		random = random || separated && looksRandom(s)
	}
	name := "Bytes in Base64 that only the server understands"
	if _, ok := decodeAny(token); !ok || separated {
		name = "A token that only the server understands; it may be protected"
	}
	return Format{
		ID: Opaque, Name: name,
		Parts: whole(token, "bytes", "Whether they are protected is not visible from outside."),
	}, random
}

// looksRandom reports whether s is hex or Base64 of 12 bytes or more that are
// not text, or an identifier such as those of nanoid. Words joined by hyphens
// are Base64 too, so characters of several kinds have to alternate.
func looksRandom(s string) bool {
	if i := strings.LastIndexAny(s, "_-"); i >= 0 && looksRandom(s[i+1:]) {
		return true // sess_4f3c...
	}
	if b, err := hex.DecodeString(s); err == nil && len(b) >= 8 {
		return strings.ContainsAny(s, "abcdefABCDEF") && strings.ContainsAny(s, "0123456789")
	}
	if len(s) < 16 || strings.ContainsFunc(strings.TrimRight(s, "="), isOutsideBase64) {
		return false
	}
	if b, ok := decodeAny(s); ok && (printable(b) != "" || len(b) >= 16 && hasEveryKind(s)) {
		return printable(b) == ""
	}
	changes := 0
	for i := 1; i < len(s); i++ {
		if kindOf(s[i]) != kindOf(s[i-1]) {
			changes++
		}
	}
	return changes*2 > len(s)
}

// hasEveryKind reports whether a text has letters of both cases and digits.
func hasEveryKind(s string) bool {
	seen := map[int]bool{}
	for i := range len(s) {
		seen[kindOf(s[i])] = true
	}
	return seen[lowerCase] && seen[upperCase] && seen[digit]
}

func isOutsideBase64(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		strings.ContainsRune("+/-_", r))
}

// Kinds of characters.
const (
	lowerCase = iota
	upperCase
	digit
	other
)

// kindOf returns the kind of a character.
func kindOf(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return lowerCase
	case c >= 'A' && c <= 'Z':
		return upperCase
	case c >= '0' && c <= '9':
		return digit
	}
	return other
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
