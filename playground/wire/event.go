package wire

import "bytes"

// EventData returns the data and the type of the event in a Message part
// (WHATWG HTML, "Interpreting an event stream"). ok is false if nothing would
// be dispatched: there is no data field, or no empty line after it.
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
			event = "" // an event without data is discarded
		case name == "data":
			lines = append(lines, value)
		case name == "event":
			event = string(value)
		}
	}
	return nil, "", false
}

// cutLine returns the first line without its line ending, and its size with
// it. The size is 0 if there is no line ending.
func cutLine(b []byte) (line []byte, size int) {
	i := lineEnd(b)
	switch {
	case i < 0:
		return b, 0
	case bytes.HasPrefix(b[i:], []byte("\r\n")):
		return b[:i], i + 2
	}
	return b[:i], i + 1
}

// lineEnd returns the index of the first carriage return or line feed, or -1. It looks at a
// kilobyte at a time for one of them and then for the other, so that many short lines that end
// in one cost no search of the whole text for the other.
func lineEnd(b []byte) int {
	for at := 0; at < len(b); at += 1 << 10 {
		part := b[at:min(at+1<<10, len(b))]
		end := bytes.IndexByte(part, '\n')
		if end >= 0 {
			part = part[:end]
		}
		if i := bytes.IndexByte(part, '\r'); i >= 0 {
			end = i
		}
		if end >= 0 {
			return at + end
		}
	}
	return -1
}

// field splits a line at its colon and drops one space after it.
func field(line []byte) (name string, value []byte) {
	before, value, _ := bytes.Cut(line, []byte(":"))
	return string(before), bytes.TrimPrefix(value, []byte(" "))
}

// splitter splits a stream that arrives in pieces into its events, which joined
// are the stream again. Anything between two events, such as a comment, belongs
// to the event that follows. The time is linear in the size of the stream,
// however small the pieces are.
type splitter struct {
	buf  []byte
	line int  // start of the current line
	scan int  // the current line has no end before this
	data bool // a data field was seen since the last event
	end  bool // no more bytes will follow
}

func (s *splitter) write(p []byte) { s.buf = append(s.buf, p...) }

// rest returns the bytes after the last event.
func (s *splitter) rest() []byte { return s.buf }

// next returns the next event, or nil if there is none yet.
func (s *splitter) next() []byte {
	for {
		i := lineEnd(s.buf[s.scan:])
		if i < 0 {
			s.scan = len(s.buf)
			return nil
		}
		i += s.scan
		if s.buf[i] == '\r' && i+1 == len(s.buf) && !s.end {
			s.scan = i // the line feed may follow in the next piece
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

// SetEventData returns an event with other data. Its other lines stay as they are.
func SetEventData(b, data []byte) []byte {
	var out []byte
	written := false
	for len(b) > 0 {
		line, size := cutLine(b)
		if size == 0 {
			break
		}
		whole := b[:size]
		b = b[size:]
		if name, _ := field(bytes.TrimPrefix(line, []byte("\uFEFF"))); name != "data" {
			out = append(out, whole...)
			continue
		}
		if written {
			continue
		}
		written = true
		for part := range bytes.SplitSeq(data, []byte("\n")) {
			out = append(append(append(out, "data: "...), part...), whole[len(line):]...)
		}
	}
	return append(out, b...)
}
