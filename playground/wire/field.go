package wire

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// FieldError is why a header field of the user cannot be sent.
type FieldError struct {
	Name, Text string
}

func (e *FieldError) Error() string { return "header field " + strconv.Quote(e.Name) + ": " + e.Text }

// CheckField reports whether a user may send the field: its name is a token
// (RFC 9110, section 5.6.2), its value has no control characters, and it does
// not speak about the connection, which is ours (section 7.6.1).
func CheckField(f Field) error {
	switch {
	case !isToken(f.Name):
		return &FieldError{f.Name, "the name may have letters, digits and hyphens only"}
	case slices.Contains(connectionFields(), strings.ToLower(f.Name)):
		return &FieldError{f.Name, "this field steers the connection and cannot be set"}
	case strings.ContainsFunc(f.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return &FieldError{f.Name, "the value has a line break or control character in it"}
	}
	return nil
}

func connectionFields() []string {
	return []string{"connection", "content-length", "expect", "http2-settings", "keep-alive", "proxy-authenticate",
		"proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"}
}

func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !isTokenRune(r) })
}

func isTokenRune(r rune) bool {
	return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r != 0 && strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// FieldValue returns s as Mcp-Name and Mcp-Param-* carry it: as it is when it
// is plain ASCII, else in the Base64 sentinel form (basic/transports/
// streamable-http, "Value Encoding").
func FieldValue(s string) string {
	const prefix, suffix = "=?base64?", "?="
	odd := strings.ContainsFunc(s, func(r rune) bool { return (r < ' ' && r != '\t') || r > '~' })
	if odd || s != strings.Trim(s, " \t") || strings.HasPrefix(s, prefix) && strings.HasSuffix(s, suffix) {
		return prefix + base64.StdEncoding.EncodeToString([]byte(s)) + suffix
	}
	return s
}
