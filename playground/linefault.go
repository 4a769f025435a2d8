package playground

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// LineFault says why a line is not one JSON-RPC message in UTF-8 (basic/transports/stdio).
// The zero value is that of a line without a fault.
type LineFault struct {
	Text  string // the end of a sentence about the line
	Shape LineShape
}

// LineShape says whether messages can be read from lines after one with a
// fault.
type LineShape int

// Shapes of lines.
const (
	LineOther   LineShape = iota // such as log text: a message may follow
	LineEncoded                  // a message in another encoding, which no later line changes
	LineHeader                   // a header of another framing, if an empty line follows
	LinePart                     // the beginning of a JSON text
	LineMixed                    // a response in another form, no text, or a log of the next line
)

// header matches the header fields of the framing that language servers use.
var header = regexp.MustCompile(`(?i)^content-(length:[ \t]*\d+|type:[^\r\n]*)[ \t]*\r?\n?$`)

const byteOrderMark = "\uFEFF"

// What a text has that is a response in whatever form: as an event, with its length, in
// quotes of another language, packed. A log of a request has a method, too.
var (
	hasVersion = regexp.MustCompile(`jsonrpc\W{1,9}2\.0`)
	hasOutcome = regexp.MustCompile(`\b(result|error)\b`)
	hasMethod  = regexp.MustCompile(`\bmethod\W{1,9}[a-z]+/[a-z]`)
)

// Lines of other formats: a declaration of XML or the end of an element, and the member of
// YAML that every message has. A name in angle brackets alone is how programs print an
// object: <Response [200]>.
var (
	isXML = regexp.MustCompile(
		`^\s*(<\?xml\s[^<>]*\?>.*|<!DOCTYPE\s[^<>]*>.*|<[A-Za-z][^<>]*>.*</[A-Za-z][^<>]*>|` +
			`</[A-Za-z][^<>]*>|<[A-Za-z][^<>]*/>)\s*$`)
	isYAML = regexp.MustCompile(`^\s*(- +)?["']?jsonrpc["']?\s*:\s*["']?2\.0["']?\s*$`)
)

// toBase64 gives Base64 for addresses the characters of the other kind, without padding.
var toBase64 = strings.NewReplacer("-", "+", "_", "/", "=", "")

// FaultOfLine returns the fault of a line, which may have its line feed.
func FaultOfLine(line []byte) LineFault {
	f := faultOfLine(line)
	if f.Text != "" && f.Shape == LineOther && (isResponseInForm(line) || isNoText(line)) {
		f.Shape = LineMixed
	}
	return f
}

// isResponseInForm reports whether a line has the members of a response, in
// whatever form.
func isResponseInForm(line []byte) bool {
	return hasVersion.Match(line) && hasOutcome.Match(line) && !hasMethod.Match(line)
}

// isNoText reports whether a line is of a format that logs do not have: binary, XML, the
// version of a message in YAML, or a JSON object in Base64 or in hexadecimal digits.
func isNoText(line []byte) bool {
	if bytes.ContainsFunc(line, isBinary) || isXML.Match(line) || isYAML.Match(line) {
		return true
	}
	packed := bytes.TrimSpace(line)
	text, err := hex.AppendDecode(nil, packed)
	if err != nil {
		text, err = base64.RawStdEncoding.DecodeString(toBase64.Replace(string(packed)))
	}
	return err == nil && len(text) > 0 && text[0] == '{' && json.Valid(text)
}

// isBinary reports whether a character is in no text for a terminal: a control character
// other than white space, a bell, a backspace and the beginning of a color.
func isBinary(c rune) bool {
	return c < ' ' && !strings.ContainsRune("\a\b\t\n\v\f\r\x1b", c) || c == 0x7f
}

func faultOfLine(line []byte) LineFault {
	marked := bytes.HasPrefix(line, []byte(byteOrderMark))
	n, err := jsontree.Parse(bytes.TrimPrefix(line, []byte(byteOrderMark)), jsontree.Limits{})
	switch {
	case isWide(line):
		return LineFault{"is not UTF-8 but UTF-16 or UTF-32", LineEncoded}
	case marked && n != nil && n.Kind == jsontree.Object:
		return LineFault{"begins with a byte order mark", LineEncoded}
	case marked:
		return LineFault{"begins with a byte order mark and is not a JSON message", LineOther}
	case header.Match(line):
		return LineFault{"is a header; a message must be a line of its own, without headers", LineHeader}
	case !utf8.Valid(line):
		return LineFault{"is not UTF-8", LineOther}
	case len(bytes.Trim(line, jsonSpace)) == 0:
		return LineFault{"is empty", LineOther}
	case jsontree.IsLimit(err):
		return LineFault{} // ours, not a fault
	case err == nil && n.Kind != jsontree.Object:
		return LineFault{"is " + kindOf(n) + ", not one message", LineOther}
	case err == nil:
		return LineFault{}
	}
	return faultOfText(line)
}

// faultOfText is FaultOfLine for a line that is no JSON text.
func faultOfText(line []byte) LineFault {
	var first json.RawMessage
	d := json.NewDecoder(bytes.NewReader(bytes.TrimRight(line, "\r\n"))) // a string may be cut
	switch err := d.Decode(&first); {
	case errors.Is(err, io.ErrUnexpectedEOF) && beginsMessage(line):
		return LineFault{"ends before its message does; a message must not contain a line break", LinePart}
	case err != nil || first[0] != '{':
		if at := bytes.IndexByte(line, '{'); at > 0 && isResponseText(line[at:]) {
			return LineFault{"has other text before its message", LineOther}
		}
		return LineFault{"is not a JSON message", LineOther}
	}
	if rest := bytes.Trim(line[d.InputOffset():], jsonSpace); bytes.HasPrefix(rest, []byte("{")) {
		return LineFault{"has more than one message", LineOther}
	}
	return LineFault{"has other text after its message", LineOther}
}

// beginsMessage reports whether a message, or a list of them, can begin with a line. One that
// begins with a quote or a dash may be the beginning of other JSON, and is rather log text.
func beginsMessage(line []byte) bool {
	text := bytes.TrimLeft(line, jsonSpace)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// isResponseText reports whether a text is a JSON-RPC response.
func isResponseText(text []byte) bool {
	n, err := jsontree.Parse(text, jsontree.Limits{})
	return err == nil && RPC{Node: n}.IsResponse()
}

// jsonSpace are the characters that JSON allows around a value.
const jsonSpace = " \t\r\n"

// isWide reports whether a line is in an encoding of two or four bytes a character: at
// least a third of its bytes are zero, which JSON never has.
func isWide(line []byte) bool {
	zeros := bytes.Count(line, []byte{0})
	return zeros > 1 && 3*zeros >= len(line)
}
