package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shell quotes texts for a POSIX shell.
type shell struct {
	masks []Mask // longest value first, because one may contain another
}

func newShell(masks []Mask) shell {
	s := shell{}
	for _, m := range masks {
		if m.Value == "" {
			continue
		}
		if !isVariable(m.Name) {
			m.Name = "TOKEN"
		}
		s.masks = append(s.masks, m)
	}
	slices.SortStableFunc(s.masks, func(a, b Mask) int { return len(b.Value) - len(a.Value) })
	return s
}

// isVariable reports whether a name is safe as the name of a shell variable.
func isVariable(name string) bool {
	for _, r := range name {
		if r != '_' && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return name != ""
}

// piece is literal text, or a shell variable if name is not empty.
type piece struct {
	text []byte
	name string
}

// pieces splits a text at its masked values.
func (s shell) pieces(text []byte) []piece {
	var list []piece
	start := 0
	for i := 0; i < len(text); {
		m := s.maskAt(text[i:])
		if m == nil {
			i++
			continue
		}
		list = append(list, piece{text: text[start:i]}, piece{name: m.Name})
		i += len(m.Value)
		start = i
	}
	return append(list, piece{text: text[start:]})
}

// maskAt returns the mask that text begins with, or nil.
func (s shell) maskAt(text []byte) *Mask {
	for i := range s.masks {
		if bytes.HasPrefix(text, []byte(s.masks[i].Value)) {
			return &s.masks[i]
		}
	}
	return nil
}

// plain reports whether a text stays the same when it is shown, copied and
// pasted.
func (s shell) plain(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	for _, r := range string(text) {
		if (r < ' ' || r > '~') && r != '\n' &&
			unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) {
			return false
		}
	}
	return true
}

// word returns the text as one argument. In single quotes only the quote itself
// is special.
func (s shell) word(text []byte) string {
	if !s.plain(text) {
		return `"$(` + s.printf(text) + `)"`
	}
	var b strings.Builder
	for _, p := range s.pieces(text) {
		switch {
		case p.name != "":
			b.WriteString(`"$` + p.name + `"`)
		case len(p.text) > 0:
			b.WriteString("'" + strings.ReplaceAll(string(p.text), "'", `'\''`) + "'")
		}
	}
	if b.Len() == 0 {
		return "''"
	}
	return b.String()
}

// printf returns a command that writes exactly the text. Everything but
// printable ASCII is in octal. Variables are arguments, so that printf does not
// interpret them.
func (s shell) printf(text []byte) string {
	var format, args strings.Builder
	for _, p := range s.pieces(text) {
		if p.name != "" {
			format.WriteString("%s")
			args.WriteString(` "$` + p.name + `"`)
		}
		for _, c := range p.text {
			if c == '-' && format.Len() == 0 {
				format.WriteString(`\055`) // a format that begins with a hyphen is an option
				continue
			}
			format.WriteString(octal(c))
		}
	}
	return "printf '" + format.String() + "'" + args.String()
}

// octal returns a byte as printf expects it in a format.
func octal(c byte) string {
	switch {
	case c == '%':
		return "%%"
	case c == '\\' || c == '\'' || c < ' ' || c >= 0x7f:
		return fmt.Sprintf(`\%03o`, c)
	}
	return string(rune(c))
}
