package wire

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// authority signs certificates that clients with pool trust.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

func newAuthority(t *testing.T, now time.Time) *authority {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             now.AddDate(-1, 0, 0), NotAfter: now.AddDate(1, 0,
			0), KeyUsage: x509.KeyUsageCertSign,
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, _ := x509.ParseCertificate(der)
	a := &authority{cert, key, x509.NewCertPool()}
	a.pool.AddCert(cert)
	return a
}

func (a *authority) issue(t *testing.T, until time.Time, names ...string) tls.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: until.AddDate(0, -2, 0), NotAfter: until, DNSNames: names,
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestTLS(t *testing.T) { // fault 47
	now := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	trusted, unknown := newAuthority(t, now), newAuthority(t, now)
	const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
	speak := func(config *tls.Config) func(net.Conn) {
		return func(conn net.Conn) {
			secure := tls.Server(conn, config)
			io.WriteString(secure, answer)
			secure.Close()
		}
	}
	with := func(c tls.Certificate) *tls.Config {
		return &tls.Config{Certificates: []tls.Certificate{c}, Time: func() time.Time { return now }}
	}
	good := trusted.issue(t, now.AddDate(0, 1, 0), "h.example")
	old := with(good)
	old.MaxVersion = tls.VersionTLS11
	wantsClient := with(good)
	wantsClient.ClientAuth = tls.RequireAnyClientCert
	for _, tt := range []struct {
		name   string
		script func(net.Conn)
		want   string
		words  string
	}{
		{"good", speak(with(good)), rec(answer, ""), ""},
		{"at its last moment", speak(with(trusted.issue(t, now, "h.example"))), rec(answer, ""), ""},
		{
			"expired", speak(with(trusted.issue(t, now.Add(-time.Second), "h.example"))),
			"failed tls_expired", "it has expired: it was valid from 2026-05-28 to 2026-07-28",
		},
		{
			"self-signed", speak(with(unknown.issue(t, now.AddDate(0, 1, 0), "h.example"))),
			"failed tls_untrusted", "its issuer is not known here: CN=test",
		},
		{
			"wrong host", speak(with(trusted.issue(t, now.AddDate(0, 1, 0), "other.example"))),
			"failed tls_name", "it is for other.example, and not for h.example",
		},
		{"old version", speak(old), "failed tls", ""},
		{"wants a client certificate", speak(wantsClient), "failed tls", "rejected the TLS connection"},
		{"plain HTTP", func(conn net.Conn) {
			conn.Read(make([]byte, 1<<10))
			io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
		}, "failed no_tls", "is not TLS"},
		{"closes at once", func(conn net.Conn) { conn.Read(make([]byte, 1<<10)) }, "failed no_tls", "closed"},
		{"closes unread", func(net.Conn) {}, "failed no_tls", "closed"},
		{"closes without close_notify", func(conn net.Conn) {
			secure := tls.Server(conn, with(good))
			io.WriteString(secure, "HTTP/1.1 200 OK\r\n\r\n{")
		}, rec("HTTP/1.1 200 OK\r\n\r\n{", ""), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := listen(t, tt.script)
			c := New(Config{
				Reach: PublicOnly(), RootCAs: trusted.pool, Now: func() time.Time { return now },
				Resolver: resolver{"h.example": {"1.1.1.1"}},
			})
			c.connect = func(context.Context, string, string) (net.Conn, error) { return l.Dial(t.Context()) }
			parts, _ := askAt(t.Context(), c, "https://h.example/")
			if show(parts) != tt.want {
				t.Fatalf("%s, want %s", show(parts), tt.want)
			}
			if last := parts[len(parts)-1]; last.Failure != nil &&
				!strings.Contains(last.Failure.Detail, tt.words) {
				t.Errorf("words: %s", last.Failure.Detail)
			}
		})
	}
}

// A request in public mode over a real socket.
func TestPublicModeOverTheLoopback(t *testing.T) {
	trusted := newAuthority(t, time.Now())
	cert := trusted.issue(t, time.Now().AddDate(0, 1, 0), "h.example")
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	heard := make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		b := make([]byte, 100)
		n, _ := io.ReadAtLeast(conn, b, len("POST / HTTP/1.1\r\n\r\n{}"))
		heard <- string(b[:n])
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
	}()
	port := netip.MustParseAddrPort(l.Addr().String()).Port()
	c := New(Config{
		Reach: reach("127.0.0.1/32"), RootCAs: trusted.pool,
		Resolver: resolver{"h.example": {"127.0.0.1"}},
	})
	parts, timing := askAt(t.Context(), c, fmt.Sprintf("https://h.example:%d/", port))
	if want := rec("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", ""); show(parts) != want {
		t.Fatalf("%s", show(parts))
	}
	if got := <-heard; got != "POST / HTTP/1.1\r\n\r\n{}" {
		t.Errorf("the server received %q", got)
	}
	if timing.TLS <= 0 || timing.Total < timing.TLS {
		t.Errorf("%+v", timing)
	}
}
