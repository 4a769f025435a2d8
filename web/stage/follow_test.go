package stage_test

import (
	"bufio"
	"context"
	"database/sql/driver"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	talks "github.com/mrtr-playground/mrtr-playground/playground/talk"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// talk is a stage that a visitor in public mode presents.
type talk struct {
	*sitetest.Site
	path string // of its stage
	link string // of its followers
}

// present begins a story and lets the room follow.
func present(s *sitetest.Site, slug string) *talk {
	s.T.Helper()
	if got := s.Follow("/demos/"+slug, nil); got.Status != http.StatusOK {
		s.T.Fatalf("make a stage: %d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	path, _, _ := strings.Cut(s.Last, "?")
	k := &talk{Site: s, path: path}
	invitation := s.Follow(path+"/talk", url.Values{"do": {"start"}})
	invitation.Has(s.T, ".talk-code svg", `[data-do="end"]`)
	link := sitetest.Value(s.T, invitation.Body, ".talk-url a", "href")
	rest, ok := strings.CutPrefix(link, sitetest.Base)
	if !ok {
		s.T.Fatalf("the link leads to %s", link)
	}
	k.link = rest
	return k
}

// press presses the button of the stage, and returns the number of the step that was
// reached.
func (k *talk) press(do string) string {
	k.T.Helper()
	step := sitetest.ShownBy(sitetest.StepShown, k.Page(k.path).Body)
	got := k.Follow(k.path, url.Values{"do": {do}, "step": {step}})
	if got.Status != http.StatusOK {
		k.T.Fatalf("press %s at step %s: %d %s", do, step, got.Status, sitetest.Excerpt(got.Body))
	}
	return sitetest.ShownBy(sitetest.StepShown, got.Body)
}

// follower reads the events of a talk.
type follower struct {
	t      *testing.T
	lines  *bufio.Scanner
	id     string // of the newest event
	cancel func()
}

// followAt opens an event stream. after is the event that the follower knows, if any.
func followAt(s *sitetest.Site, path, after string) *follower {
	s.T.Helper()
	req, err := http.NewRequestWithContext(s.T.Context(), http.MethodGet, s.URL+path+"/events", nil)
	sitetest.Check(s.T, err)
	if after != "" {
		req.Header.Set("Last-Event-ID", after)
	}
	res, err := s.Client.Do(req)
	sitetest.Check(s.T, err)
	if res.StatusCode != http.StatusOK || res.Header.Get("Set-Cookie") != "" {
		s.T.Fatalf("follow: %d, cookies %q", res.StatusCode, res.Header.Values("Set-Cookie"))
	}
	f := &follower{t: s.T, lines: bufio.NewScanner(res.Body), cancel: func() { _ = res.Body.Close() }}
	f.lines.Buffer(nil, 1<<20)
	s.T.Cleanup(f.cancel)
	return f
}

// next returns the name and the HTML of the next event, "" at the end of the stream.
func (f *follower) next() (name, html string) {
	f.t.Helper()
	var data []string
	for f.lines.Scan() {
		field, text, _ := strings.Cut(f.lines.Text(), ": ")
		switch field {
		case "event":
			name = text
		case "id":
			f.id = text
		case "data":
			data = append(data, text)
		case "":
			if name != "" {
				return name, strings.Join(data, "\n")
			}
		}
	}
	return "", ""
}

// until reads events up to the first that shows a step at which nothing is running, and
// returns its HTML.
func (f *follower) until(step string) string {
	f.t.Helper()
	for {
		name, html := f.next()
		if name == "" {
			f.t.Fatalf("the stream ended before step %s", step)
		}
		if sitetest.ShownBy(sitetest.StepShown, html) == step &&
			sitetest.ShownBy(sitetest.StatusShown, html) != "running" {
			return html
		}
	}
}

// readsOnly fails if a page lets a follower do anything, or says where that could be
// done.
func readsOnly(t *testing.T, k *talk, what, html string) {
	t.Helper()
	page := htmltest.Parse(html)
	for _, control := range []string{
		"form", "button", "input", "a[href]", "[data-go]", "[data-do]", ".controls", "[hx-get]", "[data-key]",
	} {
		if page.Has(control) {
			t.Errorf("%s has %s", what, control)
		}
	}
	session := k.path[strings.LastIndexByte(k.path, '/')+1:]
	for _, secret := range []string{k.path, session + `"`, "/x/", "/demos/"} {
		if strings.Contains(html, secret) {
			t.Errorf("%s has %s", what, secret)
		}
	}
}

// TestFollow_SeesEachStep plays every story before two followers and a third who comes
// late: they see the same bytes, and can only read.
func TestFollow_SeesEachStep(t *testing.T) {
	t.Parallel()
	for _, story := range demo.Stories() {
		t.Run(story.Slug, func(t *testing.T) {
			t.Parallel()
			k := present(sitetest.New(t, app.Public), story.Slug)
			one, two := followAt(k.Site, k.link, ""), followAt(k.Site, k.link, "")
			for n := range story.Steps {
				step := fmt.Sprint(n + 1)
				if n > 0 {
					if got := k.press("next"); got != step {
						t.Fatalf("step %s is reached, not %s", got, step)
					}
				}
				html := one.until(step)
				if two.until(step) != html && one.id == two.id {
					t.Errorf("step %s: two followers see different bytes", step)
				}
				readsOnly(t, k, "step "+step, html)
				if !htmltest.Parse(html).Has("h1") || !htmltest.Parse(html).Has(".picture svg") {
					t.Errorf("step %s has no words or no picture: %s", step, sitetest.Excerpt(html))
				}
			}
			last := fmt.Sprint(len(story.Steps))
			if late := followAt(k.Site, k.link, "").until(last); !htmltest.Parse(late).Has(".legacy-lane") {
				t.Error("who comes late does not see the last step")
			}
			visitor := k.Visitor(t)
			got := visitor.Get(k.link)
			got.Has(t, `main[data-step="`+last+`"]`, `noscript`, `#said[role="status"]`)
			h := got.Header
			if h.Get("Set-Cookie") != "" || !strings.Contains(h.Get("X-Robots-Tag"), "noindex") {
				t.Errorf("the page answers with %v", got.Header)
			}
			readsOnly(t, k, "the page", got.Body)
			k.NoErrors()
		})
	}
}

// TestFollow_ComesBack: a follower who was away gets the present step, and nothing that
// was seen before.
func TestFollow_ComesBack(t *testing.T) {
	t.Parallel()
	k := present(sitetest.New(t, app.Public), "azure-devops")
	f := followAt(k.Site, k.link, "")
	f.until("1")
	f.cancel()
	k.press("next")
	k.press("next")
	back := followAt(k.Site, k.link, f.id)
	if _, html := back.next(); sitetest.ShownBy(sitetest.StepShown, html) != "3" {
		t.Errorf("the first step after the absence is %s", sitetest.ShownBy(sitetest.StepShown, html))
	}
	again := followAt(k.Site, k.link, back.id)
	k.press("next")
	if _, html := again.next(); sitetest.ShownBy(sitetest.StepShown, html) != "4" {
		t.Errorf("a step that was seen before comes again: %s", sitetest.ShownBy(sitetest.StepShown, html))
	}
}

// TestFollow_SetsNoCookie, also for a visitor who has one that is renewed elsewhere.
func TestFollow_SetsNoCookie(t *testing.T) {
	t.Parallel()
	s, clock := sitetest.Strict(t, nil)
	other := s.Visitor(t)
	other.Stranger()
	clock.Pass(100 * time.Hour)
	k := present(s, "azure-devops")
	if got := other.Page(k.link); got.Status != http.StatusOK || got.Header.Get("Set-Cookie") != "" {
		t.Errorf("a follower: %d, cookies %q", got.Status, got.Header.Values("Set-Cookie"))
	}
	if got := other.Page("/history"); got.Header.Get("Set-Cookie") == "" {
		t.Error("no page renews the cookie, so the test shows nothing")
	}
}

// TestFollow_GoesAlongWhenTheStoryStartsOver: the new stage keeps the followers.
func TestFollow_GoesAlongWhenTheStoryStartsOver(t *testing.T) {
	t.Parallel()
	k := present(sitetest.New(t, app.Public), "load-shedding")
	f := followAt(k.Site, k.link, "")
	f.until("1")
	k.press("next")
	f.until("2")
	session := k.path[strings.LastIndexByte(k.path, '/')+1:]
	if got := k.Follow("/demos/azure-devops", url.Values{"talk": {session}}); got.Status != http.StatusOK {
		t.Fatalf("start over: %d", got.Status)
	}
	if html := f.until("1"); sitetest.ShownBy("data-story", html) != "azure-devops" {
		t.Errorf("the followers see %s", sitetest.ShownBy("data-story", html))
	}
	k.Page(k.path).Has(t, `[data-do="talk"]`) // the old stage is no talk any more
	k.path, _, _ = strings.Cut(k.Last, "?")
	k.Page(k.path).Has(t, "[data-talk]")
}

// TestFollow_Ends: a talk ends with its button, with its stage, and without its
// presenter. Its address is then like any wrong one (fault 124).
func TestFollow_Ends(t *testing.T) {
	t.Parallel()
	ends := map[string]func(k *talk, c *sitetest.Clock){
		"by its button": func(k *talk, _ *sitetest.Clock) {
			k.Follow(k.path+"/talk", url.Values{"do": {"end"}})
		},
		"with its stage": func(k *talk, _ *sitetest.Clock) {
			k.Follow("/sessions/"+k.path[strings.LastIndexByte(k.path, '/')+1:]+"/delete", nil)
		},
		"12 hours after its presenter has left": func(k *talk, c *sitetest.Clock) {
			c.Pass(talks.Life - 1)
			if got := k.Visitor(k.T).Get(k.link); got.Status != http.StatusOK {
				k.T.Errorf("just before: %d", got.Status)
			}
			c.Pass(1)
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, clock := sitetest.Strict(t, nil)
			k := present(s, "azure-devops")
			f := followAt(k.Site, k.link, "")
			f.until("1")
			end(k, clock)
			event, html := f.next()
			for event == "step" || event == "here" {
				event, html = f.next()
			}
			if event != "ended" || !htmltest.Parse(html).Has("[data-ended]") {
				t.Errorf("the follower hears %q: %s", event, html)
			}
			if event, _ := f.next(); event != "" {
				t.Errorf("after the end comes %q", event)
			}
			stranger := k.Visitor(t)
			for _, path := range []string{k.link, k.link + "/events"} {
				got, wrong := stranger.Get(path), stranger.Get("/follow/0000-0000")
				if got.Status != http.StatusNotFound || got.Body != wrong.Body {
					t.Errorf("%s: %d, and not as a wrong code", path, got.Status)
				}
			}
		})
	}
}

// TestFollow_WrongCodes: all get the same 404, and soon 429 (fault 124), be they right
// or wrong. A talk that someone follows is open to all.
func TestFollow_WrongCodes(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.Strict(t, func(l *app.Limits) { l.WrongLinks.Burst = 8 })
	alone := present(s, "rolling-upgrade")
	k := present(s, "azure-devops")
	followAt(k.Site, k.link, "").next()
	stranger := k.Visitor(t)
	want := stranger.Get("/follow/0000-0000")
	for _, code := range []string{
		"0000-0001", "a", "%00", strings.Repeat("a", 5000), k.link[8:12], "..%2f..%2fx", "zzzz-zzzz%20or%201",
	} {
		got := stranger.Get("/follow/" + code)
		if got.Status != http.StatusNotFound || got.Body != want.Body {
			t.Errorf("%.20q: %d %s", code, got.Status, sitetest.Excerpt(got.Body))
		}
	}
	sitetest.Refused(t, "a further code", stranger.Get("/follow/0000-0002"), "too_many_links", "20")
	sitetest.Refused(t, "its events", stranger.Get("/follow/0000-0002/events"), "too_many_links", "20")
	sitetest.Refused(t, "the code of a talk without followers", stranger.Get(alone.link), "too_many_links",
		"20")
	if got := stranger.Get("/follow/" + strings.ToUpper(k.link[8:])); got.Status != http.StatusOK {
		t.Errorf("the right code in capital letters: %d", got.Status)
	}
}

// TestFollow_ActsOnNothing: a follower, and a visitor who knows the address of the
// stage, change nothing (fault 126).
func TestFollow_ActsOnNothing(t *testing.T) {
	t.Parallel()
	k := present(sitetest.New(t, app.Public), "azure-devops")
	stranger := k.Visitor(t)
	other := k.Visitor(t)
	other.Stranger()
	session := k.path[strings.LastIndexByte(k.path, '/')+1:]
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		for _, path := range []string{k.link, k.link + "/events"} {
			got := stranger.Do(method, path, "do=next&step=1", nil)
			if got.Status != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, path, got.Status)
			}
		}
	}
	for name, who := range map[string]*sitetest.Site{"a follower": stranger, "another visitor": other} {
		cookie := http.Header{"Cookie": {who.Cookies}}
		for _, form := range []string{"do=next&step=1", "do=kill&instance=a&step=1", "do=legacy&step=1"} {
			if got := who.Do("POST", k.path, form, cookie); got.Status != http.StatusNotFound {
				t.Errorf("%s: POST %s: %d", name, form, got.Status)
			}
		}
		for _, do := range []string{"start", "end"} {
			if got := who.Do("POST", k.path+"/talk", "do="+do, cookie); got.Status != http.StatusNotFound {
				t.Errorf("%s: %s the talk: %d", name, do, got.Status)
			}
		}
		for _, path := range []string{k.path, k.path + "/talk"} {
			if got := who.Do("GET", path, "", cookie); got.Status != http.StatusNotFound {
				t.Errorf("%s: GET %s: %d", name, path, got.Status)
			}
		}
		who.Do("POST", "/demos/load-shedding", "talk="+session, cookie) // takes the followers along?
	}
	got := stranger.Get(k.link)
	got.Has(t, `main[data-step="1"][data-story="azure-devops"]`)
	k.Page(k.path).Has(t, `main[data-step="1"]`, "[data-talk]")
}

