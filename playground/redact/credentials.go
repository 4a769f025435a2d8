package redact

import (
	"bytes"
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
	for _, f := range head.Fields {
		if !IsCredential(f.Name) || f.Value == "" {
			continue
		}
		if strings.EqualFold(f.Name, "Set-Cookie") {
			pair, _, _ := strings.Cut(f.Value, ";")
			_, f.Value, _ = strings.Cut(pair, "=")
		}
		fields = append(fields, f)
	}
	if len(fields) == 0 {
		return nil, message
	}
	masked := bytes.Clone(message)
	hidden := false // the line belongs to a credential
	for at := 0; at < len(frame.Head); {
		line := frame.Head[at:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		from := 0
		if at > 0 && (line[0] == ' ' || line[0] == '\t') { // the field goes on
		} else if name, _, ok := bytes.Cut(line, []byte(":")); ok && at > 0 {
			hidden, from = IsCredential(string(name)), len(name)+1
		} else {
			hidden = false
		}
		for i := at + from; hidden && i < at+len(line); i++ {
			if c := masked[i]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
				masked[i] = '*'
			}
		}
		at += len(line)
	}
	return fields, masked
}

// IsCredential reports whether a header field with this name has a credential.
func IsCredential(name string) bool {
	if strings.EqualFold(name, "Mcp-Session-Id") {
		return false // it distinguishes the sessions of a recording
	}
	return strings.EqualFold(name, "Cookie") || strings.EqualFold(name, "Set-Cookie") || NamesSecret(name,
		Member)
}
