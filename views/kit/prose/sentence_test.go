package prose

import (
	"strings"
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

// The page of a server has no panel Wire and nothing to call again.
func TestConnectSentence_NamesWhatIsOnThePage(t *testing.T) {
	for class := range sentences {
		s := ConnectSentence(playground.Class(class))
		if s.Code != class || s.What == "" || s.Try == "" {
			t.Errorf("%s: %+v", class, s)
		}
		for _, wrong := range []string{"under Wire", "send the request again", "a progress"} {
			if strings.Contains(s.Try, wrong) && !strings.HasPrefix(class, "task") {
				t.Errorf("%s: %q is not on the page of a server", class, s.Try)
			}
		}
	}
	if s := ConnectSentence("of no known class"); strings.Contains(s.Try, "Wire") {
		t.Error(s.Try)
	}
}

func TestExplained_FirstUsesAreLinks(t *testing.T) {
	const state = `<a class="term" href="/glossary#requeststate">requestState</a>`
	const required = `<a class="term" href="/glossary#input-required">input_required</a>`
	for sentence, want := range map[string]string{
		"":                              "",
		"Nothing <here>.":               "Nothing &lt;here&gt;.",
		"requestState":                  state,
		"A requestState, requestState.": "A " + state + ", requestState.",
		"requestState & input_required": state + " &amp; " + required,
		"input_required, requestState":  required + ", " + state,
	} {
		if got := rendered(t, Explained(sentence)); got != want {
			t.Errorf("%q: %s, want %s", sentence, got, want)
		}
	}
}
