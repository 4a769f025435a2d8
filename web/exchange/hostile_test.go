package exchange_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/faults/balance"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// hostileCall is what a hostile server answers to the call of a tool, and what
// the page must show.
type hostileCall struct {
	fault  int
	answer func(id string) []byte // the whole response
	pour   []byte                 // sent over and over after it, if any
	cut    bool                   // the connection is reset instead of closed
	status string                 // of the exchange
	codes  []string               // one of them is on the page; nil for none
	shows  []string
	rule   string // that is broken, if the answer is read all the same
}

// httpAnswer returns a response with a length.
func httpAnswer(status, contentType, body string) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		status, contentType, len(body), body)
}

// result answers with this result.
func result(text string) func(id string) []byte {
	return func(id string) []byte {
		return httpAnswer("200 OK", "application/json", `{"jsonrpc":"2.0","id":`+id+`,"result":`+text+`}`)
	}
}

// whole answers with these bytes whatever the request is.
func whole(response string) func(id string) []byte {
	return func(string) []byte { return []byte(response) }
}

// ask returns a result that asks for one string with this schema under a key.
func ask(key, schema string) string {
	name, _ := json.Marshal(key)
	return `{"resultType":"input_required","requestState":"s","inputRequests":{` + string(name) +
		`:{"method":"elicitation/create","params":{"message":"m","requestedSchema":` + schema + `}}}}`
}

const oneString = `{"type":"object","properties":{"a":{"type":"string"}}}`

func questions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":{"method":"elicitation/create","params":{"message":"m",`+
			`"requestedSchema":%s}}`, i, oneString)
	}
	return `{"resultType":"input_required","inputRequests":{` + b.String()[1:] + `}}`
}

func said(text string) string {
	return `{"resultType":"complete","content":[{"type":"text","text":` + text + `}]}`
}

func bomb() []byte {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for range 64 {
		_, _ = z.Write(make([]byte, 1<<20))
	}
	_ = z.Close()
	return packed.Bytes()
}

// fails is an answer that ends the exchange with one of these codes.
func fails(fault int, answer func(string) []byte, codes ...string) hostileCall {
	return hostileCall{fault: fault, answer: answer, status: "failed", codes: codes}
}

// asks is an answer with a question, which the user can still answer.
func asks(fault int, text string, shows ...string) hostileCall {
	return hostileCall{fault: fault, answer: result(text), status: "waiting", shows: shows}
}

const okHead = "HTTP/1.1 200 OK\r\n"

