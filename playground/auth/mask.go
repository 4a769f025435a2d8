package auth

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// secretFields are the header fields of a request that hold a credential.
var secretFields = []string{"Authorization", "Dpop"}

// secretMembers matches a JSON member that holds a secret, with its value as
// the first group. The value of a member with another type is no secret that
// this program uses.
var secretMembers = regexp.MustCompile(`"(?:access_token|refresh_token|id_token|client_secret|` +
	`registration_access_token|device_code)"\s*:\s*"((?:[^"\\]|\\.)*)"`)

// secretParameters are the form parameters of a request that hold a secret.
var secretParameters = []string{
	"client_secret", "client_assertion", "code", "code_verifier", "refresh_token", "token", "assertion",
	"password",
}

// maskRequest returns the bytes of a request with every secret replaced by
// stars. Lengths stay.
func maskRequest(f wire.Frame) []byte {
	head, body := bytes.Clone(f.Head), bytes.Clone(f.Body)
	for _, name := range secretFields {
		maskField(head, name)
	}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		maskMembers(body)
	} else {
		body = []byte(maskForm(string(body)))
	}
	return slices.Concat(head, body)
}

// maskField masks the value of a header field in place. The scheme of
// Authorization stays.
func maskField(head []byte, name string) {
	at := 0
	for line := range bytes.Lines(head) {
		key, value, found := strings.Cut(strings.TrimRight(string(line), "\r\n"), ": ")
		if found && strings.EqualFold(key, name) {
			masked := redact.MaskField(wire.Field{Name: key, Value: value}).Value
			copy(head[at+len(key)+2:], masked)
		}
		at += len(line)
	}
}

// maskForm masks the values of secret parameters in a form or a query.
func maskForm(form string) string {
	pairs := strings.Split(form, "&")
	for i, pair := range pairs {
		name, value, found := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil && found &&
			slices.Contains(secretParameters, plain) {
			pairs[i] = name + "=" + strings.Repeat("*", len(value))
		}
	}
	return strings.Join(pairs, "&")
}

// maskResponse returns the bytes of a response with the secrets in its JSON
// replaced by stars. Lengths stay.
func maskResponse(response []byte) []byte {
	response = bytes.Clone(response)
	maskMembers(response)
	return response
}

func maskMembers(text []byte) {
	for _, m := range secretMembers.FindAllSubmatchIndex(text, -1) {
		for i := m[2]; i < m[3]; i++ {
			text[i] = '*'
		}
	}
}

// maskURL returns a URL with the secrets in its query replaced by stars.
func maskURL(raw string) string {
	path, query, found := strings.Cut(raw, "?")
	if !found {
		return raw
	}
	return path + "?" + maskForm(query)
}
