package web_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// unseen holds characters that are not seen or that change how others are shown.
const unseen = "x\x1b[31mred\u009b2J\u202egnp.exe\u200b\U000e0041\u2066\u2028end"

// unseenServer returns the URL of a server each of whose words has unseen
// characters: what it is, offers, asks, answers and fails with.
func unseenServer(t *testing.T) string {
	t.Helper()
	quoted, err := json.Marshal(unseen)
	check(t, err)
	e := string(quoted)
	common := `"resultType":"complete","ttlMs":0,"cacheScope":"private"`
	results := map[string]string{
		"server/discover": `{` + common + `,"supportedVersions":["2026-07-28",` + e + `],"capabilities":` +
			`{"tools":{},"prompts":{},"resources":{}},"instructions":` + e + `,"_meta":{` +
			`"io.modelcontextprotocol/serverInfo":{"name":` + e + `,"title":` + e + `,"version":` + e + `}}}`,
		"tools/list": `{` + common + `,"tools":[{"name":"t","title":` + e + `,"description":` + e +
			`,"inputSchema":{"type":"object","properties":{` + e + `:{"type":"string","title":` + e +
			`,"description":` + e + `,"enum":[` + e + `]}}}},{"name":"fails","description":` + e +
			`,"inputSchema":{"type":"object"}},{"name":"tells","description":` + e +
			`,"inputSchema":{"type":"object"}}]}`,
		"prompts/list": `{` + common + `,"prompts":[{"name":` + e + `,"title":` + e + `,"description":` + e +
			`,"arguments":[{"name":` + e + `,"description":` + e + `}]}]}`,
		"resources/list": `{` + common + `,"resources":[{"uri":"file:///` + "x" + `","name":` + e +
			`,"description":` + e + `,"mimeType":` + e + `}]}`,
		"resources/templates/list": `{` + common + `,"resourceTemplates":[]}`,
	}
	question := `{"method":"elicitation/create","params":{"message":` + e + `,"requestedSchema":{"type":` +
		`"object","properties":{` + e + `:{"type":"string","title":` + e + `,"description":` + e +
		`,"default":` + e + `},"pick":{"type":"string","enum":[` + e + `,"b"],"title":` + e + `}}}}}`
	asks := `{"resultType":"input_required","requestState":` + e + `,"inputRequests":{` + e + `:` +
		question + `,"link":{"method":"elicitation/create","params":{"mode":"url","message":` + e +
		`,"url":` + e + `}},"model":{"method":"sampling/createMessage","params":{"systemPrompt":` + e +
		`,"messages":[{"role":"user","content":{"type":"text","text":` + e + `}}],"maxTokens":5}}}}`
	tells := `{"resultType":"complete","content":[{"type":"text","text":` + e + `},` +
		`{"type":"resource_link","uri":` + e + `,"name":` + e + `},{"type":` + e + `},` +
		`{"type":"resource","resource":{"uri":` + e + `,"mimeType":` + e + `,"text":` + e + `}}],` +
		`"structuredContent":{` + e + `:` + e + `}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		_ = json.NewDecoder(r.Body).Decode(&in)
		w.Header().Set("Content-Type", "application/json")
		answer := `"result":` + results[in.Method]
		switch {
		case in.Params.Name == "t":
			answer = `"result":` + asks
		case in.Params.Name == "tells":
			answer = `"result":` + tells
		case results[in.Method] == "":
			answer = `"error":{"code":-32603,"message":` + e + `,"data":` + e + `}`
		}
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":` + string(in.ID) + `,` + answer + `}`))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// exact are the parts of a page that show or edit exact bytes.
var exact = regexp.MustCompile(`(?s)<pre[^>]*data-bytes[^>]*>.*?</pre>|<textarea[^>]*>.*?</textarea>|` +
	`(?:value|data-tool|data-name|data-field|data-input-key|data-option)="[^"]*"`)

// TestPages_ShowWhatIsUnseen holds fault 106: a character that is not seen is
// shown by its number in every word of a server, on every page.
func TestPages_ShowWhatIsUnseen(t *testing.T) {
	s := newSite(t, web.Local)
	server := unseenServer(t)
	target := s.post("/servers", url.Values{"url": {server}}.Encode()).header.Get("Location")
	pages := []string{target, "/servers", target + "/check"}
	for _, tool := range []string{"t", "fails", "tells"} {
		form := url.Values{"target": {strings.TrimPrefix(target, "/servers/")}, "tool": {tool}}
		path := s.post("/exchanges", form.Encode()).header.Get("Location")
		token := s.share("leave=")
		pages = append(pages, path, path+"?round=1", path+"?round=1&view=exact", path+".md", path+".txt",
			path+".mmd", path+".svg", path+".json", path+".har", "/s/"+token, "/embed/"+token, "/s/"+token+".md", "/sessions/"+
				s.sessionOf()+"/share")
	}
	pages = append(pages, "/history", "/search?q=red", "/shares")
	for _, path := range pages {
		got := s.get(path)
		if got.status != http.StatusOK {
			t.Errorf("%s: %d", path, got.status)
		}
		body := got.body
		if !strings.HasSuffix(path, ".json") && !strings.HasSuffix(path, ".har") {
			body = html.UnescapeString(exact.ReplaceAllString(body, ""))
		}
		if hidden := text.Hidden(body); len(hidden) > 0 {
			i := strings.IndexRune(body, hidden[0])
			t.Errorf("%s has %U: …%q", path, hidden, body[max(0, i-120):min(len(body), i+40)])
		}
	}
}

// TestPages_WarnOfWhatIsUnseen holds the second half of fault 106: the page of a
// server and the form of its question name such characters as a warning, and
// those of a server without them do not.
func TestPages_WarnOfWhatIsUnseen(t *testing.T) {
	s := newSite(t, web.Local)
	target := s.post("/servers", url.Values{"url": {unseenServer(t)}}.Encode()).header.Get("Location")
	s.get(target).has(t, "characters that are not visible or that reorder text: U+001B, U+009B, U+200B")
	form := url.Values{"target": {strings.TrimPrefix(target, "/servers/")}, "tool": {"t"}}
	path := s.post("/exchanges", form.Encode()).header.Get("Location")
	s.get(path).has(t, `data-warning="hidden"`, "U+200B", "U+202E")
	s.get(s.startOf("azure-devops")).hasNot(t, `data-warning="hidden"`)
}
