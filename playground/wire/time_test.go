package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The clock is that of synctest: nothing waits, and limits are exact. A
// goroutine that a call leaves running fails the test (fault 87).

func TestLimitsOfTime(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\n\r\n"
	notify := sse("data: {\"method\":\"n\"}\n\n")
	for _, tt := range []struct {
		name   string
		limits Limits
		script func(net.Conn)
		want   string
		after  time.Duration
	}{
		{
			"silence after accept (27)", Limits{}, slow(time.Hour, ""), "failed timeout_first_byte",
			30 * time.Second,
		},
		{"first byte in time", Limits{}, slow(30*time.Second-1, head), rec(head, ""), 30*time.Second - 1},
		{
			"first byte limit below the whole", Limits{FirstByte: 3 * time.Second}, slow(time.Hour, ""),
			"failed timeout_first_byte", 3 * time.Second,
		},
		{
			"first byte limit above the whole", Limits{FirstByte: time.Minute}, slow(time.Hour, ""),
			"failed timeout_first_byte", 30 * time.Second,
		},
		{
			"both raised", Limits{FirstByte: 2 * time.Minute, Total: 2 * time.Minute},
			slow(2*time.Minute-1, head), rec(head, ""), 2*time.Minute - 1,
		},
		{
			"one byte per second (25)", Limits{}, drip(head + strings.Repeat("x", 100)),
			rec(head+strings.Repeat("x", 11), TimeoutTotal), 30 * time.Second,
		},
		{
			"head without end, drop by drop (26)", Limits{},
			drip("HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 100)),
			rec("HTTP/1.1 200 OK\r\nA: "+strings.Repeat("x", 10), TimeoutTotal), 30 * time.Second,
		},
		{"whole in time", Limits{}, drip(head + "0123456789"), rec(head+"0123456789", ""), 29 * time.Second},
		{
			"no wait beyond the length", Limits{},
			slow(0, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", ""),
			rec("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", ""), 0,
		},
		{
			"silent stream", Limits{}, slow(0, notify, ""),
			rec(sse(""), "") + ` | message "data: {\"method\":\"n\"}\n\n" | failed timeout_idle`,
			20 * time.Second,
		},
		{
			"nearly silent stream", Limits{Idle: 9 * time.Second},
			slow(9*time.Second-1, sse(""), "data: x\n\n", ""),
			rec(sse(""), "") + ` | message "data: x\n\n" | failed timeout_idle`, 27*time.Second - 2,
		},
		{
			"endless comments (24)", Limits{}, comments(time.Second),
			rec(sse(""), "") + ` | message "` + strings.Repeat(`:\n\n`, 29) + `" | failed timeout_total`,
			30 * time.Second,
		},
		{
			"flood of comments (24)", Limits{}, comments(0),
			rec(sse(""), "") + " | message 262144 bytes | failed too_large", 0,
		},
		{
			"open after the response", Limits{}, slow(0, sse("data: {\"id\":1,\"result\":{}}\n\n"), ""),
			rec(sse(""), "") + ` | message "data: {\"id\":1,\"result\":{}}\n\n"`, 250 * time.Millisecond,
		},
		{
			"late but in the grace", Limits{Grace: time.Second},
			slow(time.Second-1, sse("data: {\"id\":1,\"result\":{}}\n\n"), "data: 2\n\n", ""),
			rec(sse(""), "") + ` | message "data: {\"id\":1,\"result\":{}}\n\n" | message "data: 2\n\n"`,
			2*time.Second - 1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				parts, timing := ask(t.Context(), serve(t, tt.limits, tt.script))
				if got := show(parts); tt.want != "" && got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
				if took := time.Since(start); took != tt.after || timing.Total != took {
					t.Errorf("took %v, want %v; timing %+v", took, tt.after, timing)
				}
			})
		})
	}
}

// slow waits before each text. An empty last text keeps the connection open
// until the client closes it.
func slow(wait time.Duration, texts ...string) func(net.Conn) {
	return func(conn net.Conn) {
		for _, text := range texts {
			if text == "" {
				io.Copy(io.Discard, conn)
				return
			}
			time.Sleep(wait)
			io.WriteString(conn, text)
		}
	}
}

func comments(every time.Duration) func(net.Conn) {
	return func(conn net.Conn) {
		_, err := io.WriteString(conn, sse(""))
		for ; err == nil; _, err = io.WriteString(conn, ":\n\n") {
			time.Sleep(every)
		}
	}
}

func drip(text string) func(net.Conn) {
	return func(conn net.Conn) {
		for i := range len(text) {
			if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
				return
			}
			time.Sleep(time.Second)
		}
	}
}

func TestMessagesComeAsTheyAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(
			t, Limits{},
			slow(
				time.Second, sse(""), "data: 1\n\ndata", ": 2\n", "\n", "data: {\"id\":1,\"result\":{}}\n\n",
			),
		)
		start := time.Now()
		var at []string
		timing := c.Send(t.Context(), "http://sample/", Frame{}, func(p Part) error {
			at = append(at, fmt.Sprintf("%s@%v", p.Kind, p.At.Sub(start)))
			return nil
		})
		if got := strings.Join(at, " "); got != "received@1s message@2s message@4s message@5s" ||
			timing.FirstByte != time.Second {
			t.Errorf("%s, first byte %v", got, timing.FirstByte)
		}
	})
}

