package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const healthHelp = `usage: mrtr-playground health [-addr HOST:PORT]

Tests whether a running program is ready. Exit codes: 0 ready, 1 not ready,
2 usage error.

{flags}
`

// health asks the /readyz of a running program, for health checks of
// containers.
func health(ctx context.Context, args []string, getenv func(string) string, stdout io.Writer) error {
	f := newFlags("health")
	addr := f.String("addr", "", "")
	if err := readOnlyFlags(f, args, getenv, stdout); errors.Is(err, errHelp) {
		return nil
	} else if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(*addr)
	if err != nil {
		return &usageError{fmt.Sprintf("-addr %q is not HOST:PORT", *addr)}
	}
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	url := "http://" + net.JoinHostPort(host, port) + "/readyz"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("get /readyz: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("get /readyz: %w", err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(stdout, io.LimitReader(res.Body, 1024))
	if res.StatusCode != http.StatusOK {
		return errQuiet
	}
	return nil
}
