package wire

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// A record says what the connection reached, and a limited reach leaves addresses out.
func TestPeer(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	_, timing := askAt(t.Context(), New(Config{RootCAs: roots}), s.URL)
	host, _, err := net.SplitHostPort(timing.Peer.Address)
	if err != nil || host != "127.0.0.1" || timing.Peer.Addresses != host ||
		timing.Peer.TLS != tls.VersionName(tls.VersionTLS13) ||
		!strings.Contains(timing.Peer.Certificate, "valid until 20") {
		t.Errorf("%+v, %v", timing.Peer, err)
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	here := Network{Prefix: netip.MustParsePrefix("127.0.0.1/32"), Plain: true}
	parts, timing := askAt(t.Context(), New(Config{Reach: Reach{Limited: true, Networks: []Network{here}}}),
		plain.URL)
	if len(parts) == 0 || parts[0].Kind != Received || timing.Peer != (Peer{}) {
		t.Errorf("a limited reach: %s, %+v", show(parts), timing.Peer)
	}
}
