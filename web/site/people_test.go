package site_test

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/dbtest"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/oidc"
	"github.com/mrtr-playground/mrtr-playground/playground/oidc/oidctest"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// newTeam returns a site on which people sign in at a provider, and its clock.
func newTeam(
	t *testing.T,
	changes ...func(*site.Config),
) (*sitetest.Site, *oidctest.Provider, *sitetest.Clock) {
	t.Helper()
	idp, clock := oidctest.New(t), sitetest.NewClock()
	changes = append([]func(*site.Config){
		func(c *site.Config) {
			c.App.BaseURL = "https://playground.example:8443"
			c.App.Now, c.App.Limits = clock.Now, app.DefaultLimits().ForPeople()
		},
		sitetest.SignedInWith(idp),
	}, changes...)
	return sitetest.NewWith(t, app.Public, wire.Config{Resolver: sitetest.Names{}}, changes...), idp, clock
}

// as makes the next sign-in that of a person.
func as(idp *oidctest.Provider, subject, name string) {
	idp.Claims = map[string]any{"sub": subject, "name": name}
}

// code returns the code of the problem on a page.
func code(got sitetest.Answer) string { return strings.Join(sitetest.Codes(got.Body), " ") }

// TestPeople_WorkspaceFollowsThePerson: over two browsers, with the secrets in it, and to no
// one else.
func TestPeople_WorkspaceFollowsThePerson(t *testing.T) {
	t.Parallel()
	s, idp, _ := newTeam(t)
	asked := s.Page("/history?q=a")
	if to := asked.Header.Get("Location"); asked.Status != http.StatusSeeOther ||
		to != "/sign-in?next=%2Fhistory%3Fq%3Da" {
		t.Fatalf("a page without a sign-in: %d %s", asked.Status, to)
	}
	page := s.Page(asked.Header.Get("Location"))
	start := page.HTML().Value(`[data-do="sign-in"]`, "href")
	if page.Status != http.StatusOK || start != "/sign-in/start?next=%2Fhistory%3Fq%3Da" {
		t.Fatalf("the page of a sign-in: %d %s", page.Status, start)
	}
	if got := s.SignIn(idp, "/history?q=a"); got.Header.Get("Location") != "/history?q=a" {
		t.Fatalf("the sign-in leads to %d %s", got.Status, got.Header.Get("Location"))
	}
	s.Stranger()
	call := s.Last
	s.ConnectTo("https://gone.example/mcp", "headers", "Authorization: Bearer s3cr3t-t0ken-of-ada")
	server := s.Last
	again, other := s.Visitor(t), s.Visitor(t)
	again.SignIn(idp, "/")
	for _, path := range []string{call, server, "/history"} {
		if got := again.Page(path); got.Status != http.StatusOK {
			t.Errorf("%s in another browser of the person: %d", path, got.Status)
		}
	}
	const saved = "Saved for this server: <strong>Authorization<"
	if text := again.Page(server).Body; !strings.Contains(text, saved) {
		t.Errorf("the secrets of a server do not follow the person")
	}
	as(idp, "bob", "Bob")
	other.SignIn(idp, "/")
	for _, path := range []string{call, server} {
		if got := other.Page(path); got.Status != http.StatusNotFound {
			t.Errorf("%s of another person: %d", path, got.Status)
		}
	}
	if got := other.Page("/sign-in"); !strings.Contains(got.Body, "Signed in as Bob") {
		t.Errorf("the page of a sign-in does not say who has: %s", sitetest.Excerpt(got.Body))
	}
	for name, rows := range rows(s) {
		for _, row := range rows {
			if strings.Contains(row, "s3cr3t-t0ken") {
				t.Errorf("a secret is in clear in %s", name)
			}
		}
	}
	settings := other.Page("/settings")
	if got := settings.HTML(); !strings.Contains(settings.Body, "Signed in as Bob") ||
		!got.Has(`#person form[action="/sign-out"] [data-do="sign-out"]`) {
		t.Errorf("the settings do not say who has signed in: %s", sitetest.Excerpt(settings.Body))
	}
	other.Follow("/sign-out", nil)
	if got := other.Page("/history"); got.Status != http.StatusSeeOther {
		t.Errorf("after signing out: %d", got.Status)
	}
}

