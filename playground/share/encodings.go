package share

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
)

// encodings returns the texts that can represent a value: the value itself, its
// URL, JSON and hexadecimal encodings, and Base64 at each of the three offsets
// at which it can begin inside a longer text. In Base64 the first and last
// characters, which also depend on the neighbours, are left out.
func encodings(value string) []string {
	list := []string{value, hex.EncodeToString([]byte(value)),
		strings.ToUpper(hex.EncodeToString([]byte(value)))}
	for _, s := range []string{url.QueryEscape(value), url.PathEscape(value), allPercent(value)} {
		list = append(list, s, lowerPercent(s))
	}
	if quoted, err := json.Marshal(value); err == nil {
		inner := string(quoted[1 : len(quoted)-1])
		list = append(list, inner, strings.ReplaceAll(inner, "/", `\/`))
	}
	for shift := range 3 {
		inner := base64Core(value, shift)
		list = append(list, inner, strings.NewReplacer("+", "-", "/", "_").Replace(inner))
	}
	return distinct(list)
}

// base64Core returns the part of a Base64 text that depends on value alone if
// shift bytes precede it in its group of three.
func base64Core(value string, shift int) string {
	all := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), value...))
	first := (shift*8 + 5) / 6
	last := (shift + len(value)) * 8 / 6
	return all[min(first, last):last]
}

// allPercent returns s with every byte percent-encoded.
func allPercent(value string) string {
	var b strings.Builder
	for _, c := range []byte(value) {
		b.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return b.String()
}

// lowerPercent returns s with the digits of its percent encoding in lower case.
func lowerPercent(s string) string {
	out := []byte(s)
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:i+3], strings.ToLower(string(out[i+1:i+3])))
		}
	}
	return string(out)
}

// distinct returns the list without duplicates and texts that are too short to
// be searched for.
func distinct(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range list {
		if len(s) >= minValue && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
