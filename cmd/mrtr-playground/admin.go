package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
)

// serveAdmin serves the admin address until ctx ends, and returns the address.
func serveAdmin(
	ctx context.Context, addr string, h http.Handler, logger *slog.Logger,
) (net.Addr, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for -admin: %w", err)
	}
	server := newServer(h, defaultRequestLimits())
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }() // ends with ctx
	logger.Info("serve the operator", "url", "http://"+listener.Addr().String()+"/")
	return listener.Addr(), nil
}
