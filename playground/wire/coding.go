package wire

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Errors of Decode.
var (
	ErrCoding   = errors.New("an unknown content coding")
	ErrExpanded = errors.New("the decompressed body is too large")
)

// MaxDecoded is the most bytes that are decompressed of one body, whatever Limits it is
// received with. Of a body that has more, only a part is recorded and imported,
// so a later reader of the record never decompresses more than was allowed when
// it was made.
const MaxDecoded = 8 << 20

// Decode returns a body without its content coding, which is gzip, deflate, br or zstd, if
// that has at most limit bytes. Requests ask for none, but some servers and proxies compress
// all the same.
func Decode(coding string, body []byte, limit int) ([]byte, error) {
	var decoded bytes.Buffer
	_, err := decode(&decoded, coding, body, limit)
	if err != nil {
		return nil, err
	}
	return decoded.Bytes(), nil
}

// longestMatch is the most bytes that a decompressor of deflate still has to
// write of the input that it has read.
const longestMatch = 258

// maxWindow is the largest window of zstd: that of RFC 9659 for content codings.
const maxWindow = 8 << 20

// steps reads a body in small steps and notes the number of bytes read at the
// last one. A decompressor of br or zstd asks for more only when it has written
// all that it could, so that many bytes decompress to the output by then.
type steps struct {
	body *bytes.Reader
	read int // of the body, before the last step
}

func (s *steps) Read(p []byte) (int, error) {
	s.read = int(s.body.Size()) - s.body.Len()
	return s.body.Read(p[:min(len(p), 64)])
}

// decode writes a body without its content coding to w, at most limit bytes of it. It returns
// how many bytes of the body decompress to no more than that.
func decode(w io.Writer, coding string, body []byte, limit int) (fit int, err error) {
	in := bytes.NewReader(body)
	small := &steps{body: in}
	var r io.Reader
	deflates := true
	switch strings.ToLower(coding) {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(in)
	case "deflate": // with the header of zlib, or, of some servers, without
		if r, err = zlib.NewReader(in); err != nil {
			in.Reset(body)
			r, err = flate.NewReader(in), nil
		}
	case "br":
		r, deflates = brotli.NewReader(small), false
	case "zstd":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(small, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow)); err == nil {
			defer z.Close()
		}
		r, deflates = z, false
	default:
		err = ErrCoding
	}
	if err != nil {
		return 0, err
	}
	for buf := make([]byte, 32<<10); ; {
		n, err := r.Read(buf)
		_, _ = w.Write(buf[:min(n, limit)]) // to memory
		switch {
		case n > limit && deflates:
			return fit, ErrExpanded
		case n > limit:
			return small.read, ErrExpanded
		case err == io.EOF:
			return len(body), nil
		case err != nil:
			return fit, err
		}
		if limit -= n; deflates && limit >= longestMatch {
			fit = len(body) - in.Len()
		}
	}
}

// encode returns a body with a content coding that Decode knows. If it is not whole, its end
// is missing.
func encode(coding string, body []byte, whole bool) []byte {
	switch strings.ToLower(coding) {
	case "br":
		return storedBrotli(body, whole)
	case "zstd":
		return storedZstd(body, whole)
	}
	var coded bytes.Buffer
	var w interface {
		io.WriteCloser
		Flush() error
	} = gzip.NewWriter(&coded)
	if strings.EqualFold(coding, "deflate") {
		w = zlib.NewWriter(&coded)
	}
	_, _ = w.Write(body) // to memory
	_ = w.Flush()
	if whole {
		_ = w.Close()
	}
	return coded.Bytes()
}

// codingOf returns the content coding of a recorded response.
func codingOf(f Frame) string {
	head, _ := ParseHead(f.Head)
	return head.Coding()
}

// decodeStart returns the part of the body of a recorded response that can be
// decompressed, at most limit bytes. The error is that of Decode.
func decodeStart(f Frame, limit int) ([]byte, error) {
	var decoded bytes.Buffer
	_, err := decode(&decoded, codingOf(f), f.Body, limit)
	return decoded.Bytes(), err
}

// DecodedSize returns how many bytes the body of a recorded response has once it is
// decompressed, also if its end is missing or damaged; or more than limit. It returns 0 if the
// body is not compressed.
func DecodedSize(response []byte, limit int) int {
	plain, err := decodeStart(Split(response), limit)
	if errors.Is(err, ErrExpanded) {
		return limit + 1
	}
	return len(plain)
}

// DecodeResponse returns a recorded response with its body decompressed, and whether that
// was compressed in a way that Decode knows. If the end of the body is missing, damaged or
// too much, the part before it is decompressed. The head stays as it is.
func DecodeResponse(response []byte) (plain []byte, compressed bool) {
	f := Split(response)
	body, err := decodeStart(f, MaxDecoded)
	if err != nil && len(body) == 0 {
		return response, false
	}
	return append(bytes.Clone(f.Head), body...), true
}

// ChangeDecoded returns a recorded response with its decompressed form changed. One that is
// not compressed, or does not change, is returned as it is.
func ChangeDecoded(response []byte, change func([]byte) []byte) []byte {
	plain, compressed := DecodeResponse(response)
	if !compressed {
		return response
	}
	return ReplaceDecoded(response, change(plain))
}

// ReplaceDecoded returns the recorded response whose decompressed form is changed. If that
// is the form of response, it is returned as it is, but without the part that
// is too much to be decompressed.
func ReplaceDecoded(response, changed []byte) []byte {
	old := Split(response)
	body, err := decodeStart(old, MaxDecoded)
	f := Split(changed)
	coding := codingOf(f)
	switch {
	case err != nil && len(body) == 0, coding == "":
		return changed
	case !errors.Is(err, ErrExpanded) && bytes.Equal(f.Head, old.Head) && bytes.Equal(f.Body, body):
		return response
	}
	return append(bytes.Clone(f.Head), encode(coding, f.Body, err == nil)...)
}

// fitBody returns how much of a compressed body is recorded: all of it, or the
// part that decompresses to a limit.
func fitBody(coding string, body []byte, limit int) (int, error) {
	most := min(limit, MaxDecoded)
	fit, err := decode(io.Discard, coding, body, most)
	if !errors.Is(err, ErrExpanded) {
		return len(body), nil
	}
	which := "-limit answer-body=BYTES sets this limit"
	if limit > MaxDecoded {
		which = "no more is decompressed, whatever the limits are"
	}
	return fit, fail(TooLarge, fmt.Sprintf(
		"the decompressed body of the response is larger than %d bytes; the rest was not recorded (%s)",
		most, which))
}

// Events splits a stream that was received as a whole into its events.
func Events(stream []byte) [][]byte {
	s := splitter{end: true}
	s.write(stream)
	var list [][]byte
	for event := s.next(); event != nil; event = s.next() {
		list = append(list, event)
	}
	return list
}

// Splitter splits a stream into its events while it arrives. The zero value is ready for use. The
// time is linear in the size of the stream.
type Splitter struct{ events splitter }

// Write adds bytes of the stream.
func (s *Splitter) Write(p []byte) { s.events.write(p) }

// Next returns the next event, or nil if there is none yet.
func (s *Splitter) Next() []byte { return s.events.next() }

// Rest returns the bytes after the last event.
func (s *Splitter) Rest() []byte { return s.events.rest() }
