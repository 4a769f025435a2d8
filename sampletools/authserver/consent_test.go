package authserver_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestConsent_Page(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	page := b.ask(c.params("redirect_uri", remote, "scope", "read read"))
	policy := page.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'; style-src 'sha256-", "frame-ancestors 'none'",
		"; form-action 'self' https://client.example; base-uri 'none'; "} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy %q", policy)
		}
	}
	if page.Header().Get("Cache-Control") != "no-store" ||
		page.Header().Get("Referrer-Policy") != "same-origin" {
		t.Errorf("headers %v", page.Header())
	}
	body := page.Body.String()
	for _, want := range []string{"It never asks for a password", "Alice", "Bob", `value="read" checked`,
		"https://client.example", "“Test”", "expire in a minute"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q: %s", want, body)
		}
	}
	if strings.Count(body, `name="scope"`) != 1 {
		t.Errorf("scopes of the page: %s", body)
	}
	back := b.decide(page, "scope", "read")
	if q := back.Query(); back.Host != "client.example" || q.Get("tenant") != "1" || q.Get("code") == "" ||
		q.Get("iss") != issuer || q.Get("state") != "s&t=1" {
		t.Errorf("back at %s", back)
	}
	b.now = b.now.Add(11 * time.Minute)
	m := requestField.FindStringSubmatch(body)
	for name, request := range map[string]string{
		"expired": m[1], "none": "", "a client": c.id, "other": "<script>",
	} {
		got := b.post("/consent", url.Values{"request": {request}, "person": {"alice"},
			"decision": {"allow"}})
		if got.Code != http.StatusNotFound || strings.Contains(got.Body.String(), "<script") {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
}

// A policy has no way to name an IPv6 address.
func TestConsent_PolicyOfIPv6(t *testing.T) {
	b := newBench(t)
	const six = "http://[::1]:49152/callback"
	w := b.send("POST", issuer+"/register", `{"redirect_uris":["`+six+`"],`+
		`"token_endpoint_auth_method":"none"}`)
	id, _ := b.fields(w)["client_id"].(string)
	page := b.ask(client{id: id}.params("redirect_uri", six))
	policy := page.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "form-action 'self' http:; ") {
		t.Errorf("policy %q", policy)
	}
	if back := b.decide(page); !strings.HasPrefix(back.String(), six+"?") {
		t.Errorf("back at %s", back)
	}
}

func TestConsent_NeedsTheUser(t *testing.T) {
	b := newBench(t)
	c := b.register("none")
	m := requestField.FindStringSubmatch(b.ask(c.params()).Body.String())
	good := url.Values{"request": {m[1]}, "person": {"alice"}, "decision": {"allow"}, "scope": {"read"}}
	got := b.post("/consent", good, "Sec-Fetch-Site", "cross-site")
	if got.Code != http.StatusForbidden {
		t.Errorf("posted by another site: %d", got.Code)
	}
	if got := b.send("GET", issuer+"/consent?"+good.Encode(), ""); got.Code != http.StatusOK {
		t.Errorf("GET decides: %d", got.Code)
	}
	for name, change := range map[string][]string{
		"no user": {"person", "-"}, "a stranger": {"person", "carol"}, "no decision": {"decision", "-"},
	} {
		form := url.Values{"request": {m[1]}, "person": {"alice"}, "decision": {"allow"}}
		edit(form, change)
		if got := b.post("/consent", form); got.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, got.Code)
		}
	}
}
