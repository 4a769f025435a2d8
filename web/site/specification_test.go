package site_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// Whatever the table of the specification says that the product does not keep in
// full is tried: a sentence that is no longer true fails here.
func TestSpecification_WhatIsMissingIsMissing(t *testing.T) {
	t.Parallel()
	probes := map[string]func(*testing.T, *sitetest.Site){
		"mrtr.state-opaque client":    namesTheFormatOfAState,
		"index.authorization samples": letsEveryoneInButToProtected,
		"http.authentication samples": letsEveryoneInButToProtected,
		"elicitation.user-verified samples": func(t *testing.T, s *sitetest.Site) {
			letsEveryoneInButToProtected(t, s)
			keepsDemoUsersApart(t, s)
		},
		"sampling.adopted client":  declares("sampling"),
		"sampling.adopted samples": asksFor("sampling/createMessage"),
		"sampling.edit client":     cannotEditMessages,
		"roots.adopted client":     declares("roots"),
		"roots.adopted samples":    asksFor("roots/list"),
		"roots.monitored client":   sendsAnyRoot,
		"roots.accessible client":  sendsAnyRoot,
		"tools.stable samples":     changesList("tools", "test_trigger_tool_change"),
		"prompts.stable samples":   changesList("prompts", "test_trigger_prompt_change"),
		"tools.annotations client": callsReadOnlyTools,
		"tools.inputs samples":     acceptsAnyArguments,
		"logging.adopted samples":  onlyConformanceLogs,
		"caching.zero client":      readsListsOnConnecting(`"ttlMs":0,`),
		"caching.positive client":  readsListsOnConnecting(`"ttlMs":600000,`),
		"caching.absent client":    readsListsOnConnecting(``),
		"caching.negative client":  readsListsOnConnecting(`"ttlMs":-1,`),
		"caching.stale client":     readsListsOnConnecting(`"ttlMs":1,`),
		"caching.cursor client":    showsALostCursorAsFailed,
	}
	for _, row := range spec.Sentences() {
		for who, how := range map[string]string{"client": row.Client, "samples": row.Samples} {
			if how == "" || how == spec.Kept || how == spec.Unused {
				continue
			}
			name := row.ID + " " + who
			probe, ok := probes[name]
			if !ok {
				t.Errorf("nothing tries what the table says of %s: %s", name, how)
				continue
			}
			delete(probes, name)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				probe(t, sitetest.New(t, app.Local))
			})
		}
	}
	for name := range probes {
		t.Errorf("the table no longer says that anything is missing of %s", name)
	}
}

// request is a request to a sample, and its answer.
func request(s *sitetest.Site, sample, method, name, params string, header http.Header) sitetest.Answer {
	s.T.Helper()
	const declared = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/logLevel":"debug","io.modelcontextprotocol/clientCapabilities":` +
		declared +
		`}`
	if params != "" {
		params += ","
	}
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {method}}
	if name != "" {
		h.Set("Mcp-Name", name)
	}
	for key, value := range header {
		h[key] = value
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, method, params, meta)
	return s.Do("POST", "/mcp/"+sample, body, h)
}

// starts makes the call that each sample of this revision begins with.
func starts(s *sitetest.Site, each func(sample string, got sitetest.Answer)) {
	s.T.Helper()
	for _, sample := range s.Config.App.Samples {
		if sample.Era == "legacy" || sample.Slug == "naughty" {
			continue
		}
		var named struct{ Name, URI string }
		sitetest.Check(s.T, json.Unmarshal(sample.Start.Params, &named))
		params := strings.Trim(string(sample.Start.Params), "{} \n\t")
		if strings.Count(params, "{") > strings.Count(params, "}") {
			params += strings.Repeat("}", strings.Count(params, "{")-strings.Count(params, "}"))
		}
		each(sample.Slug, request(s, sample.Slug, sample.Start.Method, named.Name+named.URI, params, nil))
	}
}

