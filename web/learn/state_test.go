package learn_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// pasted is a JWT as another server could send it.
const pasted = "eyJhbGciOiJIUzI1NiJ9.eyJzdGVwIjoyLCJub3RlIjoid29ya2JlbmNoLXNlY3JldCJ9." +
	"Zk8sLp0QxW3vT7nB2mC9dAZk8sLp0QxW3vT7nB2mC9d"

// bench returns the form of the workbench on a page.
func bench(t *testing.T, page string) url.Values {
	t.Helper()
	form := htmltest.Parse(page).Form("[data-form=state]")
	if !form.Has("token") || !form.Has("claims") || !form.Has("mode") {
		t.Fatalf("no form in %s", sitetest.Excerpt(page))
	}
	return form
}

// press sends the form of a page with a button and further values, and returns
// the page that it leads to.
func press(s *sitetest.Site, page, do string, set ...string) string {
	s.T.Helper()
	form := bench(s.T, page)
	form.Set("do", do)
	for i := 0; i+1 < len(set); i += 2 {
		form.Set(set[i], set[i+1])
	}
	s.Last = ""
	got := s.Follow("/state", form)
	if got.Status != 200 || !regexp.MustCompile(`^/state\?w=[\w-]+$`).MatchString(s.Last) {
		s.T.Fatalf("%s: %d at %q: %s", do, got.Status, s.Last, sitetest.Excerpt(got.Body))
	}
	return got.Body
}

// verified returns whether a server accepts the token, and the check that fails.
func verified(t *testing.T, page, server string) (accepted bool, failed string) {
	t.Helper()
	part := `[data-verification="` + server + `"]`
	if !htmltest.Parse(page).Has(part) {
		t.Fatalf("no verification by %s in %s", server, sitetest.Excerpt(page))
	}
	failed = htmltest.Parse(page).Value(part+" [data-check][data-result=failed]", "data-check")
	return htmltest.Parse(page).Has(`[data-verified="` + server + `"][data-accepted="true"]`), failed
}

func wantVerified(t *testing.T, page, server, failed string) {
	t.Helper()
	if accepted, got := verified(t, page, server); got != failed || accepted != (failed == "") {
		t.Errorf("%s accepts: %t, failed %q, want %q", server, accepted, got, failed)
	}
}

// TestState_MakeAndBreak makes a token in each protection and breaks it in each
// way that a server notices, and for plain one that it does not.
func TestState_MakeAndBreak(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"plain", "signed", "sealed"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := sitetest.New(t, app.Local).Visitor(t)
			start := s.Get("/state").Body
			made := press(s, start, "make", "mode", mode)
			token := bench(t, made).Get("token")
			if !strings.HasPrefix(token, "mrtr1."+mode+".") {
				t.Fatalf("made %.40s", token)
			}
			wantVerified(t, made, "own", "")
			unprotected := mode == "plain"
			key, tag := "key", "tag"
			if unprotected {
				key, tag = "", ""
			}
			wantVerified(t, press(s, made, "make", "key", "other"), "own", key)
			forged := press(s, made, "make", "key", "none", "claims",
				strings.Replace(bench(t, made).Get("claims"), `"guests": 4`, `"guests": 40`, 1))
			wantVerified(t, forged, "own", tag)
			if bench(t, forged).Get("token") == token {
				t.Error("the forged token is the same")
			}
			if !unprotected {
				wantVerified(t, press(s, made, "flip"), "own", "tag")
			}
			wantVerified(t, press(s, made, "expire"), "own", "expires")
			odd := strings.Replace(bench(t, made).Get("claims"), `"version"`, `"extra": 1, "version"`, 1)
			late := bench(t, press(s, made, "expire", "claims", odd)).Get("claims")
			if !strings.Contains(late, `"extra": 1`) {
				t.Errorf("expiring drops a member: %s", late)
			}
			for retry, failed := range map[string]string{
				"same": "", "user": "principal", "tool": "call", "arguments": "call", "late": "expires",
			} {
				wantVerified(t, press(s, made, "verify", "retry", retry), "own", failed)
			}
			changed := strings.Replace(bench(t, made).Get("claims"), `"alice"`, `"bob"`, 1)
			wantVerified(t, press(s, made, "make", "claims", changed), "own", "principal")
			wantVerified(t, press(s, made, "make", "claims", `{"step":2}`), "own", "claims")
			wantVerified(t, press(s, made, "look", "token", pasted), "own", "format")
			again := press(s, s.Page("/state").Body, "look", "token", token)
			if bench(t, again).Get("claims") != bench(t, made).Get("claims") {
				t.Error("the claims of the visitor's own token are not shown")
			}
		})
	}
}

