package sampletools

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxBody bounds the body of a request.
const maxBody = 512 << 10

// retry holds inputResponses and requestState as the request carried them. They
// are removed from the params before the SDK sees the request. The SDK fails on
// an unexpected answer of unknown shape, which the specification says to ignore
// (basic/patterns/mrtr, error handling), and reports a malformed answer as a
// header mismatch.
type retry struct {
	inputResponses json.RawMessage // nil if absent
	requestState   json.RawMessage
}

type retryKey struct{}

// retryFromContext returns what extractRetry found. It reports false for legacy
// requests.
func retryFromContext(ctx context.Context) (retry, bool) {
	r, ok := ctx.Value(retryKey{}).(retry)
	return r, ok
}

// extractRetry moves inputResponses and requestState from the body to the
// context.
func extractRetry(r *http.Request) (*http.Request, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if !json.Valid(body) {
		return nil, errNotJSON
	}
	r = r.Clone(r.Context())
	decodeName(r.Header)
	if err := checkTaskName(r.Header, body); err != nil {
		return nil, err
	}
	body, found := splitRetry(body)
	r = r.WithContext(context.WithValue(r.Context(), retryKey{}, found))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return r, nil
}

// splitRetry returns the body without inputResponses and requestState, and the
// two. It leaves any other message unchanged for the SDK to judge.
func splitRetry(body []byte) ([]byte, retry) {
	var message, params map[string]json.RawMessage
	if json.Unmarshal(body, &message) != nil || !retryable(message["method"]) ||
		json.Unmarshal(message["params"], &params) != nil {
		return body, retry{}
	}
	found := retry{params["inputResponses"], params["requestState"]}
	if found.inputResponses == nil && found.requestState == nil {
		return body, retry{}
	}
	delete(params, "inputResponses")
	delete(params, "requestState")
	rest, err := json.Marshal(params)
	if err != nil {
		return body, retry{}
	}
	message["params"] = rest
	whole, err := json.Marshal(message)
	if err != nil {
		return body, retry{}
	}
	return whole, found
}

// retryable reports whether the method is one of the three that can answer
// input_required.
func retryable(method json.RawMessage) bool {
	switch string(method) {
	case `"tools/call"`, `"prompts/get"`, `"resources/read"`:
		return true
	}
	return false
}

// decodeName decodes the Base64 form of Mcp-Name, which is used for names that
// are not plain ASCII (basic/transports, standard headers). The SDK compares
// the header undecoded.
func decodeName(h http.Header) {
	text, ok := strings.CutPrefix(h.Get("Mcp-Name"), "=?base64?")
	if !ok {
		return
	}
	text, ok = strings.CutSuffix(text, "?=")
	if !ok {
		return
	}
	if name, err := base64.StdEncoding.Strict().DecodeString(text); err == nil {
		h.Set("Mcp-Name", string(name))
	}
}

// answers parses inputResponses. The members are checked later, when a script
// asks for them.
func (r retry) answers() (map[string]json.RawMessage, error) {
	if r.inputResponses == nil {
		return nil, nil
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(r.inputResponses, &m) != nil || m == nil {
		return nil, invalidParams("inputResponses is not an object")
	}
	return m, nil
}

// state parses requestState. It reports false if there is none.
func (r retry) state() (string, bool, error) {
	if r.requestState == nil {
		return "", false, nil
	}
	var s *string
	if json.Unmarshal(r.requestState, &s) != nil || s == nil {
		return "", false, invalidParams("requestState is not a string")
	}
	return *s, true, nil
}

func invalidParams(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}

// tooLarge reports whether the body exceeded maxBody.
func tooLarge(err error) bool {
	var e *http.MaxBytesError
	return errors.As(err, &e)
}
