package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

const mcpHelp = `usage: mrtr-playground mcp [-data DIR] [-stdio COMMAND]...

Serves the playground to a coding agent over standard input and output, for
MCP clients that start their servers as commands. It offers what a running
playground offers at /mcp/playground: tools that check and call the server that
you write, the lessons, and two prompts.

{flags}

Results link to pages on a port of this machine that answers as long as the
program runs; standard error has its address. It ends with its input. Exit
codes: 0 success, 1 failure, 2 usage error.
`

// serveAgent serves one agent until its input or ctx ends.
func serveAgent(ctx context.Context, args []string, getenv func(string) string, lines pipe,
	stdout, stderr io.Writer) (err error) {
	o := options{limits: localLimits(), replicas: 1, mode: app.Local, room: defaultRoom}
	f := newFlags("mcp")
	f.StringVar(&o.data, "data", "", "")
	f.Func("stdio", "", o.stdio.add)
	f.Func("limit", "", o.limits.set)
	if err := readOnlyFlags(f, args, getenv, stdout); errors.Is(err, errHelp) {
		return nil
	} else if err != nil {
		return err
	}
	o.given = given("mcp", args)
	if o.data == "" {
		if o.data, err = os.MkdirTemp("", "mrtr-playground-"); err != nil {
			return fmt.Errorf("make data directory: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(o.data)) }()
	} else if err := os.MkdirAll(o.data, 0o700); err != nil {
		return fmt.Errorf("make data directory: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer listener.Close()
	o.baseURL = "http://" + listener.Addr().String()
	a, err := newService(ctx, o, getenv, newMetrics(), slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	a.logger.Info("serving an agent", "pages", o.baseURL)
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		defer stop()
		ended <- a.site.ServeLines(ctx, lines.in, lines.out)
	}()
	err = a.run(ctx, listener)
	stop()
	return errors.Join(err, <-ended)
}
