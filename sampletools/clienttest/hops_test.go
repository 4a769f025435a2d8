package clienttest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
)

// asked returns the response of a handler to a request of MCP.
func asked(h http.Handler, body string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))
	return w.Body.String()
}

// TestServer_Hops: the tools for gateways are beside the test of clients, which has none of them.
func TestServer_Hops(t *testing.T) {
	const (
		list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
		call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hop_result"}}`
	)
	usual := clienttest.New(clienttest.Config{})
	if strings.Contains(asked(usual, list), "hop_") || !strings.Contains(asked(usual, call), "unknown tool") {
		t.Error("the test of clients has tools for gateways")
	}
	hops := clienttest.New(clienttest.Config{Hops: true, Only: []string{"hop_result", "stream"}})
	for _, instance := range hops.Instances(2) {
		if got := asked(instance, list); strings.Count(got, `"inputSchema"`) != 2 ||
			!strings.Contains(asked(instance, call), "9007199254740993") {
			t.Error(got)
		}
	}
	for _, s := range clienttest.Scenarios() {
		if strings.HasPrefix(s.Name, "hop_") {
			t.Errorf("%s is a scenario of the test of clients", s.Name)
		}
	}
}
