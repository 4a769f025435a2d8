package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// Line returns the frame of one line of standard input or output
// (basic/transports/stdio). A line has no head: in its place it has the empty
// line that ends a head.
func Line(b []byte) Frame { return Frame{Head: []byte("\n"), Body: b} }

// IsLine reports whether the frame is that of a line.
func (f Frame) IsLine() bool { return string(f.Head) == "\n" }

// The URL of a command: its scheme, and the length of the digest after it.
const (
	commandScheme = "stdio:"
	commandDigest = 16
)

// CommandURL returns the URL of the server that a command is. It has a digest of the
// words, so that it names a command without saying which, and starts none by itself:
// a program knows the commands that it was started with.
func CommandURL(words []string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return commandScheme + hex.EncodeToString(sum[:])[:commandDigest]
}

// IsCommand reports whether a URL is that of a command.
func IsCommand(url string) bool {
	digest, found := strings.CutPrefix(url, commandScheme)
	return found && len(digest) == commandDigest && strings.Trim(digest, "0123456789abcdef") == ""
}

// line returns the message as a line. A line break between two tokens of JSON becomes
// a space; a body that is not JSON is sent as it is.
func (r Request) line() []byte {
	body := r.body()
	if json.Valid(body) {
		body = bytes.ReplaceAll(bytes.ReplaceAll(body, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" "))
	}
	return append(bytes.Clone(body), '\n')
}
