package site_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// unseen holds characters that are not seen or that change how others are shown.
const unseen = "x\x1b[31mred\u009b2J\u202egnp.exe\u200b\U000e0041\u2066\u2028end"

// unseenServer returns the URL of a server each of whose words has unseen
// characters: its name, offers, questions, answers and errors.
func unseenServer(t *testing.T) string {
	t.Helper()
	quoted, err := json.Marshal(unseen)
	sitetest.Check(t, err)
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
			`,"inputSchema":{"type":"object"}},{"name":` + e + `,"inputSchema":{"type":"object"}},` +
			`{"name":` + e + `,"inputSchema":{"type":"object","properties":{"p":{"type":"string",` +
			`"x-mcp-header":"not a name"}}}}]}`,
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
	return mcptest.Start(t, mcptest.Script(func(m mcptest.Message, _ *http.Request) mcptest.Answer {
		switch {
		case m.Params.Name == "t":
			return mcptest.Answer{Result: asks}
		case m.Params.Name == "tells":
			return mcptest.Answer{Result: tells}
		case results[m.Method] == "":
			return mcptest.Answer{Error: `{"code":-32603,"message":` + e + `,"data":` + e + `}`}
		}
		return mcptest.Answer{Result: results[m.Method]}
	}))
}

// exact are the parts of a page that show or edit exact bytes.
var exact = regexp.MustCompile(`(?s)<pre[^>]*data-bytes[^>]*>.*?</pre>|<textarea[^>]*>.*?</textarea>|` +
	` value="[^"]*"`)

