package client

import (
	"net/http"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// pass sends a request on, and its response back as it comes.
func (s *Pages) pass(r *web.Request, k capture.Capture, body []byte) error {
	fields := onward(r.Header, k.Token)
	frame, err := wire.EncodePlain(r.Method, k.Target.URL, fields, body)
	if err != nil {
		return s.refuse(r, err)
	}
	out := &answer{w: r.Writer}
	came, err := s.App.PassOn(r.Visit, k, app.Foreign{
		URL: s.address(r, k), Frame: frame, Credentials: credentials(fields), Tee: out,
		Open: r.Method == http.MethodGet,
	})
	if err != nil {
		return s.refuse(r, err)
	}
	return s.end(r, out, came)
}

// answer writes a response back: a stream as it comes, any other once it is recorded.
type answer struct {
	w     web.Writer
	begun bool
}

// Head is wire.Tee's.
func (a *answer) Head(h wire.Head) error {
	a.begun = true
	back(a.w.Header(), h)
	a.w.WriteHeader(h.Status)
	a.w.Flush()
	return nil
}

// Body is wire.Tee's.
func (a *answer) Body(p []byte) error {
	if _, err := a.w.Write(p); err != nil {
		return err
	}
	a.w.Flush()
	return nil
}

// end ends a response. One that was cut off is cut off for the client too.
func (s *Pages) end(r *web.Request, a *answer, came run.Relayed) error {
	head, err := wire.ParseHead(came.Response.Head)
	failure := came.Failure
	switch {
	case failure == nil && a.begun:
		return nil
	case err == nil && head.Status >= http.StatusOK && !a.begun &&
		(failure == nil || failure.Class != wire.NotHTTP):
		back(a.w.Header(), head)
		if failure != nil { // more was to come
			a.w.Header().Set("Content-Length", strconv.Itoa(len(came.Response.Body)+1))
		}
		a.w.WriteHeader(head.Status)
		if _, err := a.w.Write(came.Response.Body); err != nil || failure == nil {
			return nil // a client that has left gets nothing
		}
		a.w.Flush()
		panic(http.ErrAbortHandler)
	case a.begun:
		panic(http.ErrAbortHandler) // the connection ends without the end of the body
	case failure == nil:
		failure = &wire.Failure{Class: wire.NotHTTP, Detail: "it is no HTTP response"}
	}
	kind := app.Kind(http.StatusBadGateway)
	switch failure.Class {
	case wire.TimeoutConnect, wire.TimeoutFirstByte, wire.TimeoutTotal, wire.TimeoutIdle:
		kind = http.StatusGatewayTimeout
	}
	return answerAs(r, app.Refuse(kind, string(failure.Class),
		"The server behind this capture gave no response: "+failure.Detail+".", ""))
}
