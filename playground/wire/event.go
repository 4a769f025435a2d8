package wire

import "bytes"

// Events cuts the body of a stream into the bytes of its events, joined the
// body again. What stands between two events without data of its own, such as
// comments, belongs to the event that follows; what follows the last one is a
// last piece, of which EventData says that it is no event.
func Events(body []byte) [][]byte {
	var s splitter
	s.write(body)
	s.end = true
	var events [][]byte
	for event := s.next(); event != nil; event = s.next() {
		events = append(events, event)
	}
	if rest := s.rest(); len(rest) > 0 {
		events = append(events, rest)
	}
	return events
}

// EventData returns the data and the type of one event as Events and Message
// parts have it (WHATWG HTML, "Interpreting an event stream"). ok is false
// when nothing would be dispatched: no data field, or no empty line after it.
func EventData(b []byte) (data []byte, event string, ok bool) {
	var lines [][]byte
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	for len(b) > 0 {
		line, size := cutLine(b)
		if size == 0 {
			break
		}
		b = b[size:]
		name, value := field(line)
		switch {
		case len(line) == 0 && len(lines) > 0:
			return bytes.Join(lines, []byte("\n")), event, true
		case len(line) == 0:
			event = "" // an event without data is forgotten
		case name == "data":
			lines = append(lines, value)
		case name == "event":
			event = string(value)
		}
	}
	return nil, "", false
}

// cutLine returns the first line without its end, and its size with it; 0 when
// the line has no end.
func cutLine(b []byte) (line []byte, size int) {
	i := bytes.IndexAny(b, "\r\n")
	switch {
	case i < 0:
		return b, 0
	case bytes.HasPrefix(b[i:], []byte("\r\n")):
		return b[:i], i + 2
	}
	return b[:i], i + 1
}

// field splits a line at its colon and takes one space after it away.
func field(line []byte) (name string, value []byte) {
	before, value, _ := bytes.Cut(line, []byte(":"))
	return string(before), bytes.TrimPrefix(value, []byte(" "))
}

// splitter finds the ends of events in bytes that come in pieces. Every byte
// is looked at a bounded number of times, however small the pieces are.
type splitter struct {
	buf  []byte
	line int  // where the line in work starts
	scan int  // up to here it has no end
	data bool // a data field was seen since the last event
	end  bool // nothing will follow
}

func (s *splitter) write(p []byte) { s.buf = append(s.buf, p...) }

// rest returns the bytes after the last event.
func (s *splitter) rest() []byte { return s.buf }

// next returns the next event, nil when there is none yet.
func (s *splitter) next() []byte {
	for {
		i := bytes.IndexAny(s.buf[s.scan:], "\r\n")
		if i < 0 {
			s.scan = len(s.buf)
			return nil
		}
		i += s.scan
		if s.buf[i] == '\r' && i+1 == len(s.buf) && !s.end {
			s.scan = i // the line feed may be on its way
			return nil
		}
		line, size := cutLine(s.buf[s.line:])
		if empty := len(line) == 0; empty && s.data {
			return s.cut(s.line + size)
		}
		if name, _ := field(bytes.TrimPrefix(line, []byte("\uFEFF"))); name == "data" {
			s.data = true
		}
		s.line += size
		s.scan = s.line
	}
}

func (s *splitter) cut(n int) []byte {
	event := s.buf[:n:n]
	*s = splitter{buf: s.buf[n:], end: s.end}
	return event
}
