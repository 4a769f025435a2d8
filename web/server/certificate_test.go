package server_test

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
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// selfSigned returns a certificate for the loopback address that nothing but
// itself signed.
func selfSigned(t *testing.T, until time.Time, names ...net.IP) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	sitetest.Check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "my server"},
		NotBefore: until.AddDate(-2, 0, 0), NotAfter: until, IPAddresses: names,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	sitetest.Check(t, err)
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

func failsWith(t *testing.T, page sitetest.Answer, class string) {
	t.Helper()
	if got := sitetest.Codes(page.Body); len(got) != 1 || got[0] != class {
		t.Fatalf("the page has the codes %q, want %s\n%s", got, class, sitetest.Excerpt(page.Body))
	}
}

func TestCertificate_IsTrustedForOneServer(t *testing.T) {
	t.Parallel()
	next := time.Now().AddDate(1, 0, 0)
	mine := selfSigned(t, next, net.IPv4(127, 0, 0, 1))
	one, two := newSecureServer(t, mine), newSecureServer(t, mine)
	s := sitetest.New(t, app.Local)
	page := s.ConnectTo(one.url)
	failsWith(t, page, "tls_untrusted")
	fingerprint := wire.Fingerprint(mine.Certificate[0])
	page.Has(t, `"It is self-signed."`, `"`+fingerprint+`"`, `"CN=my server"`,
		`"127.0.0.1"`, `[data-do="trust"]`)
	server := s.Last

	wrong := s.Follow(server+"/trust", url.Values{"fingerprint": {wire.Fingerprint([]byte("x"))}})
	failsWith(t, wrong, "stale_certificate")
	page = s.Follow(server+"/trust", url.Values{"fingerprint": {fingerprint}})
	page.Has(t, `[data-status="connected"]`, "[data-trusted]", `"`+fingerprint+`"`)

	form := url.Values{"target": {strings.TrimPrefix(server, "/servers/")}, "tool": {"route"},
		"json": {`{"region":"x"}`}, "raw": {"true"}}
	page = s.Follow("/exchanges", form)
	page.Has(t, `[data-status="complete"]`)
	exchange := s.Last
	for _, suffix := range []string{".json", ".har", ".md"} {
		if strings.Contains(s.Page(exchange+suffix).Body, fingerprint) {
			t.Errorf("%s contains the trusted certificate", suffix)
		}
	}

	failsWith(t, s.ConnectTo(two.url), "tls_untrusted") // the same certificate elsewhere

	other := selfSigned(t, next, net.IPv4(127, 0, 0, 1))
	one.cert.Store(&other)
	page = s.Follow("/exchanges", form)
	failsWith(t, page, "tls_changed")
	exchange = s.Last
	if strings.Contains(s.Page(exchange+".json").Body, "certificate\":") {
		t.Error("the export contains a certificate")
	}
	page = s.ConnectTo(one.url)
	failsWith(t, page, "tls_changed")
	page.Has(t, `"someone may be intercepting"`, `"`+fingerprint+`"`,
		`"`+wire.Fingerprint(other.Certificate[0])+`"`)
	if page.HTML().Has(`[data-do="trust"]`) {
		t.Error("a changed certificate can be trusted without removing the old one")
	}

	one.cert.Store(&mine)
	s.ConnectTo(one.url).Has(t, `[data-status="connected"]`)
	page = s.Follow(server+"/distrust", url.Values{})
	if page.HTML().Has("[data-trusted]") {
		t.Error("the certificate is still trusted")
	}
	failsWith(t, s.Follow("/exchanges", form), "tls_untrusted")
	failsWith(t, s.ConnectTo(one.url), "tls_untrusted")
}

// Only an unknown authority can be trusted, and the page says what else is
// wrong.
func TestCertificate_OtherFaultsCannotBeTrusted(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for class, c := range map[string]tls.Certificate{
		"tls_expired": selfSigned(t, time.Now().Add(-time.Hour), net.IPv4(127, 0, 0, 1)),
		"tls_name":    selfSigned(t, time.Now().AddDate(1, 0, 0), net.IPv4(127, 9, 9, 9)),
	} {
		page := s.ConnectTo(newSecureServer(t, c).url)
		failsWith(t, page, class)
		if page.HTML().Has(`[data-do="trust"]`) {
			t.Errorf("%s can be trusted", class)
		}
		got := s.Follow(s.Last+"/trust", url.Values{"fingerprint": {wire.Fingerprint(c.Certificate[0])}})
		failsWith(t, got, "stale_certificate")
	}
}

func TestCertificate_PublicModeTrustsNone(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Public, wire.Config{Resolver: sitetest.Names{"h.example": "127.0.0.1"}})
	page := s.ConnectTo("https://h.example/mcp")
	failsWith(t, page, "blocked_address")
	got := s.Follow(s.Last+"/trust", url.Values{"fingerprint": {wire.Fingerprint([]byte("x"))}})
	failsWith(t, got, "no_trust")
}
