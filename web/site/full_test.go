package site_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
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
func fullSite(t *testing.T) (*testSite, *disk) {
	t.Helper()
	d := &disk{room: -1}
	s := newSiteOn(t, app.Local, wire.Config{}, []db.Option{db.WithCommit(d.commit)},
		func(cfg *site.Config) { cfg.App.Settle = 300 * time.Millisecond })
	return s, d
}

// agrees fails unless memory and record agree: what the record holds for a
// process is in memory, each request that the record has was sent, and no
// other. It waits for what is stored once there is room.
func (s *testSite) agrees(t *testing.T, when string) {
	t.Helper()
	await(t, func() string {
		problem := s.disagreement(t)
		if problem != "" {
			problem = when + ": " + problem
		}
		return problem
	})
}

func (s *testSite) disagreement(t *testing.T) string {
	t.Helper()
	held, err := s.store.Unfinished(context.Background())
	check(t, err)
	for _, id := range held {
		if !s.runner.Busy(id) {
			return id + " is held in the record and not in memory"
		}
		if x, err := s.store.ExchangeByID(context.Background(), id); err == nil && !isOpenCall(x) {
			return id + " is still running"
		}
	}
	sent := s.countSent(t)
	if got := s.calls.Load() - s.deleted.Load(); got != sent {
		return fmt.Sprintf("%d calls were sent, the record has %d", got, sent)
	}
	return ""
}

// countSent returns how many calls of samples the record has that were sent here.
func (s *testSite) countSent(t *testing.T) int64 {
	t.Helper()
	const query = `SELECT count(*) FROM event JOIN exchange x ON x.id = event.log
		JOIN session n ON n.id = x.session
		WHERE n.imported = 0 AND x.sample <> '' AND event.kind = 'sent' AND `
	if os.Getenv(engine) == "postgres" {
		return s.number(t, query+`position('Mcp-Method: tools/call'::bytea IN data) > 0`)
	}
	return s.number(t, query+`instr(data, CAST('Mcp-Method: tools/call' AS BLOB)) > 0`)
}

// number returns the number that a query selects.
func (s *testSite) number(t *testing.T, query string) (n int64) {
	t.Helper()
	if os.Getenv(engine) == "postgres" {
		n, err := strconv.ParseInt(pgtest.Query(t, s.data, query), 10, 64)
		check(t, err)
		return n
	}
	raw, err := sql.Open("sqlite3", "file:"+s.data+"?mode=ro")
	check(t, err)
	defer raw.Close()
	check(t, raw.QueryRow(query).Scan(&n))
	return n
}

// isOpenCall reports whether a call of a legacy server waits for its user.
func isOpenCall(x playground.Exchange) bool {
	return x.Fold().Status == playground.StatusWaiting || strings.Contains(x.Target.URL, "wait=")
}

var sessionOf = regexp.MustCompile(`/sessions/(\w+)`)

