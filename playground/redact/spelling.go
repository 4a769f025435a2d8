package redact

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Spellings returns the texts that can stand for a secret value: the value as it
// is, in a form, in a path and in JSON, and the rest of it if its own
// characters are taken for escapes. Texts of fewer than MinSecret bytes are
// left out.
//
// All other escapes and encodings are undone by View.
func Spellings(value string) []string {
	quoted := jsontree.Quote(value)
	ascii, _ := json.Marshal(value) // with <, > and & escaped
	texts := []string{
		value, url.QueryEscape(value), url.PathEscape(value), strings.ReplaceAll(value, " ", "+"),
		string(quoted[1 : len(quoted)-1]), string(ascii[1 : len(ascii)-1]),
	}
	plain := Whole([]byte(value), 0)
	for range maxNested {
		plain = plain.Unescaped()
		texts = append(texts, string(plain.Text))
	}
	var list []string
	seen := map[string]bool{}
	for _, text := range texts {
		if len(text) >= MinSecret && !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	return list
}
