package stdio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
)

// Line is one line with its line feed, which the last one may lack. A line that is
// longer than the limit of its Reader comes in pieces.
type Line struct {
	Bytes []byte
	Piece Piece
}

// Piece is the part of a line that a Line has.
type Piece int

// Pieces.
const (
	Whole Piece = iota
	Start       // of a line that is too long
	Rest        // of such a line; the last has the line feed
)

// Reader reads lines. It keeps at most one line of the limit in memory.
type Reader struct {
	in    *bufio.Reader
	begun *begun
	limit int
	cut   bool // the newest piece did not end its line
}

// NewReader returns a Reader of lines of at most about limit bytes.
func NewReader(r io.Reader, limit int) *Reader {
	b := &begun{from: r, limit: limit}
	return &Reader{in: bufio.NewReaderSize(b, 64<<10), begun: b, limit: limit}
}

// Begun returns the newest line as far as it was written, if it has no line feed yet and
// is not too long. Begun may be called while Next waits.
func (r *Reader) Begun() []byte {
	r.begun.mu.Lock()
	defer r.begun.mu.Unlock()
	if len(r.begun.line) > r.limit {
		return nil
	}
	return slices.Clone(r.begun.line)
}

// begun keeps the bytes read after the last line feed, up to a little more than
// a limit.
type begun struct {
	from  io.Reader
	limit int
	mu    sync.Mutex
	line  []byte
}

func (b *begun) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	more := p[:n]
	if end := bytes.LastIndexByte(more, '\n'); end >= 0 {
		b.line, more = nil, more[end+1:]
	}
	if len(b.line) <= b.limit {
		b.line = append(b.line, more...)
	}
	return n, err
}

// Ready reports whether Next returns another line at once: it came with those before.
func (r *Reader) Ready() bool {
	waiting, _ := r.in.Peek(r.in.Buffered())
	return bytes.IndexByte(waiting, '\n') >= 0
}

// Next returns the next line or piece of one. After the last it returns io.EOF, or the
// error that ended reading.
func (r *Reader) Next() (Line, error) {
	var line []byte
	for {
		more, err := r.in.ReadSlice('\n')
		line = append(line, more...)
		full := errors.Is(err, bufio.ErrBufferFull)
		switch {
		case full && len(line) < r.limit && !r.cut:
			continue
		case len(line) == 0:
			return Line{}, err
		}
		piece := Whole
		switch {
		case r.cut:
			piece = Rest
		case full:
			piece = Start
		}
		r.cut = full
		return Line{line, piece}, nil
	}
}
