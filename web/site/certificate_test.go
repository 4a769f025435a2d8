package site_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// selfSigned returns a certificate for the loopback address that nothing but
// itself signed.
func selfSigned(t *testing.T, until time.Time, names ...net.IP) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "my server"},
		NotBefore: until.AddDate(-2, 0, 0), NotAfter: until, IPAddresses: names,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// secureServer is an MCP server over TLS whose certificate can be exchanged.
type secureServer struct {
	url  string
	cert atomic.Pointer[tls.Certificate]
}

func newSecureServer(t *testing.T, c tls.Certificate) *secureServer {
	t.Helper()
	s := &secureServer{}
	s.cert.Store(&c)
	server := httptest.NewUnstartedServer(
		&offering{last: map[string]json.RawMessage{}, heads: map[string]http.Header{}})
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		return &tls.Config{Certificates: []tls.Certificate{*s.cert.Load()}}, nil
	}}
	server.StartTLS()
	t.Cleanup(server.Close)
	s.url = server.URL + "/mcp"
	return s
}

func failsWith(t *testing.T, page answer, class string) {
	t.Helper()
	if got := codes(page.body); len(got) != 1 || got[0] != class {
		t.Fatalf("the page has the codes %q, want %s\n%s", got, class, excerpt(page.body))
	}
}

func TestCertificate_IsTrustedForOneServer(t *testing.T) {
	t.Parallel()
	next := time.Now().AddDate(1, 0, 0)
	mine := selfSigned(t, next, net.IPv4(127, 0, 0, 1))
	one, two := newSecureServer(t, mine), newSecureServer(t, mine)
	s := newSite(t, app.Local)
	page := s.connectTo(one.url)
	failsWith(t, page, "tls_untrusted")
	fingerprint := wire.Fingerprint(mine.Certificate[0])
	page.has(t, `"It is self-signed."`, `"`+fingerprint+`"`, `"CN=my server"`,
		`"127.0.0.1"`, `[data-do="trust"]`)
	server := s.last

	wrong := s.follow(server+"/trust", url.Values{"fingerprint": {wire.Fingerprint([]byte("x"))}})
	failsWith(t, wrong, "stale_certificate")
	page = s.follow(server+"/trust", url.Values{"fingerprint": {fingerprint}})
	page.has(t, `[data-status="connected"]`, "[data-trusted]", `"`+fingerprint+`"`)
	s.page("/settings").has(t, "[data-trusted-row]", `"`+fingerprint+`"`)

	form := url.Values{"target": {strings.TrimPrefix(server, "/servers/")}, "tool": {"route"},
		"json": {`{"region":"x"}`}, "raw": {"true"}}
	page = s.follow("/exchanges", form)
	page.has(t, `[data-status="complete"]`)
	exchange := s.last
	for _, suffix := range []string{".json", ".har", ".md"} {
		if strings.Contains(s.page(exchange+suffix).body, fingerprint) {
			t.Errorf("%s contains the trusted certificate", suffix)
		}
	}

	failsWith(t, s.connectTo(two.url), "tls_untrusted") // the same certificate elsewhere

	other := selfSigned(t, next, net.IPv4(127, 0, 0, 1))
	one.cert.Store(&other)
	page = s.follow("/exchanges", form)
	failsWith(t, page, "tls_changed")
	exchange = s.last
	if strings.Contains(s.page(exchange+".json").body, "certificate\":") {
		t.Error("the export contains a certificate")
	}
	page = s.connectTo(one.url)
	failsWith(t, page, "tls_changed")
	page.has(t, `"someone may be intercepting"`, `"`+fingerprint+`"`,
		`"`+wire.Fingerprint(other.Certificate[0])+`"`)
	if page.html().Has(`[data-do="trust"]`) {
		t.Error("a changed certificate can be trusted without removing the old one")
	}

	one.cert.Store(&mine)
	s.connectTo(one.url).has(t, `[data-status="connected"]`)
	page = s.follow(server+"/distrust", url.Values{})
	if page.html().Has("[data-trusted]") {
		t.Error("the certificate is still trusted")
	}
	failsWith(t, s.follow("/exchanges", form), "tls_untrusted")
	failsWith(t, s.connectTo(one.url), "tls_untrusted")
}

// Only an unknown authority can be trusted, and the page says what else is
// wrong.
func TestCertificate_OtherFaultsCannotBeTrusted(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for class, c := range map[string]tls.Certificate{
		"tls_expired": selfSigned(t, time.Now().Add(-time.Hour), net.IPv4(127, 0, 0, 1)),
		"tls_name":    selfSigned(t, time.Now().AddDate(1, 0, 0), net.IPv4(127, 9, 9, 9)),
	} {
		page := s.connectTo(newSecureServer(t, c).url)
		failsWith(t, page, class)
		if page.html().Has(`[data-do="trust"]`) {
			t.Errorf("%s can be trusted", class)
		}
		got := s.follow(s.last+"/trust", url.Values{"fingerprint": {wire.Fingerprint(c.Certificate[0])}})
		failsWith(t, got, "stale_certificate")
	}
}

func TestCertificate_PublicModeTrustsNone(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Public, wire.Config{Resolver: names{"h.example": "127.0.0.1"}})
	page := s.connectTo("https://h.example/mcp")
	failsWith(t, page, "blocked_address")
	got := s.follow(s.last+"/trust", url.Values{"fingerprint": {wire.Fingerprint([]byte("x"))}})
	failsWith(t, got, "no_trust")
	if strings.Contains(s.page("/settings").body, "Trusted certificates") {
		t.Error("the settings of public mode list certificates")
	}
}
