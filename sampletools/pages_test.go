package sampletools_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

const listInvoices = `{"name":"list_invoices","arguments":{}}`

func TestSignIn_AcceptingIsNotFinishing(t *testing.T) {
	p := newPeer(t)
	p.auth = "demo-alice"
	one := p.send("/mcp/sign-in", "tools/call", listInvoices, nil)
	link := one.questions()["sign_in"].Params.URL
	accepted := map[string]any{"requestState": one.state(),
		"inputResponses": json.RawMessage(`{"sign_in":{"action":"accept"}}`)}

	two := p.send("/mcp/sign-in", "tools/call", listInvoices, accepted)
	q := two.questions()["sign_in"]
	if q.Params.URL != link || !strings.Contains(q.Params.Message, "not finished yet") {
		t.Errorf("accepted but not finished: %s", two.body)
	}
	if status := p.finishPage(link, "bob"); status != http.StatusForbidden {
		t.Errorf("finished by another user: %d", status)
	}
	if r := p.send("/mcp/sign-in", "tools/call", listInvoices,
		accepted); r.resultType() != "input_required" {
		t.Errorf("finished by another user: %s", r.body)
	}
	if status := p.finishPage(link, "alice"); status != http.StatusOK {
		t.Errorf("finished: %d", status)
	}
	if r := p.send("/mcp/sign-in", "tools/call", listInvoices, accepted); !strings.Contains(r.text(),
		"Signed in as Alice") {
		t.Errorf("finished: %s", r.body)
	}
	p.clock.pass(2 * time.Hour)
	if status := p.finishPage(link, "alice"); status != http.StatusNotFound {
		t.Errorf("two hours later: %d", status)
	}
}

func TestSignIn_ReadingThePageChangesNothing(t *testing.T) {
	p := newPeer(t)
	one := p.send("/mcp/sign-in", "tools/call", listInvoices, nil)
	link := one.questions()["sign_in"].Params.URL
	res, err := http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK ||
		!strings.Contains(string(body), "Continue as Alice") {
		t.Errorf("page: %d %s", res.StatusCode, body)
	}
	if policy := res.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy %q", policy)
	}
	two := p.send("/mcp/sign-in", "tools/call", listInvoices,
		map[string]any{"requestState": one.state(),
			"inputResponses": json.RawMessage(`{"sign_in":{"action":"accept"}}`)})
	if two.resultType() != "input_required" {
		t.Errorf("after a look at the page: %s", two.body)
	}
	for _, ticket := range []string{"", "x", "<script>", "mrtr1.plain.e30",
		flip(link[strings.Index(link, "=")+1:], 100)} {
		if status := p.finishPage(p.url+"/samples/sign-in/page?ticket="+ticket,
			"alice"); status != http.StatusNotFound {
			t.Errorf("ticket %q: %d", ticket, status)
		}
	}
}

func TestSignIn_PageRefusesOtherSites(t *testing.T) {
	p := newPeer(t)
	r := p.post("/samples/sign-in/page", "ticket=x",
		map[string]string{"Content-Type": "application/x-www-form-urlencoded",
			"Sec-Fetch-Site": "cross-site"})
	if r.status != http.StatusForbidden {
		t.Errorf("cross-site POST: %d", r.status)
	}
}

// orders sends an order to the checkout without MCP.
func orders(p *peer, body map[string]any) (status int, answer struct {
	Status   string
	Message  string
	State    string
	Question struct {
		Text    string
		Choices []string
	}
}) {
	p.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	r := p.post("/samples/checkout/orders", string(b), nil)
	if err := json.Unmarshal(r.body, &answer); err != nil {
		p.t.Fatalf("%d %s", r.status, r.body)
	}
	return r.status, answer
}

func TestCheckout_WorksWithoutMCP(t *testing.T) {
	p := newPeer(t)
	if _, a := orders(p, map[string]any{"item": "bell", "amount": 20}); a.Status != "complete" {
		t.Errorf("small amount: %+v", a)
	}
	_, asked := orders(p, map[string]any{"item": "bike", "amount": 900})
	if asked.Status != "input_required" || len(asked.Question.Choices) != 3 {
		t.Fatalf("large amount: %+v", asked)
	}
	for _, choice := range asked.Question.Choices {
		_, a := orders(p, map[string]any{"item": "bike", "amount": 900, "state": asked.State,
			"answer": choice})
		right := strings.Contains(asked.Question.Text, "shows "+choice)
		if right != strings.Contains(a.Message, "Ordered bike") {
			t.Errorf("answer %s: %+v", choice, a)
		}
	}
	for name, body := range map[string]map[string]any{
		"a changed amount": {"item": "bike", "amount": 90000, "state": asked.State, "answer": "1"},
		"a forged state":   {"item": "bike", "amount": 900, "state": asked.State + "x", "answer": "1"},
		"no item":          {"amount": 900},
		"a free bike":      {"item": "bike", "amount": 0},
		"a state of MCP": {"item": "bike", "amount": 900,
			"state": p.send("/mcp/checkout", "tools/call",
				`{"name":"place_order","arguments":{"item":"bike","amount":900}}`, nil).state(),
			"answer": "1"},
	} {
		if status, a := orders(p, body); status != http.StatusBadRequest || a.Status != "error" {
			t.Errorf("%s: %d %+v", name, status, a)
		}
	}
}
