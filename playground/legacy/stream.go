package legacy

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// response turns the parts of a response into the http.Response that the SDK
// reads.
type response struct {
	request    *http.Request
	record     func(wire.Part) error
	cancel     context.CancelFunc
	standalone bool // the stream that belongs to no call

	once    sync.Once
	ready   chan struct{} // closed when http or err is set
	http    *http.Response
	err     error
	events  *io.PipeReader // of a stream
	stream  *io.PipeWriter // to events
	deliver func()         // responds with a body that is not a stream
	failure error
}

func newResponse(r *http.Request, record func(wire.Part) error, standalone bool) *response {
	x := &response{request: r, record: record, standalone: standalone, ready: make(chan struct{})}
	if standalone {
		x.events, x.stream = io.Pipe()
	}
	return x
}

// sent reports the standalone stream as open.
func (x *response) sent() {
	if x.standalone {
		header := http.Header{"Content-Type": {"text/event-stream"}}
		x.respond(http.StatusOK, header, &body{x.events, x.cancel})
	}
}

// handle records a part before the SDK sees it.
func (x *response) handle(p wire.Part) error {
	if err := x.record(p); err != nil {
		return err
	}
	switch p.Kind {
	case wire.Received:
		x.received(p)
	case wire.Message:
		if x.stream != nil {
			_, _ = x.stream.Write(withoutQuestion(p.Bytes)) // fails if the SDK has closed the body
		}
	case wire.Failed:
		x.failure = p.Failure
	}
	return nil
}

// withoutQuestion returns an event as the SDK may see it: of a question only
// the id, from which a broken stream is resumed, and the time to wait.
func withoutQuestion(event []byte) []byte {
	if !isQuestion(event) {
		return event
	}
	var kept []byte
	for line := range bytes.Lines(event) {
		if bytes.HasPrefix(line, []byte("id:")) || bytes.HasPrefix(line, []byte("retry:")) {
			kept = append(kept, line...)
		}
	}
	if kept == nil {
		return nil
	}
	return append(kept, "data:\n\n"...)
}

func (x *response) received(p wire.Part) {
	if x.standalone {
		x.sent()
		return
	}
	f := wire.Split(p.Bytes)
	if f.IsLine() {
		x.line(f.Body)
		return
	}
	head, err := wire.ParseHead(f.Head)
	if err != nil {
		x.fail(err)
		return
	}
	header := http.Header{}
	for _, field := range head.Fields {
		header.Add(field.Name, field.Value)
	}
	if head.IsStream() {
		x.open(head.Status, header)
		return
	}
	// Not before the end is recorded: the SDK might close everything at once.
	content := decoded(head, header, f.Body)
	x.deliver = func() { x.respond(head.Status, header, io.NopCloser(bytes.NewReader(content))) }
}

// decoded returns a body as the SDK reads it: decompressed if the server has compressed it in
// spite of the request, and then without questions.
func decoded(head wire.Head, header http.Header, body []byte) []byte {
	plain, err := wire.Decode(head.Coding(), body, wire.MaxDecoded)
	if err != nil {
		return body
	}
	header.Del("Content-Encoding")
	header.Del("Content-Length")
	if head.MediaType() != "text/event-stream" {
		return plain
	}
	var events []byte
	for _, event := range wire.Events(plain) {
		events = append(events, withoutQuestion(event)...)
	}
	return events
}

// open starts a response whose body arrives event by event.
func (x *response) open(status int, header http.Header) {
	x.events, x.stream = io.Pipe()
	x.respond(status, header, &body{x.events, x.cancel})
}

func (x *response) respond(status int, header http.Header, body io.ReadCloser) {
	x.once.Do(func() {
		x.http = &http.Response{
			Status: http.StatusText(status), StatusCode: status,
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: header, Body: body, ContentLength: -1, Request: x.request,
		}
		close(x.ready)
	})
}

func (x *response) fail(err error) {
	x.once.Do(func() {
		x.err = err
		close(x.ready)
	})
}

// end closes the body. The standalone stream stays open without events instead:
// the SDK would request it again and again, and a server need not offer one.
func (x *response) end(ctx context.Context) {
	err := x.failure
	if err == nil {
		err = context.Cause(ctx)
	}
	switch {
	case x.deliver != nil && x.failure == nil:
		x.deliver()
	case x.stream == nil:
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		x.fail(err)
	case x.standalone:
		x.sent()
		<-ctx.Done()
		_ = x.stream.CloseWithError(context.Cause(ctx))
	default:
		_ = x.stream.CloseWithError(err) // nil means io.EOF
	}
}

// body is the body of a stream. Closing it ends the request.
type body struct {
	*io.PipeReader
	cancel func()
}

func (b *body) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}