// TestFollow_Crowd: the talks of a presenter have a limit of followers, and so have all
// talks together. One too many is told so, and still sees the present step.
func TestFollow_Crowd(t *testing.T) {
	t.Parallel()
	s, _ := sitetest.Strict(t, func(l *app.Limits) {
		l.Followers, l.FollowersInAll = 2, 3
		l.Streams, l.Pages.Burst, l.Parts.Burst = 1, 10, 1 // of others
	})
	k := present(s, "azure-devops")
	stranger := k.Visitor(t)
	stranger.Get(k.link).Has(t, `[data-full][hidden]`)
	one, two := followAt(k.Site, k.link, ""), followAt(k.Site, k.link, "")
	one.until("1")
	two.until("1")
	sitetest.Refused(t, "the third follower", stranger.Get(k.link+"/events"), "too_many_followers", "10")
	stranger.Get(k.link).Has(t, `[data-full]:not([hidden])`, `main[data-step="1"]`)
	own := present(s, "rolling-upgrade")
	sitetest.Refused(t, "a follower of another talk of the same presenter", stranger.Get(own.link+"/events"),
		"too_many_followers", "10")
	second := present(k.Visitor(t), "load-shedding")
	three := followAt(k.Site, second.link, "")
	three.until("1")
	sitetest.Refused(t, "the fourth of all", stranger.Get(second.link+"/events"), "too_many_followers", "10")
	one.cancel()
	sitetest.Await(t, func() string {
		if stranger.Get(k.link).HTML().Has(`[data-full]:not([hidden])`) {
			return "the place of a follower who has left is not free"
		}
		return ""
	})
	followAt(k.Site, k.link, "").until("1")
	for range 50 { // a hall has one address
		if got := stranger.Get(k.link); got.Status != http.StatusOK {
			t.Fatalf("a page of a follower: %d", got.Status)
		}
	}
}

