//go:build linux

package replicas

import (
	"html"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	shownAddress = regexp.MustCompile(`data-address>([^<]+)<`)
	shownFailure = regexp.MustCompile(`data-line="([^"]+)" data-verdict="fail"`)
)

// TestReplicas_Gateway: the calls of a test of a gateway are made by one process, and reach the
// upstream at all of them, which record together what both ends saw.
func TestReplicas_Gateway(t *testing.T) {
	s := startSite(t, "-allow-network", "http:127.0.0.1")
	var seen report
	v := newVisitor(t, s, 0, &seen)
	p, err := v.request(t.Context(), "/gateways", url.Values{})
	check(t, err)
	address := shownAddress.FindStringSubmatch(p.text)
	if address == nil {
		t.Fatalf("no address: %s", p.text)
	}
	to, err := url.Parse(html.UnescapeString(address[1]))
	check(t, err)
	transport, err := s.Transport(net.IPv4(127, 0, 2, 1))
	check(t, err)
	front := httptest.NewServer(&httputil.ReverseProxy{
		ErrorLog: log.New(io.Discard, "", 0), Transport: transport, FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: to.Scheme, Host: to.Host})
			r.Out.URL.Path = to.Path
		},
	})
	t.Cleanup(front.Close)
	p, err = v.request(t.Context(), p.path, url.Values{"do": {"test"}, "url": {front.URL + "/mcp"}})
	check(t, err)
	for strings.Contains(p.text, "data-live=") {
		check(t, pause(t.Context(), 100*time.Millisecond))
		p = v.look(t.Context(), p.path)
	}
	if !strings.Contains(p.text, `data-headline="pass"`) {
		t.Errorf("failed are %q: %s", shownFailure.FindAllStringSubmatch(p.text, -1), mainOf(p.text))
	}
}
