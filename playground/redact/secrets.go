// Package redact masks the user's own secret values in recorded bytes, and
// seals the original where it must be sent again. It knows neither Targets nor
// Events. It knows only the credentials that the user entered; package share
// finds other secrets by their shape.
package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// minSecret is the least length, in bytes, of a value that is searched for
// everywhere. Shorter values cause false positives.
const minSecret = 8

// Secrets holds the user's credentials for one server: the header fields and
// the credentials in its URL. It is never stored. A nil *Secrets masks nothing.
type Secrets struct {
	fields  []string // names of header fields whose values are always masked
	needles [][]byte // every encoding of every value, longest first
	keeper  Keeper
}

// Keeper encrypts data so that only the user can open it.
type Keeper interface {
	Seal(plain []byte) []byte
	// Open returns what was sealed, or false for anything else.
	Open(sealed []byte) (plain []byte, ok bool)
}

// New returns the secrets in the header fields and the URL that the user
// entered for a server, or nil if there are none. k keeps data that must be sent
// again unchanged; it may be nil.
func New(header []wire.Field, rawURL string, k Keeper) *Secrets {
	s := &Secrets{keeper: k}
	for _, f := range header {
		s.fields = append(s.fields, f.Name)
	}
	if len(s.fields)+len(urlSecrets(rawURL)) == 0 {
		return nil
	}
	for _, v := range Values(header, rawURL) {
		s.needles = append(s.needles, encodings(v)...)
	}
	slices.SortStableFunc(s.needles, func(a, b []byte) int { return len(b) - len(a) })
	return s
}

// Values returns the secret values in the header fields and the URL that the
// user entered for a server, also those that are too short for Mask.
func Values(header []wire.Field, rawURL string) []string {
	var list []string
	for _, f := range header {
		list = append(list, credentials(f)...)
	}
	return append(list, urlSecrets(rawURL)...)
}

// credentials returns the secret values in a header field: the whole value (in
// Authorization without the scheme), the decoded user name and password of
// basic authentication, and the value of each cookie.
func credentials(f wire.Field) []string {
	scheme, token, found := strings.Cut(f.Value, " ")
	list := []string{f.Value}
	switch {
	case found && strings.EqualFold(f.Name, "Authorization"):
		list = []string{token}
	case found:
		list = append(list, token) // as in X-Auth: Bearer abc
	}
	if raw, err := base64.StdEncoding.DecodeString(token); found && err == nil &&
		strings.EqualFold(scheme, "basic") {
		_, password, _ := strings.Cut(string(raw), ":")
		list = append(list, token, string(raw), password)
	}
	if strings.EqualFold(f.Name, "Cookie") {
		for pair := range strings.SplitSeq(f.Value, ";") {
			_, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			list = append(list, value)
		}
	}
	return list
}

// urlSecrets returns the values of query parameters with the name of a
// credential.
func urlSecrets(raw string) []string {
	u, err := url.Parse(raw)
	if err != nil {
		return nil
	}
	var list []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if !namesCredential(name) || value == "" {
			continue
		}
		list = append(list, value)
		if plain, err := url.QueryUnescape(value); err == nil && plain != value {
			list = append(list, plain)
		}
	}
	return list
}

// namesCredential reports whether a query parameter of this name holds a
// credential.
func namesCredential(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(credentialWords,
		func(word string) bool { return strings.Contains(name, word) })
}

// credentialWords are texts inside the names of query parameters with
// credentials.
var credentialWords = []string{"key", "token", "secret", "passw", "pwd", "auth", "sig", "credential", "jwt",
	"code"}

// encodings returns the forms that a value can have in a message: as it is, in
// JSON, in a URL, in hexadecimal digits, and in Base64, alone or inside a longer
// text.
func encodings(v string) [][]byte {
	if len(v) < minSecret {
		return nil
	}
	quoted := jsontree.Quote(v)
	ascii, _ := json.Marshal(v)
	list := [][]byte{
		[]byte(v), quoted[1 : len(quoted)-1], ascii[1 : len(ascii)-1],
		[]byte(url.QueryEscape(v)), []byte(url.PathEscape(v)),
	}
	for _, digits := range []string{"%x", "%X"} {
		list = append(list, fmt.Appendf(nil, digits, v))
	}
	for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			list = append(list, base64Core(e, v, shift))
		}
	}
	slices.SortFunc(list, bytes.Compare)
	list = slices.CompactFunc(list, bytes.Equal)
	return slices.DeleteFunc(list, func(b []byte) bool { return len(b) < minSecret })
}

