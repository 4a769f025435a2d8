package state

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// fernet recognises Fernet (github.com/fernet/spec): 0x80, a time in seconds (8
// bytes), an IV (16), AES-CBC text in blocks of 16 and an HMAC-SHA256 (32).
func fernet(token string) (Format, bool) {
	b, ok := decodeAny(token)
	if !ok || len(b) < 73 || b[0] != 0x80 || (len(b)-57)%16 != 0 {
		return Format{}, false
	}
	seconds := binary.BigEndian.Uint64(b[1:9])
	if seconds >= maxSeconds {
		return Format{}, false
	}
	made := time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339)
	note := "Version, the time it was made (" + made + "), IV, ciphertext (AES-CBC) and a MAC. " +
		"How long it is valid is up to the server. " + sealedNote
	return Format{
		ID: Fernet, Name: "Looks like Fernet, as Python's cryptography makes it", Protected: true,
		Parts: whole(token, "sealed", note),
	}, true
}

// pasetoOverhead is the size of the nonce and the tag of the shortest tokens, of
// version 2.
const pasetoOverhead = 24 + tagBytes

var pasetoPurpose = regexp.MustCompile(`^v[1-4]\.(local|public)\.`)

// paseto recognises PASETO (github.com/paseto-standard/paseto-spec). Its local
// tokens are encrypted; its public ones are JSON followed by a signature.
func paseto(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	if !pasetoPurpose.MatchString(token) || len(segments) > 4 {
		return Format{}, false
	}
	body, ok := decode(segments[2])
	if !ok || len(body) < pasetoOverhead {
		return Format{}, false
	}
	f := Format{ID: Paseto, Name: "A PASETO token", Protected: true}
	note := "Nonce, ciphertext and tag. " + sealedNote
	if segments[1] == "public" {
		// The signature is of 64 bytes, in version 3 of 96 and in version 1 of 256.
		size := map[string]int{"v1": 256, "v3": 96}[segments[0]]
		payload := string(body[:max(0, len(body)-max(size, 64))])
		if !isJSON(payload) {
			return Format{}, false
		}
		f.Payload, f.Readable, f.Expires = payload, true, expiryOf(payload)
		note = "Readable JSON, then a signature that detects any change." + expiryNote(f.Expires)
	}
	f.Parts = parts(segments, label{"version", versionNote},
		label{"purpose", "local is encrypted, public is signed."}, label{"body", note},
		label{"footer", "Readable and authenticated; often a key id."})
	return f, true
}

// macaroon recognises a macaroon of libmacaroons, version 1 (packets with a
// length in four hex digits) or 2 (binary).
func macaroon(token string) (Format, bool) {
	b, ok := decodeAny(token)
	if !ok || len(b) < 40 {
		return Format{}, false
	}
	first := bytes.HasPrefix(b, []byte("00")) && bytes.HasPrefix(b[4:], []byte("location ")) &&
		bytes.Contains(b, []byte("signature "))
	second := b[0] == 2 && b[1] == 1 && len(b) > 3+int(b[2]) && b[3+int(b[2])] == 2 &&
		bytes.Equal(b[len(b)-34:len(b)-32], []byte{6, 32})
	if !first && !second {
		return Format{}, false
	}
	const note = "Identifier and caveats, which anyone can read, and a chained MAC. " +
		"The holder can add caveats, so it can be narrowed without the key, but not widened."
	return Format{
		ID: Macaroon, Name: "A macaroon", Protected: true, Parts: whole(token, "macaroon", note),
	}, true
}

// dataProtection recognises ASP.NET Core Data Protection: the bytes 09 F0 C9 F0,
// the id of the key (a GUID of 16 bytes), then what only the server reads.
func dataProtection(token string) (Format, bool) {
	b, ok := decodeAny(token)
	if !ok || len(b) < 52 || !bytes.HasPrefix(b, []byte{0x09, 0xf0, 0xc9, 0xf0}) {
		return Format{}, false
	}
	id := b[4:20] // little-endian in its first three groups
	key := fmt.Sprintf("%x-%x-%x-%x-%x", reversed(id[:4]), reversed(id[4:6]), reversed(id[6:8]), id[8:10],
		id[10:])
	note := "A fixed header, the key id " + key + ", then IV, ciphertext and MAC. " + sealedNote
	return Format{
		ID: DataProtection, Name: "Looks like ASP.NET Core Data Protection", Protected: true,
		Parts: whole(token, "sealed", note),
	}, true
}

func reversed(b []byte) []byte {
	out := make([]byte, len(b))
	for i := range b {
		out[len(b)-1-i] = b[i]
	}
	return out
}

// iron recognises sealed objects of hapi's iron, which iron-session uses:
// Fe26.2*id*salt*iv*ciphertext*expiry*salt*MAC. iron-session adds ~2.
func iron(token string) (Format, bool) {
	segments := strings.Split(token, "*")
	if len(segments) != 8 || segments[0] != "Fe26.2" {
		return Format{}, false
	}
	f := Format{ID: Iron, Name: "Looks like a sealed object of iron (iron-session)", Protected: true}
	f.Expires = timeOf(json.Number(segments[5]))
	f.Parts = parts(segments,
		label{"version", versionNote}, label{"password id", "Which password was used. May be empty."},
		label{"salt", "Of the key that encrypts."}, label{"iv", nonceNote}, label{"ciphertext", sealedNote},
		label{"expiry", "In milliseconds, readable." + expiryNote(f.Expires)},
		label{"MAC salt", "Of the key that signs."}, label{"mac", macNote})
	return f, true
}

