package site_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/redact/redacttest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// spelledIn returns the spellings of a secret whose core can be read in a text, as
// it is or as it stands in JSON or HTML.
func spelledIn(text, secret string) []string {
	var found []string
	plain := html.UnescapeString(text)
	for _, s := range redacttest.Spellings(secret) {
		quoted, _ := json.Marshal(s.Core)
		for _, core := range []string{s.Core, string(quoted[1 : len(quoted)-1])} {
			if strings.Contains(text, core) || strings.Contains(plain, core) {
				found = append(found, s.Name)
				break
			}
		}
	}
	return found
}

// spelled returns every spelling of a secret.
func spelled(secret string) []string {
	var list []string
	for _, s := range redacttest.Spellings(secret) {
		list = append(list, s.Text)
	}
	return list
}

// A client secret that the authorization server repeats in any spelling is in no
// row, no log and no page of the sign-in.
func TestSpellings_OfAClientSecret(t *testing.T) {
	t.Parallel()
	for _, secret := range redacttest.Secrets {
		for i, spelling := range redacttest.Spellings(secret) {
			if i%25 > 0 {
				continue // package auth has all of them in the sentence that is quoted
			}
			p, s := sitetest.NewProtected(t), sitetest.New(t, app.Local)
			p.Closed = true
			p.Refusal = map[string]any{"error": "invalid_client", "debug": spelled(secret),
				"error_description": "bad header: Basic " + spelling.Text}
			s.ConnectTo(p.URL + "/mcp")
			path := s.Last + "/sign-in"
			s.Follow(path, url.Values{})
			row := sitetest.Find(t, s.Last, `id=(\w+)`)
			page := s.Follow(path, url.Values{"do": {"client"}, "id": {row}, "client_id": {redacttest.ID},
				"client_secret": {secret}})
			leave, err := url.Parse(sitetest.Value(t, page.Body, "[data-do=leave]", "href"))
			sitetest.Check(t, err)
			s.Page(sitetest.Back(leave))
			page = s.Page(s.Last)
			page.Has(t, `[data-sign-in-stage="refused"]`, `"did not accept this client"`)
			for where, data := range s.Stored() {
				if found := spelledIn(string(data), secret); len(found) > 0 {
					t.Errorf("%s has %q", where, found)
				}
			}
			if found := spelledIn(page.Body, secret); len(found) > 0 {
				t.Errorf("after %s the page has %q", spelling.Name, found)
			}
		}
	}
}

// A credential of the user that a server repeats in any spelling is in no row, no
// log, no page, no export and no share.
func TestSpellings_OfACredential(t *testing.T) {
	t.Parallel()
	for _, secret := range redacttest.Secrets {
		texts, _ := json.Marshal(spelled(secret))
		address := mcptest.Start(t, mcptest.Tools(func(mcptest.Message, *http.Request) mcptest.Answer {
			return mcptest.Complete(`"content":[{"type":"text","text":"done"}],"structuredContent":{"list":` +
				string(texts) + `}`)
		}, "echo"))
		s := sitetest.New(t, app.Local)
		s.ConnectTo(address+"/mcp", "headers", "X-Key: "+secret)
		s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")},
			"tool": {"echo"}}).Has(t, `[data-status="complete"]`)
		x := s.Last
		for where, data := range s.Stored() {
			if found := spelledIn(string(data), secret); len(found) > 0 {
				t.Errorf("%s has %q", where, found)
			}
		}
		paths := []string{x, x + "?panel=wire&view=exact", x + ".json", x + ".har", x + ".md", x + ".txt"}
		token := s.Share("")
		for _, suffix := range []string{"", ".json", ".har", ".md", ".txt"} {
			paths = append(paths, "/s/"+token+suffix)
		}
		for _, path := range append(paths, "/sessions/"+s.SessionOf()+"/share") {
			got := s.Page(path)
			if found := spelledIn(got.Body, secret); got.Status != 200 || len(found) > 0 {
				t.Errorf("%s: %d, has %q", path, got.Status, found)
			}
		}
	}
}

// A credential of a foreign client that the server repeats in any spelling is in no row, no log and
// no page of the capture, whole and in a stream.
func TestSpellings_OfAForeignClient(t *testing.T) {
	t.Parallel()
	for _, secret := range redacttest.Secrets {
		texts, _ := json.Marshal(spelled(secret))
		body := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"said":` +
			string(texts) + `}}`
		for kind, answer := range map[string]string{
			"application/json": body, "text/event-stream": "data: " + body + "\n\n",
		} {
			f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), func(conn net.Conn) {
				_, _ = fmt.Fprintf(conn,
					"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
					kind, len(answer), answer)
			})
			got := f.Send(playground.ToolsList, map[string]any{}, "Authorization", "Bearer "+secret)
			got.Contains(t, body) // a client gets what the server sent
			for where, data := range f.Stored() {
				if found := spelledIn(string(data), secret); len(found) > 0 {
					t.Errorf("%s: %s has %q", kind, where, found)
				}
			}
			n, _ := f.Recorded()
			for _, path := range []string{f.Page, f.Page + "?panel=wire", "/sessions/" + n.ID + "/share"} {
				if found := spelledIn(f.Get(path).Body, secret); len(found) > 0 {
					t.Errorf("%s: %s has %q", kind, path, found)
				}
			}
		}
	}
}
