package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// TestEra_LegacyAnswers: whatever a server of an earlier revision answers to the first
// request, it is found out, listed, called and checked.
func TestEra_LegacyAnswers(t *testing.T) {
	for name, answer := range mcptest.LegacyAnswers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(mcptest.Legacy(answer))
			defer s.Close()
			listed, err := called(t, s.URL)
			if err != nil || !strings.Contains(listed, "legacy") || !strings.Contains(listed, "greet") {
				t.Errorf("call lists %v\n%s", err, listed)
			}
			out, err := called(t, s.URL, "greet")
			if err != nil || !strings.Contains(out, mcptest.Greeting) {
				t.Errorf("call greet: %v\n%s", err, out)
			}
			code, report := checked(t, s.URL, "-tool", "greet", "-json")
			var d lab.Document
			if err := json.Unmarshal(report, &d); err != nil || code != 0 || d.Era != "legacy" {
				t.Errorf("check: exit code %d, %v, era %s\n%s", code, err, d.Era, report)
			}
		})
	}
}

// TestEra_WithoutDiscover: a modern server that does not know server/discover is used as
// such, and the missing method is a violation.
func TestEra_WithoutDiscover(t *testing.T) {
	p := startProgram(t, t.TempDir())
	to, _ := url.Parse(p.url)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	for _, status := range []int{http.StatusOK, http.StatusNotFound} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Mcp-Method") != "server/discover" {
				proxy.ServeHTTP(w, r)
				return
			}
			mcptest.Refuse(status, -32601, "").Write(w, mcptest.Read(r))
		}))
		defer s.Close()
		listed, err := called(t, s.URL+"/mcp/confirm")
		if err != nil || !strings.Contains(listed, "modern") || !strings.Contains(listed, "delete_records") {
			t.Errorf("%d: call lists %v\n%s", status, err, listed)
		}
		code, report := checked(t, s.URL+"/mcp/confirm", "-tool", "delete_records", "-wait", "1ms",
			"-args", `{"table":"orders"}`, "-json")
		var d lab.Document
		if err := json.Unmarshal(report, &d); err != nil || code != exitWrong || d.Era == "legacy" ||
			!slices.ContainsFunc(d.Findings, func(f lab.FindingDocument) bool {
				return f.Rule == "server-discover" && f.Verdict == "fail"
			}) {
			t.Errorf("%d: check: exit code %d, %v\n%s", status, code, err, report)
		}
	}
}