// rails recognises Rails' message verifier (payload--MAC) and encryptor
// (ciphertext--IV--tag).
func rails(token string) (Format, bool) {
	segments := strings.Split(token, "--")
	for _, s := range segments {
		if _, ok := decodeAny(s); !ok {
			return Format{}, false
		}
	}
	switch payload, readable := decodeJSON(segments[0]); {
	case len(segments) == 2 && isHexMAC(segments[1]):
		f := Format{ID: Rails, Name: "Looks like a signed message of Rails", Protected: true,
			Readable: readable, Payload: payload, Expires: expiryOf(payload)}
		f.Parts = separated("--", segments, label{"payload", "Base64; anyone can read it."},
			label{"mac", macNote})
		return f, true
	case len(segments) == 3 && sizeOf(segments[1]) == nonceBytes && sizeOf(segments[2]) == tagBytes:
		f := Format{ID: Rails, Name: "Looks like an encrypted message of Rails", Protected: true}
		f.Parts = separated("--", segments, label{"ciphertext", sealedNote}, label{"iv", nonceNote},
			label{"tag", tagNote})
		return f, true
	}
	return Format{}, false
}

// Sizes of AES-GCM, in bytes.
const (
	nonceBytes = 12
	tagBytes   = 16
)

// sizeOf returns how many bytes a Base64 text encodes, or 0.
func sizeOf(s string) int {
	b, _ := decodeAny(s)
	return len(b)
}

// isHexMAC reports whether s is a MAC of SHA-1 or SHA-256 in hex.
func isHexMAC(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && (len(b) == 20 || len(b) == 32)
}

// laravel recognises an encrypted value of Laravel: JSON in Base64 with iv,
// value, mac and, in newer versions, tag.
func laravel(token string) (Format, bool) {
	payload, ok := decodeJSON(token)
	if !ok || !has(payload, "iv") || !has(payload, "value") || !has(payload, "mac") {
		return Format{}, false
	}
	const note = "JSON with an IV, a ciphertext and a MAC or tag. " + sealedNote
	return Format{
		ID: Laravel, Name: "Looks like an encrypted value of Laravel", Protected: true,
		Parts: whole(token, "sealed", note),
	}, true
}

// django recognises a value that Django's signing made: payload:time:MAC, the
// time in base 62.
func django(token string) (Format, bool) {
	segments := strings.Split(token, ":")
	if len(segments) != 3 || !isBase62(segments[1]) || !isTag(segments[2]) {
		return Format{}, false
	}
	payload, readable := decodeJSON(segments[0])
	if !readable && !strings.HasPrefix(segments[0], ".") { // the point says that it is compressed
		return Format{}, false
	}
	f := Format{ID: Django, Name: "Looks like a value signed by Django", Protected: true,
		Readable: readable, Payload: payload, Expires: expiryOf(payload)}
	f.Parts = separated(":", segments, label{"payload", "Readable JSON, possibly compressed."},
		label{"time", "When it was made, in base 62. How long it is valid is up to the server."},
		label{"mac", macNote})
	return f, true
}

func isBase62(s string) bool {
	return len(s) > 4 && len(s) < 9 && !strings.ContainsFunc(s, func(r rune) bool {
		return r == '-' || r == '_' || r == '+' || r == '/' || isOutsideBase64(r)
	})
}

// itsdangerous recognises a value that itsdangerous made, as Flask does:
// payload.MAC or payload.time.MAC, with SHA-1.
func itsdangerous(token string) (Format, bool) {
	segments := strings.Split(token, ".")
	n := len(segments)
	if n < 2 || n > 3 || sizeOf(segments[n-1]) != 20 {
		return Format{}, false
	}
	payload, readable := decodeJSON(segments[0])
	if !readable || n == 3 && (sizeOf(segments[1]) < 4 || sizeOf(segments[1]) > 6) {
		return Format{}, false
	}
	f := Format{ID: ItsDangerous, Name: "Looks like a value signed by itsdangerous (Flask)",
		Protected: true, Readable: true, Payload: payload, Expires: expiryOf(payload)}
	labels := []label{{"payload", "Readable JSON." + expiryNote(f.Expires)}, {"mac", macNote}}
	if n == 3 {
		made := "When it was made. How long it is valid is up to the server."
		labels = []label{labels[0], {"time", made}, labels[1]}
	}
	f.Parts = parts(segments, labels...)
	return f, true
}

// secureCookie recognises gorilla/securecookie: Base64 of time|value|MAC.
func secureCookie(token string) (Format, bool) {
	b, ok := decodeAny(token)
	if !ok || len(b) < 45 || b[10] != '|' || b[len(b)-33] != '|' {
		return Format{}, false
	}
	if timeOf(json.Number(b[:10])).IsZero() {
		return Format{}, false
	}
	value := strings.TrimRight(string(b[11:len(b)-33]), "=")
	if _, err := base64.RawURLEncoding.DecodeString(value); err != nil {
		return Format{}, false
	}
	made := timeOf(json.Number(b[:10])).Format(time.RFC3339)
	return Format{
		ID: SecureCookie, Name: "Looks like gorilla/securecookie (Go)", Protected: true,
		Parts: whole(token, "signed", "The time it was made ("+made+
			"), a value that may be encrypted, and a MAC: the server detects any change."),
	}, true
}

// separated is parts for segments with another separator than a dot.
func separated(separator string, segments []string, labels ...label) []Part {
	var list []Part
	start := 0
	for i, s := range segments {
		list = append(list, Part{labels[i].name, start, start + len(s), labels[i].note})
		start += len(s) + len(separator)
	}
	return list
}
