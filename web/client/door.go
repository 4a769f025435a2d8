package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// openRetry is when to try again if a capture has too many requests open.
const openRetry = 5 * time.Second

// Door passes a request of a foreign client on to the server behind a capture, and its
// response back. What the capture itself refuses has its own words and the header
// Mcp-Capture-Error, so that nobody takes it for the server's.
func (s *Pages) Door(c echo.Context) error {
	shield(c.Response().Header())
	r := c.Request()
	k, err := s.find(c)
	if err != nil {
		return refuse(c, err)
	}
	if err := s.admit(c, k); err != nil {
		return refuse(c, err)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return refuse(c, err)
	}
	if !s.open.take(k.ID) {
		return refuse(c, web.TooMany(openRetry, "capture_open", "Too many requests of this capture are open.",
			"The limit is "+strconv.Itoa(s.Limits.CapturedOpen)+" at a time."))
	}
	defer s.open.give(k.ID)
	if err := s.room(c, k, len(body)); err != nil {
		return refuse(c, err)
	}
	if s.Now().Sub(k.Used) >= time.Minute {
		if err := s.Store.UseCapture(r.Context(), k.ID, s.Now()); err != nil {
			return refuse(c, err)
		}
	}
	return s.pass(c, k, body)
}

// find returns the open capture of an address. Whatever is wrong with a token, the answer
// is the same.
func (s *Pages) find(c echo.Context) (capture.Capture, error) {
	token := c.Param("token")
	k, err := s.Store.CaptureAt(c.Request().Context(), token)
	switch {
	case err == nil && k.Open(s.Now()):
		k.Target = k.Target.At(s.BaseURL)
		return k, nil
	case err != nil && !errors.Is(err, playground.ErrNotFound):
		return k, err
	}
	if s.Mode == web.Public {
		if wait := s.Limiters.WrongLinks.Reserve(s.Visitor(c).Address, s.Now()); wait > 0 {
			return k, web.TooMany(wait, "too_many_links", "Too many wrong addresses in a short time.",
				"Nothing was sent.")
		}
	}
	return k, web.Refuse(http.StatusNotFound, "capture_not_found", "There is no capture at this address.",
		"It was ended, it expired after a day without a request, or the address is mistyped.")
}

// admit refuses what a capture does not pass on: it has one URL, and the methods of MCP.
func (s *Pages) admit(c echo.Context, k capture.Capture) error {
	r := c.Request()
	switch {
	case r.URL.RawQuery != "":
		return web.Refuse(http.StatusBadRequest, "capture_query", "A capture has one URL without a query.",
			"Leave out what follows the question mark.")
	case r.Method == http.MethodGet && !strings.Contains(r.Header.Get("Accept"), "text/event-stream"):
		c.Response().Header().Set("Allow", "POST")
		return web.Refuse(http.StatusMethodNotAllowed, "capture_method",
			"This is the address of an MCP server for programs. Everything sent to it is recorded.",
			"Enter it as the server's URL in your MCP client.")
	case r.Method != http.MethodPost && r.Method != http.MethodGet && r.Method != http.MethodDelete:
		c.Response().Header().Set("Allow", "POST, GET, DELETE")
		return web.Refuse(http.StatusMethodNotAllowed, "capture_method",
			"A capture passes on POST, and GET and DELETE of legacy sessions.", "Nothing was sent.")
	case tooManyCredentials(r.Header):
		return web.Refuse(http.StatusRequestHeaderFieldsTooLarge, "capture_credentials",
			"The request has too many or too long credentials to mask.",
			"A capture takes 32 header fields with credentials, of 16 KiB in all.")
	case loops(r.Header):
		return web.Refuse(http.StatusLoopDetected, "capture_loop", "This request has come from here before.",
			"A capture must not be in front of another one.")
	}
	if wait := s.rates.reserve(k, s.Now()); wait > 0 && s.Mode == web.Public {
		return web.TooMany(wait, "too_many_captured", "Too many requests to this capture in a short time.",
			"Nothing was sent.")
	}
	if k.Target.Sample != "" || s.Mode != web.Public {
		return nil
	}
	return s.Outbound.BeginCaptured(r.Context(), k.Target.URL)
}

// room ends a capture whose record is full.
func (s *Pages) room(c echo.Context, k capture.Capture, more int) error {
	ctx := c.Request().Context()
	size, err := s.Store.SessionSize(ctx, k.ID)
	if err != nil {
		return err
	}
	if size+more <= s.Limits.Session {
		if s.Mode != web.Public {
			return nil
		}
		u, err := s.Store.SessionStorage(ctx, k.ID)
		if err != nil {
			return err
		}
		return s.Limits.CheckStorage(u, s.Now())
	}
	if err := s.Store.EndCapture(context.WithoutCancel(ctx), k.Workspace, k.ID, s.Now()); err != nil {
		return err
	}
	return web.Refuse(http.StatusInsufficientStorage, "capture_full",
		"The recording of this capture has reached its size limit of "+text.Size(s.Limits.Session)+".",
		"The capture has ended; this answer is its own and not the server's. "+
			"Make a new address to record more.")
}

