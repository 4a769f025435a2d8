package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Spellings returns the texts that can stand for a secret value: the value as it
// is, in a form, in a path and in JSON, and each of these in hexadecimal digits
// and in Base64, alone or inside a longer text such as the credentials of HTTP
// Basic. Texts of fewer than MinSecret bytes are left out.
//
// This is the only list of spellings. Other escapes of single characters, and
// encodings inside encodings, are undone by View.
func Spellings(value string) []string {
	var list []string
	seen := map[string]bool{}
	add := func(text string) {
		if len(text) >= MinSecret && !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	for _, text := range texts(value) {
		add(text)
		add(fmt.Sprintf("%x", text))
		add(fmt.Sprintf("%X", text))
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for shift := range 3 {
				add(base64Core(e, text, shift))
			}
		}
	}
	return list
}

// texts returns a value as it is and as it stands in a form, in a path and in
// JSON, and what is left of it if its own characters are taken for escapes.
func texts(value string) []string {
	quoted := jsontree.Quote(value)
	ascii, _ := json.Marshal(value) // with <, > and & escaped
	list := []string{
		value, url.QueryEscape(value), url.PathEscape(value), strings.ReplaceAll(value, " ", "+"),
		string(quoted[1 : len(quoted)-1]), string(ascii[1 : len(ascii)-1]),
	}
	plain := Whole([]byte(value), 0)
	for range maxNested {
		plain = plain.Unescaped()
		list = append(list, string(plain.Text))
	}
	return list
}

// base64Core returns the part of a Base64 text that depends on v alone if shift
// bytes, modulo three, precede it.
func base64Core(e *base64.Encoding, v string, shift int) string {
	text := e.EncodeToString([]byte(strings.Repeat("\x00", shift) + v))
	from, to := (shift*8+5)/6, (shift+len(v))*8/6
	return text[min(from, to):to]
}
