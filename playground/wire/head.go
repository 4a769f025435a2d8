package wire

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Head is the start line and the header fields of a request or response.
type Head struct {
	Line   string // the start line, without its line ending
	Status int    // of a response; 0 for a request
	Fields []Field
}

// Get returns the value of the first field with that name (case-insensitive),
// or "" if there is none.
func (h Head) Get(name string) string {
	for _, f := range h.Fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Values returns the values of all fields with that name (case-insensitive).
func (h Head) Values(name string) []string {
	var values []string
	for _, f := range h.Fields {
		if strings.EqualFold(f.Name, name) {
			values = append(values, f.Value)
		}
	}
	return values
}

// MediaType returns the media type of Content-Type in lower case, without
// parameters.
func (h Head) MediaType() string {
	mediaType, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(mediaType))
}

// IsStream reports whether the body of a response is a stream of server-sent
// events, whatever its final status. A compressed body is not, because it is not
// decompressed; nor are bytes after a switch of protocols.
func (h Head) IsStream() bool {
	return h.Status >= 200 && h.MediaType() == "text/event-stream" && h.Coding() == ""
}

// Coding returns the content codings of a body, such as "gzip", or "" if it has
// none.
func (h Head) Coding() string {
	coding := strings.Join(h.Values("Content-Encoding"), ", ")
	if strings.EqualFold(coding, "identity") {
		return ""
	}
	return coding
}

// AcceptsCoding reports whether a request accepts all of the content codings that
// Coding returned (RFC 9110, section 12.5.3). Without Accept-Encoding it accepts
// any.
func (h Head) AcceptsCoding(codings string) bool {
	accepts := strings.Join(h.Values("Accept-Encoding"), ",")
	if len(h.Values("Accept-Encoding")) == 0 {
		return true
	}
	for coding := range strings.SplitSeq(codings, ",") {
		if !listsCoding(accepts, strings.TrimSpace(coding)) {
			return false
		}
	}
	return true
}

// listsCoding reports whether the value of Accept-Encoding accepts a coding.
func listsCoding(accepts, coding string) bool {
	accepted := false
	for item := range strings.SplitSeq(accepts, ",") {
		name, weight, _ := strings.Cut(item, ";")
		name, weight = strings.TrimSpace(name), strings.ReplaceAll(weight, " ", "")
		off := strings.HasPrefix(weight, "q=0") && strings.Trim(weight[3:], ".0") == ""
		switch {
		case strings.EqualFold(name, coding):
			return !off
		case name == "*":
			accepted = !off
		}
	}
	return accepted
}

// Split splits recorded bytes after the first empty line. Without an empty line
// all bytes are Head: the connection ended before the body. Bytes that begin with
// an empty line are a Line.
func Split(b []byte) Frame {
	if bytes.HasPrefix(b, []byte("\n")) {
		return Frame{b[:1:1], b[1:]}
	}
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '\n')
		if i < 0 {
			return Frame{Head: b}
		}
		from += i + 1
		if bytes.HasPrefix(b[from:], []byte("\n")) {
			return Frame{b[: from+1 : from+1], b[from+1:]}
		}
		if bytes.HasPrefix(b[from:], []byte("\r\n")) {
			return Frame{b[: from+2 : from+2], b[from+2:]}
		}
	}
}

// fewFields is how many fields, with the empty line, most heads have at most.
const fewFields = 32

// ParseHead parses the head of a request or response (RFC 9112, sections 3 to
// 5). On an error the Head has the part before the fault. A bare line feed ends
// a line, and a folded line continues its field, as sections 2.2 and 5.2
// permit.
func ParseHead(head []byte) (Head, error) {
	line, rest, _ := strings.Cut(string(head), "\n")
	h := Head{Line: strings.TrimSuffix(line, "\r")}
	var err error
	if h.Status, err = status(h.Line); err != nil {
		return h, err
	}
	h.Fields = slices.Grow(h.Fields, min(strings.Count(rest, "\n"), fewFields))
	for line := range strings.Lines(unfold(rest)) {
		line, ended := strings.CutSuffix(line, "\n")
		line = strings.TrimSuffix(line, "\r")
		name, value, colon := strings.Cut(line, ":")
		switch {
		case !ended:
			return h, errors.New("parse head: no empty line at the end")
		case line == "":
			return h, nil
		case !colon || !IsToken(name):
			return h, errors.New("parse head: a line is not a header field")
		}
		h.Fields = append(h.Fields, Field{name, strings.Trim(value, " \t")})
	}
	return h, errors.New("parse head: no empty line at the end")
}

// unfold joins folded lines.
func unfold(fields string) string {
	if !strings.Contains(fields, "\n ") && !strings.Contains(fields, "\n\t") {
		return fields
	}
	return folds.Replace(fields)
}

var folds = strings.NewReplacer("\r\n ", " ", "\r\n\t", " ", "\n ", " ", "\n\t", " ")

// status returns the code of a status line (RFC 9112, section 4), or 0 for a
// request line.
func status(line string) (int, error) {
	version, rest, _ := strings.Cut(line, " ")
	if !strings.HasPrefix(version, "HTTP/") {
		if strings.Count(line, " ") == 2 && strings.HasSuffix(line, " HTTP/1.1") {
			return 0, nil
		}
		return 0, errors.New("parse head: not HTTP")
	}
	code, _, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(code)
	switch {
	case version != "HTTP/1.1" && version != "HTTP/1.0":
		return 0, errors.New("parse head: not HTTP/1.1")
	case err != nil || len(code) != 3 || n < 100:
		return 0, errors.New("parse head: no status code")
	}
	return n, nil
}
