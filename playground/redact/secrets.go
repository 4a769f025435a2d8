// Package redact masks the secrets of a user in recorded bytes, and seals the
// original where it must be sent again. It knows neither Targets nor Events. It
// knows only the credentials that the user entered; package share finds other
// secrets by their shape.
//
// # Contract
//
// Mask replaces every byte of a secret with a star and changes no other byte.
// Lengths and offsets stay, so a position in a recorded message is the same
// before and after. A value is found in each of its Spellings, with characters
// escaped as in JSON, a URL or HTML, encoded in Base64 or in hexadecimal
// digits, with white space in between, and up to maxNested of these inside each
// other. A spelling that is missing here is stored and published in clear:
// package redacttest has the table of those that are found. A value shorter
// than MinSecret is not searched for, because it would occur by chance;
// MaskRequest masks it in the header field that it belongs to.
//
// A masking that was given up, because its context has ended or its turn was
// refused, masks everything. So a failure hides too much and never too little.
// A caller that uses Within must read Err before it stores the result: the
// stars are not the bytes of the server.
//
// A nil *Secrets masks nothing. Secrets may be used from several goroutines, a
// Search only as its doc says.
//
// # Design
//
// The number and the length of the secrets are the user's choice and the text
// is the choice of a server, so the cost of a search must depend on the length
// of the text alone. One automaton (Search) finds all spellings of all values
// in one pass. Escapes and encodings are undone in a View, which knows for each
// decoded byte the recorded bytes that it came from: a secret that is found
// three levels deep is masked where it stands in the record, and nothing is
// encoded again.
package redact

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// MinSecret is the least length, in bytes, of a value that is searched for
// everywhere. Shorter values cause false positives.
const MinSecret = 8

// Secrets holds the user's credentials for one server. It is never stored. A nil
// *Secrets masks nothing.
type Secrets struct {
	fields []string // names of header fields whose values are always masked
	search *lazySearch
	keeper Keeper
	bound  *bound // nil without a context
}

// lazySearch is a search that the first masking builds, in its turn: that of long
// secrets costs more than many a message.
type lazySearch struct {
	*Search
	once sync.Once
	size atomic.Int64 // of the secrets; 0 once it is built
}

// costOfBuilding is how many bytes are masked in the time that it takes to build the
// search for a byte of a secret.
const costOfBuilding = 16

// Keeper encrypts data so that only the user can open it.
type Keeper interface {
	Seal(plain []byte) []byte
	// Open returns the sealed data, or false for anything else.
	Open(sealed []byte) (plain []byte, ok bool)
}

// New returns the secrets in the header fields and the URL that the user
// entered for a server, and further values, or nil if there are none. k keeps
// data that must be sent again unchanged; it may be nil.
func New(header []wire.Field, rawURL string, k Keeper, more ...string) *Secrets {
	s := &Secrets{keeper: k}
	for _, f := range header {
		s.fields = append(s.fields, f.Name)
	}
	if len(s.fields)+len(urlSecrets(rawURL))+len(more) == 0 {
		return nil
	}
	s.search = &lazySearch{Search: NewSearch()}
	for _, value := range append(Values(header, rawURL), more...) {
		if len(value) >= MinSecret {
			s.search.Add(0, Spellings(value)...)
			s.search.size.Add(int64(len(value)))
		}
	}
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
		if !NamesSecret(unescapedName(name), Parameter) || value == "" {
			continue
		}
		list = append(list, value)
		if plain, err := url.QueryUnescape(value); err == nil && plain != value {
			list = append(list, plain)
		}
	}
	return list
}

// Mask returns b with every byte of a secret replaced by a star, so that
// lengths and offsets stay. It finds the secrets in each of their Spellings, with
// any characters escaped, in texts that are encoded in b, and with white space in
// any of these, which stays. b is not changed.
func (s *Secrets) Mask(b []byte) []byte {
	if s == nil {
		return b
	}
	release, err := s.bound.take(len(b) + costOfBuilding*int(s.search.size.Load()))
	if err != nil {
		return stars(b)
	}
	defer release()
	s.search.once.Do(func() {
		s.search.build()
		s.search.size.Store(0)
	})
	m := masker{search: s.search.Search, from: b, bound: s.bound}
	m.view(Whole(b, 0), maxNested)
	switch {
	case s.bound.ended():
		return stars(b)
	case m.out == nil:
		return b
	}
	return m.out
}

// stars returns as many stars as b has bytes.
func stars(b []byte) []byte { return bytes.Repeat([]byte("*"), len(b)) }

// MaskText is Mask for a text.
func (s *Secrets) MaskText(text string) string { return string(s.Mask([]byte(text))) }

// maxNested is how many escapes and encodings inside each other are undone.
const maxNested = 4

// masker masks the secrets in from.
type masker struct {
	search    *Search
	from, out []byte // out is nil until something is masked
	bound     *bound
	steps     int // of the search, and bytes that were overwritten
}

// view masks the secrets in one text, and in the texts that are escaped or
// encoded in it. Texts encoded in the innermost one are searched too.
func (m *masker) view(v View, depth int) {
	if m.bound.ended() {
		return
	}
	joined := v.Joined()
	m.steps += m.search.in(v, joined, m.mask)
	if depth < 0 {
		return
	}
	for inner := range joined.Decoded() {
		m.view(inner, depth-1)
	}
	if depth == 0 {
		return
	}
	escapes := v.Escapes()
	if escapes > 0 {
		m.view(v.Unescaped(), depth-1)
	}
	if joined.Escapes() != escapes { // white space stands within one
		m.view(joined.Unescaped(), depth-1)
	}
}

// mask overwrites the origin of bytes start to end of a text.
func (m *masker) mask(at View, start, end, _ int) {
	if m.out == nil {
		m.out = bytes.Clone(m.from)
	}
	m.steps += end - start
	for i := start; i < end; i++ {
		from, to := at.Origin(i)
		maskBytes(m.out[from:to])
	}
}

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

// Open returns the data that Seal got, or false if that is not possible.
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
