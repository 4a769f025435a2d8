package doctor

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// A failure is said once: the detail does not repeat the sentence.
func TestFailureSentence_SaysItOnce(t *testing.T) {
	for _, c := range []struct {
		class        playground.Class
		detail       string
		what, remark string
	}{
		{"http_401", "HTTP status 401: the server requires a sign-in. WWW-Authenticate: Bearer.",
			"The server requires a sign-in (HTTP 401).", "WWW-Authenticate: Bearer."},
		{"http_404", "HTTP status 404 (Not Found).", "The server returned HTTP 404 (Not Found).", ""},
		{"http_5xx", "HTTP status 502: an error on the server's side. The body says: busy.",
			"The server or a proxy could not handle the request (HTTP 502).", "The body says: busy."},
		{"redirect", `HTTP status 307 to "https://b.example/mcp".`,
			"The server redirects to another URL.", `HTTP status 307 to "https://b.example/mcp".`},
		{"not_json", "The response is not valid JSON (byte 17: member name is missing).",
			"The response is not valid JSON (byte 17: member name is missing).", ""},
		{"refused", "connection refused by 203.0.113.7:443",
			"No server is listening on this port.", "Connection refused by 203.0.113.7:443."},
		{"refused", "the host refused the connection", "No server is listening on this port.", ""},
		{"no_response", "the stream ended without a response", "The stream ended without a response.", ""},
		{"dns", "", "The host name can't be resolved.", ""},
	} {
		if s, detail := FailureSentence(c.class, c.detail); s.What != c.what || detail != c.remark {
			t.Errorf("%s, %q:\n got %q, %q\nwant %q, %q", c.class, c.detail, s.What, detail, c.what, c.remark)
		}
	}
}

// The detail of an invalid URL names the fault: no further advice.
func TestFailureSentence_BadURL(t *testing.T) {
	if s, detail := FailureSentence("bad_url", "the URL has no host"); s.Try != "" || detail == "" {
		t.Errorf("%+v, %q", s, detail)
	}
	if s, _ := FailureSentence("bad_url", ""); s.Try == "" {
		t.Error("without a detail there is no advice")
	}
}
