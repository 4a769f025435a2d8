package main

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// callback is the address on this machine that the browser comes back to.
type callback struct {
	url      string // the addresses of authorization servers are below it
	server   *http.Server
	stderr   io.Writer
	returned chan *url.URL // one, with the right state

	mu    sync.Mutex
	state string // empty until it is known
	said  bool   // that another state came
}

// newCallback listens on a free port of the loopback interface (RFC 8252,
// section 7.3).
func newCallback(stderr io.Writer) (*callback, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the browser: %w", err)
	}
	c := &callback{
		url: "http://" + l.Addr().String() + "/callback", stderr: stderr, returned: make(chan *url.URL, 1),
	}
	c.server = &http.Server{Handler: c, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = c.server.Serve(l) }()
	return c, nil
}

// ServeHTTP takes the return of the browser. A request without the state of the
// sign-in is passed over, so that another page cannot end it or keep it out.
func (c *callback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || r.URL.Path != "/callback" && !strings.HasPrefix(r.URL.Path,
		"/callback/") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Referrer-Policy", "no-referrer")
	if state := r.URL.Query()["state"]; len(state) != 1 || !c.isOurs(state[0]) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintln(w, "This is not the answer to the sign-in that the terminal waits for.")
		return
	}
	select {
	case c.returned <- r.URL:
	default: // the page was loaded again
	}
	fmt.Fprintln(w, "You are back: continue in the terminal. You can close this page.")
}

// isOurs reports whether a state is that of the sign-in. That another one came
// is printed once.
func (c *callback) isOurs(state string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != "" && subtle.ConstantTimeCompare([]byte(state), []byte(c.state)) == 1 {
		return true
	}
	if !c.said {
		fmt.Fprintln(c.stderr, "sign-in: a page came back with another state; it was not used")
	}
	c.said = true
	return false
}

// expect sets the state of the sign-in.
func (c *callback) expect(state string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = state
}

// wait returns the address that the browser comes back to and its query, or an
// error after some minutes.
func (c *callback) wait(ctx context.Context) (address string, query url.Values, err error) {
	ctx, cancel := context.WithTimeout(ctx, signInTime)
	defer cancel()
	select {
	case u := <-c.returned:
		return strings.TrimSuffix(c.url, "/callback") + u.EscapedPath(), u.Query(), nil
	case <-ctx.Done():
		return "", nil, errors.New("sign in: the browser did not come back in time")
	}
}

func (c *callback) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.server.Shutdown(ctx)
}