// journey is something that a visitor does. Prepare returns what the journey does,
// which returns the answer of its last form.
type journey struct {
	prepare func(t *testing.T, s *testSite) func() answer
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
	started := func(t *testing.T, s *testSite) (path, session string) {
		t.Helper()
		path = s.startOf("azure-devops")
		id := sessionOf.FindStringSubmatch(s.get(path).body)
		if id == nil {
			t.Fatal("no session")
		}
		return path, id[1]
	}
	post := func(s *testSite, path, body string) func() answer {
		return func() answer { return s.post(path, body) }
	}
	return map[string]journey{
		"call": {prepare: func(_ *testing.T, s *testSite) func() answer {
			return post(s, "/exchanges", "sample=azure-devops")
		}},
		"answer": {prepare: func(t *testing.T, s *testSite) func() answer {
			path, _ := started(t, s)
			return post(s, path+"/rounds", form("round", "1", "a0.action", "accept", "a0.f0", "Duplicate"))
		}},
		"branch and rerun": {prepare: func(t *testing.T, s *testSite) func() answer {
			path, _ := started(t, s)
			s.post(path+"/rounds", form("round", "1", "a0.action", "accept", "a0.f0", "Duplicate"))
			return post(s, path+"/rerun", "")
		}},
		"note": {prepare: func(t *testing.T, s *testSite) func() answer {
			_, id := started(t, s)
			return post(s, "/sessions/"+id, form("title", "A title", "note", "A note"))
		}},
		"delete": {prepare: func(t *testing.T, s *testSite) func() answer {
			_, id := started(t, s)
			return func() answer {
				got := s.post("/sessions/"+id+"/delete", "")
				if got.status == http.StatusSeeOther {
					s.deleted.Add(1) // the one call of the session
				}
				return got
			}
		}},
		"share": {prepare: func(t *testing.T, s *testSite) func() answer {
			_, id := started(t, s)
			seen := value(t, s.get("/sessions/"+id+"/share").body, "[name=seen]", "value")
			return post(s, "/sessions/"+id+"/share",
				form("do", "create", "seen", seen, "expires", "1d", "leave", "note"))
		}},
		"import": {prepare: func(t *testing.T, s *testSite) func() answer {
			path, _ := started(t, s)
			file := s.get(path + ".json").body
			return func() answer {
				return s.do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}})
			}
		}},
		"demo": {prepare: func(_ *testing.T, s *testSite) func() answer {
			return post(s, "/demos/azure-devops", "")
		}},
		"demo step": {prepare: func(t *testing.T, s *testSite) func() answer {
			if got := s.post("/demos/azure-devops", ""); got.status != http.StatusSeeOther {
				t.Fatal(got.status)
			}
			path, _, _ := strings.Cut(s.last, "?")
			return post(s, path, form("do", "next", "step", "1"))
		}},
		"demo legacy lane": {prepare: func(t *testing.T, s *testSite) func() answer {
			if got := s.post("/demos/azure-devops", ""); got.status != http.StatusSeeOther {
				t.Fatal(got.status)
			}
			path, _, _ := strings.Cut(s.last, "?")
			return post(s, path, form("do", "legacy", "step", "1"))
		}},
		"connect": {prepare: func(t *testing.T, s *testSite) func() answer {
			address := "http://" + listener(t, http1("404 Not Found", "text/plain", "no")) + "/mcp"
			return post(s, "/servers", form("url", address))
		}},
		"check": {stride: 6, prepare: func(_ *testing.T, s *testSite) func() answer {
			return func() (got answer) {
				await(s.t, func() string { // one check runs at a time
					got = s.post("/servers/azure-devops/check", form("tool", "update_work_item",
						"args", `{"workItemId":4522,"fields":{"System.State":"Resolved"}}`, "mine", "yes"))
					if got.status == http.StatusTooManyRequests {
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
			s.agrees(t, "before")
			d.set(-1)
			if got := run(); got.status >= 400 {
				t.Fatalf("with room: %d %s", got.status, excerpt(got.body))
			}
			s.agrees(t, "with room")
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
func fullAt(t *testing.T, s *testSite, d *disk, f journey, name string, n int) {
	t.Helper()
	when := fmt.Sprintf("%s, full after %d writes", name, n)
	run := f.prepare(t, s)
	s.agrees(t, when+": before")
	d.set(n)
	got := run()
	if got.status >= 400 && (got.status != http.StatusInsufficientStorage ||
		!slices.Equal(codes(got.body), []string{"disk_full"})) {
		t.Errorf("%s: %d %q", when, got.status, codes(got.body))
	}
	if home := s.get("/history"); home.status != http.StatusOK {
		t.Errorf("%s: reading the history: %d", when, home.status)
	}
	d.set(-1)
	s.agrees(t, when+": with room again")
	again := run()
	if again.status >= 400 && (name != "delete" || again.status != http.StatusNotFound) {
		t.Errorf("%s: once more: %d %q", when, again.status, codes(again.body))
	}
	s.agrees(t, when+": once more")
}

// TestFullDisk_AgentIsTold why a tool does not run, and what can be done.
func TestFullDisk_AgentIsTold(t *testing.T) {
	t.Parallel()
	s, d := fullSite(t)
	s.agent().call("call_tool", resolved(), toolResult{}) // with room
	d.set(0)
	got := s.agent().call("call_tool", resolved(), toolResult{})
	if words := got.words(); !got.IsError || !strings.Contains(words, "The disk is full") {
		t.Errorf("%v %s", got.IsError, words)
	}
}
