package site_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// planted are 25 secrets, by what gives each away.
func planted() map[string]string {
	return map[string]string{
		"Authorization": "Bearer bearer-secret-4711-aaaa",
		"X-Upstream-Authorization": "Basic " +
			base64.StdEncoding.EncodeToString([]byte("me:basic-secret-4711")),
		"Cookie": "cookie-secret-4711", "Set-Cookie": "sid=set-cookie-secret-4711",
		"X-Api-Key": "header-key-secret-4711", "Mcp-Session-Id": "session-secret-4711",
		"api_key": "query-secret-4711-bbbb", "password": "pass-word-secret-4711",
		"client_secret": "client-secret-4711-cccc", "refreshToken": "refresh-secret-4711-dddd",
		"aws": "AKIAIOSFODNN7EXAMPLE", "github": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
		"gitlab": "glpat-ABCdef1234567890wxyz", "slack": "xoxb-123456789012-abcdefGHIJKL",
		"stripe": "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "openai": "sk-proj-abc123DEF456ghi789JKL012",
		"google": "AIzaSyA1234567890abcdefghijklmnopqrstuv",
		"npm":    "npm_abcdefghijklmnopqrstuvwxyz0123456789",
		"jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." +
			"dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
		"pem": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----",
		"hf":  "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ123456", "vault": "hvs.CAESIJ1234567890abcdefghij",
		"whsec":  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
		"hexkey": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"lot":    "q7RzL2vX9mK4pT8wB3nY6cJ1sD5hF0gA",
	}
}

// secretOf is the part of a planted value that is the secret.
func secretOf(value string) string {
	if _, rest, ok := strings.Cut(value, " "); ok &&
		(strings.HasPrefix(value, "Bearer") || strings.HasPrefix(value, "Basic")) {
		return rest
	}
	return strings.TrimPrefix(value, "sid=")
}

// leaky is a session in which every planted secret stands somewhere, and is
// echoed by the server in clear, in Base64, in an address and in hexadecimal.
func leaky() session.Session {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	request, members, echo := "POST /mcp HTTP/1.1\r\nHost: h.example\r\nContent-Type: application/json\r\n",
		[]string{}, []string{}
	x := playground.Exchange{
		ID: "x", Created: at, Target: playground.Target{
			Name: "h.example", Capabilities: json.RawMessage(`{}`),
		},
		Call: playground.Call{
			Method: "tools/call", Params: json.RawMessage(`{"name":"leak","arguments":{}}`),
		},
	}
	for name, value := range planted() {
		secret := secretOf(value)
		if strings.Contains(name, "-") && name != "Set-Cookie" || name == "Cookie" ||
			name == "Authorization" {
			request += name + ": " + value + "\r\n"
			x.Target.Header = append(x.Target.Header, wire.Field{Name: name, Value: value})
		}
		member, _ := json.Marshal(map[string]string{name: secret})
		members = append(members, string(member))
		echo = append(echo, base64.StdEncoding.EncodeToString([]byte("echo "+secret)),
			"https://h.example/?q="+url.QueryEscape(secret), hex.EncodeToString([]byte(secret)), secret)
	}
	x.Target.URL = "https://h.example/mcp?api_key=" + planted()["api_key"]
	echoed, _ := json.Marshal(echo)
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],`+
		`"structuredContent":{"named":[%s],"echo":%s}}}`, strings.Join(members, ","), echoed)
	x.Log = []playground.Event{
		{Seq: 1, At: at, Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)},
		{Seq: 2, At: at, Conn: 1, Kind: playground.Sent,
			Data: []byte(request + "\r\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call",` +
				`"params":{"name":"leak","arguments":{}}}`)},
		{Seq: 3, At: at, Conn: 1, Kind: playground.Received,
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nSet-Cookie: " +
				planted()["Set-Cookie"] + "\r\n\r\n" + body)},
	}
	return session.Session{
		Title: "A leak of " + planted()["stripe"], Note: "my password: " + planted()["password"],
		Exchanges: []playground.Exchange{x},
	}
}

// leaked are the planted secrets that stand in a text, in any of their forms.
func leaked(text string) []string {
	var found []string
	for name, value := range planted() {
		secret := secretOf(value)
		inner, _ := json.Marshal(secret)
		for _, form := range []string{
			secret, strings.Trim(string(inner), `"`), url.QueryEscape(secret),
			hex.EncodeToString([]byte(secret)),
			base64.StdEncoding.EncodeToString([]byte("echo " + secret))[8:24],
			base64.RawStdEncoding.EncodeToString([]byte(secret)),
		} {
			if strings.Contains(text, form) {
				found = append(found, name+": "+form)
			}
		}
	}
	return found
}

