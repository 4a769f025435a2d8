package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// MaxBody bounds the body of a request.
const MaxBody = 512 << 10

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

// retryFromContext returns the retry in the request. It reports false for
// legacy requests.
func retryFromContext(ctx context.Context) (retry, bool) {
	r, ok := ctx.Value(retryKey{}).(retry)
	return r, ok
}

// retryable reports whether the method is one of the three that can answer
// input_required.
func retryable(method string) bool {
	switch method {
	case "tools/call", "prompts/get", "resources/read":
		return true
	}
	return false
}

// answers parses inputResponses. The members are checked later, when a script
// asks for them.
func (r retry) answers() (map[string]json.RawMessage, error) {
	if r.inputResponses == nil {
		return nil, nil
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(r.inputResponses, &m) != nil || m == nil {
		return nil, InvalidParams("inputResponses is not an object")
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
		return "", false, InvalidParams("requestState is not a string")
	}
	return *s, true, nil
}

// InvalidParams returns the JSON-RPC error -32602.
func InvalidParams(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}

// tooLarge reports whether the body exceeded MaxBody.
func tooLarge(err error) bool {
	var e *http.MaxBytesError
	return errors.As(err, &e)
}
