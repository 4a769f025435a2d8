package authserver_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestRegister_NamesAreHarmless(t *testing.T) {
	b := newBench(t)
	w := b.send("POST", issuer+"/register", `{"redirect_uris":["`+loopback+`"],`+
		`"client_name":"<script>\u202e\u0000alert","token_endpoint_auth_method":"none"}`)
	id, _ := b.fields(w)["client_id"].(string)
	page := b.ask(client{id: id}.params()).Body.String()
	if strings.Contains(page, "<script") || strings.Contains(page, "\u202e") ||
		!strings.Contains(page, "alert") {
		t.Error(page)
	}
}

func TestRegister_Errors(t *testing.T) {
	b := newBench(t)
	redirects := func(list ...string) string { return `{"redirect_uris":` + w(list) + `}` }
	for name, tt := range map[string]struct{ body, want string }{
		"no JSON":  {`{`, "invalid_client_metadata"},
		"an array": {`[]`, "invalid_client_metadata"},
		"too long": {`{"client_name":"` + strings.Repeat("a", 70000) + `"}`,
			"invalid_client_metadata"},
		"no address": {`{}`, "invalid_redirect_uri"},
		"six addresses": {redirects(loopback, loopback, loopback, loopback, loopback, loopback),
			"invalid_redirect_uri"},
		"http":               {redirects("http://client.example/"), "invalid_redirect_uri"},
		"script":             {redirects("javascript:alert(1)"), "invalid_redirect_uri"},
		"data":               {redirects("data:text/html,x"), "invalid_redirect_uri"},
		"own scheme":         {redirects("com.example:/callback"), "invalid_redirect_uri"},
		"relative":           {redirects("/callback"), "invalid_redirect_uri"},
		"fragment":           {redirects(remote + "#x"), "invalid_redirect_uri"},
		"empty fragment":     {redirects(remote + "#"), "invalid_redirect_uri"},
		"a user":             {redirects("https://u:p@client.example/"), "invalid_redirect_uri"},
		"policy in the host": {redirects("https://a.example;script-src/x"), "invalid_redirect_uri"},
		"star in the host":   {redirects("https://*.example/x"), "invalid_redirect_uri"},
		"long":               {redirects(remote + strings.Repeat("a", 500)), "invalid_redirect_uri"},
		"long name": {`{"redirect_uris":["` + remote + `"],"client_name":"` + strings.Repeat("a", 101) + `"}`,
			"invalid_client_metadata"},
		"key": {`{"redirect_uris":["` + remote + `"],"token_endpoint_auth_method":"private_key_jwt"}`,
			"invalid_client_metadata"},
		"no code": {`{"redirect_uris":["` + remote + `"],"grant_types":["client_credentials"]}`,
			"invalid_client_metadata"},
		"implicit": {`{"redirect_uris":["` + remote + `"],"response_types":["token"]}`,
			"invalid_client_metadata"},
	} {
		got := b.send("POST", issuer+"/register", tt.body)
		if got.Code != http.StatusBadRequest || b.fields(got)["error"] != tt.want {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
	m := b.fields(b.send("POST", issuer+"/register", redirects(remote)))
	if m["token_endpoint_auth_method"] != "client_secret_basic" || m["client_secret_expires_at"] != 0.0 ||
		w(m["grant_types"]) != `["authorization_code"]` {
		t.Errorf("defaults: %v", m)
	}
}
