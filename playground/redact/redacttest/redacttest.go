// Package redacttest has the spellings in which a server can repeat a secret.
// The tests of every place that masks use the same table. It shares no code with
// what it tests.
package redacttest

import (
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"strings"
)

// Secrets are two client secrets that the tests plant: one of letters and
// digits, and one with the characters that encodings change.
var Secrets = []string{"Gx7plantedSecretValue0Q9z", `S3cr/t+of "the" cl&ent %41~=\end`}

// ID is the client ID that belongs to the secrets.
const ID = "client-1"

// Spelling is one way to write a secret.
type Spelling struct {
	Name string
	Text string
	// Core is a part of Text that no place may show: with it, most of the secret
	// is known.
	Core string
}

// Spellings returns the spellings of a secret.
func Spellings(secret string) []Spelling {
	std, raw := base64.StdEncoding, base64.RawURLEncoding
	basic := ID + ":" + secret
	form := url.QueryEscape(secret)
	list := []Spelling{
		{Name: "as it is", Text: secret},
		{Name: "form", Text: form},
		{Name: "path", Text: url.PathEscape(secret)},
		{Name: "form, lower case", Text: lowerHex(form)},
		{Name: "every byte in percent", Text: each(secret, "%%%02X")},
		{Name: "every byte in percent, lower case", Text: each(secret, "%%%02x")},
		{Name: "percent twice", Text: url.QueryEscape(each(secret, "%%%02X"))},
		{Name: "percent three times", Text: url.QueryEscape(url.QueryEscape(each(secret, "%%%02x")))},
		{Name: "JSON escapes", Text: each(secret, `\u%04x`)},
		{Name: "JSON escapes, upper case", Text: each(secret, `\u%04X`)},
		{Name: "JSON in JSON", Text: each(secret, `\\u%04x`)},
		{Name: "JSON of percent", Text: strings.ReplaceAll(each(secret, "%%%02x"), "%", `\u0025`)},
		{Name: "hex", Text: each(secret, "%02x")},
		{Name: "hex, upper case", Text: each(secret, "%02X")},
		{Name: "hex, mixed case", Text: mixed(each(secret, "%02x"))},
		{Name: "Base64", Text: std.EncodeToString([]byte(secret))},
		{Name: "Base64url", Text: raw.EncodeToString([]byte(secret))},
		{Name: "Base64 of HTTP Basic", Text: std.EncodeToString([]byte(basic))},
		{Name: "Base64url of HTTP Basic", Text: raw.EncodeToString([]byte(basic))},
		{Name: "Base64 of HTTP Basic of forms",
			Text: std.EncodeToString([]byte(url.QueryEscape(ID) + ":" + form))},
		{Name: "Base64 inside a text", Text: std.EncodeToString([]byte("ab" + secret + "cde"))},
		{Name: "Base64 of JSON",
			Text: std.EncodeToString(fmt.Appendf(nil, `{"got":"%s"}`, each(secret, `\u%04x`)))},
		{Name: "Base64 twice", Text: std.EncodeToString([]byte(std.EncodeToString([]byte(basic))))},
		{Name: "Base64 in hex", Text: each(std.EncodeToString([]byte(basic)), "%02x")},
		{Name: "hex in Base64", Text: std.EncodeToString([]byte(each(secret, "%02x")))},
		{Name: "Base64 in percent", Text: each(std.EncodeToString([]byte(basic)), "%%%02x")},
		{Name: "HTML, decimal", Text: each(secret, "&#%d;")},
		{Name: "HTML, hex", Text: each(secret, "&#x%X;")},
		{Name: "HTML, names", Text: html.EscapeString(secret)},
	}
	for i, s := range list {
		end := len(strings.TrimRight(s.Text, "="))
		list[i].Core = s.Text[max(0, end-28) : end-12]
	}
	return list
}

// each writes every byte of a text with a format.
func each(s, format string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// lowerHex returns a text with the digits of its percent encoding in lower case.
func lowerHex(s string) string {
	out := []byte(s)
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:i+3], strings.ToLower(string(out[i+1:i+3])))
		}
	}
	return string(out)
}

// mixed returns a text with every other letter in upper case.
func mixed(s string) string {
	out := []byte(s)
	up := false
	for i, c := range out {
		if c >= 'a' && c <= 'f' {
			if up {
				out[i] = c - 'a' + 'A'
			}
			up = !up
		}
	}
	return string(out)
}