// TestPeople_SignInsAreBoundToTheirBrowser: what belongs to another browser, was used, or was
// not vouched for signs no one in (fault 143).
func TestPeople_SignInsAreBoundToTheirBrowser(t *testing.T) {
	t.Parallel()
	s, idp, clock := newTeam(t)
	isOut := func(what string, b *sitetest.Site, got sitetest.Answer, want string) {
		t.Helper()
		if code(got) != want || got.Status < 400 {
			t.Errorf("%s: %d %q, want %s", what, got.Status, code(got), want)
		}
		if got := b.Page("/history"); got.Status != http.StatusSeeOther {
			t.Errorf("%s: it is signed in", what)
		}
	}
	victim, attacker := s.Visitor(t), s.Visitor(t)
	back := attacker.Leaves(idp, "/")
	isOut("another browser's answer", victim, victim.Callback(back), "sign_in_foreign")
	victim.Leaves(idp, "/")
	isOut("another browser's answer, while one signs in", victim, victim.Callback(back), "sign_in_foreign")

	once := s.Visitor(t)
	back = once.Leaves(idp, "/")
	ticket := once.Cookies
	if got := once.Callback(back); got.Status != http.StatusSeeOther {
		t.Fatalf("%d", got.Status)
	}
	again := s.Visitor(t)
	again.Cookies = ticket
	isOut("the same answer with the same ticket", again, again.Callback(back), "sign_in_foreign")

	slow := s.Visitor(t)
	back = slow.Leaves(idp, "/")
	clock.Pass(10 * time.Minute)
	isOut("an answer that is too late", slow, slow.Callback(back), "sign_in_foreign")

	refused := s.Visitor(t)
	state := query1(t, refused.Leaves(idp, "/"), "state")
	isOut(
		"a refusal",
		refused,
		refused.Callback(web.SignedInPath+"?error=access_denied&state="+state),
		"sign_in_denied",
	)

	forged := s.Visitor(t)
	back = forged.Leaves(idp, "/")
	idp.Forge = true
	isOut("a forged token", forged, forged.Callback(back), "sign_in_invalid")
	idp.Forge = false

	fixed := s.Visitor(t)
	fixed.Cookies = "__Host-mrtr=fixed"
	fixed.SignIn(idp, "/")
	if strings.Contains(fixed.Cookies, "fixed") {
		t.Errorf("the cookie from before stays: %s", fixed.Cookies)
	}
	for _, next := range []string{"https://evil.example", "//evil.example", `/\evil.example`,
		"evil", "/\tevil",
		"javascript:alert(1)"} {
		b := s.Visitor(t)
		if got := b.SignIn(idp, next); got.Header.Get("Location") != "/" {
			t.Errorf("next=%q leads to %q", next, got.Header.Get("Location"))
		}
	}
}

func query1(t *testing.T, path, name string) string {
	t.Helper()
	u, err := url.Parse(path)
	sitetest.Check(t, err)
	return u.Query().Get(name)
}

