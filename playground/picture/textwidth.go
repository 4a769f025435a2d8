package picture

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// em estimates the width of a character in em, for the widest of the usual
// system-ui fonts. The reader's font is unknown, so the estimate is generous.
func em(r rune) float64 {
	if r < utf8.RuneSelf {
		return asciiEm[r]
	}
	return emOf(r)
}

// asciiEm is em of the characters that most texts consist of.
var asciiEm = func() (list [utf8.RuneSelf]float64) {
	for r := range list {
		list[r] = emOf(rune(r))
	}
	return list
}()

func emOf(r rune) float64 {
	switch r {
	case 'i', 'j', 'l', '\'', '|':
		return 0.29
	case ' ', '\u00a0', '!', '.', ',', ':', ';', '/', '\\', '[', ']', 'f', 't', 'I', '(', ')', '-', '`',
		'r', '{', '}', '"', '°', '·':
		return 0.41
	case 'm', 'M', 'w', 'W', '@', '%', '—', '…':
		return 1.0
	}
	switch {
	case r >= 'A' && r <= 'Z':
		return 0.76
	case r < 0x2e80:
		return narrowScript(r)
	case unicode.Is(unicode.Cuneiform, r), r >= 0xfdf0 && r <= 0xfdff:
		return 12 // one code point, a whole phrase wide
	}
	return 1.4
}

func narrowScript(r rune) float64 {
	switch {
	case r < utf8.RuneSelf:
		return 0.64
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r < 0x0250:
		return 0.64
	case r < 0x0530:
		return 0.8
	}
	return 1.1
}

// textWidth is about how wide a text is at a font size.
func textWidth(s string, size float64) float64 {
	sum := 0.0
	for _, r := range s {
		sum += em(r)
	}
	return sum * size
}

// trimEnd removes spaces, and a joiner that has nothing left to join.
func trimEnd(s string) string { return strings.TrimRight(s, " \u200c\u200d") }

// clip cuts a text to a width and marks the cut with an ellipsis.
func clip(s string, size, width float64) string {
	if textWidth(s, size) <= width {
		return s
	}
	sum, room := 0.0, width/size-em('…')
	for i, r := range s {
		if sum += em(r); sum > room {
			return trimEnd(s[:i]) + "…"
		}
	}
	return s
}

// wrap breaks a text into at most n lines of a width and clips the last one.
func wrap(s string, size, width float64, n int) []string {
	var lines []string
	rest := strings.TrimSpace(s)
	for rest != "" && len(lines) < n-1 {
		line := firstLine(rest, size, width)
		lines = append(lines, clip(trimEnd(line), size, width))
		rest = strings.TrimSpace(rest[len(line):])
	}
	if rest != "" {
		lines = append(lines, clip(rest, size, width))
	}
	return lines
}

// longest returns about how wide the widest word of a text is.
func longest(s string) float64 {
	widest := 0.0
	for word := range strings.FieldsSeq(s) {
		widest = max(widest, textWidth(word, labelSize))
	}
	return widest
}

// firstLine is the start of a text that fits a line: up to a space, or, if the
// first word is too long, up to a punctuation mark, or up to any character.
func firstLine(s string, size, width float64) string {
	sum, space, joint := 0.0, 0, 0
	for i, r := range s {
		if i > 0 && s[i-1] == ' ' {
			space = i
		}
		if i > 0 && strings.IndexByte("_/,:-.", s[i-1]) >= 0 {
			joint = i
		}
		if sum += em(r) * size; sum <= width || r == ' ' {
			continue
		}
		if cut := cmp.Or(space, joint, i); cut > 0 {
			return s[:cut]
		}
	}
	return s
}
