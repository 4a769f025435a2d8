package legacy

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// answer turns the parts of an answer into the response that the SDK reads.
type answer struct {
	request *http.Request
	record  func(wire.Part) error
	cancel  context.CancelFunc
	beside  bool // the stream beside the calls

	once     sync.Once
	ready    chan struct{} // closed when response or err is there
	response *http.Response
	err      error
	feed     *io.PipeWriter // of a stream
	whole    func()         // responds with a body that came at once
	failure  error
}

func newAnswer(r *http.Request, record func(wire.Part) error, beside bool) *answer {
	a := &answer{request: r, record: record, beside: beside, ready: make(chan struct{})}
	if beside {
		a.open(http.StatusOK, http.Header{"Content-Type": {"text/event-stream"}})
	}
	return a
}

// part records first; what the SDK makes of it comes after.
func (a *answer) part(p wire.Part) error {
	if err := a.record(p); err != nil {
		return err
	}
	switch p.Kind {
	case wire.Received:
		a.received(p)
	case wire.Message:
		if a.feed != nil && !asks(p.Bytes) {
			_, _ = a.feed.Write(p.Bytes) // nobody may be reading any more
		}
	case wire.Failed:
		a.failure = p.Failure
	}
	return nil
}

func (a *answer) received(p wire.Part) {
	if a.beside {
		return
	}
	f := wire.Split(p.Bytes)
	head, err := wire.ParseHead(f.Head)
	if err != nil {
		a.fail(err)
		return
	}
	header := http.Header{}
	for _, field := range head.Fields {
		header.Add(field.Name, field.Value)
	}
	if head.IsStream() {
		a.open(head.Status, header)
		return
	}
	// Not before its end is recorded: the SDK might close everything at once.
	a.whole = func() { a.respond(head.Status, header, io.NopCloser(bytes.NewReader(f.Body))) }
}

// open begins a response whose body comes event by event.
func (a *answer) open(status int, header http.Header) {
	r, w := io.Pipe()
	a.feed = w
	a.respond(status, header, &body{r, a})
}

func (a *answer) respond(status int, header http.Header, body io.ReadCloser) {
	a.once.Do(func() {
		a.response = &http.Response{
			StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: header, Body: body, ContentLength: -1, Request: a.request,
		}
		close(a.ready)
	})
}

func (a *answer) fail(err error) {
	a.once.Do(func() {
		a.err = err
		close(a.ready)
	})
}

// end closes the body. The stream beside the calls stays open without a word
// instead: the SDK would ask for it again and again, and a server that does not
// offer one has done nothing wrong.
func (a *answer) end(ctx context.Context) {
	err := a.failure
	if err == nil {
		err = context.Cause(ctx)
	}
	switch {
	case a.whole != nil && a.failure == nil:
		a.whole()
	case a.feed == nil:
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		a.fail(err)
	case a.beside:
		<-ctx.Done()
		_ = a.feed.CloseWithError(context.Cause(ctx))
	default:
		_ = a.feed.CloseWithError(err) // nil means the end
	}
}

// body ends the request when the SDK has read enough.
type body struct {
	*io.PipeReader
	a *answer
}

func (b *body) Close() error {
	b.a.cancel()
	return b.PipeReader.Close()
}