func letsEveryoneInButToProtected(t *testing.T, s *sitetest.Site) {
	s.T = t
	starts(s, func(sample string, got sitetest.Answer) {
		if (got.Status == http.StatusUnauthorized) != (sample == "protected") {
			t.Errorf("%s answers %d without a token: %s", sample, got.Status, sitetest.Excerpt(got.Body))
		}
	})
}

func keepsDemoUsersApart(t *testing.T, s *sitetest.Site) {
	s.T = t
	got := request(s, "azure-devops", "tools/list", "", "", http.Header{"Authorization": {"Bearer " +
		"demo-alice"}})
	if got.Status != http.StatusOK {
		t.Errorf("a demo token: %d", got.Status)
	}
}

func onlyConformanceLogs(t *testing.T, s *sitetest.Site) {
	s.T = t
	starts(s, func(sample string, got sitetest.Answer) {
		if strings.Contains(got.Body, "notifications/message") {
			t.Errorf("%s logs", sample)
		}
	})
	got := request(s,
		"conformance",
		"tools/call",
		"test_logging_tool",
		`"name":"test_logging_tool","arguments":{}`,
		nil,
	)
	if !strings.Contains(got.Body, "notifications/message") {
		t.Errorf("the conformance sample does not log: %s", sitetest.Excerpt(got.Body))
	}
}

// asksFor looks for a sample that asks with a method.
func asksFor(method string) func(*testing.T, *sitetest.Site) {
	return func(t *testing.T, s *sitetest.Site) {
		s.T = t
		asks := false
		starts(s, func(_ string, got sitetest.Answer) { asks = asks || strings.Contains(got.Body, method) })
		if !asks {
			t.Errorf("no sample asks with %s", method)
		}
	}
}

// declares looks for a capability in the first request of a call.
func declares(capability string) func(*testing.T, *sitetest.Site) {
	return func(t *testing.T, s *sitetest.Site) {
		s.T = t
		s.Follow("/exchanges", url.Values{"sample": {"confirm"}})
		s.Page(s.Last+"?round=1&panel=wire&message=request").Has(t, fmt.Sprintf(`"%q: {"`, capability))
	}
}

func cannotEditMessages(t *testing.T, s *sitetest.Site) {
	s.T = t
	s.Follow("/exchanges", url.Values{"sample": {"trip"}})
	page := s.Page(s.Last)
	page.Has(t, `[data-input-method="sampling/createMessage"]`)
	page.HasNot(t, `[data-field=messages]`)
}

func sendsAnyRoot(t *testing.T, s *sitetest.Site) {
	s.T = t
	s.Follow("/exchanges", url.Values{"sample": {"trip"}})
	form := url.Values{"round": {"1"}, "do": {"send"}}
	for i, kind := range s.Page(s.Last).HTML().Values("[data-input-method]", "data-input-method") {
		a := fmt.Sprintf("a%d.", i)
		switch kind {
		case "roots/list":
			form.Set(a+"uri", "file:///no/such/folder")
			form.Set(a+"name", "")
		case "sampling/createMessage":
			form.Set(a+"text", "See the tiles.")
		default:
			form.Set(a+"action", "accept")
			form.Set(a+"f0", "3")
			form.Set(a+"f1", "food")
		}
	}
	s.Follow(s.Last+"/rounds", form).Has(t, `[data-status=complete] "file:///no/such/folder"`)
}

// changesList calls a tool of the conformance sample that changes a list.
func changesList(kind, tool string) func(*testing.T, *sitetest.Site) {
	return func(t *testing.T, s *sitetest.Site) {
		s.T = t
		before := request(s, "conformance", kind+"/list", "", "", nil).Body
		request(s, "conformance", "tools/call", tool, `"name":"`+tool+`","arguments":{}`, nil)
		if after := request(s, "conformance", kind+"/list", "", "", nil).Body; after == before {
			t.Errorf("the list of %s stays the same", kind)
		}
	}
}

