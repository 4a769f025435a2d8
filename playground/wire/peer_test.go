package wire

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
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
}
