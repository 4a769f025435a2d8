package wire

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/nettest" // the standard checks of a net.Conn; test only
)

func TestPipeIsAConn(t *testing.T) {
	nettest.TestConn(t, func() (c1, c2 net.Conn, stop func(), err error) {
		c1, c2 = newPipe(Address("a"), Address("b"))
		return c1, c2, func() { c1.Close(); c2.Close() }, nil
	})
}

func TestPipeBuffersLikeASocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newPipe(Address("a"), Address("b"))
		if n, err := a.Write(make([]byte, pipeSize)); n != pipeSize || err != nil {
			t.Fatal(n, err)
		}
		a.SetWriteDeadline(time.Now().Add(time.Minute))
		if n, err := a.Write([]byte("x")); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(n, err)
		}
		a.Close() // bytes written before are still delivered
		if got, err := io.ReadAll(b); len(got) != pipeSize || err != nil {
			t.Fatal(len(got), err)
		}
		if _, err := b.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
			t.Fatal(err)
		}
		b.SetReadDeadline(time.Now().Add(time.Hour))
		b.Close()
		b.Close()
	})
}

func TestListenerServesHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewListener("sample")
		s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			self := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
			io.WriteString(w, "data: "+r.RemoteAddr+" "+self.String()+"\n\n")
			w.(http.Flusher).Flush()
			<-r.Context().Done() // the server must see that the client is gone
		})}
		served := make(chan error)
		go func() { served <- s.Serve(l) }()
		conn, err := l.Dial(WithPublicURL(WithPeer(t.Context(), "192.0.2.1"), "https://h/x"))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
		conn.SetReadDeadline(time.Now().Add(time.Second))
		answer, err := io.ReadAll(conn)
		if !errors.Is(err, os.ErrDeadlineExceeded) ||
			!strings.Contains(string(answer), "data: 192.0.2.1 https://h/x\n\n") {
			t.Errorf("%v: %s", err, answer)
		}
		conn.Close()
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
}

func TestListenerCloses(t *testing.T) {
	l := NewListener("sample")
	waiting, err := l.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	l.Close()
	if _, err := waiting.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("a connection that was not accepted: %v", err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if _, err := l.Dial(t.Context()); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if l.Addr().String() != "sample" {
		t.Error(l.Addr())
	}
}

func TestListenerBacklog(t *testing.T) {
	l := NewListener("sample")
	defer l.Close()
	for i := range backlog {
		if _, err := l.Dial(t.Context()); err != nil {
			t.Fatal(i, err)
		}
	}
	if _, err := l.Dial(t.Context()); err == nil {
		t.Error("more connections wait than the backlog holds")
	}
}