// imported stores a session through the page and returns the path of its
// exchange.
func (s *testSite) imported(n session.Session) string {
	s.t.Helper()
	data, err := export.JSON(n)
	check(s.t, err)
	got := s.do("POST", "/import", string(data), http.Header{"Content-Type": {"application/json"}})
	if got.status != http.StatusSeeOther {
		s.t.Fatalf("import: %d %s", got.status, excerpt(got.body))
	}
	return got.header.Get("Location")
}

// sessionOf is the session that the newest line of the history belongs to.
func (s *testSite) sessionOf() string {
	s.t.Helper()
	return find(s.t, s.get("/history").body, `/sessions/(\w+)/share`)
}

func find(t *testing.T, text, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in %s", pattern, excerpt(text))
	}
	return found[1]
}

// share makes a link for the newest session and returns its token.
func (s *testSite) share(choices string) string {
	s.t.Helper()
	path := "/sessions/" + s.sessionOf() + "/share"
	seen := value(s.t, s.post(path, "do=preview&"+choices).body, "[name=seen]", "value")
	got := s.post(path, "do=create&seen="+seen+"&"+choices)
	if got.status != http.StatusSeeOther {
		s.t.Fatalf("share: %d %s", got.status, excerpt(got.body))
	}
	return strings.TrimPrefix(got.header.Get("Location"), "/shares?made=")
}

// allPicked is the choice of every exchange of the newest session.
func (s *testSite) allPicked() string {
	n, err := s.store.Session(s.t.Context(), "local", s.sessionOf())
	check(s.t, err)
	choice := ""
	for _, x := range n.Exchanges {
		choice += "&x=" + x.ID
	}
	return choice
}

func suffixes() []string { return export.Suffixes(true) }

func TestShare_HasNoPlantedSecret(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	path := s.imported(leaky())
	if n := len(planted()); n != 25 {
		t.Fatalf("%d secrets are planted", n)
	}
	for _, suffix := range suffixes() {
		if found := leaked(s.get(path + suffix).body); len(found) > 0 {
			t.Errorf("%s of the exchange: %q", suffix, found)
		}
	}
	if found := leaked(s.get("/sessions/" + s.sessionOf() + "/share").body); len(found) > 0 {
		t.Errorf("the preview itself shows %q", found)
	}
	token := s.share("leave=")
	stored, err := s.store.Share(t.Context(), token, time.Now())
	check(t, err)
	if found := leaked(string(stored.Data) + stored.Title); len(found) > 0 {
		t.Errorf("the stored snapshot has %q", found)
	}
	for _, suffix := range append(suffixes(), "", "?round=1", ".qr.svg", ".badge.svg") {
		got := s.get("/s/" + token + suffix)
		if found := leaked(got.body); got.status != http.StatusOK || len(found) > 0 {
			t.Errorf("%q of the share: %d, %q", suffix, got.status, found)
		}
	}
	if found := leaked(s.get("/embed/" + token).body); len(found) > 0 {
		t.Errorf("the frame has %q", found)
	}
	copied := s.post("/s/"+token+"/fork", "x=y").header.Get("Location")
	x, err := s.store.Exchange(t.Context(), "local", strings.TrimPrefix(copied, "/x/"))
	check(t, err)
	if found := leaked(s.get(copied).body + fmt.Sprint(x.Target)); len(found) > 0 ||
		len(x.Target.Header) > 0 {
		t.Errorf("the copy has %q and the header %v", found, x.Target.Header)
	}
}

func TestShare_OnlySelectedFindingsStayInClear(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	path := s.imported(leaky())
	preview := s.get("/sessions/" + s.sessionOf() + "/share").body
	id := ""
	for _, row := range strings.Split(preview, "<li data-finding=")[1:] {
		if strings.Contains(row, "AWS") {
			id = find(t, row, `^"(\w+)"`)
		}
	}
	token := s.share("keep=" + id)
	for name, body := range map[string]string{"share": s.get("/s/" + token + ".txt").body,
		"file": s.get(path + ".txt?keep=" + id).body} {
		found := leaked(body)
		if len(found) == 0 {
			t.Errorf("%s: the ticked one is masked", name)
		}
		for _, f := range found {
			if !strings.HasPrefix(f, "aws:") {
				t.Errorf("%s: %q was not ticked", name, f)
			}
		}
	}
}

