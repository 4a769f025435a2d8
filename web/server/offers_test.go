package server_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// offering is an MCP server with something of everything.
type offering struct {
	mu    sync.Mutex
	last  map[string]json.RawMessage // params of the last request, by method
	heads map[string]http.Header
}

// answers by method; the rest is an error.
func answers() map[string]string {
	return map[string]string{
		"server/discover": sitetest.Offered +
			`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},` +
			`"prompts":{},"resources":{},"completions":{},"logging":{}},` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"offering","version":"1"}},"extra":1}`,
		"tools/list": sitetest.Offered + `"tools":[
			{"name":"route","description":"Routes.","inputSchema":{"type":"object","required":["region"],
			 "properties":{"region":{"type":"string","x-mcp-header":"Region"},
			  "deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}},
			  "maybe":{"type":["string","null"]},"list":{"type":"array","items":{"type":"object"}}}},
			 "outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}},
			{"name":"broken","inputSchema":{"type":"object",
			 "properties":{"x":{"type":"number","x-mcp-header":"X"}}}}]}`,
		"prompts/list": sitetest.Offered + `"prompts":[{"name":"greet","title":"Greet",` +
			`"arguments":[{"name":"who","required":true},{"name":"how"}]}]}`,
		"resources/list": sitetest.Offered + `"resources":[{"uri":"note://1","name":"first",` +
			`"mimeType":"text/plain"}]}`,
		"tools/call": `{"resultType":"complete","content":[{"type":"text",` +
			`"text":"routed"}],"structuredContent":{"n":"one"}}`,
		"prompts/get": `{"resultType":"complete","messages":[{"role":"user",` +
			`"content":{"type":"text","text":"greeted"}}]}`,
		"resources/read": sitetest.Offered + `"contents":[{"uri":"note://1","mimeType":"text/plain",` +
			`"text":"noted"}]}`,
		"completion/complete": `{"resultType":"complete","completion":{"values":["Ada","Alan"],` +
			`"total":2,"hasMore":false}}`,
		"resources/templates/list": sitetest.Offered +
			`"resourceTemplates":[{"uriTemplate":"note://{id}{?q}",` +
			`"name":"any note"}]}`,
	}
}

func (o *offering) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := mcptest.Read(r)
	o.mu.Lock()
	o.last[m.Method], o.heads[m.Method] = m.Params.Raw, r.Header.Clone()
	o.mu.Unlock()
	answer := mcptest.Answer{Result: answers()[m.Method]}
	if string(m.Params.Meta["io.modelcontextprotocol/logLevel"]) == `"debug"` {
		answer.Before = []string{`{"jsonrpc":"2.0","method":"notifications/message","params":{` +
			`"level":"warning","logger":"router","data":"two ways"}}`}
	}
	answer.Write(w, m)
}

// newOffering is such a server, connected to from a site.
func newOffering(t *testing.T) (o *offering, s *sitetest.Site, id string) {
	t.Helper()
	o = &offering{last: map[string]json.RawMessage{}, heads: map[string]http.Header{}}
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	s = sitetest.New(t, app.Local)
	page := s.ConnectTo(server.URL + "/mcp")
	if !page.HTML().Has(`[data-status="connected"]`) {
		t.Fatal(sitetest.Excerpt(page.Body))
	}
	return o, s, strings.TrimPrefix(s.Last, "/servers/")
}

func TestOffers_AllHaveAForm(t *testing.T) {
	t.Parallel()
	_, s, id := newOffering(t)
	page := s.Page("/servers/" + id)
	page.Has(t, `"1 resource template"`, `[data-form="call"][data-name="route"]`, `[data-field="region"]`,
		"[data-field-json]", `[data-do="call"]`, `"If blank, send null"`, `"JSON object"`,
		`[data-excluded="broken"]`, `"the member "extra""`, `[data-era="modern"]`, `"First byte"`)
	for query, checks := range map[string][]string{
		"prompt=greet":            {`[data-form="call"][data-name="greet"]`, `[data-field="who"]`},
		"resource=note%3A%2F%2F1": {`[data-name="note://1"]`},
		"template=note://%7Bid%7D%7B?q%7D": {
			`[data-name="note://{id}{?q}"]`, `[data-field="id"]`, `[data-field="q"]`,
		},
		"tool=broken": {
			`"Clients must exclude this tool"`, `"not a string, integer or boolean"`,
		},
		"tool=gone": {`[data-error="not_offered"] code "gone"`},
	} {
		s.Page("/servers/"+id+"?"+query).Has(t, checks...)
	}
	page = s.Page("/servers/" + id + "?tool=broken")
	if page.HTML().Has(`[data-name="broken"]`) {
		t.Error("a tool that must be left out can be called")
	}
	got := s.Follow(
		"/exchanges", url.Values{"target": {id}, "tool": {"broken"}, "json": {`{"x":1}`}, "raw": {"true"}},
	)
	if got.Status != http.StatusNotFound {
		t.Errorf("calling it: %d", got.Status)
	}
}

func TestOffers_ArgumentsAreMirroredIntoHeaders(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	page := s.Follow("/exchanges", url.Values{
		"target": {id}, "tool": {"route"}, "raw": {"true"},
		"json": {`{"region":"Zürich","deep":{"n":7},"maybe":null}`},
	})
	page.Has(t, `"routed"`, "[data-output-problem]", `"must be an integer"`)
	h := o.heads["tools/call"]
	if h.Get("Mcp-Param-Region") != "=?base64?WsO8cmljaA==?=" || h.Get("Mcp-Param-N") != "7" {
		t.Errorf("headers %q", h)
	}
	if _, there := h["Mcp-Param-Maybe"]; there {
		t.Error("an argument without annotation was mirrored")
	}
}

func TestOffers_PromptsAndResourcesAreCalled(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	s.Follow("/exchanges", url.Values{
		"target": {id}, "kind": {"prompt"}, "tool": {"greet"}, "prefix": {"p0"}, "p0.f0": {"Ada"},
	}).Has(t, `"greeted"`, `[data-method="prompts/get"]`)
	s.Follow("/exchanges", url.Values{"target": {id}, "kind": {"resource"}, "tool": {"note://1"},
		"prefix": {"r0"}}).Has(t, `"noted"`, `[data-method="resources/read"]`)
	s.Follow("/exchanges", url.Values{"target": {id}, "kind": {"template"},
		"tool": {"note://{id}{?q}"}, "prefix": {"u0"}, "u0.f0": {"a b"}, "u0.f1": {"c&d"}}).Has(t, `"noted"`)
	if got := string(o.last["resources/read"]); !strings.Contains(got, `"uri":"note://a%20b?q=c%26d"`) {
		t.Errorf("the template gave %s", got)
	}
	missing := s.Follow(
		"/exchanges", url.Values{"target": {id}, "kind": {"prompt"}, "tool": {"greet"}, "prefix": {"p0"}},
	)
	if missing.Status != http.StatusUnprocessableEntity {
		t.Errorf("a missing argument: %d", missing.Status)
	}
}

func TestComplete_WithAndWithoutScript(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	form := url.Values{
		"target": {id}, "kind": {"prompt"}, "tool": {"greet"}, "prefix": {"p0"}, "p0.f0": {"A"},
		"p0.f1": {"loudly"}, "complete": {"p0.f0"},
	}
	page := s.Do("POST", "/servers/"+id+"/complete", form.Encode(), nil)
	page.Has(t, `#p0-f0-list option[value="Ada"]`, `[value="A"]`, `[value="loudly"]`,
		`"suggests Ada and Alan"`, "meta")
	if got := string(o.last["completion/complete"]); !strings.Contains(got,
		`"argument":{"name":"who","value":"A"}`) ||
		!strings.Contains(got, `"context":{"arguments":{"how":"loudly"}}`) {
		t.Errorf("asked with %s", got)
	}
	fragment := s.Do("POST", "/servers/"+id+"/complete", form.Encode(), http.Header{"Hx-Request": {"true"}})
	if fragment.HTML().Has("meta") || !strings.Contains(fragment.Body, "Alan") {
		t.Errorf("fragment: %s", fragment.Body)
	}
	form.Set("complete", "p0.f9")
	if got := s.Do("POST", "/servers/"+id+"/complete", form.Encode(),
		nil); got.Status != http.StatusNotFound {
		t.Errorf("a field that is not there: %d", got.Status)
	}
}

