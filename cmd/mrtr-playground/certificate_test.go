package main

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// newOwnCertificate returns a server with a certificate of its own.
func newOwnCertificate(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(mcptest.Tools(func(mcptest.Message, *http.Request) mcptest.Answer {
		return mcptest.Complete(`"content":[]`)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// A call prints the fingerprint of a certificate that is not trusted, and works
// with it.
func TestCall_TrustsOneCertificate(t *testing.T) {
	s := newOwnCertificate(t)
	fingerprint := wire.Fingerprint(s.Certificate().Raw)
	run := func(args ...string) (string, error) {
		var stdout, stderr bytes.Buffer
		err := call(t.Context(), args, patient, &stdout, &stderr)
		return stdout.String() + stderr.String(), err
	}
	out, err := run(s.URL + "/mcp")
	if err == nil || !strings.Contains(out, "-trust-certificate "+fingerprint) {
		t.Errorf("without the flag: %v\n%s", err, out)
	}
	if out, err := run("-trust-certificate", fingerprint, s.URL+"/mcp"); err != nil {
		t.Errorf("with the fingerprint: %v\n%s", err, out)
	}
	out, err = run("-trust-certificate", wire.Fingerprint([]byte("x")), s.URL+"/mcp")
	if err == nil || !strings.Contains(out, "someone may be intercepting") {
		t.Errorf("with another fingerprint: %v\n%s", err, out)
	}
	for _, args := range [][]string{
		{"-trust-certificate", "abc", s.URL},
		{"-public", "-trust-certificate", fingerprint, "https://example.com/"},
		{"-trust-certificate", fingerprint, "http://127.0.0.1:9/"},
	} {
		if _, err := parseCall(args, noEnv, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
