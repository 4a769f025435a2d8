package client

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Door passes a request of a foreign client on to the server behind a capture, and its
// response back. What the capture itself refuses has its own words and the header
// Mcp-Capture-Error, so that nobody takes it for the server's.
func (s *Pages) Door(r *web.Request) error {
	shield(r.Writer.Header())

	k, err := s.App.OpenCapture(r.Visit, r.Param("token"))
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
	if r.URL.RawQuery != "" {
		return s.refuseQuery(r, k, body)
	}
	return s.pass(r, k, body)
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
	case !web.FromProgram(r.Header):
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
	return s.App.AdmitForeign(r.Visit, k)
}

// refuse answers in the name of the capture, and counts that.
func (s *Pages) refuse(r *web.Request, err error) error {
	if web.HasLeft(r, err) {
		return err
	}
	refused := web.RefusalOf(err)
	s.App.CountRefusal(r, refused)
	if refused.Unwrap() != nil {
		s.App.Logger.Error("request to a capture failed", "err", err)
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