// TestState_OpensWithToken: the page has an example that is accepted, and a GET
// gives the browser nothing. The keys that it then gets open the example, too.
func TestState_OpensWithToken(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public).Visitor(t)
	opened := s.Get("/state")
	wantVerified(t, opened.Body, "own", "")
	if cookies := opened.Header.Values("Set-Cookie"); len(cookies) > 0 {
		t.Errorf("a GET sets %q", cookies)
	}
	if !strings.Contains(opened.Body, "What the token says.") {
		t.Error("the claims are not those of the token")
	}
	token := bench(t, opened.Body).Get("token")
	wantVerified(t, press(s, opened.Body, "verify"), "own", "") // now there is a cookie
	wantVerified(t, press(s, opened.Body, "flip"), "own", "tag")
	remade := press(s, opened.Body, "make")
	wantVerified(t, remade, "own", "")
	if key := strings.Split(token, ".")[2]; strings.Contains(bench(t, remade).Get("token"), key) {
		t.Error("a visitor's token has the key of the example")
	}
}

// live sends the form of a page as a page with script does while the user types,
// and returns the changes.
func live(s *sitetest.Site, page, do string, set ...string) string {
	s.T.Helper()
	form := bench(s.T, page)
	form.Set("do", do)
	for i := 0; i+1 < len(set); i += 2 {
		form.Set(set[i], set[i+1])
	}
	got := s.Do("POST", "/state", form.Encode(), http.Header{"HX-Request": {"true"}, "Cookie": {s.Cookies}})
	for _, line := range got.Header.Values("Set-Cookie") {
		s.Cookies, _, _ = strings.Cut(line, ";")
	}
	if got.Status != 200 || strings.Contains(got.Body, "<main") {
		s.T.Fatalf("%s: %d %s", do, got.Status, sitetest.Excerpt(got.Body))
	}
	return got.Body
}

