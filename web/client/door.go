package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// openRetry is when to try again if a capture has too many requests open.
const openRetry = 5 * time.Second

// Door passes a request of a foreign client on to the server behind a capture, and its
// response back. What the capture itself refuses has its own words and the header
// Mcp-Capture-Error, so that nobody takes it for the server's.
func (s *Pages) Door(r *web.Request) error {
	shield(r.Writer.Header())

	k, err := s.find(r)
	if err != nil {
		return s.refuse(r, err)
	}
	if err := s.admit(r, k); err != nil {
		return s.refuse(r, err)
	}
	body, err := readBody(r.Request)
	if err != nil {
		return s.refuse(r, err)
	}
	if !s.open.take(k.ID) {
		return s.refuse(r, app.TooMany(openRetry, "capture_open",
			"Too many requests to this address are in progress.",
			"The limit is "+strconv.Itoa(s.Limits.CapturedOpen)+" at a time."))
	}
	defer s.open.give(k.ID)
	size, err := s.room(r, k, len(body))
	if err != nil {
		return s.refuse(r, err)
	}
	if s.Now().Sub(k.Used) >= time.Minute {
		if err := s.Store.UseCapture(r.Context(), k.ID, s.Now()); err != nil {
			return s.refuse(r, err)
		}
	}
	if r.URL.RawQuery != "" {
		return s.refuseQuery(r, k, size, body)
	}
	return s.pass(r, k, size, body)
}

// readBody reads the body of a request.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil && !errors.As(err, new(*http.MaxBytesError)) {
		return nil, app.Refuse(http.StatusBadRequest, "capture_body",
			"The request ended before its body did.", "Nothing was sent.")
	}
	return body, err
}

// find returns the open capture of an address. Whatever is wrong with a token, the answer
// is the same.
func (s *Pages) find(r *web.Request) (capture.Capture, error) {
	token := r.Param("token")
	k, err := s.Store.CaptureAt(r.Context(), token)
	switch {
	case err == nil && k.Open(s.Now()):
		k.Target = k.Target.At(s.BaseURL)
		return k, nil
	case err != nil && !errors.Is(err, playground.ErrNotFound):
		return k, err
	}
	if s.Mode.Shared() {
		if wait := s.Limiters.WrongLinks.Reserve(r.Visit.Address, s.Now()); wait > 0 {
			return k, app.TooMany(wait, "too_many_links", "Too many wrong addresses in a short time.",
				"Nothing was sent.")
		}
	}
	return k, app.Refuse(http.StatusNotFound, "capture_not_found", "There is no capture at this address.",
		"It was ended, it expired after a day without a request, or the address is mistyped.")
}

// admit refuses what a capture does not pass on: it has one URL, and the methods of MCP.
func (s *Pages) admit(r *web.Request, k capture.Capture) error {
	switch {
	case r.Method == http.MethodGet && !strings.Contains(r.Header.Get("Accept"), "text/event-stream"):
		r.Writer.Header().Set("Allow", "POST")
		return app.Refuse(http.StatusMethodNotAllowed, "capture_method",
			"This is the address of an MCP server for programs. Everything sent to it is recorded.",
			"Enter it as the server's URL in your MCP client.")
	case r.Method != http.MethodPost && r.Method != http.MethodGet && r.Method != http.MethodDelete:
		r.Writer.Header().Set("Allow", "POST, GET, DELETE")
		return app.Refuse(http.StatusMethodNotAllowed, "capture_method",
			"A capture passes on POST, and GET and DELETE of legacy sessions.", "Nothing was sent.")
	case !fromProgram(r.Header):
		return app.Refuse(http.StatusForbidden, "capture_browser", "This address is for programs.",
			"A page can call it with fetch, but not with a form, an image or a link.")
	case tooManyCredentials(r.Header):
		return app.Refuse(http.StatusRequestHeaderFieldsTooLarge, "capture_credentials",
			"The request has too many or too long credentials to mask.",
			"A capture takes 32 header fields with credentials, of 16 KiB in all.")
	case loops(r.Header):
		return app.Refuse(http.StatusLoopDetected, "capture_loop", "This request has come from here before.",
			"A capture must not be in front of another one.")
	}
	if wait := s.rates.reserve(k, s.Now()); wait > 0 && s.Mode.Limited() {
		return app.TooMany(wait, "too_many_captured", "Too many requests to this capture in a short time.",
			"Nothing was sent.")
	}
	if k.Target.Sample != "" || !s.Mode.Limited() {
		return nil
	}
	return s.Outbound.BeginCaptured(r.Context(), k.Target.URL)
}

// room returns the size of the record of a capture, in bytes. It ends one whose record is
// full.
func (s *Pages) room(r *web.Request, k capture.Capture, more int) (size int, err error) {
	ctx := r.Context()
	size, err = s.Store.SessionSize(ctx, k.ID)
	if err != nil {
		return size, err
	}
	if size+more <= s.Limits.Session {
		u, err := s.Store.SessionStorage(ctx, k.ID)
		if err != nil {
			return size, err
		}
		return size, s.Limits.CheckStorage(s.Mode, u, s.Now())
	}
	if err := s.Store.EndCapture(context.WithoutCancel(ctx), k.Workspace, k.ID, s.Now()); err != nil {
		return size, err
	}
	return size, app.Refuse(http.StatusInsufficientStorage, "capture_full",
		"The recording of this capture has reached its size limit of "+text.Size(s.Limits.Session)+".",
		"The capture has ended; this answer is its own and not the server's. "+
			"Make a new address to record more.")
}

// refuse answers in the name of the capture, and counts that.
func (s *Pages) refuse(r *web.Request, err error) error {
	if web.HasLeft(r, err) {
		return err
	}
	refused := web.RefusalOf(err)
	s.CountRefusal(r, refused)
	if refused.Unwrap() != nil {
		s.Logger.Error("request to a capture failed", "err", err)
	}
	return answerAs(r, refused)
}

// answerAs answers in the name of the capture: with a JSON-RPC error without an id.
func answerAs(r *web.Request, refused *app.Refusal) error {
	r.Writer.Header().Set("Mcp-Capture-Error", refused.Code)
	return r.JSON(int(refused.Kind), map[string]any{
		"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{
			"code":    -32000,
			"message": strings.TrimSpace("MRTR Playground: " + refused.What + " " + refused.Try),
			"data":    map[string]string{"capture": refused.Code},
		},
	})
}
