// Package state recognises the format of a foreign requestState from the
// outside: the library that probably made it, the positions of its parts, and
// whether it can be read without a key. It needs no key and decrypts nothing.
//
// Its result is a guess, for people who inspect a server. A client must not
// rely on it (basic/patterns/mrtr, client requirement 2: the state is opaque),
// and no bytes that this program sends depend on it. The text is not trusted.
// The package is pure.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Formats of Recognise, in the order in which it tries them.
const (
	Empty      = "empty"
	Playground = "playground" // this program's own samples
	Rust       = "rust"
	TypeScript = "typescript"
	AESGCM     = "aes-gcm" // of the Python or the Ruby SDK, which look alike
	JWE        = "jwe"
	JWT        = "jwt"
	Mcpkit     = "mcpkit"
	PHP        = "php"
	Fernet     = "fernet"
	Paseto     = "paseto"
	Macaroon   = "macaroon"
	Iron       = "iron" // hapi's iron, which iron-session uses
	Rails      = "rails"
	Laravel    = "laravel"
	Django     = "django"

	DataProtection = "data-protection" // of ASP.NET Core
	ItsDangerous   = "itsdangerous"    // of Flask
	SecureCookie   = "securecookie"    // of gorilla

	Handle     = "handle" // 32 hex digits or a UUID
	Tagged     = "tagged" // readable JSON beside what can be a MAC or a signature
	Base64JSON = "base64-json"
	JSON       = "json"
	Opaque     = "opaque" // bytes or characters without a visible meaning
	Masked     = "masked" // in a recording, so that its format cannot be seen
	Text       = "text"
)

// Format is the probable format of a state.
type Format struct {
	ID        string    // one of the constants above
	Name      string    // for people
	Parts     []Part    // in order, with separators between them
	Length    int       // bytes
	SHA256    string    // lower-case hex of the whole state
	Readable  bool      // the payload can be read without a key
	Protected bool      // there is a MAC, a signature or encryption, as far as the format shows
	Payload   string    // the readable payload, decoded; empty if not Readable
	Expires   time.Time // zero if there is no visible expiry
}

// MayExpire reports whether the payload has a time after t in it, which may be when
// the state expires although no name says so.
func (f Format) MayExpire(t time.Time) bool { return hasTimeAfter(decoded(f.Payload), t, maxDepth) }

// Part is a part of the state, as byte offsets. Note names it.
type Part struct {
	Label      string
	Start, End int
	Note       string
}

// recognisers are tried in this order.
var recognisers = []func(token string) (Format, bool){
	empty, playground, rust, typescript, aesgcm, jwe, jwt, mcpkit, php,
	fernet, paseto, macaroon, dataProtection, iron, rails, laravel, django, itsdangerous, secureCookie,
	handle, base64JSON, plainJSON, tagged, opaque, masked,
}

// Recognise returns the format of token. It is Text if no other format fits.
func Recognise(token string) Format {
	for _, recognise := range recognisers {
		if f, ok := recognise(token); ok {
			return f.of(token)
		}
	}
	return plainText(token).of(token)
}

// of adds the fields that do not depend on the format.
func (f Format) of(token string) Format {
	sum := sha256.Sum256([]byte(token))
	f.Length, f.SHA256 = len(token), hex.EncodeToString(sum[:])
	return f
}

func empty(token string) (Format, bool) {
	return Format{ID: Empty, Name: "An empty string", Readable: true}, token == ""
}

func masked(token string) (Format, bool) {
	return Format{
		ID: Masked, Name: "Masked in this recording",
		Parts: whole(token, "masked", "Its format and its protection cannot be seen."),
	}, text.HasMask([]byte(token))
}

func plainText(token string) Format {
	return Format{
		ID: Text, Name: "Plain text, as go-sdk, mcp-go and many hand-written servers send",
		Readable: true, Payload: token,
		Parts: whole(token, "text", "Not protected: anyone can read and change it."),
	}
}

// label is the name and the note of a part.
type label struct{ name, note string }

// parts labels the dot-separated segments of a token. Segments without a label
// are left out.
func parts(segments []string, labels ...label) []Part {
	var list []Part
	start := 0
	for i, s := range segments {
		if i < len(labels) {
			list = append(list, Part{labels[i].name, start, start + len(s), labels[i].note})
		}
		start += len(s) + 1
	}
	return list
}

// whole labels a token that is a single part.
func whole(token, name, note string) []Part { return []Part{{name, 0, len(token), note}} }