// TestState_Live: while one side is edited the other follows. The side that is
// edited is never replaced, and nothing is stored.
func TestState_Live(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local).Visitor(t)
	page := s.Get("/state").Body
	field := func(part, id string) string {
		p := htmltest.Parse(part)
		if !p.Has(`#state-` + id + `[hx-swap-oob="true"]`) {
			return ""
		}
		return p.Form("body").Get(id)
	}
	before := bench(t, page)
	bob := strings.Replace(before.Get("claims"), `"alice"`, `"bob"`, 1)
	changed := live(s, page, "make", "claims", bob)
	wantVerified(t, changed, "own", "principal")
	token := field(changed, "token")
	if token == "" || token == before.Get("token") || field(changed, "claims") != "" {
		t.Errorf("edited claims: token %.30q, claims %.30q", token, field(changed, "claims"))
	}
	back := live(s, page, "look", "token", token)
	if got := field(back, "claims"); got != bob || field(back, "token") != "" {
		t.Errorf("edited token: claims %q, token %.30q", got, field(back, "token"))
	}
	broken := live(s, page, "look", "token", token[:len(token)-1])
	if p := htmltest.Parse(broken); p.Has("#state-claims") ||
		!p.Has(`#state-claims-help "can't be opened here"`) {
		t.Errorf("a token that does not open: %s", sitetest.Excerpt(broken))
	}
	wantVerified(t, broken, "own", "format")
	signed := live(s, page, "make", "mode", "signed")
	if !strings.HasPrefix(field(signed, "token"), "mrtr1.signed.") {
		t.Errorf("another protection: %s", sitetest.Excerpt(signed))
	}
	wantVerified(t, live(s, page, "verify", "retry", "late"), "own", "expires")
	plain := bench(t, press(s, page, "make", "mode", "plain")).Get("token")
	mode := live(s, page, "look", "token", plain)
	if got := htmltest.Parse(mode).Form("#state-choices[hx-swap-oob]").Get("mode"); got != "plain" {
		t.Errorf("a plain token: protection %q", got)
	}
	kept := s.Last
	problem := live(s, page, "make", "claims", "{")
	if p := htmltest.Parse(problem); !p.Has("[data-error=bad_claims]") || p.Has("#state-token") {
		t.Errorf("claims that are not JSON: %s", sitetest.Excerpt(problem))
	}
	large := live(s, page, "look", "token", strings.Repeat("a", 64<<10+1))
	if !htmltest.Parse(large).Has("[data-error=state_too_large]") {
		t.Errorf("too large: %s", sitetest.Excerpt(large))
	}
	for range 25 { // more than are kept
		live(s, page, "make")
	}
	if got := s.Page(kept); got.Status != 200 {
		t.Errorf("what was kept is gone: %d", got.Status)
	}
}

// TestState_LiveSend: the form that sends a state follows it.
func TestState_LiveSend(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	page := s.Get("/state?round=2&x=" + strings.TrimPrefix(s.InMode("azure-devops", lab.Plain), "/x/")).Body
	changed := live(s, page, "make", "claims",
		strings.Replace(bench(t, page).Get("claims"), `"Duplicate"`, `"Fixed"`, 1))
	wantVerified(t, changed, "sample", "")
	token := htmltest.Parse(changed).Form("body").Get("token")
	form := htmltest.Parse(changed).Form("[data-form=send-state]")
	if !strings.Contains(form.Get("body"), token) ||
		!strings.Contains(changed, "No longer the one that was taken") {
		t.Errorf("sends %s", sitetest.Excerpt(form.Get("body")))
	}
}

// TestState_PastedIsTakenApart: what a JWT says becomes the work of new claims,
// which bind it.
func TestState_PastedIsTakenApart(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local).Visitor(t)
	page := press(s, s.Get("/state").Body, "look", "token", pasted)
	for _, want := range []string{
		`[data-format="jwt"] "A signature alone does not make a JWT a safe state"`, `"workbench-secret"`,
		`[data-part="3"]`,
	} {
		if !htmltest.Parse(page).Has(want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	var claims seal.Claims
	if err := json.Unmarshal([]byte(bench(t, page).Get("claims")), &claims); err != nil ||
		!strings.Contains(string(claims.Work), "workbench-secret") {
		t.Errorf("claims %v, %v", claims, err)
	}
	wantVerified(t, press(s, page, "make"), "own", "")
	random := press(s, page, "look", "token", "qL8zW3kP0vN5xT7yB2mC9dF4gH6jK1sA")
	if !htmltest.Parse(random).Has(`"It can't be told"`) {
		t.Errorf("random bytes: %q", htmltest.Parse(random).Texts("[data-format=opaque]"))
	}
}

// TestState_ExamplesOfOtherFormats: each link of the page leads to a token of the
// format that it names.
func TestState_ExamplesOfOtherFormats(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local).Visitor(t)
	links := htmltest.Parse(s.Get("/state").Body).Pairs("[data-examples] a", "data-example", "href")
	if len(links) < 5 {
		t.Fatalf("%d links", len(links))
	}
	for format, path := range links {
		page := htmltest.Parse(s.Get(path).Body)
		if !page.Has(`[data-format="` + format + `"]`) {
			t.Errorf("%s is shown as %q", format, page.Texts("#bench-look-title"))
		}
	}
}

