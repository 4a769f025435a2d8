package serve

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// TestConclude_Cancelled: the response does not show where a request was when
// it was cancelled.
func TestConclude_Cancelled(t *testing.T) {
	_, err := (&Host{}).conclude(&Turn{Method: "tools/call"}, nil,
		fmt.Errorf("read exchange: %w", context.Canceled))
	var got *jsonrpc.Error
	if !errors.As(err, &got) || got.Code != jsonrpc.CodeInternalError ||
		got.Message != "the request was cancelled" {
		t.Errorf("%v", err)
	}
}
