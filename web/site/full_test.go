package site_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// disk is full from a write on, until there is room again.
type disk struct {
	mu     sync.Mutex
	writes int // so far
	room   int // writes that there is room for; -1 for any number
}

func (d *disk) commit() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes++
	if d.room == 0 {
		return playground.ErrFull
	}
	if d.room > 0 {
		d.room--
	}
	return nil
}

// set sets the room and returns how many writes there were since it was set.
func (d *disk) set(room int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.writes
	d.writes, d.room = 0, room
	return n
}

// fullSite is a site whose disk can be full.
func fullSite(t *testing.T) (*sitetest.Site, *disk) {
	t.Helper()
	d := &disk{room: -1}
	s := sitetest.NewOn(t, app.Local, wire.Config{}, []engine.Option{engine.WithCommit(d.commit)},
		func(cfg *site.Config) { cfg.App.Settle = 300 * time.Millisecond })
	return s, d
}

// agrees fails unless memory and record agree: what the record holds for a
// process is in memory, each request that the record has was sent, and no
// other. It waits for events that are stored once there is room.
func agrees(s *sitetest.Site, t *testing.T, when string) {
	t.Helper()
	sitetest.Await(t, func() string {
		problem := disagreement(s, t)
		if problem != "" {
			problem = when + ": " + problem
		}
		return problem
	})
}

func disagreement(s *sitetest.Site, t *testing.T) string {
	t.Helper()
	held, err := s.Store.Unfinished(context.Background())
	sitetest.Check(t, err)
	for _, id := range held {
		if !s.Runner.Busy(id) {
			return id + " is held in the record and not in memory"
		}
		if x, err := s.Store.ExchangeByID(context.Background(), id); err == nil && !isOpenCall(x) {
			return id + " is still running"
		}
	}
	sent := countSent(s, t)
	if got := s.Calls.Load() - s.Deleted.Load(); got != sent {
		return fmt.Sprintf("%d calls were sent, the record has %d", got, sent)
	}
	return ""
}

// countSent returns how many calls of samples the record has that were sent here.
func countSent(s *sitetest.Site, t *testing.T) int64 {
	t.Helper()
	const query = `SELECT count(*) FROM event JOIN exchange x ON x.id = event.log
		JOIN session n ON n.id = x.session
		WHERE n.imported = 0 AND x.sample <> '' AND event.kind = 'sent' AND `
	if os.Getenv(sitetest.Engine) == "postgres" {
		return s.Number(t, query+`position('Mcp-Method: tools/call'::bytea IN data) > 0`)
	}
	return s.Number(t, query+`instr(data, CAST('Mcp-Method: tools/call' AS BLOB)) > 0`)
}

// isOpenCall reports whether a call of a legacy server waits for its user.
func isOpenCall(x playground.Exchange) bool {
	return x.Fold().Status == playground.StatusWaiting || strings.Contains(x.Target.URL, "wait=")
}

var sessionOf = regexp.MustCompile(`/sessions/(\w+)`)

// journey is something that a visitor does. Prepare returns the function of the
// journey, which returns the answer of its last form.
type journey struct {
	prepare func(t *testing.T, s *sitetest.Site) func() sitetest.Answer
	stride  int // tries every stride-th write after the first ones
}

