// Package redacttest has the spellings in which a server can repeat a secret.
// The tests of every place that masks use the same table. It shares no code with
// the tested packages.
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
	// Apart reports whether white space stands between the characters of the secret
	// itself, which then has no shape.
	Apart bool
	// Within reports whether letters stand around the secret before it is encoded: a
	// part of a word has no shape, unless the word looks random.
	Within bool
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
		{Name: "Base64 inside a text", Within: true, Text: std.EncodeToString([]byte("ab" + secret + "cde"))},
		{Name: "Base64 of JSON",
			Text: std.EncodeToString(fmt.Appendf(nil, `{"got":"%s"}`, each(secret, `\u%04x`)))},
		{Name: "Base64 twice", Text: std.EncodeToString([]byte(std.EncodeToString([]byte(basic))))},
		{Name: "Base64 in hex", Text: each(std.EncodeToString([]byte(basic)), "%02x")},
		{Name: "hex in Base64", Text: std.EncodeToString([]byte(each(secret, "%02x")))},
		{Name: "Base64 in percent", Text: each(std.EncodeToString([]byte(basic)), "%%%02x")},
		{Name: "HTML, decimal", Text: each(secret, "&#%d;")},
		{Name: "HTML, hex", Text: each(secret, "&#x%X;")},
		{Name: "HTML, names", Text: html.EscapeString(secret)},
		{Name: "with line breaks", Apart: true, Text: broken(secret, 7, "\n")},
		{Name: "with escaped line breaks", Apart: true, Text: broken(url.QueryEscape(secret), 7, `\r\n`)},
		{Name: "with spaces in percent", Apart: true, Text: broken(url.PathEscape(secret), 5, "%20")},
	}
	for name, space := range map[string]string{
		"line breaks": "\n", "CRLF": "\r\n", "indented lines": "\n\t  ", "spaces": " ",
		"JSON escapes": `\n`, "JSON in JSON": `\\r\\n`, "JSON escapes by number": `\u000a`,
		"percent": "%0A", "percent, CRLF": "%0d%0a", "percent twice": "%250A", "HTML": "&#10;",
	} {
		within := "a longer text, as tools print it in lines of 76 columns, that ends with " + secret
		list = append(list,
			Spelling{Name: "Base64 with " + name,
				Text: broken(std.EncodeToString([]byte(basic)), 16, space)},
			Spelling{Name: "Base64url with " + name, Within: true,
				Text: broken(raw.EncodeToString([]byte("ab"+secret)), 19, space)},
			Spelling{Name: "hex with " + name, Text: broken(each(secret, "%02x"), 22, space)},
			Spelling{Name: "digits with " + name, Text: broken(each(secret, "%02x"), 1, space)})
		if name == "JSON in JSON" || name == "percent twice" {
			continue // more encodings would be one too many
		}
		list = append(list,
			Spelling{Name: "Base64 of JSON with " + name, Text: broken(std.EncodeToString(
				fmt.Appendf(nil, `{"got":"%s"}`, each(secret, `\u%04x`))), 76, space)},
			Spelling{Name: "Base64 twice with " + name, Text: broken(std.EncodeToString(
				[]byte(broken(std.EncodeToString([]byte(within)), 76, "\n"))), 76, space)})
	}
	for name, format := range map[string]string{
		"colons": "%02x:", "colons, upper case": "%02X:", "dashes": "%02X-", "spaces": "%02x ",
		"0x": "0x%02x ", "0X and commas": "0X%02X, ", "0x and nothing else": "0x%02x", "dots": "%02x.",
		"backslashes": `\x%02x`, "escaped line breaks": `%02x\n`, "colons in percent": "%02x%%3A",
		"0x and escaped tabs": `0x%02x\t`,
	} {
		list = append(list, Spelling{Name: "hex with " + name, Text: each(secret, format)})
	}
	for _, around := range [][2]string{
		{"a", "b"}, {"\xff\x00\x01", "\xfe\x02"}, {"\x80", ""}, {"\x02\x03", "\x04"},
	} {
		bytes, within := around[0]+secret+around[1], around[0] == "a"
		list = append(list,
			Spelling{Name: "Base64 of bytes", Within: within, Text: std.EncodeToString([]byte(bytes))},
			Spelling{Name: "Base64 of bytes, without padding", Within: within,
				Text: raw.EncodeToString([]byte(bytes))},
			Spelling{
				Name: "Base64 after a word", Within: within,
				Text: "word" + std.EncodeToString([]byte(bytes)),
			},
			Spelling{
				Name: "Base64 after a letter", Within: within,
				Text: "w" + std.EncodeToString([]byte(bytes)),
			},
			Spelling{Name: "hex of bytes", Within: within, Text: each(bytes, "%02x")},
			Spelling{Name: "hex after a digit", Text: "a" + each(secret, "%02x")})
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

// InLines returns a secret as usual tools print it in lines.
func InLines(secret string) map[string]string {
	return map[string]string{
		"Base64 in 76 columns":   broken(base64.StdEncoding.EncodeToString([]byte(secret)), 76, "\n"),
		"Base64 in 64 columns":   broken(base64.URLEncoding.EncodeToString([]byte(secret)), 64, "\n"),
		"hex in 60 columns":      broken(each(secret, "%02x"), 60, "\n"),
		"colons, indented":       broken(each(secret, "%02x:"), 45, "\n    "),
		"groups of four, spaces": broken(broken(each(secret, "%02X"), 4, " "), 60, "\n"),
	}
}

// broken returns a text with a line break, or the text that stands for it,
// after every so many characters.
func broken(s string, columns int, space string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += columns {
		if i > 0 {
			b.WriteString(space)
		}
		b.WriteString(s[i:min(i+columns, len(s))])
	}
	return b.String()
}

// Shown returns the share of the characters of a core that a masked text of the same
// length as the spelling shows, in percent, without separators.
func (s Spelling) Shown(masked string) int {
	at := strings.LastIndex(s.Text, s.Core)
	all, shown := 0, 0
	for i := at; i < at+len(s.Core); i++ {
		if strings.IndexByte(separators, s.Text[i]) >= 0 {
			continue
		}
		if all++; masked[i] == s.Text[i] {
			shown++
		}
	}
	return 100 * shown / max(all, 1)
}

// separators are characters that may stand between others without saying anything: also
// those of escaped white space.
const separators = " \t\r\n:-.,\\%&#;rnut0xX123456789ADad"

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