func TestCall_SendsTheLogLevel(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	page := s.Follow("/exchanges", url.Values{
		"target": {id}, "tool": {"route"}, "prefix": {"t0"}, "t0.f0": {"x"}, "level": {"debug"},
		"wait": {"120"},
	})
	page.Has(t, "[data-logs]", `[data-level="warning"]`, `"two ways"`, `"router"`)
	if !strings.Contains(string(o.last["tools/call"]), `"io.modelcontextprotocol/logLevel":"debug"`) {
		t.Errorf("params %s", o.last["tools/call"])
	}
	s.Follow("/exchanges", url.Values{
		"target": {id}, "tool": {"route"}, "prefix": {"t0"}, "t0.f0": {"x"}, "level": {"everything"},
	})
	if strings.Contains(string(o.last["tools/call"]), "logLevel") {
		t.Error("a level that does not exist was asked for")
	}
}

func TestArguments_FieldsAndJSONAreSynchronized(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	form := url.Values{
		"target": {id}, "kind": {"tool"}, "tool": {"route"}, "prefix": {"t0"}, "t0.f0": {"north"},
		"t0.f1.0": {"1.0"}, "json": {"{}"},
	}
	got := s.Do("POST", "/servers/"+id+"/arguments", form.Encode(), http.Header{"Hx-Request": {"true"}})
	got.Has(t, `"{"region":"north","deep":{"n":1.0}}"`, `#t0-json`)
	form.Set("raw", "true")
	form.Set("json", `{"region":"south"}`)
	got = s.Do("POST", "/servers/"+id+"/arguments", form.Encode(), http.Header{"Hx-Request": {"true"}})
	got.Has(t, `#t0-fields`, `[value="south"]`)
	if strings.Contains(got.Body, "No field shows") {
		t.Error("every member has a field")
	}
	form.Set("json", `{"region":"south","x-own":1}`)
	got = s.Do("POST", "/servers/"+id+"/arguments", form.Encode(), http.Header{"Hx-Request": {"true"}})
	got.Has(t, `"No field shows x-own: an edit in the form keeps this."`)
	form.Set("json", `{"region":5}`)
	got = s.Do("POST", "/servers/"+id+"/arguments", form.Encode(), http.Header{"Hx-Request": {"true"}})
	got.Has(t, `"No field can show the value of region: an edit in the form leaves this out."`)
	if o.last["tools/call"] != nil {
		t.Error("something was called")
	}
}