func journeys() map[string]journey {
	form := func(values ...string) string {
		f := url.Values{}
		for i := 0; i+1 < len(values); i += 2 {
			f.Add(values[i], values[i+1])
		}
		return f.Encode()
	}
	started := func(t *testing.T, s *sitetest.Site) (path, session string) {
		t.Helper()
		path = s.StartOf("azure-devops")
		id := sessionOf.FindStringSubmatch(s.Get(path).Body)
		if id == nil {
			t.Fatal("no session")
		}
		return path, id[1]
	}
	post := func(s *sitetest.Site, path, body string) func() sitetest.Answer {
		return func() sitetest.Answer { return s.Post(path, body) }
	}
	return map[string]journey{
		"call": {prepare: func(_ *testing.T, s *sitetest.Site) func() sitetest.Answer {
			return post(s, "/exchanges", "sample=azure-devops")
		}},
		"answer": {prepare: func(t *testing.T, s *sitetest.Site) func() sitetest.Answer {
			path, _ := started(t, s)
			return post(s, path+"/rounds", form("round", "1", "a0.action", "accept", "a0.f0", "Duplicate"))
		}},
		"branch and rerun": {prepare: func(t *testing.T, s *sitetest.Site) func() sitetest.Answer {
			path, _ := started(t, s)
			s.Post(path+"/rounds", form("round", "1", "a0.action", "accept", "a0.f0", "Duplicate"))
			return post(s, path+"/rerun", "")
		}},
		"note": {prepare: func(t *testing.T, s *sitetest.Site) func() sitetest.Answer {
			_, id := started(t, s)
			return post(s, "/sessions/"+id, form("title", "A title", "note", "A note"))
		}},
		"delete": {prepare: func(t *testing.T, s *sitetest.Site) func() sitetest.Answer {
			_, id := started(t, s)
			return func() sitetest.Answer {
				got := s.Post("/sessions/"+id+"/delete", "")
				if got.Status == http.StatusSeeOther {
					s.Deleted.Add(1) // the one call of the session
				}
				return got
			}
		}},
		"share": {prepare: func(t *testing.T, s *sitetest.Site) func() sitetest.Answer {
			_, id := started(t, s)
			seen := sitetest.Value(t, s.Get("/sessions/"+id+"/share").Body, "[name=seen]", "value")
			return post(s, "/sessions/"+id+"/share",
				form("do", "create", "seen", seen, "expires", "1d", "leave", "note"))
		}},
		"import": {prepare: func(t *testing.T, s *sitetest.Site) func() sitetest.Answer {
			path, _ := started(t, s)
			file := s.Get(path + ".json").Body
			return func() sitetest.Answer {
				return s.Do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}})
			}
		}},
		"demo": {prepare: func(_ *testing.T, s *sitetest.Site) func() sitetest.Answer {
			return post(s, "/demos/azure-devops", "")
		}},
		"demo step": {prepare: func(t *testing.T, s *sitetest.Site) func() sitetest.Answer {
			if got := s.Post("/demos/azure-devops", ""); got.Status != http.StatusSeeOther {
				t.Fatal(got.Status)
			}
			path, _, _ := strings.Cut(s.Last, "?")
			return post(s, path, form("do", "next", "step", "1"))
		}},
		"demo legacy lane": {prepare: func(t *testing.T, s *sitetest.Site) func() sitetest.Answer {
			if got := s.Post("/demos/azure-devops", ""); got.Status != http.StatusSeeOther {
				t.Fatal(got.Status)
			}
			path, _, _ := strings.Cut(s.Last, "?")
			return post(s, path, form("do", "legacy", "step", "1"))
		}},
		"connect": {prepare: func(t *testing.T, s *sitetest.Site) func() sitetest.Answer {
			address := "http://" + sitetest.Listener(t, sitetest.HTTP1("404 Not Found", "text/plain", "no")) +
				"/mcp"
			return post(s, "/servers", form("url", address))
		}},
		"check": {stride: 6, prepare: func(_ *testing.T, s *sitetest.Site) func() sitetest.Answer {
			return func() (got sitetest.Answer) {
				sitetest.Await(s.T, func() string { // one check runs at a time
					got = s.Post("/servers/azure-devops/check", form("tool", "update_work_item",
						"args", `{"workItemId":4522,"fields":{"System.State":"Resolved"}}`, "mine", "yes"))
					if got.Status == http.StatusTooManyRequests {
						return "another check still runs"
					}
					return ""
				})
				return got
			}
		}},
	}
}

// TestFullDisk_AtEveryWrite: the disk is full from the nth write of a journey on,
// for every n. The page says so or nothing was lost, memory and record agree
// once there is room, and the same journey then works (fault 103).
func TestFullDisk_AtEveryWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes hundreds of calls")
	}
	t.Parallel()
	for name, f := range journeys() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, d := fullSite(t)
			run := f.prepare(t, s)
			agrees(s, t, "before")
			d.set(-1)
			if got := run(); got.Status >= 400 {
				t.Fatalf("with room: %d %s", got.Status, sitetest.Excerpt(got.Body))
			}
			agrees(s, t, "with room")
			writes := d.set(-1)
			if writes == 0 {
				t.Fatal("nothing was written")
			}
			for n := 0; n < writes; n++ {
				if f.stride > 0 && n > 3 && n%f.stride != 0 {
					continue
				}
				fullAt(t, s, d, f, name, n)
			}
			t.Logf("%d writes", writes)
		})
	}
}

// fullAt runs a journey with room for n writes, makes room, and runs it again.
func fullAt(t *testing.T, s *sitetest.Site, d *disk, f journey, name string, n int) {
	t.Helper()
	when := fmt.Sprintf("%s, full after %d writes", name, n)
	run := f.prepare(t, s)
	agrees(s, t, when+": before")
	d.set(n)
	got := run()
	if got.Status >= 400 && (got.Status != http.StatusInsufficientStorage ||
		!slices.Equal(sitetest.Codes(got.Body), []string{"disk_full"})) {
		t.Errorf("%s: %d %q", when, got.Status, sitetest.Codes(got.Body))
	}
	if home := s.Get("/history"); home.Status != http.StatusOK {
		t.Errorf("%s: reading the history: %d", when, home.Status)
	}
	d.set(-1)
	agrees(s, t, when+": with room again")
	again := run()
	if again.Status >= 400 && (name != "delete" || again.Status != http.StatusNotFound) {
		t.Errorf("%s: once more: %d %q", when, again.Status, sitetest.Codes(again.Body))
	}
	agrees(s, t, when+": once more")
}

// TestFullDisk_AgentIsTold why a tool does not run, and what can be done.
func TestFullDisk_AgentIsTold(t *testing.T) {
	t.Parallel()
	s, d := fullSite(t)
	s.Agent().Call("call_tool", sitetest.Resolved(), sitetest.ToolResult{}) // with room
	d.set(0)
	got := s.Agent().Call("call_tool", sitetest.Resolved(), sitetest.ToolResult{})
	if words := got.Words(); !got.IsError || !strings.Contains(words, "The disk is full") {
		t.Errorf("%v %s", got.IsError, words)
	}
}