func TestCancelClosesTheConnection(t *testing.T) {
	for name, text := range map[string]string{
		"before the head": "", "in the body": "HTTP/1.1 200 OK\r\n\r\n{", "in a stream": sse("data: 1\n\n"),
	} {
		synctest.Test(t, func(t *testing.T) {
			closed := make(chan time.Time, 1)
			c := serve(t, Limits{}, func(conn net.Conn) {
				io.WriteString(conn, text)
				io.Copy(io.Discard, conn)
				closed <- time.Now()
			})
			ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
			defer cancel()
			start := time.Now()
			parts, _ := ask(ctx, c)
			if last := parts[len(parts)-1]; last.Kind != Cancelled || len(parts) < 2 && text != "" {
				t.Errorf("%s: %s", name, show(parts))
			}
			if took := (<-closed).Sub(start); took != 7*time.Second {
				t.Errorf("%s: the server saw it after %v", name, took)
			}
		})
	}
}

func TestCancelledBeforeIsNotSent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := serve(t, Limits{}, func(net.Conn) { t.Error("connected") })
	if parts, _ := ask(ctx, c); show(parts) != "cancelled" {
		t.Error(show(parts))
	}
}

func TestRefusedRecordStops(t *testing.T) {
	for refuse := 1; refuse <= 3; refuse++ {
		synctest.Test(t, func(t *testing.T) {
			c := serve(t, Limits{}, slow(0, sse("data: 1\n\ndata: 2\n\n"), ""))
			count := 0
			c.Send(t.Context(), "http://sample/", Frame{}, func(Part) error {
				if count++; count == refuse {
					return errors.New("disk full")
				}
				return nil
			})
			if count != refuse {
				t.Errorf("recorded %d parts after the refusal of number %d", count-refuse, refuse)
			}
		})
	}
}

func TestAnswerCountsThoughTheRequestWasNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const answer = "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n"
		c := serve(t, Limits{}, says(answer))
		var parts []Part
		c.Send(t.Context(), "http://sample/", Frame{Body: make([]byte, 1<<20)}, func(p Part) error {
			parts = append(parts, p)
			return nil
		})
		if show(parts) != rec(answer, "") {
			t.Error(show(parts))
		}
	})
}

func TestServerThatNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := make(chan struct{})
		c := serve(t, Limits{}, func(net.Conn) { <-gone })
		defer close(gone)
		var parts []Part
		c.Send(t.Context(), "http://sample/", Frame{Body: make([]byte, 1<<20)}, func(p Part) error {
			parts = append(parts, p)
			return nil
		})
		if show(parts) != "failed timeout_first_byte" {
			t.Error(show(parts))
		}
	})
}

// resolver resolves names from a table. The lookup of a name without addresses
// never returns.
type resolver map[string][]string

func (r resolver) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	texts, known := r[host]
	if !known {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(texts) == 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	var addrs []netip.Addr
	for _, text := range texts {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	return addrs, nil
}

func TestLimitsOfConnecting(t *testing.T) {
	names := resolver{
		"mute.example": nil, "one.example": {"192.0.2.1"},
		"many.example": {"192.0.2.1", "192.0.2.2", "::ffff:192.0.2.3"},
	}
	hang := func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	for _, tt := range []struct {
		name, url, want string
		after           time.Duration
		timing          Timing
	}{
		{
			"name server mute", "http://mute.example/", "failed dns", 5 * time.Second,
			Timing{DNS: 5 * time.Second},
		},
		{"no such name", "http://nobody.example/", "failed dns", 0, Timing{}},
		{
			"host mute", "http://one.example/", "failed timeout_connect", 5 * time.Second,
			Timing{Connect: 5 * time.Second},
		},
		{
			"all hosts mute", "http://many.example/", "failed timeout_connect", 5 * time.Second,
			Timing{Connect: 5 * time.Second},
		},
		{
			"TLS mute", "https://tls.example/", "failed timeout_connect", 5 * time.Second,
			Timing{TLS: 5 * time.Second},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := New(Config{Resolver: names})
				c.connect = hang
				if strings.HasPrefix(tt.url, "https") {
					names["tls.example"] = []string{"192.0.2.4"}
					l := listen(t, slow(0, ""))
					c.connect = func(context.Context, string, string) (net.Conn,
						error) {
						return l.Dial(t.Context())
					}
				}
				tt.timing.Total = tt.after
				parts, timing := askAt(t.Context(), c, tt.url)
				timing.Peer = Peer{} // see TestPeer
				if show(parts) != tt.want || timing != tt.timing {
					t.Errorf("%s, %+v", show(parts), timing)
				}
			})
		})
	}
}

func TestCancelWhileConnecting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, url := range []string{"http://mute.example/", "http://192.0.2.1/", "https://192.0.2.2/"} {
			c := New(Config{Resolver: resolver{"mute.example": nil}})
			l := listen(t, slow(0, ""))
			c.connect = func(ctx context.Context, _, address string) (net.Conn, error) {
				if address == "192.0.2.2:443" {
					return l.Dial(t.Context())
				}
				<-ctx.Done()
				return nil, ctx.Err()
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			parts, timing := askAt(ctx, c, url)
			cancel()
			if show(parts) != "cancelled" || timing.Total != time.Second {
				t.Errorf("%s: %s after %v", url, show(parts), timing.Total)
			}
		}
	})
}

func TestNextAddressIsTried(t *testing.T) {
	l := listen(t, says("HTTP/1.1 200 OK\r\n\r\n"))
	c := New(Config{Resolver: resolver{"h.example": {"2001:db8::1", "192.0.2.2"}}})
	var tried []string
	c.connect = func(_ context.Context, _, address string) (net.Conn, error) {
		if tried = append(tried, address); len(tried) == 1 {
			return nil, errors.New("no route")
		}
		return l.Dial(t.Context())
	}
	parts, _ := askAt(t.Context(), c, "http://h.example:8080/")
	if len(parts) != 1 || strings.Join(tried, " ") != "[2001:db8::1]:8080 192.0.2.2:8080" {
		t.Errorf("%s after %q", show(parts), tried)
	}
}