// base64Core returns the part of a Base64 text that depends on v alone if shift
// bytes, modulo three, precede it.
func base64Core(e *base64.Encoding, v string, shift int) []byte {
	text := e.EncodeToString([]byte(strings.Repeat("\x00", shift) + v))
	from := (shift*8 + 5) / 6
	to := (shift + len(v)) * 8 / 6
	return []byte(text[from:to])
}

// Mask returns b with every byte of a secret replaced by a star, so that
// lengths and offsets stay. It finds the secrets in every spelling: as they
// were entered, in Base64 and in hexadecimal digits, and each of these with any
// of its characters escaped, once or more often, as in JSON (\u0041) or in a
// URL (%41). b is not changed.
func (s *Secrets) Mask(b []byte) []byte {
	if s == nil {
		return b
	}
	var out []byte
	for _, v := range spellings(Whole(b, 0), maxSpellings) {
		for _, needle := range s.needles {
			for from := 0; ; {
				i := bytes.Index(v.Text[from:], needle)
				if i < 0 {
					break
				}
				if out == nil {
					out = bytes.Clone(b)
				}
				start, _ := v.Origin(from + i)
				_, end := v.Origin(from + i + len(needle) - 1)
				maskBytes(out[start:end])
				from += i + 1
			}
		}
	}
	if out == nil {
		return b
	}
	return out
}

// maxSpellings is the number of times that a text may be escaped again.
const maxSpellings = 3

// spellings returns the text and what it is with its escapes decoded, up to
// depth times one after the other.
func spellings(v View, depth int) []View {
	list := []View{v}
	if depth == 0 {
		return list
	}
	if bytes.Contains(v.Text, []byte(`\u`)) {
		list = append(list, spellings(v.JSONString(), depth-1)...)
	}
	if percentPattern.Match(v.Text) {
		list = append(list, spellings(v.Percent(), depth-1)...)
	}
	return list
}

var percentPattern = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// maskBytes overwrites b with stars.
func maskBytes(b []byte) {
	for i := range b {
		b[i] = '*'
	}
}

// MaskRequest returns a request with every secret masked, and also the values
// of the user's header fields that are too short for Mask.
func (s *Secrets) MaskRequest(request []byte) []byte {
	if s == nil {
		return request
	}
	return s.maskFields(s.Mask(request))
}

// Seal returns data encrypted so that only the user can open it, or nil if
// there is no key.
func (s *Secrets) Seal(data []byte) []byte {
	if s == nil || s.keeper == nil {
		return nil
	}
	return s.keeper.Seal(data)
}

// Open returns what Seal was given, or false if that is not possible.
func (s *Secrets) Open(sealed []byte) ([]byte, bool) {
	if s == nil || s.keeper == nil {
		return nil, false
	}
	return s.keeper.Open(sealed)
}

// maskFields returns a request with the values of the user's header fields
// masked.
func (s *Secrets) maskFields(request []byte) []byte {
	head := wire.Split(request).Head
	out := bytes.Clone(request)
	for at := 0; at < len(head); {
		end := at + len(head[at:])
		if i := bytes.Index(head[at:], []byte("\r\n")); i >= 0 {
			end = at + i
		}
		name, _, found := bytes.Cut(head[at:end], []byte(": "))
		if found && slices.ContainsFunc(s.fields,
			func(f string) bool { return strings.EqualFold(f, string(name)) }) {
			value := wire.Field{Name: string(name), Value: string(out[at+len(name)+2 : end])}
			copy(out[at+len(name)+2:end], MaskField(value).Value)
		}
		at = end + 2
	}
	return out
}

// MaskField returns the field with every byte of its value replaced by a star.
// The scheme of Authorization stays.
func MaskField(f wire.Field) wire.Field {
	keep := 0
	if scheme, _, found := strings.Cut(f.Value, " "); found && strings.EqualFold(f.Name, "Authorization") {
		keep = len(scheme) + 1
	}
	f.Value = f.Value[:keep] + strings.Repeat("*", len(f.Value)-keep)
	return f
}

// MaskURL returns the URL with every byte replaced by a star in each query
// value with the name of a credential.
func MaskURL(raw string) string {
	path, query, found := strings.Cut(raw, "?")
	if !found {
		return raw
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if namesCredential(name) && value != "" {
			pairs[i] = name + "=" + strings.Repeat("*", len(value))
		}
	}
	return path + "?" + strings.Join(pairs, "&")
}