// A request is placed again if another one of the same client was faster, or if another
// process records something in the same log just now.
const (
	placeAttempts = 50
	placePause    = 100 * time.Millisecond
)

// pass sends a request on, and its response back as it comes.
func (s *Pages) pass(c echo.Context, k capture.Capture, body []byte) error {
	r := c.Request()
	fields := onward(r.Header, k.Token)
	frame, err := wire.EncodePlain(r.Method, k.Target.URL, fields, body)
	if err != nil {
		return refuse(c, err)
	}
	out := &answer{w: c.Response()}
	ctx := wire.WithTee(r.Context(), out)
	if !k.Target.Trust.IsZero() {
		ctx = wire.WithTrust(ctx, k.Target.Trust)
	}
	if s.Mode == web.Public {
		if p, err := s.Payer(c); err == nil {
			ctx = usage.WithPayer(ctx, p)
		}
	}
	q := run.Relay{
		URL: k.Target.URL, Frame: frame, Credentials: s.known.add(k.ID, credentials(fields)),
		Secrets: []string{k.Token},
		Open:    r.Method == http.MethodGet,
	}
	for n := 1; ; n++ {
		err := s.place(ctx, k, frame, &q)
		var came run.Relayed
		if err == nil {
			came, err = s.Runner.Relay(ctx, q)
		}
		again := errors.Is(err, playground.ErrNotOpen) || errors.Is(err, playground.ErrElsewhere)
		switch {
		case again && n < placeAttempts:
			select {
			case <-time.After(placePause):
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		case err != nil:
			return refuse(c, err)
		}
		return out.end(c, came)
	}
}

// place says where a request is recorded, and begins an Exchange if it begins a call.
func (s *Pages) place(ctx context.Context, k capture.Capture, frame wire.Frame, q *run.Relay) error {
	head, _ := wire.ParseHead(frame.Head)
	message, _ := jsontree.Parse(frame.Body, jsontree.Limits{})
	q.Log, q.Events, q.Exchange, q.Decision = k.ID, nil, nil, nil
	place := capture.Place{}
	if !capture.IsLegacy(head, message) {
		var open []playground.Exchange
		var all int
		if capture.Continues(message) {
			var err error
			if open, all, err = s.Store.OpenOfCapture(ctx, k.ID); err != nil {
				return err
			}
		}
		place = capture.Locate(frame.Body, open, all)
	}
	switch {
	case !place.Call:
		events, err := s.Store.Log(ctx, k.ID)
		q.Events = events
		return err
	case place.Exchange != nil:
		q.Log, q.Events, q.Exchange = place.Exchange.ID, place.Exchange.Log, place.Exchange
	default:
		x := capture.Begin(s.NewID(), k.ID, k.Target, s.Now(), message)
		x.Call.Tool = s.tool(ctx, k.ID, message)
		// stored as the events are
		x.Target.Secrets = redact.New(q.Credentials, "", nil, q.Secrets...)
		if err := s.Store.Begin(ctx, x.Redacted()); err != nil {
			return err
		}
		q.Log, q.Exchange = x.ID, &x
	}
	q.Decision = place.Decision
	return nil
}

// tool returns the definition of the called tool, as the client has seen it in this
// capture, or nil.
func (s *Pages) tool(ctx context.Context, id string, message *jsontree.Node) json.RawMessage {
	if message.Get("method").Str() != playground.ToolsCall {
		return nil
	}
	log, err := s.Store.Log(ctx, id)
	if err != nil {
		return nil
	}
	return capture.Tool(log, message.At("params", "name").Str())
}

// answer writes a response back: a stream as it comes, any other once it is recorded.
type answer struct {
	w     *echo.Response
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
func (a *answer) end(c echo.Context, came run.Relayed) error {
	head, err := wire.ParseHead(came.Response.Head)
	failure := came.Failure
	switch {
	case failure == nil && a.begun:
		return nil
	case err == nil && head.Status >= http.StatusOK && !a.begun:
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
	status := http.StatusBadGateway
	switch failure.Class {
	case wire.TimeoutConnect, wire.TimeoutFirstByte, wire.TimeoutTotal, wire.TimeoutIdle:
		status = http.StatusGatewayTimeout
	}
	return refuse(c, web.Refuse(status, string(failure.Class),
		"The server behind this capture gave no response: "+failure.Detail+".", ""))
}

// refuse answers in the name of the capture: a JSON-RPC error without an id.
func refuse(c echo.Context, err error) error {
	r := web.RefusalOf(err)
	c.Response().Header().Set("Mcp-Capture-Error", r.Sentence.Code)
	if r.After() > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(r.After()))
	}
	return c.JSON(r.Status, map[string]any{
		"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{
			"code":    -32000,
			"message": strings.TrimSpace("MRTR Playground: " + r.Sentence.What + " " + r.Sentence.Try),
			"data":    map[string]string{"capture": r.Sentence.Code},
		},
	})
}
