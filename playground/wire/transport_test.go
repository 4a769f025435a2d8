package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func get(c *Client, url string) (string, error) {
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return "", err
	}
	response, err := c.RoundTripper().RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.Status + " " + string(body), err
}

func TestRoundTripperHasTheSameLimits(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\n\r\n"
	for _, tt := range []struct {
		name   string
		script func(net.Conn)
		want   Class
	}{
		{"at the limit", says(head + "0123456789"), ""},
		{"one beyond", says(head + "0123456789x"), TooLarge},
		{"head too large", says("HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 70<<10) + "\r\n\r\n"), TooLarge},
		{"silence", slow(0, ""), TimeoutFirstByte},
		{"no HTTP", says("SSH-2.0-x\r\n"), NotHTTP},
		{"nothing", says(""), Reset},
		{"redirect", says("HTTP/1.1 302 X\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := get(serve(t, Limits{Body: 10}, func(conn net.Conn) {
					conn.Read(make([]byte, 1<<10))
					tt.script(conn)
				}), "http://sample/")
				if failure := FailureOf(err); (failure == nil) != (tt.want == "") || failure != nil && failure.Class != tt.want {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

func TestRoundTripperIsGuarded(t *testing.T) {
	port, count := canary(t)
	c := New(Config{Public: true, Ports: []uint16{port}, Resolver: &system{}, Deny: []netip.Prefix{netip.MustParsePrefix("2606:4700::/32")}})
	for fault, hosts := range hostileHosts() {
		for _, host := range hosts {
			for _, scheme := range []string{"http", "https"} {
				if status, err := get(c, scheme+"://"+host+":"+netip.AddrPortFrom(netip.IPv4Unspecified(), port).String()[len("0.0.0.0:"):]+"/"); err == nil {
					t.Errorf("fault %s: %s %s: %s", fault, scheme, host, status)
				}
			}
		}
	}
	for _, url := range []string{"https://h.example/", "http://1.1.1.1/", "https://u:p@1.1.1.1/"} {
		if _, err := get(c, url); FailureOf(err) == nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	if n := count.Load(); n != 0 {
		t.Errorf("the canary saw %d connections", n)
	}
}

func TestRoundTripperReachesSamplesWithoutTLS(t *testing.T) {
	l := listen(t, func(conn net.Conn) {
		conn.Read(make([]byte, 1<<10))
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\nhi")
	})
	c := New(Config{Public: true, InMemory: func(hostport string) (net.Conn, bool) {
		conn, _ := l.Dial()
		return conn, strings.HasPrefix(hostport, "play.example:")
	}})
	for _, url := range []string{"https://play.example/mcp/x", "http://play.example/mcp/x"} {
		if got, err := get(c, url); got != "200 OK hi" || err != nil {
			t.Errorf("%s: %q, %v", url, got, err)
		}
	}
}

func TestFailureOf(t *testing.T) {
	own := &Failure{TooLarge, "x"}
	for _, tt := range []struct {
		err  error
		want Class
	}{
		{errors.Join(errors.New("x"), own), TooLarge},
		{context.DeadlineExceeded, TimeoutTotal},
		{io.EOF, Reset},
		{&net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}, TLS},
		{&net.OpError{Op: "read", Net: "tcp", Addr: address("10.0.0.1:1"), Err: errors.New("broken\x1b[0m")}, Reset},
	} {
		got := FailureOf(tt.err)
		if got.Class != tt.want || strings.ContainsAny(got.Detail, "\x1b\n") || strings.Contains(got.Detail, "10.0.0.1") {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
	if FailureOf(nil) != nil {
		t.Error("nil is no failure")
	}
	if got := plain(strings.Repeat("é", 400) + "\u202e"); len(got) > 310 {
		t.Errorf("%d bytes", len(got))
	}
	if got, want := plain("a\u202e\x00\"é\xff"), `a\u202e\x00"é\ufffd`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestDialContextOfAMuteHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Config{})
		c.connect = func(ctx context.Context, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		start := time.Now()
		_, err := c.WithLimits(Limits{Connect: time.Second}).DialContext(t.Context(), "tcp", "192.0.2.1:80")
		if failure := FailureOf(err); failure == nil || failure.Class != TimeoutConnect || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if _, err := c.DialContext(t.Context(), "tcp", "no-port"); FailureOf(err).Class != BadURL {
			t.Error(err)
		}
	})
}