func hostileBodies() map[string]hostileCall {
	const jsonHead = okHead + "Content-Type: application/json\r\n"
	huge := fails(22, whole(jsonHead+"Content-Length: 209715200\r\n\r\n["), "too_large")
	huge.pour = bytes.Repeat([]byte("0,"), 1<<15)
	comments := fails(24, whole(okHead+"Content-Type: text/event-stream\r\n\r\n"), "too_large")
	comments.pour = bytes.Repeat([]byte(":\n\n"), 1<<12)
	header := fails(26, whole(okHead), "too_large")
	header.pour = bytes.Repeat([]byte("A: b\r\n"), 1<<12)
	reset := fails(28, whole(jsonHead+"Content-Length: 100\r\n\r\n{"), "reset")
	reset.cut = true
	packed := bomb()
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	return map[string]hostileCall{
		"huge": huge, "comments": comments, "header": header, "reset": reset,
		"bomb": fails(23, whole(fmt.Sprintf(jsonHead+"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s",
			len(packed), packed)), "too_large"),
		"length": {
			fault: 96, answer: whole(jsonHead + "Content-Length: 100\r\n\r\n{}"), status: "failed",
			codes: []string{"reset"}, rule: "body-length",
		},
		"type": {
			fault: 29, answer: func(id string) []byte {
				return httpAnswer("200 OK", "text/plain", `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)
			}, status: "complete", rule: "media-type",
		},
		"login": fails(29, whole(string(httpAnswer("200 OK", "text/html", "<h1>Log in</h1>"))),
			"content_type"),
		"utf8": {
			fault: 31, answer: result(said("\"\xef\xbb\xbf\xff\\u0000\\ud800\"")), status: "complete",
			shows: []string{`"⟨0xFF⟩"`, `"⟨U+0000⟩"`, `"⟨U+FEFF⟩"`},
		},
		"bom": fails(31, func(id string) []byte {
			return httpAnswer("200 OK", "application/json",
				"\ufeff"+`{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)
		}, "not_json"),
		"deep": fails(33, whole(string(httpAnswer("200 OK", "application/json", deep))), "too_deep"),
	}
}

func hostileMessages() map[string]hostileCall {
	message := func(text string) func(string) []byte {
		return func(id string) []byte {
			return httpAnswer("200 OK", "application/json", strings.ReplaceAll(text, "ID", id))
		}
	}
	return map[string]hostileCall{
		"twice": {
			fault: 32, rule: "unique-keys", status: "complete",
			answer: result(`{"resultType":"complete","content":[],"x":"first-x","x":"second-x"}`),
			shows:  []string{`"first-x"`, `"second-x"`},
		},
		"numbers": {
			fault: 34, answer: result(`{"resultType":"complete","content":[],"structuredContent":` +
				`{"a":1e400,"b":9223372036854775808,"c":1234567890123456789012345678901234567890}}`),
			status: "complete",
			shows: []string{`"1e400"`, `"9223372036854775808"`,
				`"1234567890123456789012345678901234567890"`},
		},
		"wrong-id": fails(35, message(`{"jsonrpc":"2.0","id":"other","result":{}}`), "violation"),
		"batch":    fails(35, message(`[{"jsonrpc":"2.0","id":ID,"result":{}}]`), "violation"),
		"notification": fails(35, message(`{"jsonrpc":"2.0","method":"notifications/progress"}`),
			"violation"),
		"both": fails(35, message(`{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"m"}}`),
			"violation"),
		"unknown":     fails(36, result(`{"resultType":"later"}`), "violation"),
		"thirty-two":  asks(39, questions(32)),
		"thirty-more": fails(39, result(questions(33)), "too_large"),
		"state": fails(40, result(`{"resultType":"input_required","requestState":"`+
			strings.Repeat("s", 64<<10+1)+`"}`), "too_large"),
		"state-42": fails(40, result(`{"resultType":"input_required","requestState":42}`), "violation"),
		"self":     asks(42, ask("k", `{"$ref":"#"}`)),
		"pattern": asks(43, ask("k", `{"type":"object","properties":{"a":{"type":"string",`+
			`"pattern":"(a+)+$"}}}`)),
		"names": asks(44, ask("k", `{"type":"object","properties":{"<script>":{"type":"string"},`+
			`"name=csrf":{"type":"string"}}}`), `[data-field="<script>"]`, `[data-field="name=csrf"]`),
		"default": asks(45, ask("k", `{"type":"object","properties":{"a":{"type":"integer",`+
			`"default":"not a number"}}}`)),
		"secret": asks(46, ask("k", `{"type":"object","properties":{"a":{"type":"string",`+
			`"title":"API key"}}}`), `[data-warning="secret"]`),
	}
}

// hostileKeys are keys of questions that come back as they were.
func hostileKeys() []string {
	return []string{"__proto__", "", strings.Repeat("k", 10_000), "🔑", "a\u202eb"}
}

func hostileCalls() map[string]hostileCall {
	calls := hostileBodies()
	for name, c := range hostileMessages() {
		calls[name] = c
	}
	for _, key := range hostileKeys() {
		calls[fmt.Sprint("key-", len(key))] = asks(38, ask(key, oneString))
	}
	for status := 204; status <= 503; status++ {
		if http.StatusText(status) == "" && status%50 != 49 {
			continue
		}
		calls[fmt.Sprint("status-", status)] = fails(30,
			whole(fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Length: 0\r\n\r\n", status)),
			"http_status", "redirect", "http_401", "http_403", "http_404", "http_405", "http_429",
			"http_4xx", "http_5xx")
	}
	return calls
}

// hostileServer answers the call of a tool as the table says.
type hostileServer struct {
	calls map[string]hostileCall
	mu    sync.Mutex
	keys  []string // of the answers that came back
}

func (h *hostileServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := mcptest.Read(r)
	c := h.calls[m.Params.Name]
	switch {
	case m.Method == "server/discover", m.Method == "tools/list":
		mcptest.Tools(nil, slices.Sorted(maps.Keys(h.calls))...)(m, r).Write(w, m)
		return
	case len(m.Params.InputResponses) > 0:
		h.mu.Lock()
		for key := range m.Params.InputResponses {
			h.keys = append(h.keys, key)
		}
		h.mu.Unlock()
		c = hostileCall{answer: result(said(`"the end"`))}
	}
	reply(w, c.answer(string(m.ID)), c.pour, c.cut)
}

// reply writes bytes past net/http, which would mend them.
func reply(w http.ResponseWriter, response, pour []byte, cut bool) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	_, err = conn.Write(response)
	for sent := 0; err == nil && len(pour) > 0 && sent < 200<<20; sent += len(pour) {
		_, err = conn.Write(pour)
	}
	if tcp, ok := conn.(*net.TCPConn); ok && cut {
		_ = tcp.SetLinger(0)
	}
}

// TestHostileAnswers_PageStaysWhole holds faults 22 to 46 where a person sees
// them: each answer of a hostile server ends in an outcome with its class, on a
// page that is whole, and leaves no goroutine, connection or memory behind. With -short, one
// answer of each outcome does.
func TestHostileAnswers_PageStaysWhole(t *testing.T) {
	h := &hostileServer{calls: hostileCalls()}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	s := sitetest.New(t, app.Local)
	s.Client.Transport = &http.Transport{DisableKeepAlives: true}
	page := s.ConnectTo(server.URL+"/mcp", "declares", "shown", "declare", "elicitation.form")
	if !page.HTML().Has(`[data-status="connected"]`) {
		t.Fatal(sitetest.Excerpt(page.Body))
	}
	id := strings.TrimPrefix(s.Last, "/servers/")
	shown := map[string]bool{}
	for name, c := range h.calls {
		outcome := fmt.Sprint(c.status, c.codes)
		if testing.Short() && shown[outcome] {
			continue
		}
		shown[outcome] = true
		t.Run(name, func(t *testing.T) {
			end := balance.Begin(t, balance.Growth)
			showHostile(t, s, id, name, c)
			end()
		})
	}
	for _, key := range hostileKeys() {
		if !testing.Short() && !slices.Contains(h.keys, key) {
			t.Errorf("no answer to the key %.20q came back", key)
		}
	}
	s.NoErrors()
}

// showHostile calls the tool and reads the page, and answers the questions.
func showHostile(t *testing.T, s *sitetest.Site, id, name string, c hostileCall) {
	t.Helper()
	got := s.Follow("/exchanges", url.Values{
		"target": {id}, "kind": {"tool"}, "tool": {name}, "raw": {"true"}, "json": {"{}"},
	})
	status := sitetest.ShownBy(sitetest.StatusShown, got.Body)
	if got.Status != http.StatusOK || status != c.status || !got.HTML().Has("main[data-exchange]") {
		t.Fatalf("fault %d: %d %q, want %s\n%s", c.fault, got.Status, status, c.status,
			sitetest.Excerpt(got.Body))
	}
	if len(got.HTML().Find("main")) != 1 || !strings.Contains(got.Body, "</html>") ||
		got.HTML().Has(`h1 "Log in"`) || got.HTML().Has(`[name="csrf"]`) {
		t.Errorf("fault %d: the page is not whole", c.fault)
	}
	found := sitetest.Codes(got.Body)
	if (len(c.codes) == 0) != (len(found) == 0) || len(found) > 0 && !slices.Contains(c.codes, found[0]) {
		t.Errorf("fault %d: codes %q, want one of %q", c.fault, found, c.codes)
	}
	exchange := s.Last
	for _, check := range c.shows {
		if !got.HTML().Has(check) && !s.Page(exchange+"?panel=wire").HTML().Has(check) {
			t.Errorf("fault %d: the page does not show %s", c.fault, check)
		}
	}
	if c.rule != "" && !failedRule(s.Page(exchange+"?panel=rules").Body, c.rule) {
		t.Errorf("fault %d: no finding of %s", c.fault, c.rule)
	}
	if c.status == "waiting" {
		form := url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"decline"}}
		for i := range len(got.HTML().Find("[data-input-key]")) {
			form.Set(fmt.Sprintf("a%d.action", i), "decline")
		}
		got = s.Follow(exchange+"/rounds", form)
		if status := sitetest.ShownBy(sitetest.StatusShown, got.Body); status != "declined" {
			t.Errorf("fault %d: after an answer %q %q %s",
				c.fault, status, sitetest.Codes(got.Body), sitetest.Excerpt(got.Body))
		}
	}
	if home := s.Page("/history"); home.Status != http.StatusOK {
		t.Errorf("fault %d: the history: %d", c.fault, home.Status)
	}
}