// TestPeople_EndedSignInKeepsTheForm: in the middle of a call, with 409 in words, and the form
// can be sent after another sign-in.
func TestPeople_EndedSignInKeepsTheForm(t *testing.T) {
	t.Parallel()
	s, idp, clock := newTeam(t)
	s.SignIn(idp, "/")
	s.Stranger()
	call := s.Last
	clock.Pass(13 * time.Hour)
	form := url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}, "a0.0": {"Grüße\n\"<b>"}}
	got := s.Do("POST", call+"/rounds", form.Encode(), http.Header{"Cookie": {s.Cookies}})
	page := got.HTML()
	if got.Status != http.StatusConflict || code(got) != "signed_out_here" ||
		!strings.Contains(got.Body, "your form is kept") {
		t.Fatalf("%d %q %s", got.Status, code(got), sitetest.Excerpt(got.Body))
	}
	kept := page.Form("[data-kept]")
	if kept.Encode() != form.Encode() {
		t.Errorf("kept is %v", kept)
	}
	if action := page.Value("[data-kept]", "action"); action != call+"/rounds" {
		t.Errorf("it goes to %s", action)
	}
	part := s.Do("GET", call, "", http.Header{"Cookie": {s.Cookies}, "Hx-Request": {"true"}})
	if part.Status != http.StatusUnauthorized || part.Header.Get("HX-Reswap") != "none" {
		t.Errorf("a part of a page: %d, %v", part.Status, part.Header)
	}
	if got := s.Page(call + "/events"); got.Status != http.StatusUnauthorized {
		t.Errorf("a stream: %d", got.Status)
	}
	s.SignIn(idp, "/")
	if got := s.Page(call); got.Status != http.StatusOK {
		t.Errorf("after another sign-in: %d", got.Status)
	}
	s.Follow(call+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"decline"}})
	if got := s.Page(call); !strings.Contains(got.Body, "declined") {
		t.Errorf("the form that was kept is not taken: %s", sitetest.Excerpt(got.Body))
	}
}

// TestPeople_OperatorRemovesAndHandsOver (fault 146).
func TestPeople_OperatorRemovesAndHandsOver(t *testing.T) {
	t.Parallel()
	s, idp, _ := newTeam(t)
	bob := s.Visitor(t)
	s.SignIn(idp, "/")
	s.Stranger()
	call, token := s.Last, s.Token()
	as(idp, "bob", "Bob")
	bob.SignIn(idp, "/")
	o := operator(t, s)
	list := state(o).People
	if len(list) != 2 {
		t.Fatalf("people: %+v", list)
	}
	ids := map[string]string{}
	for _, p := range list {
		ids[p.Subject] = p.ID
	}
	orders(o, "/hand-over", url.Values{"person": {ids["ada"]}, "to": {ids["bob"]}}, http.StatusSeeOther)
	if got := bob.Page(call); got.Status != http.StatusOK {
		t.Errorf("what was handed over: %d", got.Status)
	}
	if got := s.Page(call); got.Status != http.StatusForbidden || code(got) != "removed" {
		t.Errorf("who was removed: %d %q", got.Status, code(got))
	}
	if got := s.Agent("Authorization", "Bearer "+token).Ask("tools/list",
		map[string]any{}); got.Code != http.StatusUnauthorized {
		t.Errorf("an agent of who was removed: %d", got.Code)
	}
	as(idp, "ada", "Ada")
	if got := s.SignIn(idp, "/"); got.Status != http.StatusForbidden || code(got) != "removed" {
		t.Errorf("another sign-in of who was removed: %d %q", got.Status, code(got))
	}
	orders(o, "/admit", url.Values{"person": {ids["ada"]}}, http.StatusSeeOther)
	s.SignIn(idp, "/")
	if got := s.Page("/history"); got.Status != http.StatusOK || strings.Contains(got.Body, "data-session") {
		t.Errorf("who was let in again: %d", got.Status)
	}
	orders(o, "/remove", url.Values{"person": {ids["bob"]}}, http.StatusSeeOther)
	orders(o, "/admit", url.Values{"person": {ids["bob"]}}, http.StatusSeeOther)
	if got := bob.Page(call); got.Status != http.StatusNotFound {
		t.Errorf("what a removed person had made: %d", got.Status)
	}
	orders(o, "/remove", url.Values{"person": {"none"}}, http.StatusNotFound)
	orders(o, "/hand-over", url.Values{"person": {ids["bob"]}, "to": {ids["bob"]}}, http.StatusNotFound)
}

// orders sends a command to the operator's page.
func orders(o *sitetest.Site, path string, form url.Values, status int) {
	o.T.Helper()
	if got := o.Post(path, form.Encode()); got.Status != status {
		o.T.Errorf("%s %v: %d %s", path, form, got.Status, got.Body)
	}
}

