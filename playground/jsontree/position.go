package jsontree

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// Position returns the line and the column of a byte of src, both from 1. A column counts
// characters.
func Position(src []byte, offset int) (line, column int) {
	before := src[:min(max(offset, 0), len(src))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// Place returns the line and the column that an error of Parse for src is about, and false
// if it is about none.
func Place(src []byte, err error) (line, column int, ok bool) {
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		return 0, 0, false
	}
	line, column = Position(src, syntax.Offset)
	return line, column, true
}

// ParsePointer returns the path of a JSON Pointer (RFC 6901), and false if the text is none:
// one that is not empty begins with a slash, and a tilde is written ~0.
func ParsePointer(pointer string) ([]string, bool) {
	if pointer == "" {
		return nil, true
	}
	var path []string
	var part []byte
	for i := 0; i < len(pointer); i++ {
		c := pointer[i]
		switch {
		case i == 0 && c != '/':
			return nil, false
		case i == 0:
		case c == '/':
			path, part = append(path, string(part)), nil
		case c != '~':
			part = append(part, c)
		case i+1 < len(pointer) && pointer[i+1] == '0':
			part = append(part, '~')
			i++
		case i+1 < len(pointer) && pointer[i+1] == '1':
			part = append(part, '/')
			i++
		default:
			return nil, false
		}
	}
	return append(path, string(part)), true
}
