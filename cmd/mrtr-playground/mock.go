package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/mock/endpoint"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

const mockHelp = `usage: mrtr-playground mock FILE [flags]

Serves a recording again as an MCP server, prints its address, and goes on until
it is interrupted: for a client that is being developed, or to repeat a bug
without the server, its credentials and its network. FILE is what the export of
a call or a session as JSON, or as a page, has saved.

{flags}

A request gets the recorded answer to the same method and params: a retry, to
the same state and answers. Requests that mean the same are answered in the
order in which they were recorded. Bodies are the recorded ones but for the ids
of the protocol: of the request, of progress, of a subscription. Of the head
they have the status and the fields that begin with Mcp-. A request that was
never recorded gets an error with the nearest recorded one and the difference.
What was masked stays masked; the answer then has Mcp-Recording-Masked: true.

Standard error has a line for each request. Exit codes: 0 success, 1 failure, 2
usage error.
`

// serveRecording runs the command mock.
func serveRecording(ctx context.Context, args []string, lines pipe, stdout, stderr io.Writer) error {
	set := newFlags("mock")
	address := set.String("addr", "127.0.0.1:0", "")
	onLines := set.Bool("lines", false, "")
	ignored := mock.Usual()
	set.Func("ignore", "", func(list string) (err error) {
		ignored, err = mock.ParseIgnored(list)
		return err
	})
	words, err := readFlags(set, args, nil, stdout)
	if err != nil {
		return quietHelp(err)
	}
	if len(words) != 1 {
		return &usageError{fmt.Sprintf("mock takes one file, got %d; see mock -help", len(words))}
	}
	recording, err := readRecording(words[0], ignored)
	if err != nil {
		return err
	}
	s := &endpoint.Endpoint{
		Recording: recording,
		Turns:     &endpoint.Counter{},
		Served: func(method string, r mock.Reply) {
			if method == "" {
				method = "a message"
			}
			answer := fmt.Sprintf("recorded request %d", r.Request)
			if r.Made {
				answer = "made of the recorded calls"
			} else if r.Own != "" {
				answer = r.Own
			}
			fmt.Fprintf(stderr, "%s: %s\n", text.Visible(method, 80), answer)
		},
	}
	for _, method := range recording.Made() {
		fmt.Fprintf(stderr, "%s was not recorded: its answer is made of the calls\n", method)
	}
	if *onLines {
		return s.ServeLines(ctx, lines.in, lines.out)
	}
	return serveMock(ctx, *address, s, stdout)
}

// readRecording reads a file that has a recording.
func readRecording(path string, ignored mock.Ignored) (*mock.Recording, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &usageError{"read recording: " + err.Error()}
	}
	session, err := export.Read(data, localLimits().pages.Session)
	if err != nil {
		return nil, fmt.Errorf("read recording: %w", err)
	}
	r := mock.New(session, ignored)
	if r.Requests() == 0 {
		return nil, fmt.Errorf("read recording: it has no request")
	}
	return r, nil
}

// serveMock serves a recording until ctx ends.
func serveMock(ctx context.Context, address string, s *endpoint.Endpoint, stdout io.Writer) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	mux := http.NewServeMux()
	here := app.IsLoopbackHost(listener.Addr().String())
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if here && !app.IsLoopbackHost(r.Host) { // a page whose name leads here
			http.Error(w, "This address answers to names of this machine.", http.StatusMisdirectedRequest)
			return
		}
		s.ServeHTTP(w, r)
	})
	server := &http.Server{
		Handler: http.NewCrossOriginProtection().Handler(mux), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	fmt.Fprintf(stdout, "listening on http://%s/mcp\n", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case <-ctx.Done():
		err := server.Close()
		<-ended
		return err
	case err := <-ended:
		return err
	}
}
