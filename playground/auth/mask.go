package auth

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// secretFields are the header fields of a request that hold a credential.
var secretFields = []string{"Authorization", "Dpop"}

// secretNames are the members and parameters of responses that hold a secret, in
// lower case: what reads a response may ignore case.
var secretNames = []string{
	"access_token", "refresh_token", "id_token", "client_secret", "registration_access_token",
	"device_code",
}

// secretParameters are the form parameters of a request that hold a secret.
var secretParameters = []string{
	"client_secret", "client_assertion", "code", "code_verifier", "refresh_token", "token", "assertion",
	"password", "access_token", "id_token",
}

// secretMembers matches a JSON member that holds a secret, in a text that is not
// whole JSON. Its value is the first group.
var secretMembers = regexp.MustCompile(`(?i)"(?:` + strings.Join(secretNames, "|") +
	`)"\s*:\s*"((?:[^"\\]|\\.)*)`)

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
		body = []byte(maskForm(string(body), secretParameters))
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

// maskForm masks the values of these parameters in a form or a query.
func maskForm(form string, names []string) string {
	pairs := strings.Split(form, "&")
	for i, pair := range pairs {
		name, value, found := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(strings.TrimSpace(name))
		if err == nil && found && slices.Contains(names, strings.ToLower(plain)) {
			pairs[i] = name + "=" + strings.Repeat("*", len(value))
		}
	}
	return strings.Join(pairs, "&")
}

// maskResponse returns the bytes of a response, or of a part of one, with the
// secrets in its body replaced by stars: in JSON, and in a form, which is how
// some authorization servers send tokens. Lengths stay. Whatever its body, the
// values of known secrets are stars too.
func maskResponse(response []byte, known []string) []byte {
	response = bytes.Clone(response)
	head, body := []byte(nil), response
	if f := wire.Split(response); len(f.Body) > 0 {
		head, body = response[:len(response)-len(f.Body)], response[len(response)-len(f.Body):]
	}
	if start := bytes.TrimSpace(body); bytes.HasPrefix(start, []byte("{")) ||
		bytes.HasPrefix(start, []byte("[")) {
		maskMembers(body)
	} else {
		body = []byte(maskForm(string(body), secretNames))
	}
	return []byte(maskValues(string(slices.Concat(head, body)), known))
}

// maskMembers masks the secret members of a JSON text in place.
func maskMembers(text []byte) {
	node, fault := jsontree.Parse(text, jsontree.Limits{})
	if fault != nil { // such as a body that was cut off
		for _, m := range secretMembers.FindAllSubmatchIndex(text, -1) {
			fill(text[m[2]:m[3]])
		}
		return
	}
	maskNode(text, node)
}

func maskNode(text []byte, n *jsontree.Node) {
	for _, m := range n.Members {
		if m.Value.Kind == jsontree.String && slices.Contains(secretNames, strings.ToLower(m.Key)) {
			fill(text[m.Value.Start+1 : m.Value.End-1])
			continue
		}
		maskNode(text, m.Value)
	}
	for _, item := range n.Items {
		maskNode(text, item)
	}
}

func fill(b []byte) {
	for i := range b {
		b[i] = '*'
	}
}

// shortestSecret is the length of the shortest value that is masked wherever it
// stands. A shorter one could be a word.
const shortestSecret = 6

// maskValues replaces every one of these values by stars: as it is, and as it
// stands in a form, in JSON, and in the credentials of HTTP Basic.
func maskValues(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) < shortestSecret {
			continue
		}
		quoted := strings.Trim(string(jsontree.Quote(secret)), `"`)
		for _, spelled := range []string{
			secret, url.QueryEscape(secret), quoted, base64.StdEncoding.EncodeToString([]byte(secret)),
		} {
			text = strings.ReplaceAll(text, spelled, strings.Repeat("*", len(spelled)))
		}
	}
	return text
}

// maskURL returns a URL with the secrets in its query replaced by stars.
func maskURL(raw string) string {
	path, query, found := strings.Cut(raw, "?")
	if !found {
		return raw
	}
	return path + "?" + maskForm(query, secretParameters)
}