// TestPeople_NamedByAProxy: the header counts from the proxy only, and goes no further
// (fault 142).
func TestPeople_NamedByAProxy(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Public, wire.Config{Resolver: sitetest.Names{}}, sitetest.NamedByProxy)
	ada, again, bob, nobody := s.Visitor(t), s.Visitor(t), s.Visitor(t), s.Visitor(t)
	ada.User, again.User, bob.User = "ada@example.com", "ada@example.com", "bob@example.com"
	ada.Stranger()
	call := ada.Last
	for who, tt := range map[string]struct {
		visitor *sitetest.Site
		status  int
	}{"the person": {again, http.StatusOK}, "another person": {bob, http.StatusNotFound},
		"nobody": {nobody, http.StatusUnauthorized}} {
		if got := tt.visitor.Page(call); got.Status != tt.status {
			t.Errorf("%s: %d", who, got.Status)
		}
	}
	twice := s.Visitor(
		t,
	).Do(
		"GET",
		call,
		"",
		http.Header{sitetest.UserHeader: {"ada@example.com", "bob@example.com"}},
	)
	if twice.Status != http.StatusUnauthorized {
		t.Errorf("two values: %d", twice.Status)
	}
	settings := ada.Page("/settings")
	if page := settings.HTML(); !page.Has("#person") || page.Has(`[action="/sign-out"]`) {
		t.Errorf("the settings of a person of a proxy: %s", sitetest.Excerpt(settings.Body))
	}
	ada.Capture("azure-devops", "").Send("tools/list", map[string]any{})
	for name, rows := range rows(s) {
		for _, row := range rows {
			if name != "person" && strings.Contains(row, "ada@example.com") {
				t.Errorf("the header is recorded in %s: %s", name, sitetest.Excerpt(row))
			}
		}
	}

	far := sitetest.NewWith(t, app.Public, wire.Config{}, sitetest.NamedByProxy, func(c *site.Config) {
		c.Proxies = nil
	})
	far.User = "ada@example.com"
	if got := far.Page("/history"); got.Status != http.StatusUnauthorized || code(got) != "no_user" {
		t.Errorf("a header that no proxy sent: %d %q", got.Status, code(got))
	}
}

// TestPeople_OpenRoutes: what is open without a sign-in is what OpenRoutes says, and each of
// them is a route.
func TestPeople_OpenRoutes(t *testing.T) {
	t.Parallel()
	s, _, _ := newTeam(t)
	open := []string{}
	for _, one := range web.OpenRoutes() {
		open = append(open, one.Routes...)
	}
	routes := map[string]bool{}
	for _, route := range s.Pages.Routes() {
		method, pattern, _ := strings.Cut(route, " ")
		routes[pattern] = true
		path := strings.NewReplacer(":", "", "*", "x").Replace(pattern)
		got := s.Do(method, path, "", nil)
		asks := code(got) == "sign_in" || got.Status == http.StatusSeeOther && method == "GET" &&
			strings.HasPrefix(got.Header.Get("Location"), web.SignInPath)
		if method == "HEAD" || method == "OPTIONS" {
			continue
		}
		if asks == slices.Contains(open, pattern) {
			t.Errorf("%s asks for a sign-in: %t (%d %q)", route, asks, got.Status, code(got))
		}
	}
	for _, pattern := range open {
		if !routes[pattern] {
			t.Errorf("%s is open, and no route", pattern)
		}
	}
}

// TestPeople_LinksForPeople: the operator decides whether a link can be read without a
// sign-in; copying it always takes one.
func TestPeople_LinksForPeople(t *testing.T) {
	t.Parallel()
	for _, everyone := range []bool{true, false} {
		s, idp, _ := newTeam(t, func(c *site.Config) { c.App.People.Links = everyone })
		s.SignIn(idp, "/")
		s.Stranger()
		shares(s, sitetest.Find(t, s.Page("/history").Body, `/sessions/(\w+)/share`))
		token := sitetest.Find(t, s.Last, `made=(\w+)`)
		nobody := s.Visitor(t)
		if got := nobody.Page("/s/" + token); (got.Status == http.StatusOK) != everyone {
			t.Errorf("for everyone %t: %d", everyone, got.Status)
		}
		if got := nobody.Do("POST", "/s/"+token+"/fork", "", nil); got.Status != http.StatusConflict {
			t.Errorf("a copy without a sign-in: %d", got.Status)
		}
	}
}