// An edit in the form keeps the members that only the JSON shows: in the JSON,
// with an added row, and in the call.
func TestArguments_EditKeepsMembersWithoutField(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	form := url.Values{
		"target": {id}, "kind": {"tool"}, "tool": {"route"}, "prefix": {"t0"}, "t0.f0": {"north"},
		"json": {`{"region":"south","x-own":{"a":[1.0]}}`},
	}
	got := s.Do("POST", "/servers/"+id+"/arguments", form.Encode(), http.Header{"Hx-Request": {"true"}})
	got.Has(t, `"{"region":"north","x-own":{"a":[1.0]}}"`)
	s.Follow("/exchanges", form)
	if call := string(o.last["tools/call"]); !strings.Contains(call, `"region":"north","x-own":{"a":[1.0]}`) {
		t.Error(call)
	}
	form.Set("t0.f0", "") // a field that is emptied leaves out its member
	form.Set("json", `{"deep":{"n":1},"x-own":2}`)
	got = s.Do("POST", "/servers/"+id+"/arguments", form.Encode(), http.Header{"Hx-Request": {"true"}})
	got.Has(t, `""x-own":2"`)
	if got.HTML().Has(`""n":1"`) {
		t.Error("the member of an empty field came back")
	}
}

func TestDeepLink_FillsInAndCallsNothing(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	page := s.Page("/servers/" + id + "?tool=route&args=" + url.QueryEscape(`{"region":"east"}`))
	page.Has(t, `[value="east"]`)
	if o.last["tools/call"] != nil {
		t.Error("a link called a tool")
	}
}