// TestPages_ShowWhatIsUnseen holds fault 106: a character that is not seen is
// shown by its number in every word of a server, on every page.
func TestPages_ShowWhatIsUnseen(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	server := unseenServer(t)
	target := s.Post("/servers", url.Values{"url": {server}}.Encode()).Header.Get("Location")
	pages := []string{target, "/test", target + "/check", target + "?tool=" + url.QueryEscape(unseen)}
	for _, tool := range []string{"t", "fails", "tells"} {
		form := url.Values{"target": {strings.TrimPrefix(target, "/servers/")}, "tool": {tool}}
		path := s.Post("/exchanges", form.Encode()).Header.Get("Location")
		token := s.Share("leave=")
		pages = append(pages, path, path+"?round=1", path+"?round=1&view=exact", path+".md", path+".txt",
			path+".mmd", path+".svg", path+".json", path+".har", "/s/"+token, "/s/"+token+"?view=exact",
			"/embed/"+token, "/s/"+token+".md", "/sessions/"+s.SessionOf()+"/share")
	}
	pages = append(pages, "/history", "/search?q=red", paths.Links)
	for _, path := range pages {
		got := s.Get(path)
		if got.Status != http.StatusOK {
			t.Errorf("%s: %d", path, got.Status)
		}
		body := got.Body
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
	t.Parallel()
	s := sitetest.New(t, app.Local)
	target := s.Post("/servers", url.Values{"url": {unseenServer(t)}}.Encode()).Header.Get("Location")
	s.Get(target).Has(t, `"characters that are not visible or that reorder text: U+001B, U+009B, U+200B"`)
	form := url.Values{"target": {strings.TrimPrefix(target, "/servers/")}, "tool": {"t"}}
	path := s.Post("/exchanges", form.Encode()).Header.Get("Location")
	s.Get(path).Has(t, `[data-warning="hidden"]`, `"U+200B"`, `"U+202E"`)
	s.Get(s.StartOf("azure-devops")).HasNot(t, `[data-warning="hidden"]`)
}

// hiddenWords are responses to tools/call with one character that is not seen,
// each in another place. A response of several messages is a stream.
func hiddenWords() map[string][]string {
	elicit := func(params string) []string {
		return []string{`"result":{"resultType":"input_required","inputRequests":{"k":{"method":` +
			`"elicitation/create","params":{` + params + `}}}}`}
	}
	done := func(members string) []string {
		return []string{`"result":{"resultType":"complete",` + members + `}`}
	}
	noted := func(method, params string) []string {
		return []string{`"method":"notifications/` + method + `","params":{` + params + `}`,
			`"result":{"resultType":"complete","content":[]}`}
	}
	const form = `"requestedSchema":{"type":"object","properties":{"p":{"type":"string"`
	return map[string][]string{
		"text":             done(`"content":[{"type":"text","text":"a\u200b"}]`),
		"text of an error": done(`"isError":true,"content":[{"type":"text","text":"a\u200b"}]`),
		"type of content":  done(`"content":[{"type":"a\u200b"}]`),
		"link name":        done(`"content":[{"type":"resource_link","uri":"a:b","name":"a\u200b"}]`),
		"link URI":         done(`"content":[{"type":"resource_link","uri":"a:\u200b","name":"a"}]`),
		"link description": done(`"content":[{"type":"resource_link","uri":"a:b","name":"a",` +
			`"description":"a\u200b"}]`),
		"resource URI": done(`"content":[{"type":"resource","resource":{"uri":"a:\u200b","text":"a"}}]`),
		"resource type": done(`"content":[{"type":"resource","resource":{"uri":"a:b","text":"a",` +
			`"mimeType":"a\u200b"}}]`),
		"resource text": done(`"content":[{"type":"resource","resource":{"uri":"a:b",` +
			`"text":"a\u200b"}}]`),
		"structured value":     done(`"content":[],"structuredContent":{"a":"a\u200b"}`),
		"structured name":      done(`"content":[],"structuredContent":{"a\u200b":1}`),
		"structured deep":      done(`"content":[],"structuredContent":[{"a":[{"b":"a\u200b"}]}]`),
		"error message":        {`"error":{"code":-32603,"message":"a\u200b"}`},
		"error data":           {`"error":{"code":-32603,"message":"a","data":{"b":["a\u200b"]}}`},
		"invalid result":       {`"result":{"resultType":"a\u200b"}`},
		"log message":          noted("message", `"level":"info","data":"a\u200b"`),
		"logger":               noted("message", `"level":"info","data":"a","logger":"a\u200b"`),
		"progress":             noted("progress", `"progressToken":1,"progress":1,"message":"a\u200b"`),
		"elicitation message":  elicit(`"message":"a\u200b",` + form + `}}}`),
		"elicitation title":    elicit(`"message":"a",` + form + `,"title":"a\u200b"}}}`),
		"elicitation of a URL": elicit(`"mode":"url","message":"a","url":"https://a.example/\u200b"`),
		"state":                {`"result":{"resultType":"input_required","requestState":"a\u200b"}`},
		"task, status message": {`"result":{"resultType":"task",` + hiddenTask +
			`,"statusMessage":"a\u200b"}`},
		"task, result of a poll": {`"result":{"resultType":"task",` + hiddenTask + `}`},
		"sampling message": {`"result":{"resultType":"input_required","inputRequests":{"k":{"method":` +
			`"sampling/createMessage","params":{"maxTokens":5,"messages":[{"role":"user","content":{"type":` +
			`"text","text":"a\u200b"}}]}}}}`},
	}
}

const hiddenTask = `"taskId":"T","status":"working","createdAt":"2026-11-22T10:00:00Z",` +
	`"lastUpdatedAt":"2026-11-22T10:00:00Z","ttlMs":null,"pollIntervalMs":1`

// hiddenServer returns the URL of a server whose tools answer with hiddenWords,
// each with unseen in place of the character. Its task is completed at once.
func hiddenServer(t *testing.T, unseen string) string {
	t.Helper()
	words := hiddenWords()
	return mcptest.Start(t, mcptest.Script(func(m mcptest.Message, _ *http.Request) mcptest.Answer {
		messages := words[m.Params.Name]
		if m.Method == playground.TasksGet {
			messages = []string{`"result":{"resultType":"complete",` + strings.Replace(hiddenTask, "working",
				"completed", 1) + `,"result":{"content":[{"type":"text","text":"a\u200b"}]}}`}
		}
		var whole []string
		for _, members := range messages {
			if !strings.HasPrefix(members, `"method"`) {
				members = `"id":ID,` + members
			}
			whole = append(whole, `{"jsonrpc":"2.0",`+strings.ReplaceAll(members, `\u200b`, unseen)+`}`)
		}
		last := len(whole) - 1
		return mcptest.Answer{Raw: whole[last], Before: whole[:last]}
	})) + "/mcp"
}

// TestExchange_WarnsOfWhatIsUnseen holds fault 106 for what a call returns: the
// page of the exchange, that of a share, its embedding and the walkthrough name
// such a character wherever the server put it, and name none of an emoji.
func TestExchange_WarnsOfWhatIsUnseen(t *testing.T) {
	t.Parallel()
	const warning = "characters that are not visible or that reorder text: U+200B."
	for unseen, want := range map[string]bool{`\u200b`: true, `\ud83d\udc69\u200d\ud83d\udcbb`: false} {
		s := sitetest.New(t, app.Local)
		address := hiddenServer(t, unseen)
		for place := range hiddenWords() {
			id := s.CallOf(place, address)
			s.Runner.Wait(t.Context(), id)
			token := s.Share("answers=keep")
			round := sitetest.Value(t, s.Get("/x/"+id).Body, "main", "data-shown")
			for _, path := range []string{
				"/x/" + id, "/s/" + token + "?round=" + round, "/embed/" + token, "/x/" + id + ".md",
			} {
				if got := s.Get(path); strings.Contains(got.Body, warning) != want {
					t.Errorf("%s as %s, %s: warns is %t", unseen, place, path, !want)
				}
			}
		}
		s.NoErrors()
	}
}
