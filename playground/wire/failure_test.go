package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

func TestFailureOf(t *testing.T) {
	own := fail(TooLarge, "x")
	for _, tt := range []struct {
		err  error
		want Class
	}{
		{errors.Join(errors.New("x"), own), TooLarge},
		{context.DeadlineExceeded, TimeoutTotal},
		{io.EOF, Reset},
		{&net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}, TLS},
		{
			&net.OpError{
				Op: "read", Net: "tcp", Addr: Address("10.0.0.1:1"), Err: errors.New("broken\x1b[0m"),
			},
			Reset,
		},
	} {
		got := FailureOf(tt.err)
		if got.Class != tt.want || strings.ContainsAny(got.Detail, "\x1b\n") ||
			strings.Contains(got.Detail, "10.0.0.1") {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
	if FailureOf(nil) != nil {
		t.Error("nil is no failure")
	}
	if got := plain(strings.Repeat("é", 400) + "\u202e"); utf8.RuneCountInString(got) > 301 {
		t.Errorf("%d bytes", len(got))
	}
	if got, want := plain("a\u202e\x00\"é\xff"), `a⟨U+202E⟩⟨U+0000⟩"é⟨0xFF⟩`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestDial_MuteHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Config{})
		c.connect = func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		start := time.Now()
		mute := &url.URL{Scheme: "http", Host: "192.0.2.1"}
		_, err := c.WithLimits(Limits{Connect: time.Second}).dial(t.Context(), mute, new(Timing))
		if failure := FailureOf(err); failure == nil || failure.Class != TimeoutConnect ||
			time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestWordsOfConnectFailures(t *testing.T) {
	wrap := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for err, want := range map[error]Class{
		syscall.ECONNREFUSED: Refused,
		syscall.ECONNRESET:   Reset,
		syscall.ENETUNREACH:  Unreachable,
		syscall.EHOSTUNREACH: Unreachable,
		syscall.ETIMEDOUT:    TimeoutConnect,
		blocked():            BlockedAddress,
	} {
		if got := connectFailure(wrap(err), time.Second); got.Class != want || got.Detail == "" {
			t.Errorf("%v: %v", err, got)
		}
	}
	if got := dnsFailure(&net.DNSError{Err: "server misbehaving", Server: "10.0.0.2:53"}); got.Class != DNS ||
		got.Error() != "dns: the host name could not be resolved" {
		t.Error(got)
	}
	got := tlsFailure(wrap(errors.New("odd\x00")), time.Time{})
	if got.Class != TLS || got.Detail != "odd⟨U+0000⟩" {
		t.Error(got)
	}
	if got := tlsFailure(io.EOF, time.Time{}); got.Class != NoTLS {
		t.Error(got)
	}
}
