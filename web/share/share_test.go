package share_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
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
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
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

func suffixes() []string { return export.Suffixes(true) }

func TestShare_HasNoPlantedSecret(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	path := s.Imported(leaky())
	if n := len(planted()); n != 25 {
		t.Fatalf("%d secrets are planted", n)
	}
	for _, suffix := range suffixes() {
		if found := leaked(s.Get(path + suffix).Body); len(found) > 0 {
			t.Errorf("%s of the exchange: %q", suffix, found)
		}
	}
	if found := leaked(s.Get("/sessions/" + s.SessionOf() + "/share").Body); len(found) > 0 {
		t.Errorf("the preview itself shows %q", found)
	}
	token := s.Share("leave=")
	stored, err := s.Store.Share(t.Context(), token, time.Now())
	sitetest.Check(t, err)
	if found := leaked(string(stored.Data) + stored.Title); len(found) > 0 {
		t.Errorf("the stored snapshot has %q", found)
	}
	for _, suffix := range append(suffixes(), "", "?round=1", ".qr.svg", ".badge.svg") {
		got := s.Get("/s/" + token + suffix)
		if found := leaked(got.Body); got.Status != http.StatusOK || len(found) > 0 {
			t.Errorf("%q of the share: %d, %q", suffix, got.Status, found)
		}
	}
	if found := leaked(s.Get("/embed/" + token).Body); len(found) > 0 {
		t.Errorf("the frame has %q", found)
	}
	copied := s.Post("/s/"+token+"/fork", "x=y").Header.Get("Location")
	x, err := s.Store.Exchange(t.Context(), "local", strings.TrimPrefix(copied, "/x/"))
	sitetest.Check(t, err)
	if found := leaked(s.Get(copied).Body + fmt.Sprint(x.Target)); len(found) > 0 ||
		len(x.Target.Header) > 0 {
		t.Errorf("the copy has %q and the header %v", found, x.Target.Header)
	}
}

