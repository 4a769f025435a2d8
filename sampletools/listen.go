package sampletools

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxListeners bounds the streams of subscriptions/listen in one sample: each stays open as long as
// its client likes, and most samples never have anything to tell on it.
const maxListeners = 100

// boundListeners refuses one stream too many.
func (h *host) boundListeners(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != "subscriptions/listen" {
			return next(ctx, method, req)
		}
		defer h.listeners.Add(-1)
		if h.listeners.Add(1) > maxListeners {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "too many listeners; try again later"}
		}
		return next(ctx, method, req)
	}
}
