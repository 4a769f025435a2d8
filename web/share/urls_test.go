package share_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// Keys as hosted servers put them into their paths.
const (
	keyInPath = "8f8d97a1-2b44-4ec7-98f3-5d7e6b1a2c3d"
	hexKey    = "9f86d081884c7d659a2feaa0c55ad015"
)

// serverURLs are URLs of servers, each with what in it must not become public
// ("" for nothing).
func serverURLs() map[string]string {
	random, long := "Q7rZl2Vx9Mk4Pt8Wb3Ny6Cj1", strings.Repeat("a1B2/", 300)
	return map[string]string{
		"http://127.0.0.1:2426/mcp":                                               "",
		"http://127.0.0.1:2426/s/" + keyInPath + "/mcp":                           keyInPath,
		"https://srv.example.com:8443/" + keyInPath + "/mcp":                      keyInPath,
		"http://localhost:8080/s/" + keyInPath:                                    keyInPath,
		"https://mcp.zapier.example/api/mcp/s/" + random + "/mcp":                 random,
		"https://mcp.zapier.example/api/mcp/a/12345678/mcp?serverId=" + keyInPath: "",
		"https://h.example/mcp?api_key=" + random:                                 random,
		"https://h.example:8443/mcp?key=" + keyInPath + "&profile=dev":            keyInPath,
		"https://h.example/mcp?code=" + random + "==":                             random,
		"https://h.example/?token=" + url.QueryEscape("a b/"+random):              random,
		"http://[::1]:3000/mcp":                                                   "",
		"http://[2001:db8::1]:2426/s/" + random:                                   random,
		"http://[fe80::1%25eth0]:2426/mcp":                                        "",
		"https://xn--bcher-kva.example/mcp/" + random:                             random,
		"https://a8f3k2j5h6g7d8s9q0w1.supabase.example/functions/v1/mcp":          "",
		"https://token.example.com:8443/secret/mcp":                               "",
		"https://sk-abcdefghijklmnopqrst.example.com/mcp":                         "",
		"https://api-key.example:8443/token=" + random:                            random,
		"https://h.example":                                                       "",
		"https://h.example/":                                                      "",
		"https://h.example//double//slashes/" + random:                            random,
		"https://h.example/mcp/":                                                  "",
		"https://h.example/" + long:                                               "",
		"https://h.example/%7Euser/s%2F" + random + "/mcp":                        random,
		"https://h.example/mcp?":                                                  "",
		"https://h.example/mcp?a=1&b=2&c":                                         "",
		"https://h.example/v1.2.3/2026-07-28/mcp":                                 "",
		"https://h.example/mcp;v=1,2/" + random:                                   random,
		"https://h.example/" + strings.ToUpper(random) + "/sse":                   strings.ToUpper(random),
		"https://192.0.2.7:65535/" + hexKey + "/mcp":                              hexKey,
		"https://h.example/projects/my-mcp-server/mcp":                            "",
	}
}

// called is a session with one call of the server at this URL.
func called(t *testing.T, raw string) session.Session {
	t.Helper()
	u, err := url.Parse(raw)
	sitetest.Check(t, err)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n\r\n",
		u.RequestURI(), u.Host)
	return session.Session{Title: "A call", Exchanges: []playground.Exchange{{
		ID: "x", Created: at,
		Target: playground.Target{Name: u.Host, URL: raw, Capabilities: json.RawMessage(`{}`)},
		Call:   playground.Call{Method: "tools/call", Params: json.RawMessage(`{"name":"t","arguments":{}}`)},
		Log: []playground.Event{
			{Seq: 1, At: at, Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)},
			{Seq: 2, At: at, Conn: 1, Kind: playground.Sent, Data: []byte(head +
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}}`)},
			{Seq: 3, At: at, Conn: 1, Kind: playground.Received, Data: []byte("HTTP/1.1 200 OK\r\n" +
				"Content-Type: application/json\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"result":{"content":[` +
				`{"type":"text","text":"See ` + raw + `"}]}}`)},
		},
	}}}
}

