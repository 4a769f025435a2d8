// Package state names the format of a foreign requestState from the outside:
// which library likely made it, where its parts are, and whether anybody can
// read it. It needs no key and opens nothing that is closed. Clients must not
// rely on what it says (basic/patterns/mrtr, client requirement 2: the state is
// opaque); it is for people who look over a server's shoulder, and a guess.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Formats that Recognise knows, in the order in which it tries them.
const (
	Empty      = "empty"
	Playground = "playground" // this program's own samples
	Rust       = "rust"
	TypeScript = "typescript"
	AESGCM     = "aes-gcm" // of the Python or the Ruby SDK; they look alike
	JWE        = "jwe"
	JWT        = "jwt"
	Mcpkit     = "mcpkit"
	PHP        = "php"
	Handle     = "handle" // 32 hex digits or a UUID
	Base64JSON = "base64-json"
	JSON       = "json"
	Opaque     = "opaque" // Base64 of bytes that are no text
	Text       = "text"
)

// Format is what a state looks like.
type Format struct {
	ID        string    // one of the constants above
	Name      string    // for people
	Parts     []Part    // in order; separators lie between them
	Length    int       // bytes
	SHA256    string    // lower-case hex of the whole state
	Readable  bool      // anybody can read the payload without a key
	Protected bool      // a MAC, a signature or encryption is there to be checked
	Payload   string    // the readable payload, decoded; empty when not Readable
	Expires   time.Time // zero when none can be seen
}

// Part is a stretch of the state, as byte offsets. Note says what it is.
type Part struct {
	Label      string
	Start, End int
	Note       string
}

// Recognise names the format of token. Every token has one: what nothing else
// fits is Text.
func Recognise(token string) Format {
	for _, recognise := range []func(string) (Format, bool){
		empty, playground, rust, typescript, aesgcm, jwe, jwt, mcpkit, php, handle, base64JSON, plainJSON, opaque,
	} {
		if f, ok := recognise(token); ok {
			return f.of(token)
		}
	}
	return Format{ID: Text, Name: "Plain text, as go-sdk, mcp-go and many hand-written servers send", Readable: true, Payload: token,
		Parts: []Part{{"text", 0, len(token), "Not protected: anybody can read and change it."}}}.of(token)
}

// of adds what is the same for every format.
func (f Format) of(token string) Format {
	sum := sha256.Sum256([]byte(token))
	f.Length, f.SHA256 = len(token), hex.EncodeToString(sum[:])
	return f
}

func empty(token string) (Format, bool) {
	return Format{ID: Empty, Name: "An empty string", Readable: true}, token == ""
}

// parts labels the dot-separated segments of a token. Segments beyond the
// labels stay unnamed; an empty label leaves one out.
func parts(segments []string, labels ...[2]string) []Part {
	var list []Part
	start := 0
	for i, s := range segments {
		if i < len(labels) && labels[i][0] != "" {
			list = append(list, Part{labels[i][0], start, start + len(s), labels[i][1]})
		}
		start += len(s) + 1
	}
	return list
}