// TestState_PastedTokenStaysInside: a pasted token and its claims are in no
// address, no log and no file. Only the browser that pasted it gets it back.
func TestState_PastedTokenStaysInside(t *testing.T) {
	t.Parallel()
	for _, mode := range []app.Mode{app.Local, app.Public} {
		t.Run(string(mode), func(t *testing.T) {
			s := sitetest.New(t, mode)
			mine, other := s.Visitor(t), s.Visitor(t)
			got := mine.Follow("/state", url.Values{
				"token": {pasted}, "do": {"look"}, "claims": {`{"a":"workbench-secret"}`},
			})
			address := mine.Last
			if got.Status != 200 || len(address) > 80 || !strings.Contains(got.Body, pasted) {
				t.Fatalf("%d at %q: %s", got.Status, address, sitetest.Excerpt(got.Body))
			}
			other.Follow("/state", url.Values{"token": {"other"}, "do": {"look"}})
			for name, v := range map[string]*sitetest.Site{"another": other, "a new": s.Visitor(t)} {
				if page := v.Page(address); page.Status != 404 || strings.Contains(page.Body, pasted) {
					t.Errorf("%s browser gets %d", name, page.Status)
				}
			}
			secrets := []string{pasted, strings.Split(pasted, ".")[1], "workbench-secret"}
			leaked := sitetest.Leaks("address", []byte(address), secrets)
			for where, data := range s.Stored() {
				leaked = append(leaked, sitetest.Leaks(where, data, secrets)...)
			}
			for _, l := range leaked {
				t.Error(l)
			}
		})
	}
}

// TestState_OpensOnlyOwnStates: a stranger's exchange is not found, and a sealed
// state that was pasted is not opened with the samples' keys.
func TestState_OpensOnlyOwnStates(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	mine, other := s.Visitor(t), s.Visitor(t)
	start := func(v *sitetest.Site) string {
		v.Follow("/exchanges", url.Values{"sample": {"azure-devops"}})
		x := v.Last
		v.Follow(x+"/rounds", url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {"Duplicate"}})
		return strings.TrimPrefix(x, "/x/")
	}
	id, theirs := start(mine), start(other)
	page := mine.Page("/state?x=" + id)
	if page.Status != 200 {
		t.Fatalf("own state: %d %s", page.Status, sitetest.Excerpt(page.Body))
	}
	sealed := bench(t, page.Body)
	var hidden seal.Claims
	sitetest.Check(t, json.Unmarshal([]byte(sealed.Get("claims")), &hidden))
	if hidden.Request.Sample != "azure-devops" || hidden.ID == "" {
		t.Errorf("claims %+v", hidden)
	}
	if got := other.Page("/state?x=" + id); got.Status != 404 || strings.Contains(got.Body, "mrtr1") {
		t.Errorf("a stranger gets %d", got.Status)
	}
	// The token of the first visitor, pasted by the second: alone, with the
	// address of the first one's exchange, and beside an exchange of their own.
	for _, beside := range []string{"", id, theirs} {
		for _, do := range []string{"look", "verify"} {
			form := url.Values{"token": {sealed.Get("token")}, "do": {do}, "x": {beside}, "round": {"2"}}
			shown := other.Follow("/state", form)
			if shown.Status != 200 || !strings.Contains(shown.Body, sealed.Get("token")) {
				t.Fatalf("pasted: %d %s", shown.Status, sitetest.Excerpt(shown.Body))
			}
			claims := bench(t, shown.Body).Get("claims")
			if strings.Contains(shown.Body, hidden.ID) || strings.Contains(claims, "azure-devops") {
				t.Errorf("%s with %q beside opens the state: %s", do, beside, claims)
			}
			asked := shown.HTML().Has(`[data-verification="sample"]`)
			if asked != (beside == theirs) {
				t.Errorf("%s with %q beside asks the sample: %t", do, beside, asked)
			}
		}
	}
}