func TestShare_ShowsThePreviewAgainAfterAChange(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.post("/exchanges", "sample=azure-devops")
	path := "/sessions/" + s.sessionOf() + "/share"
	seen := value(t, s.get(path).body, "[name=seen]", "value")
	s.post(s.last+"/rounds", "round=1&do=send&a0.action=decline")
	got := s.post(path, "do=create&leave=note&seen="+seen)
	if got.status != http.StatusConflict || !got.html().Has("[data-changed]") {
		t.Errorf("%d %s", got.status, excerpt(got.body))
	}
	if list := s.get("/shares").body; htmltest.Parse(list).Has("[data-link]") {
		t.Error("a link was made of something that was not previewed")
	}
}

func TestShare_InvalidLinksLookAlike(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.post("/exchanges", "sample=azure-devops")
	deleted, session := s.share("leave=note"), s.sessionOf()
	s.post("/shares/"+deleted+"/delete", "x=y")
	past := share.Share{
		Token: "EXPIREDEXPIREDEXPIREDEXPIR", Session: session, Created: time.Now().Add(-2 * time.Hour),
		Expires: time.Now().Add(-time.Hour), Data: []byte("{}"), Image: []byte("p"),
	}
	check(t, s.store.AddShare(t.Context(), "local", past))
	for _, prefix := range []string{"/s/", "/embed/"} {
		want := s.get(prefix + "UNKNOWNUNKNOWNUNKNOWNUNKNO")
		if want.status != http.StatusNotFound {
			t.Fatalf("status %d", want.status)
		}
		for _, token := range []string{deleted, past.Token, deleted[:len(deleted)-1], "short", "x", "%00",
			"{token}", ":token", "..%2f..%2fetc", strings.Repeat("A", 5000), "a%20b", "<script>", deleted +
				".json", "nothing.har", "nothing.png"} {
			if strings.Contains(token, ".") && prefix == "/embed/" {
				continue
			}
			got := s.get(prefix + strings.ReplaceAll(token, "<script>", "%3Cscript%3E"))
			for _, own := range []string{"Date", "X-Request-Id"} { // of every response
				got.header.Del(own)
				want.header.Del(own)
			}
			if got.status != want.status || got.body != want.body ||
				fmt.Sprint(got.header) != fmt.Sprint(want.header) {
				t.Errorf(
					"%s%.40s differs: %d, %v, %s", prefix, token, got.status, got.header, excerpt(got.body),
				)
			}
		}
	}
}

func TestReader_NeedsNoCookieAndGetsNone(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Public)
	jar := s.do("POST", "/exchanges", "sample=azure-devops", nil).header.Get("Set-Cookie")
	cookie, _, _ := strings.Cut(jar, ";")
	owner := http.Header{"Cookie": {cookie}}
	id := find(t, s.do("GET", "/history", "", owner).body, `/sessions/(\w+)/share`)
	path := "/sessions/" + id + "/share"
	if got := s.get(path); got.status != http.StatusNotFound {
		t.Errorf("a stranger reaches the preview: %d", got.status)
	}
	seen := value(t, s.do("GET", path, "", owner).body, "[name=seen]", "value")
	s.do("POST", path, "do=create&leave=note&seen="+seen, owner)
	token := strings.TrimPrefix(s.last, "/shares?made=")
	if !s.do("GET", s.last, "", owner).html().Has("[data-own-machine]") {
		t.Error("a link to this machine does not say that others cannot open it")
	}
	evil := http.Header{"Host": {"evil.example"}, "X-Forwarded-Host": {"evil.example"}}
	got := s.do("GET", "/s/"+token, "", evil)
	if got.status != http.StatusOK || got.header.Get("Set-Cookie") != "" ||
		!strings.Contains(got.header.Get("X-Robots-Tag"), "noindex") {
		t.Errorf("%d, %v", got.status, got.header)
	}
	for _, text := range []string{`<meta name="robots" content="noindex`, `content="` + siteBase + "/s/" +
		token + `.png"`, "Read-only recording."} {
		if !strings.Contains(got.body, text) {
			t.Errorf("the page has no %s", text)
		}
	}
	if strings.Contains(got.body, "evil.example") || strings.Contains(got.body, "/x/") ||
		strings.Contains(got.body, id) {
		t.Error("the page repeats the Host header, or leads to the owner's own addresses")
	}
	if got := s.do("POST", "/shares/"+token+"/delete", "x=y", nil); got.status != http.StatusNotFound {
		t.Errorf("a stranger ended the link: %d", got.status)
	}
	if list := s.do("GET", "/shares", "", owner).body; !strings.Contains(list, "opened once") {
		t.Error("the owner does not see that it was opened")
	}
}

