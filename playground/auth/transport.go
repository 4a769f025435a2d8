package auth

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// maxRedirects is how many redirects of a metadata document are followed.
const maxRedirects = 3

// Limits returns the limits of each request of a sign-in: its documents are
// short, and the user waits.
func Limits() wire.Limits {
	return wire.Limits{FirstByte: 10 * time.Second, Total: 10 * time.Second, Body: 128 << 10}
}

// transport is the http.RoundTripper of everything that is requested in a
// sign-in. It sends through the Sender and records every message.
type transport struct {
	sender  Sender
	now     func() time.Time
	log     *Log
	ctx     context.Context
	secrets *redact.Secrets // which no record may show

	last *exchange // the newest
}

// exchange is one request and its response.
type exchange struct {
	conn     int
	response wire.Frame
	head     wire.Head
	failure  *wire.Failure
}

// client returns an http.Client that follows a few redirects of metadata, and
// none of a POST.
func (t *transport) client() *http.Client {
	return &http.Client{Transport: t, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if via[0].Method != http.MethodGet || len(via) > maxRedirects ||
			via[0].URL.Scheme == "https" && r.URL.Scheme != "https" {
			return http.ErrUseLastResponse
		}
		r.Header.Del("Referer") // which would tell another host the path of the MCP server
		return nil
	}}
}

// RoundTrip sends a request and returns its response. The error is that of the
// connection, a *wire.Failure.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("read request: %w", err)
		}
	}
	var fields []wire.Field
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fields = append(fields, wire.Field{Name: name, Value: r.Header.Get(name)})
	}
	if r.Header.Get("Accept") == "" { // some servers send a form otherwise
		fields = append(fields, wire.Field{Name: "Accept", Value: "application/json"})
	}
	f, err := wire.EncodePlain(r.Method, r.URL.String(), fields, body)
	if err != nil {
		return nil, err
	}
	x := t.send(r.URL.String(), f)
	if x.failure != nil {
		return nil, x.failure
	}
	return x.http(r), nil
}

// send sends a request, records it and the response, and returns that.
func (t *transport) send(url string, f wire.Frame) *exchange {
	x := &exchange{conn: t.conns() + 1}
	t.last = x
	t.record(playground.Event{At: t.now(), Conn: x.conn, Kind: playground.Sent,
		Data: t.secrets.MaskRequest(redact.MaskNamed(slices.Concat(f.Head, f.Body)))})
	t.sender.Send(t.ctx, url, f, func(p wire.Part) error {
		e := playground.PartEvent(p, x.conn)
		if p.Kind == wire.Received || p.Kind == wire.Message {
			err := redact.InTurn(t.ctx, len(e.Data), func() {
				e.Data = t.secrets.Mask(redact.MaskNamed(e.Data))
			})
			if err != nil {
				x.failure = &wire.Failure{
					Class: wire.Reset, Detail: "The response was not read: " + err.Error(),
				}
				return err
			}
		}
		x.take(p)
		t.record(e)
		return nil
	})
	switch {
	case x.failure != nil:
	case x.head.Status == 0:
		x.failure = &wire.Failure{Class: wire.Reset, Detail: "The connection ended before the response."}
	}
	return x
}

func (t *transport) record(e playground.Event) {
	e.Seq = len(*t.log) + 1
	*t.log = append(*t.log, e)
}

// conns returns the number of the newest connection in the log.
func (t *transport) conns() int {
	n := 0
	for _, e := range *t.log {
		n = max(n, e.Conn)
	}
	return n
}

func (x *exchange) take(p wire.Part) {
	switch p.Kind {
	case wire.Received:
		x.response = wire.Split(p.Bytes)
		head, err := wire.ParseHead(x.response.Head)
		if err != nil {
			x.failure = &wire.Failure{Class: wire.NotHTTP, Detail: "The response is not HTTP."}
			return
		}
		x.head = head
	case wire.Message:
		x.response.Body = append(x.response.Body, p.Bytes...)
	case wire.Failed:
		x.failure = p.Failure
	case wire.Cancelled:
		x.failure = &wire.Failure{Class: wire.TimeoutTotal, Detail: "The request was given up."}
	}
}

func (x *exchange) http(r *http.Request) *http.Response {
	header := http.Header{}
	for _, f := range x.head.Fields {
		header.Add(f.Name, f.Value)
	}
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", x.head.Status, http.StatusText(x.head.Status)),
		StatusCode: x.head.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(x.response.Body)),
		ContentLength: int64(len(x.response.Body)), Request: r,
	}
}

// isJSON reports whether the response says that its body is JSON.
func (x *exchange) isJSON() bool {
	kind, _, _ := strings.Cut(x.head.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}