// TestState_TakeEditSend takes the state of a call, forges its claims and sends
// it: a plain one is accepted, and the others are refused as foretold.
func TestState_TakeEditSend(t *testing.T) {
	t.Parallel()
	for mode, failed := range map[lab.Protection]string{lab.Plain: "", lab.Signed: "tag", lab.Sealed: "tag"} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			s := sitetest.New(t, app.Local)
			original := s.InMode("azure-devops", mode)
			before := s.Get(original).Body
			page := s.Get("/state?round=2&x=" + strings.TrimPrefix(original, "/x/")).Body
			wantVerified(t, page, "sample", "")
			if got := bench(t, page); got.Get("key") != "none" || got.Get("mode") != string(mode) {
				t.Errorf("key %s, mode %s", got.Get("key"), got.Get("mode"))
			}
			forged := press(s, page, "make", "claims",
				strings.Replace(bench(t, page).Get("claims"), `"Duplicate"`, `"Fixed"`, 1))
			wantVerified(t, forged, "sample", failed)
			if !strings.Contains(forged, "No longer the one that was taken") {
				t.Error("the page does not say that the state was changed")
			}
			form := sitetest.EditForm(t, forged)
			if got := s.Post(original+"/edit", url.Values{
				"round": form["round"], "body": form["body"], "headers": form["headers"],
				"claims": form["claims"], "do": {"look"},
			}.Encode()); got.Status != 200 || len(sitetest.ChangesOf(got.Body)) != 1 {
				t.Errorf("the editor shows %d %q", got.Status, sitetest.ChangesOf(got.Body))
			}
			got := s.Post(original+"/edit", form.Encode())
			if got.Status != 303 {
				t.Fatalf("sent: %d %s", got.Status, sitetest.Excerpt(got.Body))
			}
			branch := s.Get(s.Last).Body
			reaction := map[bool]string{true: "accepted", false: "rejected"}[failed == ""]
			if !htmltest.Parse(branch).Has(`[data-reaction="` + reaction + `"]`) {
				t.Errorf("not %s: %s", reaction, strings.Join(htmltest.Parse(branch).Texts(".tried"), " "))
			}
			if after := s.Get(original).Body; sitetest.Rounds(after) != sitetest.Rounds(before) ||
				sitetest.Rounds(before) == "" {
				t.Error("the original changed")
			}
			// With the throwaway key the sample knows no such key.
			mint := press(s, page, "make", "key", "own")
			if mode != lab.Plain {
				wantVerified(t, mint, "sample", "key")
				wantVerified(t, mint, "own", "")
			}
		})
	}
}

