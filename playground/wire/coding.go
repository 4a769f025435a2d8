package wire

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strings"
)

// Errors of Decode.
var (
	ErrCoding   = errors.New("an unknown content coding")
	ErrExpanded = errors.New("the decompressed body is too large")
)

// MaxDecoded is the most bytes that are decompressed of one recorded body, whatever Limits
// it was received with.
const MaxDecoded = 64 << 20

// Decode returns a body without its content coding, which is gzip or deflate, if that has at
// most limit bytes. Requests ask for none, but some servers and proxies compress all the
// same.
func Decode(coding string, body []byte, limit int) ([]byte, error) {
	var decoded bytes.Buffer
	_, err := decode(&decoded, coding, body, limit)
	if err != nil {
		return nil, err
	}
	return decoded.Bytes(), nil
}

// decode writes a body without its content coding to w, and returns how many bytes of the
// body it has read.
func decode(w io.Writer, coding string, body []byte, limit int) (used int, err error) {
	in := bytes.NewReader(body)
	var r io.ReadCloser
	switch strings.ToLower(coding) {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(in)
	case "deflate": // with the header of zlib, or, of some servers, without
		if r, err = zlib.NewReader(in); err != nil {
			in.Reset(body)
			r, err = flate.NewReader(in), nil
		}
	default:
		err = ErrCoding
	}
	if err != nil {
		return 0, err
	}
	defer r.Close()
	n, err := io.Copy(w, io.LimitReader(r, int64(limit)+1))
	if n > int64(limit) {
		err = ErrExpanded
	}
	return len(body) - in.Len(), err
}

// encode returns a body with a content coding that Decode knows.
func encode(coding string, body []byte) []byte {
	var coded bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&coded)
	if strings.EqualFold(coding, "deflate") {
		w = zlib.NewWriter(&coded)
	}
	_, _ = w.Write(body) // to memory
	_ = w.Close()
	return coded.Bytes()
}

// DecodeResponse returns a recorded response with its body decompressed, and whether that
// was compressed in a way that Decode knows. The head stays as it is.
func DecodeResponse(response []byte) (plain []byte, compressed bool) {
	f := Split(response)
	head, err := ParseHead(f.Head)
	if err != nil || head.Coding() == "" {
		return response, false
	}
	body, err := Decode(head.Coding(), f.Body, MaxDecoded)
	if err != nil {
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
// is the form of response, it is returned as it is.
func ReplaceDecoded(response, changed []byte) []byte {
	plain, compressed := DecodeResponse(response)
	switch {
	case !compressed:
		return changed
	case bytes.Equal(changed, plain):
		return response
	}
	f := Split(changed)
	head, err := ParseHead(f.Head)
	if err != nil {
		return changed
	}
	return append(bytes.Clone(f.Head), encode(head.Coding(), f.Body)...)
}

// fitBody returns how much of a compressed body is kept: all of it, or what decompresses to
// a limit.
func fitBody(coding string, body []byte, limit int) (int, error) {
	used, err := decode(io.Discard, coding, body, limit)
	if errors.Is(err, ErrExpanded) {
		return used, tooLarge("the decompressed body of the response is", "answer-body", limit)
	}
	return len(body), nil
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
