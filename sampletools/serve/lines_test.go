package serve

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
)

// client starts a client of a host that answers with a handler. It returns what the client
// writes to and reads from, and the end.
func client(t *testing.T, answer Answerer) (in io.WriteCloser, out *bufio.Reader, ended <-chan error) {
	t.Helper()
	h := New(t.Context(), Config{Log: slog.New(slog.DiscardHandler)}, Service{
		Era: Both, Handler: answer, Lenient: func(*Envelope) bool { return true },
	})
	read, in := io.Pipe()
	answers, write := io.Pipe()
	end := make(chan error, 1)
	go func() {
		end <- h.ServeLines(t.Context(), cluster.Instance{Name: "a"}, Options{}, Lines{In: read, Out: write})
	}()
	return in, bufio.NewReader(answers), end
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}` + "\n"

// TestServeLines_IDInUse: a request with the id of one in progress is refused, and the
// first one gets its answer.
func TestServeLines_IDInUse(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	in, lines, ended := client(t, func(_ *Envelope, w http.ResponseWriter, _ *http.Request) {
		<-release
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	})
	for _, want := range []string{`"code":-32600`, `"result":{}`} {
		if want == `"result":{}` {
			close(release)
		} else if _, err := io.WriteString(in, listTools+listTools); err != nil {
			t.Fatal(err)
		}
		got, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%q, %v, want %s", got, err, want)
		}
	}
	_ = in.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestServeLines_Panic: a request whose handler panics has an error as its answer, and the
// next one is served.
func TestServeLines_Panic(t *testing.T) {
	t.Parallel()
	calls := 0
	in, lines, ended := client(t, func(_ *Envelope, w http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			panic("broken")
		}
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	})
	for i, want := range []string{`"code":-32603`, `"result":{}`} {
		line := strings.Replace(listTools, `"id":1`, `"id":`+strconv.Itoa(i+1), 1)
		if _, err := io.WriteString(in, line); err != nil {
			t.Fatal(err)
		}
		got, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%q, %v, want %s", got, err, want)
		}
	}
	_ = in.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestServeLines_Begin: each message is served with the context that it begins with, which
// ends with it.
func TestServeLines_Begin(t *testing.T) {
	t.Parallel()
	type key struct{}
	begun, ended := 0, 0
	h := New(t.Context(), Config{Log: slog.New(slog.DiscardHandler)}, Service{
		Era: Both, Lenient: func(*Envelope) bool { return true },
		Handler: func(_ *Envelope, w http.ResponseWriter, r *http.Request) {
			if r.Context().Value(key{}) != begun || ended == begun {
				t.Error("another context, or one that has ended")
			}
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		},
	})
	err := h.ServeLines(t.Context(), cluster.Instance{Name: "a"}, Options{}, Lines{
		In: strings.NewReader(listTools), Out: io.Discard,
		Begin: func(ctx context.Context) (context.Context, func()) {
			begun++
			return context.WithValue(ctx, key{}, begun), func() { ended++ }
		},
	})
	if err != nil || begun != 1 || ended != 1 {
		t.Errorf("%v, %d begun, %d ended", err, begun, ended)
	}
}