// TestState_Limits: too large texts, unusable claims and requests of other sites
// are refused with words, and nothing is stored for them.
func TestState_Limits(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	long := strings.Repeat("a", 64<<10)
	for _, test := range []struct {
		name   string
		form   url.Values
		status int
		code   string
	}{
		{"token at the limit", url.Values{"token": {long}, "do": {"look"}}, 303, ""},
		{"one beyond", url.Values{"token": {long + "a"}, "do": {"look"}}, 413, "state_too_large"},
		{"claims one beyond", url.Values{"claims": {long + "a"}, "do": {"make"}}, 413, "state_too_large"},
		{
			"made too large", url.Values{"claims": {`"` + long[2:] + `"`}, "do": {"make"}}, 422,
			"state_too_large",
		},
		{"no JSON", url.Values{"claims": {"{"}, "do": {"make"}}, 422, "bad_claims"},
		{"nothing to expire", url.Values{"claims": {"[]"}, "do": {"expire"}}, 422, "no_expiry"},
		{"nothing to flip", url.Values{"do": {"flip"}}, 422, "no_token"},
		{
			"nothing to keep", url.Values{"claims": {"{}"}, "key": {"none"}, "do": {"make"}}, 422,
			"no_signature",
		},
		{"unknown mode", url.Values{"mode": {"rot13"}, "do": {"make"}}, 422, "bad_mode"},
		{"unknown exchange", url.Values{"x": {"none"}, "do": {"look"}}, 303, ""},
	} {
		got := s.Post("/state", test.form.Encode())
		if got.Status != test.status || !strings.Contains(got.Body, test.code) ||
			test.code != "" && !got.HTML().Has(`[data-error="`+test.code+`"]`) {
			t.Errorf("%s: %d %s, want %d %s", test.name, got.Status, sitetest.Excerpt(got.Body), test.status,
				test.code)
		}
	}
	for _, path := range []string{"/state?w=unknown", "/state?x=unknown"} {
		if got := s.Get(path); got.Status != 404 {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	form := url.Values{"token": {pasted}, "do": {"look"}}.Encode()
	if got := s.Do("POST", "/state", form, http.Header{"Sec-Fetch-Site": {"cross-site"}}); got.Status != 403 {
		t.Errorf("from another site: %d", got.Status)
	}
}

// TestState_WorksWithoutRoom: where nothing more can be stored, the page shows
// the token all the same, and says that it was not kept.
func TestState_WorksWithoutRoom(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.Strict(t, func(l *app.Limits) { l.StorageWorkspace = 10 })
	got := s.Follow("/state", url.Values{"token": {pasted}, "do": {"look"}})
	if got.Status != 200 || s.Last != "" {
		t.Fatalf("%d, led to %q", got.Status, s.Last)
	}
	got.Has(t, `"`+pasted+`"`, `[data-format="jwt"]`, `[data-error="storage_workspace"]`)
	if strings.Contains(got.Body, "This address brings it back") {
		t.Error("the page promises what was not kept")
	}
}

// TestState_ExchangeIsDeleted: the address of a token that was taken from a call
// works on after the call was deleted, without the sample's keys.
func TestState_ExchangeIsDeleted(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	x := s.InMode("azure-devops", lab.Sealed)
	press(s, s.Get("/state?x="+strings.TrimPrefix(x, "/x/")).Body, "verify")
	at := s.Last
	s.Page(at).Has(t, `[data-verification="sample"]`, `[data-form="send-state"]`)
	session := sitetest.Find(t, s.Get("/history").Body, `/sessions/(\w+)/share`)
	if got := s.Post("/sessions/"+session+"/delete", ""); got.Status != 303 {
		t.Fatalf("delete: %d", got.Status)
	}
	got := s.Page(at)
	got.Has(t, `"mrtr1.sealed."`)
	got.HasNot(t, `[data-verification="sample"]`, `[data-form="send-state"]`)
	if got.Status != 200 {
		t.Errorf("status %d", got.Status)
	}
}

// TestState_Expires: after a day the address says so.
func TestState_Expires(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		c.App.Now = func() time.Time { return now }
	})
	s.Follow("/state", url.Values{"token": {pasted}, "do": {"look"}})
	now = now.Add(24*time.Hour - time.Second)
	if got := s.Page(s.Last); got.Status != 200 {
		t.Errorf("before its end: %d", got.Status)
	}
	now = now.Add(time.Second)
	if got := s.Page(s.Last); got.Status != 404 || !got.HTML().Has(`[data-error="no_workbench"]`) {
		t.Errorf("at its end: %d", got.Status)
	}
}

// TestState_FormatsOfTheLegend: every part of a token has its look and its line.
func TestState_FormatsOfTheLegend(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local).Visitor(t)
	page := press(s, s.Get("/state").Body, "make", "mode", "sealed")
	made := htmltest.Parse(page)
	parts, lines := made.Values("[data-part]", "data-part"), len(made.Find("ol.token-parts li"))
	if want := []string{"1", "2", "3", "4", "5", "6"}; !slices.Equal(parts, want) || lines != len(want) {
		t.Errorf("parts %v, %d lines", parts, lines)
	}
	plain := strings.Join(made.Texts(".token-marks"), "")
	if token := bench(t, page).Get("token"); plain != token {
		t.Errorf("the parts join to %q, want %q", plain, token)
	}
}