func acceptsAnyArguments(t *testing.T, s *sitetest.Site) {
	s.T = t
	got := request(s, "conformance", "tools/call", "test_simple_text",
		`"name":"test_simple_text","arguments":{"no":"such"}`, nil)
	if got.Status != http.StatusOK || strings.Contains(got.Body, `"error"`) {
		t.Errorf("%d %s", got.Status, sitetest.Excerpt(got.Body))
	}
}

func callsReadOnlyTools(t *testing.T, _ *sitetest.Site) {
	tool := func(name, hints string) server.Tool {
		return server.Tool{
			Name:       name,
			Definition: json.RawMessage(`{"name":"` + name + `","annotations":` + hints + `}`),
		}
	}
	c := server.Connection{Tools: []server.Tool{
		tool("first", `{}`), tool("writes", `{"readOnlyHint":false}`), tool("reads", `{"readOnlyHint":true}`),
	}}
	if other := server.SecondTool(c, "first", false); other == nil ||
		!strings.Contains(string(other.Params), `"reads"`) {
		t.Errorf("%+v", other)
	}
}

func namesTheFormatOfAState(t *testing.T, s *sitetest.Site) {
	s.T = t
	h := httptest.NewServer(peers.JWT())
	t.Cleanup(h.Close)
	s.ConnectTo(h.URL, "declares", "shown", "declare", "elicitation.form")
	s.Follow("/exchanges", url.Values{"target": {strings.TrimPrefix(s.Last, "/servers/")},
		"tool": {"book_room"},
		"raw":  {"true"}, "json": {`{"room":"Ada"}`}})
	s.Post(s.Last+"/rounds", "round=1&do=send&a0.action=accept&a0.f0=monday")
	s.Page(s.Last+"?round=2&panel=state").Has(t, `"JWT"`)
}

// lister is a server with two pages of tools. It counts how often the first one
// is read.
type lister struct {
	mu    sync.Mutex
	hints string // members of the results
	lost  bool   // the cursor is no longer valid
	reads int
}

func (l *lister) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := mcptest.Read(r)
	rest := `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}`
	switch {
	case l.lost && m.Params.Cursor != "":
		mcptest.Refuse(http.StatusBadRequest, -32602, "").Write(w, m)
		return
	case m.Method == "tools/list" && m.Params.Cursor == "":
		l.reads++
		rest = `"tools":[{"name":"first","inputSchema":{"type":"object"}}],"nextCursor":"two"`
	case m.Method == "tools/list":
		rest = `"tools":[{"name":"second","inputSchema":{"type":"object"}}]`
	}
	mcptest.Complete(`"cacheScope":"private",`+l.hints+rest).Write(w, m)
}

// readsListsOnConnecting shows that the lists are read when the user connects,
// and only then, whatever ttlMs says.
func readsListsOnConnecting(hints string) func(*testing.T, *sitetest.Site) {
	return func(t *testing.T, s *sitetest.Site) {
		s.T = t
		l := &lister{hints: hints}
		h := httptest.NewServer(l)
		t.Cleanup(h.Close)
		s.ConnectTo(h.URL).Has(t, `"second"`)
		path := s.Last
		s.Page(path + "?tool=first")
		s.Page(path + "?tool=second")
		l.mu.Lock()
		reads := l.reads
		l.mu.Unlock()
		s.ConnectTo(h.URL)
		if l.mu.Lock(); reads != 1 || l.reads != 2 {
			t.Errorf("read %d times before connecting again, %d times after", reads, l.reads)
		}
		l.mu.Unlock()
	}
}

func showsALostCursorAsFailed(t *testing.T, s *sitetest.Site) {
	s.T = t
	l := &lister{hints: `"ttlMs":0,`, lost: true}
	h := httptest.NewServer(l)
	t.Cleanup(h.Close)
	s.ConnectTo(h.URL).Has(t, `"-32602"`)
	if l.reads != 1 {
		t.Errorf("the first page was read %d times", l.reads)
	}
}
