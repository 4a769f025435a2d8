package authserver_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// FuzzServer sends what strangers may send to every endpoint. Nothing of it may
// fail inside, script a page or lead the browser to an address that is not the
// client's.
func FuzzServer(f *testing.F) {
	for _, seed := range [][2]string{
		{"/authorize", "response_type=code&scope=read&state=x&redirect_uri=" + url.QueryEscape(loopback)},
		{"/authorize", "response_mode=fragment&prompt=none&max_age=-1&ui_locales=%00"},
		{"/consent", "request=mrtr1.sealed.x&person=alice&decision=allow"},
		{"/token", "grant_type=authorization_code&code=mrtr1.plain.e30&code_verifier=x"},
		{"/token", "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=x"},
		{"/revoke", "token=a.b.c&token_type_hint=access_token"},
		{"/register", `{"redirect_uris":["https://a.example"],"client_name":"<script>"}`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, path, params string) {
		if !strings.HasPrefix(path, "/") {
			return
		}
		if _, err := url.ParseRequestURI("/x" + path + "?" + params); err != nil ||
			strings.ContainsAny(path+params, " \r\n") {
			return
		}
		b := newBench(t)
		id := "&client_id=" + url.QueryEscape(b.register("none").id)
		for _, r := range [][3]string{
			{"GET", path + "?" + params + id, ""}, {"POST", path, params + id}, {"POST", path, params},
		} {
			w := b.send(r[0], issuer+r[1], r[2])
			page := strings.HasPrefix(w.Header().Get("Content-Type"), "text/html")
			to := w.Header().Get("Location")
			switch {
			case w.Code >= http.StatusInternalServerError:
				t.Errorf("%v: %d %s", r, w.Code, w.Body)
			case page && strings.Contains(strings.ToLower(w.Body.String()), "<script"):
				t.Errorf("%v: %s", r, w.Body)
			case to != "" && w.Code != http.StatusMovedPermanently &&
				w.Code != http.StatusTemporaryRedirect && !strings.HasPrefix(to, issuer+"/consent?") &&
				!strings.HasPrefix(to, "http://127.0.0.1:"):
				t.Errorf("%v: leads to %s", r, to)
			}
		}
	})
}