// TestFollow_IsMasked: what has the shape of a secret is shown to no follower.
func TestFollow_IsMasked(t *testing.T) {
	t.Parallel()
	const secret = "sk-ant-api03-R4nd0mT3xtThatNobodyKnowsAndThatIsLong0123456789"
	k := present(sitetest.New(t, app.Public), "azure-devops")
	session := k.path[strings.LastIndexByte(k.path, '/')+1:]
	blocks := k.Visitor(t)
	own := sitetest.ShownBy(sitetest.OwnShown, k.Page(k.path).Body)
	f := followAt(k.Site, k.link, "")
	f.until("1")
	body := `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text",` +
		`"text":"Use ` + secret + ` from now on."}]}}`
	decided := playground.Decision{Action: playground.ActionRetry, Round: 2}.Event(k.Config.App.Now())
	sitetest.Check(t, k.Store.Append(t.Context(), own,
		playground.Summary{Status: "complete", Rounds: 2, Changed: k.Config.App.Now()}, decided,
		playground.Event{At: k.Config.App.Now(), Conn: 2, Kind: playground.Sent,
			Data: []byte("POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n\r\n" +
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"update_work_item"}}`)},
		playground.Event{At: k.Config.App.Now(), Conn: 2, Kind: playground.Received,
			Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body)}))
	for step := 2; step <= 4; step++ {
		sitetest.Check(t, k.Store.AddMark(t.Context(), session, step,
			demo.Mark{Instances: "a:v1,b:v1", Rounds: 2},
			k.Config.App.Now()))
	}
	html := f.until("4")
	if !strings.Contains(k.Page(k.path).Body, secret) {
		t.Error("the presenter does not see the secret")
	}
	if strings.Contains(html, secret) || strings.Contains(blocks.Get(k.link).Body, secret) {
		t.Errorf("a follower sees the secret: %s", sitetest.Excerpt(html))
	}
}

// TestFollow_WhereNoPhoneLeads: without an address that phones reach, the button leads
// to words and not to a code.
func TestFollow_WhereNoPhoneLeads(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		mode       app.Mode
		host       string
		link, says string
	}{
		{app.Local, "127.0.0.1:2322", "", "started with <code>-room off</code>"},
		{app.Local, "localhost", "", "started with <code>-room off</code>"},
		{app.Trusted, "localhost:2322", "", "such as <code>http://192.168.1.20:2322"},
		{app.Trusted, "[::1]:2322", "", "such as <code>http://192.168.1.20:2322"},
		{app.Trusted, "0.0.0.0:2322", "", "such as <code>http://192.168.1.20:2322"},
		{app.Trusted, "192.168.1.7:2322", "http://192.168.1.7:2322/follow/", "Follow on your phone"},
		{app.Trusted, "[fd00::7]:2322", "http://[fd00::7]:2322/follow/", "Follow on your phone"},
	} {
		t.Run(string(tt.mode)+" "+tt.host, func(t *testing.T) {
			t.Parallel()
			s := sitetest.New(t, tt.mode)
			s.Follow("/demos/azure-devops", nil)
			stage, _, _ := strings.Cut(s.Last, "?")
			host := http.Header{"Host": {tt.host}, "Cookie": {s.Cookies}}
			started := s.Do("POST", stage+"/talk", "do=start&present=1", host)
			if started.Status != http.StatusSeeOther {
				t.Fatalf("start: %d", started.Status)
			}
			present := s.Do("GET", s.Last, "", host)
			present.Has(t, "main[data-present]")
			present.HasNot(t, "header.top")
			got := s.Do("GET", stage+"/talk", "", host)
			if tt.mode == app.Trusted && got.Header.Get("Referrer-Policy") != "same-origin" {
				t.Error("browsers send forms over plain HTTP with the origin null, which is refused")
			}
			if !strings.Contains(strings.Join(strings.Fields(got.Body), " "), tt.says) {
				t.Errorf("the page does not say %q: %s", tt.says, sitetest.Excerpt(got.Body))
			}
			if tt.link == "" {
				got.Has(t, "[data-error]")
				got.HasNot(t, ".talk-code", ".talk-url", `[data-do="end"]`)
				return
			}
			if link := sitetest.Value(t, got.Body, ".talk-url a", "href"); !strings.HasPrefix(link, tt.link) {
				t.Errorf("the link leads to %s", link)
			}
		})
	}
}

// network are the Notices of several processes.
type network struct {
	mu      sync.Mutex
	waiting map[string][]chan struct{}
	lost    bool           // notices are lost
	told    map[string]int // how often each topic was said to have changed
}

func (n *network) Changed(topic string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.told[topic]++
	if n.lost {
		return
	}
	for _, c := range n.waiting[topic] {
		close(c)
	}
	delete(n.waiting, topic)
}

func (n *network) Changes(topic string) (<-chan struct{}, func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	c := make(chan struct{})
	n.waiting[topic] = append(n.waiting[topic], c)
	return c, func() {}
}

// TestFollow_AtAnotherProcess: followers at one process see the steps that are played at
// another, also if the notices between them are lost.
func TestFollow_AtAnotherProcess(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprint("lost ", lost), func(t *testing.T) {
			t.Parallel()
			between := &network{lost: lost, waiting: map[string][]chan struct{}{}, told: map[string]int{}}
			s := sitetest.NewWith(t, app.Public, wire.Config{}, func(c *site.Config) {
				c.App.Notices = between
			})
			server := httptest.NewServer(site.New(s.Config))
			t.Cleanup(server.Close)
			k := present(s, "azure-devops")
			there := &sitetest.Site{T: t, URL: server.URL, Client: s.Client}
			f := followAt(there, k.link, "")
			f.until("1")
			k.press("next")
			f.until("2")
			k.Follow(k.path+"/talk", url.Values{"do": {"end"}})
			if event, _ := f.next(); event != "ended" {
				t.Errorf("the follower hears %q", event)
			}
			between.mu.Lock()
			defer between.mu.Unlock()
			// the step, the end of its request, and the end of the talk
			if n := between.told[k.path[strings.LastIndexByte(k.path, '/')+1:]]; n != 3 {
				t.Errorf("the other process was told %d times", n)
			}
		})
	}
}

// TestFollow_ManyGuessesAtOnce: no more codes are looked up than an address may guess,
// however many come at once.
func TestFollow_ManyGuessesAtOnce(t *testing.T) {
	t.Parallel()
	for _, mode := range []app.Mode{app.Public, app.Trusted} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			guessAtOnce(t, mode)
		})
	}
}

func guessAtOnce(t *testing.T, mode app.Mode) {
	const most, all = 3, 40 // the store has at least 4 connections to read with
	var looked, refused atomic.Int64
	release := make(chan struct{})
	s := sitetest.NewOn(t, mode, wire.Config{}, []engine.Option{
		engine.WithConnector(func(c driver.Connector) driver.Connector {
			return queried{c, func(query string) {
				if strings.Contains(query, "FROM talk t JOIN session") {
					looked.Add(1)
					<-release
				}
			}}
		}),
	}, func(cfg *site.Config) {
		cfg.App.Limits = app.DefaultLimits()
		cfg.App.Limits.WrongLinks.Burst = most
	})
	var wg sync.WaitGroup
	for n := range all {
		wg.Go(func() {
			if got := s.Get(fmt.Sprintf("/follow/0000-%04d", n)); got.Status == http.StatusTooManyRequests {
				refused.Add(1)
			}
		})
	}
	sitetest.Await(t, func() string {
		// each is held up or refused
		if n := looked.Load() + refused.Load(); n < all && looked.Load() <= most {
			return fmt.Sprintf("%d of %d came", n, all)
		}
		return ""
	})
	if n := looked.Load(); n > most {
		t.Errorf("%d codes were looked up, %d may be", n, most)
	}
	close(release)
	wg.Wait()
}

// queried calls f before each query of its connections.
type queried struct {
	driver.Connector
	f func(query string)
}

func (q queried) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := q.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return queriedConn{made.(fullConn), q.f}, nil
}

// fullConn is what a connection of SQLite can do.
type fullConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

type queriedConn struct {
	fullConn
	f func(query string)
}

func (c queriedConn) QueryContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Rows, error) {
	c.f(query)
	return c.fullConn.QueryContext(ctx, query, args)
}
