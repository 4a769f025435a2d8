package redact

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// MaskURL returns the URL with every byte replaced by a star in each query
// value with the name of a secret.
func MaskURL(raw string) string {
	path, query, found := strings.Cut(raw, "?")
	if !found {
		return raw
	}
	return path + "?" + maskForm(query)
}

// maskForm masks the values with the name of a secret in a form or a query.
func maskForm(form string) string {
	pairs := strings.Split(form, "&")
	for i, pair := range pairs {
		name, value, found := strings.Cut(pair, "=")
		if found && NamesSecret(unescapedName(name), Parameter) {
			pairs[i] = name + "=" + strings.Repeat("*", len(value))
		}
	}
	return strings.Join(pairs, "&")
}

// unescapedName returns the name of a parameter as it is meant.
func unescapedName(name string) string {
	if plain, err := url.QueryUnescape(strings.TrimSpace(name)); err == nil {
		return plain
	}
	return name
}

// MaskNamed returns a message of HTTP, or a body alone, in which each value with
// the name of a secret is replaced by stars: members of JSON, also if it is cut
// off, and parameters of a form. The head stays. message is not changed.
func MaskNamed(message []byte) []byte {
	out := bytes.Clone(message)
	body := out
	if f := wire.Split(out); len(f.Body) > 0 {
		body = out[len(f.Head):]
	}
	if start := bytes.TrimSpace(body); bytes.HasPrefix(start, []byte("{")) ||
		bytes.HasPrefix(start, []byte("[")) {
		maskMembers(body)
	} else {
		copy(body, maskForm(string(body)))
	}
	return out
}

// maskMembers masks the values with the name of a secret in a JSON text, in
// place.
func maskMembers(text []byte) {
	node, fault := jsontree.Parse(text, jsontree.Limits{})
	if fault == nil {
		maskNode(text, node)
		return
	}
	for _, m := range memberPattern.FindAllSubmatchIndex(text, -1) {
		name := Whole(text[m[2]:m[3]], 0).JSONString()
		if NamesSecret(string(name.Text), Member) {
			maskBytes(text[m[4]:m[5]])
		}
	}
}

// memberPattern matches a member of JSON with a string, which may be cut off. Its
// groups are the name and the value.
var memberPattern = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"\s*:\s*"((?:[^"\\]|\\.)*)`)

func maskNode(text []byte, n *jsontree.Node) {
	for _, m := range n.Members {
		if m.Value.Kind == jsontree.String && NamesSecret(m.Key, Member) {
			maskBytes(text[m.Value.Start+1 : m.Value.End-1])
			continue
		}
		maskNode(text, m.Value)
	}
	for _, item := range n.Items {
		maskNode(text, item)
	}
}