// failedRule reports whether a page has a finding of the rule.
func failedRule(page, rule string) bool {
	return htmltest.Parse(page).Has(`[data-rule="`+rule+`"][data-verdict="fail"]`) ||
		htmltest.Parse(page).Has(`[data-rule="`+rule+`"][data-verdict="hint"]`)
}

// TestHostileLists_AskForNothing holds fault 37: a server that answers a list
// with a question is connected to or not, but nothing of it is asked, and the
// page names the violation.
func TestHostileLists_AskForNothing(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"server/discover", "tools/list"} {
		t.Run(method, func(t *testing.T) {
			asks := func(m mcptest.Message, r *http.Request) mcptest.Answer {
				if m.Method == method {
					return mcptest.Answer{Result: ask("k", oneString)}
				}
				return mcptest.Tools(nil)(m, r)
			}
			address := mcptest.Start(t, mcptest.Script(asks))
			s := sitetest.New(t, app.Local)
			page := s.ConnectTo(address)
			if page.Status != http.StatusOK || !strings.Contains(page.Body, "</html>") {
				t.Fatalf("%d %s", page.Status, sitetest.Excerpt(page.Body))
			}
			page.HasNot(t, `[data-form="answers"]`, "[data-input-key]", `[data-status="connecting"]`)
			if found := sitetest.Codes(page.Body); len(found) != 1 || found[0] != "violation" {
				t.Errorf("codes %q", found)
			}
			s.NoErrors()
		})
	}
}
