package sitetest

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/oidc"
	"github.com/mrtr-playground/mrtr-playground/playground/oidc/oidctest"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// UserHeader is the header in which the proxy of a site of NamedByProxy names people.
const UserHeader = "X-Remote-User"

// SignedInWith makes people sign in at a provider, on any clock that is set before.
func SignedInWith(idp *oidctest.Provider) func(*site.Config) {
	return func(c *site.Config) {
		now := c.App.Now
		if now == nil {
			now = time.Now
		}
		c.App.People = &app.People{
			Issuer: idp.URL, Links: true, Session: 12 * time.Hour,
			Provider: oidc.New(oidc.Config{
				Issuer: idp.URL, ClientID: "play", Secret: "s3cret", Now: now,
				Redirect: c.App.BaseURL + web.SignedInPath,
			}),
		}
	}
}

// NamedByProxy makes a proxy on this machine name people.
func NamedByProxy(c *site.Config) {
	c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	c.App.People = &app.People{Header: UserHeader, Links: true, Session: 12 * time.Hour}
}

// SignIn signs in as the next person of a provider, in the browser of Follow, and returns the
// page that it leads to.
func (s *Site) SignIn(idp *oidctest.Provider, next string) Answer {
	s.T.Helper()
	return s.Callback(s.Leaves(idp, next))
}

// Leaves begins a sign-in and returns the address that the provider sends the browser back to,
// as a path.
func (s *Site) Leaves(idp *oidctest.Provider, next string) (back string) {
	s.T.Helper()
	got := s.Do(
		"GET",
		web.SignInStartPath+"?next="+url.QueryEscape(next),
		"",
		http.Header{"Cookie": {s.Cookies}},
	)
	if got.Status != http.StatusSeeOther {
		s.T.Fatalf("a sign-in begins with %d %s", got.Status, Excerpt(got.Body))
	}
	s.KeepCookies(got)
	to := idp.Back(s.T, got.Header.Get("Location"))
	return to.RequestURI()
}

// Callback opens the address of Leaves.
func (s *Site) Callback(back string) Answer {
	s.T.Helper()
	got := s.Do("GET", back, "", http.Header{"Cookie": {s.Cookies}})
	s.KeepCookies(got)
	return got
}

// KeepCookies keeps and forgets the cookies of an answer as a browser does.
func (s *Site) KeepCookies(got Answer) {
	kept := map[string]string{}
	var names []string
	add := func(pair string) {
		name, value, _ := strings.Cut(pair, "=")
		if _, known := kept[name]; !known {
			names = append(names, name)
		}
		kept[name] = value
	}
	for pair := range strings.SplitSeq(s.Cookies, "; ") {
		if pair != "" {
			add(pair)
		}
	}
	for _, line := range got.Header.Values("Set-Cookie") {
		pair, rest, _ := strings.Cut(line, ";")
		add(pair)
		if strings.Contains(rest, "Max-Age=0") {
			name, _, _ := strings.Cut(pair, "=")
			kept[name] = ""
		}
	}
	var pairs []string
	for _, name := range names {
		if kept[name] != "" {
			pairs = append(pairs, name+"="+kept[name])
		}
	}
	s.Cookies = strings.Join(pairs, "; ")
}
