package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// MaskCredentials returns the header fields of a message whose names are those of
// credentials, and the message with their values masked in its head; the message itself
// if there are none. The field of a cookie that is set has the value of the cookie alone.
func MaskCredentials(message []byte) ([]wire.Field, []byte) {
	frame := wire.Split(message)
	head, _ := wire.ParseHead(frame.Head)
	var fields []wire.Field
	masked := frame.Head
	for _, f := range head.Fields {
		if !IsCredential(f.Name) || f.Value == "" {
			continue
		}
		masked = bytes.ReplaceAll(masked, []byte(f.Value), bytes.Repeat([]byte("*"), len(f.Value)))
		if strings.EqualFold(f.Name, "Set-Cookie") {
			pair, _, _ := strings.Cut(f.Value, ";")
			_, f.Value, _ = strings.Cut(pair, "=")
		}
		fields = append(fields, f)
	}
	if len(fields) == 0 {
		return nil, message
	}
	return fields, slices.Concat(masked, frame.Body)
}

// IsCredential reports whether a header field with this name has a credential.
func IsCredential(name string) bool {
	return strings.EqualFold(name, "Cookie") || strings.EqualFold(name, "Set-Cookie") || NamesSecret(name,
		Member)
}