func TestShare_OnlySelectedFindingsStayInClear(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	path := s.Imported(leaky())
	preview := s.Get("/sessions/" + s.SessionOf() + "/share").Body
	id := ""
	for _, row := range strings.Split(preview, "<li data-finding=")[1:] {
		if strings.Contains(row, "AWS") {
			id = sitetest.Find(t, row, `^"(\w+)"`)
		}
	}
	token := s.Share("keep=" + id)
	for name, body := range map[string]string{"share": s.Get("/s/" + token + ".txt").Body,
		"file": s.Get(path + ".txt?keep=" + id).Body} {
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
	s := sitetest.New(t, app.Local)
	s.Post("/exchanges", "sample=azure-devops")
	path := "/sessions/" + s.SessionOf() + "/share"
	seen := sitetest.Value(t, s.Get(path).Body, "[name=seen]", "value")
	s.Post(s.Last+"/rounds", "round=1&do=send&a0.action=decline")
	got := s.Post(path, "do=create&leave=note&seen="+seen)
	if got.Status != http.StatusConflict || !got.HTML().Has("[data-changed]") {
		t.Errorf("%d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	if list := s.Get(paths.Links).Body; htmltest.Parse(list).Has("[data-link]") {
		t.Error("a link was made of something that was not previewed")
	}
}

func TestShare_InvalidLinksLookAlike(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Post("/exchanges", "sample=azure-devops")
	deleted, session := s.Share("leave=note"), s.SessionOf()
	s.Post("/shares/"+deleted+"/delete", "x=y")
	past := share.Share{
		Token: "EXPIREDEXPIREDEXPIREDEXPIR", Session: session, Created: time.Now().Add(-2 * time.Hour),
		Expires: time.Now().Add(-time.Hour), Data: []byte("{}"), Image: []byte("p"),
	}
	sitetest.Check(t, s.Store.AddShare(t.Context(), "local", past))
	for _, prefix := range []string{"/s/", "/embed/"} {
		want := s.Get(prefix + "UNKNOWNUNKNOWNUNKNOWNUNKNO")
		if want.Status != http.StatusNotFound {
			t.Fatalf("status %d", want.Status)
		}
		for _, token := range []string{deleted, past.Token, deleted[:len(deleted)-1], "short", "x", "%00",
			"{token}", ":token", "..%2f..%2fetc", strings.Repeat("A", 5000), "a%20b", "<script>", deleted +
				".json", "nothing.har", "nothing.png"} {
			if strings.Contains(token, ".") && prefix == "/embed/" {
				continue
			}
			got := s.Get(prefix + strings.ReplaceAll(token, "<script>", "%3Cscript%3E"))
			for _, own := range []string{"Date", "X-Request-Id"} { // of every response
				got.Header.Del(own)
				want.Header.Del(own)
			}
			if got.Status != want.Status || got.Body != want.Body ||
				fmt.Sprint(got.Header) != fmt.Sprint(want.Header) {
				t.Errorf(
					"%s%.40s differs: %d, %v, %s", prefix, token, got.Status, got.Header,
					sitetest.Excerpt(got.Body),
				)
			}
		}
	}
}

func TestReader_NeedsNoCookieAndGetsNone(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	jar := s.Do("POST", "/exchanges", "sample=azure-devops", nil).Header.Get("Set-Cookie")
	cookie, _, _ := strings.Cut(jar, ";")
	owner := http.Header{"Cookie": {cookie}}
	id := sitetest.Find(t, s.Do("GET", "/history", "", owner).Body, `/sessions/(\w+)/share`)
	path := "/sessions/" + id + "/share"
	if got := s.Get(path); got.Status != http.StatusNotFound {
		t.Errorf("a stranger reaches the preview: %d", got.Status)
	}
	seen := sitetest.Value(t, s.Do("GET", path, "", owner).Body, "[name=seen]", "value")
	s.Do("POST", path, "do=create&leave=note&seen="+seen, owner)
	token := strings.TrimPrefix(s.Last, "/shares?made=")
	if !s.Do("GET", s.Last, "", owner).HTML().Has("[data-own-machine]") {
		t.Error("a link to this machine does not say that others cannot open it")
	}
	evil := http.Header{"Host": {"evil.example"}, "X-Forwarded-Host": {"evil.example"}}
	got := s.Do("GET", "/s/"+token, "", evil)
	if got.Status != http.StatusOK || got.Header.Get("Set-Cookie") != "" ||
		!strings.Contains(got.Header.Get("X-Robots-Tag"), "noindex") {
		t.Errorf("%d, %v", got.Status, got.Header)
	}
	for _, text := range []string{`<meta name="robots" content="noindex`, `content="` + sitetest.Base +
		"/s/" +
		token + `.png"`, "Read-only recording."} {
		if !strings.Contains(got.Body, text) {
			t.Errorf("the page has no %s", text)
		}
	}
	if strings.Contains(got.Body, "evil.example") || strings.Contains(got.Body, "/x/") ||
		strings.Contains(got.Body, id) {
		t.Error("the page repeats the Host header, or leads to the owner's own addresses")
	}
	if got := s.Do("POST", "/shares/"+token+"/delete", "x=y", nil); got.Status != http.StatusNotFound {
		t.Errorf("a stranger ended the link: %d", got.Status)
	}
	if list := s.Do("GET", paths.Links, "", owner).Body; !strings.Contains(list, "opened once") {
		t.Error("the owner does not see that it was opened")
	}
}

func TestEmbed_IsTheOnlyFramedPage(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Post("/exchanges", "sample=azure-devops")
	token := s.Share("leave=note")
	frame := s.Get("/embed/" + token)
	if csp := frame.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors *") ||
		strings.Contains(csp, "script-src") || frame.Header.Get("X-Frame-Options") != "" {
		t.Errorf("the frame: %v", frame.Header)
	}
	for _, path := range []string{
		"/", "/s/" + token, "/s/" + token + ".svg", "/history", "/shares?made=" + token,
	} {
		if csp := s.Get(path).Header.Get("Content-Security-Policy"); !strings.Contains(csp,
			"frame-ancestors 'none'") {
			t.Errorf("%s may be framed: %s", path, csp)
		}
	}
}

func TestFork_WaitsAndCallsNoServer(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Post("/exchanges", "sample=azure-devops")
	token := s.Share("leave=note")
	path := s.Post("/s/"+token+"/fork", "x=y").Header.Get("Location")
	before, err := s.Store.Exchange(t.Context(), "local", strings.TrimPrefix(path, "/x/"))
	sitetest.Check(t, err)
	if f := playground.Fold(before.Log); f.Status != playground.StatusWaiting || len(f.Rounds) != 1 ||
		len(before.Log) != 3 {
		t.Errorf("%s, %d rounds, %d events", f.Status, len(f.Rounds), len(before.Log))
	}
	got := s.Post(path+"/rounds", "round=1&do=send&a0.action=decline")
	if got.Status != http.StatusSeeOther || !s.Get(path).HTML().Has(`[data-status="declined"]`) {
		t.Error("the copy cannot be answered")
	}
}

func TestShare_TenLinksAnHour(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	cookie, _, _ := strings.Cut(
		s.Do("POST", "/exchanges", "sample=azure-devops", nil).Header.Get("Set-Cookie"), ";",
	)
	owner := http.Header{"Cookie": {cookie}}
	path := "/sessions/" + sitetest.Find(
		t, s.Do("GET", "/history", "", owner).Body, `/sessions/(\w+)/share`,
	) + "/share"
	seen := sitetest.Value(t, s.Do("GET", path, "", owner).Body, "[name=seen]", "value")
	for i := range 11 {
		got := s.Do("POST", path, "do=create&leave=note&seen="+seen, owner)
		if want := map[bool]int{true: http.StatusSeeOther,
			false: http.StatusTooManyRequests}[i < 10]; got.Status != want {
			t.Errorf("link %d: %d, want %d", i+1, got.Status, want)
		}
	}
	token := strings.TrimPrefix(s.Last, "/shares?made=")
	for i := range 31 {
		if got, want := s.Get("/s/nothing").Status, map[bool]int{true: http.StatusNotFound,
			false: http.StatusTooManyRequests}[i < 30]; got != want {
			t.Errorf("wrong link %d: %d, want %d", i+1, got, want)
		}
	}
	if got := s.Get("/s/" + token); got.Status != http.StatusOK {
		t.Errorf("a right link is refused: %d", got.Status)
	}
}

func TestShare_ForeignTextStaysText(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	const evil = `</pre></textarea><script>alert(1)</script><img src=x onerror=alert(1)><form hx-get="/x">`
	n := leaky()
	n.Title, n.Note = evil, evil
	n.Exchanges[0].Target.Name = evil
	n.Exchanges[0].Log[2].Data = bytes.ReplaceAll(
		n.Exchanges[0].Log[2].Data, []byte(`"done"`), []byte(`"`+strings.ReplaceAll(evil, `"`, `\"`)+`"`),
	)
	s.Imported(n)
	id := s.SessionOf()
	token := s.Share("expires=1h")
	for _, path := range []string{"/history", "/sessions/" + id, "/sessions/" + id + "/share",
		"/shares?made=" + token, "/s/" + token, "/embed/" + token, "/s/" + token + ".svg", "/s/" + token +
			".badge.svg", "/history?q=" + url.QueryEscape(evil)} {
		page := s.Get(path).HTML()
		if page.Has(`script "alert"`) || page.Has(`img[src="x"]`) || page.Has(`form[hx-get="/x"]`) {
			t.Errorf("%s obeys what a stranger wrote", path)
		}
	}
	if name := s.Get("/s/" + token +
		".json").Header.Get("Content-Disposition"); name != `attachment; `+
		`filename="mrtr-pre-textarea-script-alert-1-script-img-src-x-onerror-al.json"` {
		t.Errorf("file name %s", name)
	}
}

func TestShare_HasNoCredentialsOfTheUser(t *testing.T) {
	t.Parallel()
	_, address := sitetest.NewEcho(t)
	token, headers, query, secrets := sitetest.Credentials()
	s := sitetest.New(t, app.Local)
	s.ConnectTo(
		address+query, "token", token, "headers", headers, "declares", "shown", "declare",
		"elicitation.form",
	)
	id := strings.TrimPrefix(s.Last, "/servers/")
	s.Follow("/exchanges", url.Values{
		"target": {id}, "kind": {"tool"}, "tool": {"echo"}, "prefix": {"t0"}, "t0.f0": {"say " + token},
	})
	exchange := s.Last
	s.Follow(
		exchange+"/rounds",
		url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {token}, "do": {"send"}},
	)
	share := "/sessions/" + sitetest.Find(t, s.Page("/history").Body, `/sessions/(\w+)/share`) + "/share"
	preview := s.Page(share)
	keep := url.Values{"do": {"create"}, "seen": {"x"}}
	// even who ticks everything shows none of them
	keep["keep"] = preview.HTML().Values("[name=keep]", "value")
	preview = s.Follow(share, keep)
	keep.Set("seen", sitetest.Value(t, preview.Body, "[name=seen]", "value"))
	s.Follow(share, keep)
	link := strings.TrimPrefix(s.Last, "/shares?made=")
	bodies := map[string]string{
		"preview": preview.Body, "reader": s.Page("/s/" + link).Body,
		"reader's bytes": s.Page("/s/" + link + "?view=exact").Body,
		"copy":           s.Follow("/s/"+link+"/fork", url.Values{"x": {"y"}}).Body,
	}
	for _, suffix := range suffixes() {
		bodies["share"+suffix], bodies["exchange"+suffix] = s.Page("/s/"+link+
			suffix).Body, s.Page(exchange+suffix).Body
	}
	if !htmltest.Parse(bodies["reader"]).Has("[data-reader]") ||
		!htmltest.Parse(bodies["copy"]).Has("[data-exchange]") ||
		!strings.Contains(bodies["share.json"], "mrtr-playground/session") {
		t.Fatal("there is no share to look at")
	}
	for where, body := range bodies {
		for _, leak := range sitetest.Leaks(where, []byte(body), secrets) {
			t.Error(leak)
		}
	}
	for where, data := range s.Stored() {
		for _, leak := range sitetest.Leaks(where, data, secrets) {
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
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		counted.Store = c.Store
		c.Store = counted
	})
	s.Post("/exchanges", "sample=azure-devops")
	deleted, session := s.Share("leave=note"), s.SessionOf()
	s.Post("/shares/"+deleted+"/delete", "x=y")
	past := share.Share{
		Token: "EXPIREDEXPIREDEXPIREDEXPIR", Session: session, Created: time.Now().Add(-2 * time.Hour),
		Expires: time.Now().Add(-time.Hour), Data: []byte("{}"), Image: []byte("p"),
	}
	sitetest.Check(t, s.Store.AddShare(t.Context(), "local", past))
	for _, suffix := range []string{"", ".json", ".png"} {
		for name, token := range map[string]string{
			"unknown": "UNKNOWNUNKNOWNUNKNOWNUNKNO", "expired": past.Token, "deleted": deleted,
			"cut": deleted[:len(deleted)-1],
		} {
			counted.reads.Store(0)
			if got := s.Get("/s/" + token + suffix); got.Status != http.StatusNotFound {
				t.Errorf("%s%s: %d", name, suffix, got.Status)
			}
			if n := counted.reads.Load(); n != 1 {
				t.Errorf("%s%s: looked up %d times", name, suffix, n)
			}
		}
	}
}