func TestEmbed_IsTheOnlyFramedPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.post("/exchanges", "sample=azure-devops")
	token := s.share("leave=note")
	frame := s.get("/embed/" + token)
	if csp := frame.header.Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors *") ||
		strings.Contains(csp, "script-src") || frame.header.Get("X-Frame-Options") != "" {
		t.Errorf("the frame: %v", frame.header)
	}
	for _, path := range []string{"/", "/s/" + token, "/s/" + token + ".svg", "/history", "/shares"} {
		if csp := s.get(path).header.Get("Content-Security-Policy"); !strings.Contains(csp,
			"frame-ancestors 'none'") {
			t.Errorf("%s may be framed: %s", path, csp)
		}
	}
}

func TestFork_WaitsAndCallsNoServer(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.post("/exchanges", "sample=azure-devops")
	token := s.share("leave=note")
	path := s.post("/s/"+token+"/fork", "x=y").header.Get("Location")
	before, err := s.store.Exchange(t.Context(), "local", strings.TrimPrefix(path, "/x/"))
	check(t, err)
	if f := playground.Fold(before.Log); f.Status != playground.StatusWaiting || len(f.Rounds) != 1 ||
		len(before.Log) != 3 {
		t.Errorf("%s, %d rounds, %d events", f.Status, len(f.Rounds), len(before.Log))
	}
	got := s.post(path+"/rounds", "round=1&do=send&a0.action=decline")
	if got.status != http.StatusSeeOther || !s.get(path).html().Has(`[data-status="declined"]`) {
		t.Error("the copy cannot be answered")
	}
}

func TestShare_TenLinksAnHour(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Public)
	cookie, _, _ := strings.Cut(
		s.do("POST", "/exchanges", "sample=azure-devops", nil).header.Get("Set-Cookie"), ";",
	)
	owner := http.Header{"Cookie": {cookie}}
	path := "/sessions/" + find(
		t, s.do("GET", "/history", "", owner).body, `/sessions/(\w+)/share`,
	) + "/share"
	seen := value(t, s.do("GET", path, "", owner).body, "[name=seen]", "value")
	for i := range 11 {
		got := s.do("POST", path, "do=create&leave=note&seen="+seen, owner)
		if want := map[bool]int{true: http.StatusSeeOther,
			false: http.StatusTooManyRequests}[i < 10]; got.status != want {
			t.Errorf("link %d: %d, want %d", i+1, got.status, want)
		}
	}
	token := strings.TrimPrefix(s.last, "/shares?made=")
	for i := range 31 {
		if got, want := s.get("/s/nothing").status, map[bool]int{true: http.StatusNotFound,
			false: http.StatusTooManyRequests}[i < 30]; got != want {
			t.Errorf("wrong link %d: %d, want %d", i+1, got, want)
		}
	}
	if got := s.get("/s/" + token); got.status != http.StatusOK {
		t.Errorf("a right link is refused: %d", got.status)
	}
}

func TestShare_ForeignTextStaysText(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	const evil = `</pre></textarea><script>alert(1)</script><img src=x onerror=alert(1)><form hx-get="/x">`
	n := leaky()
	n.Title, n.Note = evil, evil
	n.Exchanges[0].Target.Name = evil
	n.Exchanges[0].Log[2].Data = bytes.ReplaceAll(
		n.Exchanges[0].Log[2].Data, []byte(`"done"`), []byte(`"`+strings.ReplaceAll(evil, `"`, `\"`)+`"`),
	)
	s.imported(n)
	id := s.sessionOf()
	token := s.share("expires=1h")
	for _, path := range []string{"/history", "/sessions/" + id, "/sessions/" + id + "/share",
		"/shares?made=" + token, "/s/" + token, "/embed/" + token, "/s/" + token + ".svg", "/s/" + token +
			".badge.svg", "/history?q=" + url.QueryEscape(evil)} {
		page := s.get(path).html()
		if page.Has(`script "alert"`) || page.Has(`img[src="x"]`) || page.Has(`form[hx-get="/x"]`) {
			t.Errorf("%s obeys what a stranger wrote", path)
		}
	}
	if name := s.get("/s/" + token +
		".json").header.Get("Content-Disposition"); name != `attachment; `+
		`filename="mrtr-pre-textarea-script-alert-1-script-img-src-x-onerror-al.json"` {
		t.Errorf("file name %s", name)
	}
}

