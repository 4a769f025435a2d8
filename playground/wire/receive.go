package wire

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

func notHTTP(detail string) *Failure { return fail(NotHTTP, detail) }

// receive reads one response. It records the bytes that precede a failure.
func (x *call) receive() error {
	var whole []byte // of which raw is a part
	raw, h, err := x.readHead()
	if err == nil {
		var body io.Reader
		if body, err = x.body(h); err == nil && h.IsStream() {
			if err = x.put(Received, raw); err == nil {
				err = x.teeHead(h)
			}
			if err == nil {
				err = x.readStream(body)
			}
			return err
		} else if err == nil {
			begin := len(raw)
			raw, err = appendBody(raw, body, x.c.limits.Body)
			fit, large := fitBody(h.Coding(), raw[begin:], x.c.limits.Body)
			if large != nil {
				if x.tee != nil && err == nil {
					whole = raw
				}
				raw, err = raw[:begin+fit], large
			}
		}
	}
	if len(raw) > 0 {
		if stop := x.putPart(Part{Kind: Received, Bytes: raw, Whole: whole}); stop != nil {
			return stop
		}
	}
	return err
}

// readHead reads up to the empty line of the first head that is not interim
// (RFC 9110, section 15.2). All heads share the limit.
func (x *call) readHead() (raw []byte, h Head, err error) {
	for left := x.c.limits.Header; ; left -= len(raw) {
		if raw, err = x.readLines(left); err != nil {
			return raw, h, err
		}
		if h, err = ParseHead(raw); err != nil {
			return raw, h, notHTTP(plain(err.Error()))
		}
		if h.Status >= 200 || h.Status == http.StatusSwitchingProtocols {
			return raw, h, nil
		}
	}
}

// readLines returns the bytes up to and including the next empty line, at most
// limit of them. Anything that does not begin like HTTP fails at once, because
// an SSH server would wait for us.
func (x *call) readLines(limit int) (raw []byte, err error) {
	const begin = "HTTP/"
	start, err := x.buffered.Peek(len(begin))
	if err != nil || string(start) != begin {
		start, _ = x.buffered.Peek(x.buffered.Buffered())
		if !strings.HasPrefix(begin, string(start)) {
			err = notHTTP("the response is not HTTP/1.1")
		}
		return slices.Clone(start[:min(len(start), limit)]), err
	}
	lineStart := 0
	for {
		part, err := x.buffered.ReadSlice('\n')
		raw = append(raw, part...)
		switch line := raw[min(lineStart, len(raw)):]; {
		case len(raw) > limit:
			return raw[:limit], tooLarge("the head of the response is", "answer-head", x.c.limits.Header)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return raw, err
		case string(line) == "\n" || string(line) == "\r\n":
			return raw, nil
		}
		lineStart = len(raw)
	}
}

// body returns a reader of the content, framed by RFC 9112, section 6.3.
func (x *call) body(h Head) (io.Reader, error) {
	codings := h.Values("Transfer-Encoding")
	lengths := h.Values("Content-Length")
	switch {
	case h.Status < 200 || h.Status == http.StatusNoContent || h.Status == http.StatusNotModified:
		return http.NoBody, nil
	case len(codings) == 1 && strings.EqualFold(codings[0], "chunked"):
		return &chunked{httputil.NewChunkedReader(x.buffered)}, nil
	case len(codings) > 0:
		return nil, notHTTP("the response has a Transfer-Encoding other than chunked")
	case len(lengths) > 0:
		n, err := contentLength(lengths)
		return &sized{x.buffered, n}, err
	}
	return x.buffered, nil
}

// contentLength returns the length. It may be repeated with the same value.
func contentLength(values []string) (int64, error) {
	first, err := int64(-1), error(nil)
	for _, v := range strings.Split(strings.Join(values, ","), ",") {
		v = strings.Trim(v, " \t")
		n, parseErr := strconv.ParseUint(v, 10, 63)
		if parseErr != nil || first >= 0 && first != int64(n) {
			err = notHTTP("the response has an invalid Content-Length, or several different ones")
		}
		first = int64(n)
	}
	return first, err
}

// sized reads exactly left bytes.
type sized struct {
	r    io.Reader
	left int64
}

func (s *sized) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	n, err := s.r.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	if err == io.EOF && s.left > 0 {
		missing := text.Plural(int(s.left), "byte")
		err = fail(Reset, "the connection ended "+missing+" before the Content-Length")
	}
	return n, err
}

// chunked distinguishes malformed chunks from a broken connection.
type chunked struct{ r io.Reader }

func (c *chunked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	var failure *Failure
	switch {
	case err == nil, err == io.EOF, errors.Is(err, errQuiet), errors.As(err, &failure):
		return n, err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return n, fail(Reset, "the connection ended before the last chunk")
	}
	return n, notHTTP("the response has malformed chunks: " + plain(err.Error()))
}

// appendBody appends at most limit bytes of the body to head.
func appendBody(head []byte, body io.Reader, limit int) ([]byte, error) {
	raw, most := head, len(head)+limit
	for {
		raw = slices.Grow(raw, 512)
		n, err := body.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		switch {
		case len(raw) > most:
			return raw[:most], tooLarge("the body of the response is", "answer-body", limit)
		case err == io.EOF:
			return raw, nil
		case err != nil:
			return raw, err
		}
	}
}