// TestPeople_AgentsBelongToPeople: without a token there is no agent.
func TestPeople_AgentsBelongToPeople(t *testing.T) {
	t.Parallel()
	s, idp, _ := newTeam(t)
	s.SignIn(idp, "/")
	token := s.Token()
	if got := s.Agent("Authorization", "Bearer "+token).Ask("tools/list",
		map[string]any{}); got.Problem != "" ||
		got.IsError {
		t.Errorf("with a token: %+v", got)
	}
	if got := s.Agent().Ask("tools/list", map[string]any{}); got.Code != http.StatusUnauthorized {
		t.Errorf("without a token: %+v", got)
	}
}

// TestPeople_ClaimIsAdded: the work of local mode goes to the person who opens the operator's
// link, beside what they have.
func TestPeople_ClaimIsAdded(t *testing.T) {
	t.Parallel()
	s, idp, clock := newTeam(t)
	s.SignIn(idp, "/")
	s.Stranger()
	own := s.Last
	sitetest.Check(
		t,
		s.Store.AddExchange(t.Context(), usage.LocalWorkspace, "local", dbtest.Exchange("before")),
	)
	clock.Pass(time.Minute)
	token, err := web.NewClaim(s.Config.CookieKeys(true), clock.Now())
	sitetest.Check(t, err)
	for range 2 { // it works once
		s.Follow(web.ClaimPath+token, nil)
	}
	list := s.Page("/history").Body
	for _, path := range []string{own, "/sessions/sbefore"} {
		if !strings.Contains(list, path) {
			t.Errorf("the history has no %s", path)
		}
	}
}

// TestPeople_ProviderAway: while the identity provider does not answer, the page says so, and who
// has signed in goes on.
func TestPeople_ProviderAway(t *testing.T) {
	t.Parallel()
	s, _, _ := newTeam(t, func(c *site.Config) {
		c.App.People.Provider = oidc.New(oidc.Config{Issuer: "http://127.0.0.1:1", ClientID: "c",
			Now: time.Now})
	})
	if got := s.Page(web.SignInStartPath); got.Status != http.StatusServiceUnavailable ||
		code(got) != "sign_in_away" {
		t.Errorf("%d %q", got.Status, code(got))
	}
}

// TestPeople_KeepSecretsWhenKeysAreRetired: of who came back between the rotation and the
// retirement. Who did not stays the same person, and signs in to servers again.
func TestPeople_KeepSecretsWhenKeysAreRetired(t *testing.T) {
	t.Parallel()
	older, newer := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	var keys atomic.Pointer[[][]byte]
	keys.Store(&[][]byte{older})
	s, idp, _ := newTeam(t, func(c *site.Config) {
		c.CookieKeys = func(bool) [][]byte { return *keys.Load() }
	})
	servers := map[string]string{}
	people := map[string]*sitetest.Site{"ada": s.Visitor(t), "bob": s.Visitor(t)}
	for name, b := range people {
		as(idp, name, name)
		b.SignIn(idp, "/")
		b.ConnectTo("https://gone.example/mcp", "headers", "Authorization: Bearer s3cr3t-t0ken-of-"+name)
		servers[name] = b.Last
	}
	keys.Store(&[][]byte{newer, older})
	people["ada"].Page("/history")
	keys.Store(&[][]byte{newer})
	for name, kept := range map[string]bool{"ada": true, "bob": false} {
		as(idp, name, name)
		again := s.Visitor(t)
		again.SignIn(idp, "/")
		got := again.Page(servers[name])
		if got.Status != http.StatusOK || strings.Contains(code(got), "secret_lost") == kept {
			t.Errorf("%s: %d %s", name, got.Status, sitetest.Excerpt(got.Body))
		}
	}
}