// Whatever the URL of a server looks like, a share of a call to it can be read,
// saved and imported, its host and port stay, and a key in it does not.
func TestShare_URLsOfServers(t *testing.T) {
	t.Parallel()
	if n := len(serverURLs()); n < 30 {
		t.Fatalf("%d shapes of URLs", n)
	}
	for raw, secret := range serverURLs() {
		t.Run(raw[:min(len(raw), 80)], func(t *testing.T) {
			t.Parallel()
			u, err := url.Parse(raw)
			sitetest.Check(t, err)
			s := sitetest.New(t, app.Local)
			s.Imported(called(t, raw))
			token := s.Share("leave=")
			for _, suffix := range append(suffixes(), "", "?round=1", ".png", ".qr.svg", ".badge.svg") {
				got := s.Get("/s/" + token + suffix)
				if got.Status != http.StatusOK || secret != "" && strings.Contains(got.Body, secret) {
					t.Errorf("%q: %d, with the key: %v", suffix, got.Status,
						secret != "" && strings.Contains(got.Body, secret))
				}
			}
			file := s.Get("/s/" + token + ".json").Body
			public, err := export.Import([]byte(file), 2<<20)
			sitetest.Check(t, err)
			masked, err := url.Parse(public.Exchanges[0].Target.URL)
			sitetest.Check(t, err)
			if masked.Scheme != u.Scheme || masked.Host != u.Host {
				t.Errorf("the URL became %s", masked)
			}
			copied := s.Imported(public)
			if page := s.Get(copied); page.Status != http.StatusOK {
				t.Errorf("the copy: %d", page.Status)
			}
			if again := s.Get(copied + ".json"); again.Status != http.StatusOK {
				t.Errorf("the file of the copy: %d", again.Status)
			}
			if fork := s.Post("/s/"+token+"/fork", "x=y"); fork.Status != http.StatusSeeOther {
				t.Errorf("fork: %d", fork.Status)
			}
		})
	}
}

func TestImport_RefusesUserInformation(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	data, err := export.JSON(called(t, "https://me:pass@h.example/mcp"))
	sitetest.Check(t, err)
	got := s.Do("POST", "/import", string(data), http.Header{"Content-Type": {"application/json"}})
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "user name or password") {
		t.Errorf("%d", got.Status)
	}
}

// A recording that was stored before a rule of entry existed is not published
// as a link that leads nowhere.
func TestShare_PublishesOnlyWhatCanBeRead(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	n := called(t, "https://me:pass@h.example/mcp")
	n.ID, n.Exchanges[0].ID, n.Exchanges[0].Session = "old", "oldx", "old"
	sitetest.Check(t, s.Store.AddSession(t.Context(), "local", n))
	path := "/sessions/old/share"
	seen := sitetest.Value(t, s.Post(path, "do=preview").Body, "[name=seen]", "value")
	got := s.Post(path, "do=create&seen="+seen)
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "cannot be published") {
		t.Errorf("%d", got.Status)
	}
	list, err := s.Store.Shares(t.Context(), "local", time.Now())
	sitetest.Check(t, err)
	if len(list) != 0 {
		t.Errorf("%d shares were made", len(list))
	}
}

// What this site did not record says so wherever it is shown.
func TestImported_SaysSo(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	path := s.Imported(called(t, "https://api.github.example/mcp"))
	token := s.Share("leave=")
	for _, page := range []string{path, "/s/" + token, "/s/" + token + "?round=1"} {
		if body := s.Get(page).Body; !htmltest.Parse(body).Has("[data-imported]") {
			t.Errorf("%s does not say that it was imported", page)
		}
	}
	for _, page := range []string{"/history", path + ".md", path + ".json", "/embed/" + token,
		"/s/" + token + ".md", "/s/" + token + ".json", "/s/" + token + ".badge.svg"} {
		if body := s.Get(page).Body; !strings.Contains(strings.ToLower(body), "imported") {
			t.Errorf("%s does not say that it was imported", page)
		}
	}
	own := s.StartOf("azure-devops")
	if body := s.Get(own).Body; htmltest.Parse(body).Has("[data-imported]") {
		t.Error("the site's own recording says that it was imported")
	}
}