func TestShare_HasNoCredentialsOfTheUser(t *testing.T) {
	t.Parallel()
	_, address := newEcho(t)
	token, headers, query, secrets := credentials()
	s := newSite(t, app.Local)
	s.connectTo(
		address+query, "token", token, "headers", headers, "declares", "shown", "declare",
		"elicitation.form",
	)
	id := strings.TrimPrefix(s.last, "/servers/")
	s.follow("/exchanges", url.Values{
		"target": {id}, "kind": {"tool"}, "tool": {"echo"}, "prefix": {"t0"}, "t0.f0": {"say " + token},
	})
	exchange := s.last
	s.follow(
		exchange+"/rounds",
		url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {token}, "do": {"send"}},
	)
	share := "/sessions/" + find(t, s.page("/history").body, `/sessions/(\w+)/share`) + "/share"
	preview := s.page(share)
	keep := url.Values{"do": {"create"}, "seen": {"x"}}
	// even who ticks everything shows none of them
	keep["keep"] = preview.html().Values("[name=keep]", "value")
	preview = s.follow(share, keep)
	keep.Set("seen", value(t, preview.body, "[name=seen]", "value"))
	s.follow(share, keep)
	link := strings.TrimPrefix(s.last, "/shares?made=")
	bodies := map[string]string{
		"preview": preview.body, "reader": s.page("/s/" + link).body,
		"reader's bytes": s.page("/s/" + link + "?view=exact").body,
		"copy":           s.follow("/s/"+link+"/fork", url.Values{"x": {"y"}}).body,
	}
	for _, suffix := range suffixes() {
		bodies["share"+suffix], bodies["exchange"+suffix] = s.page("/s/"+link+
			suffix).body, s.page(exchange+suffix).body
	}
	if !htmltest.Parse(bodies["reader"]).Has("[data-reader]") ||
		!htmltest.Parse(bodies["copy"]).Has("[data-exchange]") ||
		!strings.Contains(bodies["share.json"], "mrtr-playground/session") {
		t.Fatal("there is no share to look at")
	}
	for where, body := range bodies {
		for _, leak := range leaks(where, []byte(body), secrets) {
			t.Error(leak)
		}
	}
	for where, data := range s.stored() {
		for _, leak := range leaks(where, data, secrets) {
			t.Error(leak)
		}
	}
}

// readCounter counts how often a share is looked up.
type readCounter struct {
	site.Store
	reads atomic.Int64
}

func (c *readCounter) Share(ctx context.Context, token string, now time.Time) (share.Share, error) {
	c.reads.Add(1)
	return c.Store.Share(ctx, token, now)
}

// TestShare_InvalidLinksCostTheSame holds fault 65 without a clock: a link that
// is unknown, expired, deleted or cut is looked up as often as any other, so its
// time does not tell why it does not work.
func TestShare_InvalidLinksCostTheSame(t *testing.T) {
	t.Parallel()
	counted := &readCounter{}
	s := newSiteWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		counted.Store = c.Store
		c.Store = counted
	})
	s.post("/exchanges", "sample=azure-devops")
	deleted, session := s.share("leave=note"), s.sessionOf()
	s.post("/shares/"+deleted+"/delete", "x=y")
	past := share.Share{
		Token: "EXPIREDEXPIREDEXPIREDEXPIR", Session: session, Created: time.Now().Add(-2 * time.Hour),
		Expires: time.Now().Add(-time.Hour), Data: []byte("{}"), Image: []byte("p"),
	}
	check(t, s.store.AddShare(t.Context(), "local", past))
	for _, suffix := range []string{"", ".json", ".png"} {
		for name, token := range map[string]string{
			"unknown": "UNKNOWNUNKNOWNUNKNOWNUNKNO", "expired": past.Token, "deleted": deleted,
			"cut": deleted[:len(deleted)-1],
		} {
			counted.reads.Store(0)
			if got := s.get("/s/" + token + suffix); got.status != http.StatusNotFound {
				t.Errorf("%s%s: %d", name, suffix, got.status)
			}
			if n := counted.reads.Load(); n != 1 {
				t.Errorf("%s%s: looked up %d times", name, suffix, n)
			}
		}
	}
}