func TestCapabilities_AreSentOnEveryRequest(t *testing.T) {
	t.Parallel()
	o := &offering{last: map[string]json.RawMessage{}, heads: map[string]http.Header{}}
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	s := sitetest.New(t, app.Local)
	s.ConnectTo(server.URL+"/mcp", "declares", "shown", "declare", "sampling.tools", "declare", "tasks")
	id := strings.TrimPrefix(s.Last, "/servers/")
	s.Follow("/exchanges", url.Values{"target": {id}, "tool": {"route"}, "prefix": {"t0"}, "t0.f0": {"x"}})
	const want = `"io.modelcontextprotocol/clientCapabilities":{"sampling":{"tools":{}},` +
		`"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	for _, method := range []string{"server/discover", "tools/list", "resources/templates/list",
		"tools/call"} {
		if !strings.Contains(string(o.last[method]), want) {
			t.Errorf("%s: %s", method, o.last[method])
		}
	}
	s.ConnectTo(server.URL+"/mcp", "declares", "shown")
	if !strings.Contains(string(o.last["server/discover"]),
		`"io.modelcontextprotocol/clientCapabilities":{}`) {
		t.Errorf("nothing declared: %s", o.last["server/discover"])
	}
}

// slow is a resolver that takes a moment.
type slow struct{ sitetest.Names }

func (r slow) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	time.Sleep(2 * time.Millisecond)
	return r.Names.LookupNetIP(ctx, network, host)
}

func TestReport_ShowsTimings(t *testing.T) {
	t.Parallel()
	o := &offering{last: map[string]json.RawMessage{}, heads: map[string]http.Header{}}
	server := httptest.NewTLSServer(o)
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	s := sitetest.NewWith(
		t, app.Local, wire.Config{RootCAs: roots, Resolver: slow{sitetest.Names{"example.com": "127.0.0.1"}}},
	)
	page := s.ConnectTo("https://example.com:" + server.URL[strings.LastIndex(server.URL, ":")+1:] + "/mcp")
	page.Has(t, `"Reached in"`, "[data-timing]", `"Name lookup"`, `"Connect"`, `"TLS"`, `"First byte"`,
		`[data-era="modern"]`)
}

// TestCall_ContinuesTheTrace: each round is a span of its own in the trace that
// was entered, and only a traceparent in its own form is sent.
func TestCall_ContinuesTheTrace(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	const trace = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
	form := url.Values{
		"target": {id}, "tool": {"route"}, "prefix": {"t0"}, "t0.f0": {"x"}, "traceparent": {trace},
		"trace": {"new"}, // to continue one outranks it
	}
	s.Follow("/exchanges", form)
	entered, _ := playground.ParseTrace(trace)
	sent := sentTrace(t, o)
	if sent.ID != entered.ID || sent.Flags != entered.Flags || sent.Span == entered.Span {
		t.Errorf("params %s", o.last["tools/call"])
	}
	for _, wrong := range []string{"mine", "00-" + strings.Repeat("0", 32) + "-00f067aa0ba902b7-01"} {
		form.Set("traceparent", wrong)
		page := s.Do("POST", "/exchanges", form.Encode(), nil)
		if page.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", wrong, page.Status)
		}
		page.Has(t, `"A traceparent looks like 00-aaaa"`, `[value="`+wrong+`"]`,
			`[name="trace"][value="new"][checked]`)
	}
}

// TestCall_SendsANewTrace: a checked box makes a trace for each call; without it
// none is sent.
func TestCall_SendsANewTrace(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	form := url.Values{
		"target": {id}, "tool": {"route"}, "prefix": {"t0"}, "t0.f0": {"x"}, "traceparent": {""},
		"trace": {"new"},
	}
	s.Follow("/exchanges", form)
	first := sentTrace(t, o)
	s.Follow("/exchanges", form)
	if second := sentTrace(t, o); second.ID == first.ID || second.Span == first.Span {
		t.Errorf("two calls have the trace %v", first)
	}
	form.Del("trace")
	s.Follow("/exchanges", form)
	if sent := string(o.last["tools/call"]); strings.Contains(sent, "traceparent") {
		t.Errorf("not asked for: %s", sent)
	}
}

// sentTrace returns the trace in the newest call.
func sentTrace(t *testing.T, o *offering) playground.Trace {
	t.Helper()
	params, err := jsontree.Parse(o.last["tools/call"], jsontree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	trace, ok := playground.ParseTrace(params.At("_meta", "traceparent").Str())
	if !ok {
		t.Fatalf("params %s", params.Raw())
	}
	return trace
}

// TestArguments_Edits adds rows to the arguments of a tool, whole and as a
// fragment. What is no edit of this form is refused.
func TestArguments_Edits(t *testing.T) {
	t.Parallel()
	o, s, id := newOffering(t)
	form := url.Values{
		"target": {id}, "kind": {"tool"}, "tool": {"route"}, "prefix": {"t0"}, "t0.f0": {"north"},
		"edit": {"add t0.f3"}, "t0.f3.rows": {"0"}, "t0.f3.0": {"{}"},
	}
	path := "/servers/" + id + "/arguments"
	fragment := s.Do("POST", path, form.Encode(), sitetest.HTMX)
	fragment.Has(t, `#t0-fields`, `[name="t0.f3.1"]`, `[value="north"]`, `#t0-json`,
		`"{"region":"north","list":[{}]}"`)
	if fragment.HTML().Has("main") {
		t.Error("a fragment is a whole page")
	}
	s.Do("POST", path, form.Encode(), nil).Has(t, "main", `[name="t0.f3.1"]`, `[value="north"]`)
	for _, edit := range []string{"add t0.f0", "add t9.f3", "remove t0.f3.7", "x"} {
		form.Set("edit", edit)
		if got := s.Do("POST", path, form.Encode(), sitetest.HTMX); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", edit, got.Status)
		}
	}
	if o.last["tools/call"] != nil {
		t.Error("something was called")
	}
}
