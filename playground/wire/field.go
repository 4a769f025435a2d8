package wire

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// FieldError reports why a header field of the user cannot be sent.
type FieldError struct {
	Name, Text string
}

func (e *FieldError) Error() string { return "header field " + strconv.Quote(e.Name) + ": " + e.Text }

// CheckField returns a *FieldError if the user may not send the field: its name
// must be a token, its value must not have control characters, and it must not
// control the connection, which is ours (RFC 9110, section 7.6.1), or name
// another host than the URL.
func CheckField(f Field) error {
	switch {
	case !IsToken(f.Name):
		return &FieldError{f.Name, "the name must consist of letters, digits and hyphens"}
	case strings.EqualFold(f.Name, "Host"):
		return &FieldError{f.Name, "the host comes from the URL and cannot be set"}
	case slices.Contains(connectionFields, strings.ToLower(f.Name)):
		return &FieldError{f.Name, "this field controls the connection and cannot be set"}
	case strings.ContainsFunc(f.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return &FieldError{f.Name, "the value contains a line break or control character"}
	}
	return nil
}

var connectionFields = []string{
	"connection", "content-length", "expect", "http2-settings", "keep-alive", "proxy-authenticate",
	"proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
}

// IsToken reports whether s is a token (RFC 9110, section 5.6.2), the syntax of
// methods and of the names of header fields.
func IsToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !isTokenRune(r) })
}

func isTokenRune(r rune) bool {
	letter := r|0x20 >= 'a' && r|0x20 <= 'z'
	return letter || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// FieldValue returns s as Mcp-Name and Mcp-Param-* carry it: unchanged if it is
// plain ASCII, otherwise in the Base64 sentinel form (basic/transports/
// streamable-http, "Value Encoding").
func FieldValue(s string) string {
	const prefix, suffix = "=?base64?", "?="
	special := strings.ContainsFunc(s, func(r rune) bool { return (r < ' ' && r != '\t') || r > '~' })
	sentinel := strings.HasPrefix(s, prefix) && strings.HasSuffix(s, suffix)
	if special || sentinel || s != strings.Trim(s, " \t") {
		return prefix + base64.StdEncoding.EncodeToString([]byte(s)) + suffix
	}
	return s
}
