package exchange_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/faults/balance"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// newEndless serves a call that becomes a task which works for ever. Each poll
// has a text of so many bytes, a new one every time if changing is set. With the
// query stream, polls are answered with an event stream.
func newEndless(t *testing.T, bytes int, changing bool) (address string, polls *atomic.Int32) {
	t.Helper()
	polls = &atomic.Int32{}
	const task = `"taskId":"T","status":"working","createdAt":"2026-11-22T10:00:00Z",` +
		`"lastUpdatedAt":"2026-11-22T10:00:00Z","ttlMs":null,"pollIntervalMs":1`
	script := func(m mcptest.Message, r *http.Request) mcptest.Answer {
		switch m.Method {
		case playground.TasksGet:
			n := polls.Add(1)
			if !changing {
				n = 0
			}
			answer := mcptest.Complete(fmt.Sprintf(`%s,"_meta":{"pad":"%s"}`, task,
				strings.Repeat(fmt.Sprintf("%8d", n), bytes/8)))
			if answer.Stream = r.URL.RawQuery == "stream"; answer.Stream {
				answer.EventID = fmt.Sprint(polls.Load())
			}
			return answer
		case playground.TasksCancel:
			return mcptest.Answer{Result: `{"resultType":"complete"}`}
		}
		return mcptest.Answer{Result: `{"resultType":"task",` + task + `}`}
	}
	return mcptest.Start(t, mcptest.Script(script)) + "/mcp", polls
}

// taskOf starts a call of a server and returns the id of its exchange.
func taskOf(s *sitetest.Site, address string) string {
	s.T.Helper()
	x := playground.Exchange{
		ID: "task", Session: "session", Created: time.Now(),
		Target: playground.Target{Name: "endless", URL: address, Capabilities: json.RawMessage(
			`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)},
		Call: playground.Call{Method: playground.ToolsCall, Params: json.RawMessage(`{"name":"t"}`)},
	}
	sitetest.Check(s.T, s.Store.AddExchange(s.T.Context(), "local", "t", x))
	_, err := s.Runner.Decide(s.T.Context(), x, playground.Decision{Action: playground.ActionStart, Round: 1})
	sitetest.Check(s.T, err)
	return x.ID
}

// TestPoll_EndlessTaskStaysWithinItsLimits is the attack by a task that never
// ends and answers 1 MB per poll: the stored and the shown part are bounded,
// the page says why polling stopped, and the whole bodies can be had.
func TestPoll_EndlessTaskStaysWithinItsLimits(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	address, polls := newEndless(t, 1_000_000, true)
	id := taskOf(s, address)
	s.Runner.Wait(t.Context(), id)
	size, err := s.Store.SessionSize(t.Context(), "session")
	sitetest.Check(t, err)
	if polls.Load() != 3 || size > 2<<20+1_010_000 {
		t.Errorf("%d polls, %d bytes are stored", polls.Load(), size)
	}
	page, bytes := s.Get("/x/"+id), s.Get("/x/"+id+"?view=exact")
	page.Has(t, `[data-status="waiting"]`, `"has reached its size limit"`, `[data-do="cancel"]`,
		`"The body is too long to format."`, "[data-left]")
	bytes.Has(t, `"more of this body are not shown"`, "[data-left]")
	if len(page.Body) > 100_000 || len(bytes.Body) > 2<<20 {
		t.Errorf("the page has %d bytes, %d with the exact ones", len(page.Body), len(bytes.Body))
	}
	again := s.Post("/x/"+id+"/rounds", "round=2&do=resend")
	if got := sitetest.Codes(again.Body); len(got) != 1 || got[0] != "session_full" || polls.Load() != 3 {
		t.Errorf("polled again: %d %q, %d polls", again.Status, got, polls.Load())
	}
	sendsWholeBody(s, "/x/"+id)
	sendsWholeBody(s, "/x/"+id+"?view=exact")
	s.NoErrors()
}

// TestFrame_OfAShareIsSentWhole: to its readers too.
func TestFrame_OfAShareIsSentWhole(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	address, polls := newEndless(t, 700_000, false)
	id := taskOf(s, address)
	for polls.Load() < 3 {
		changed, _ := s.Runner.Watch(t.Context(), id, -1)
		<-changed
	}
	s.Post("/x/"+id+"/cancel", "")
	sendsWholeBody(s, "/s/"+s.Share("")+"?round=2")
}

// sendsWholeBody follows the first link to a whole body on a page.
func sendsWholeBody(s *sitetest.Site, path string) {
	s.T.Helper()
	link := sitetest.Value(s.T, s.Get(path).Body, `[href*="/frames/"]`, "href")
	file := s.Get(link)
	if file.Status != http.StatusOK || len(file.Body) < 700_000 || !strings.HasSuffix(file.Body, "}}") {
		s.T.Errorf("%s: %d, %d bytes", link, file.Status, len(file.Body))
	}
	for name, part := range map[string]string{
		"Content-Type": "application/octet-stream", "Content-Security-Policy": "sandbox",
		"Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff",
	} {
		if !strings.Contains(file.Header.Get(name), part) {
			s.T.Errorf("%s: %s is %q", link, name, file.Header.Get(name))
		}
	}
	base, query, _ := strings.Cut(link, "?")
	base = base[:strings.LastIndex(base, "/")+1]
	for _, seq := range []string{"0", "1", "999", "-1", "x", "../1"} {
		if got := s.Get(base + seq + "?" + query); got.Status != http.StatusNotFound {
			s.T.Errorf("%s%s: %d", base, seq, got.Status)
		}
	}
}

// TestFrame_OfOthersIsNotFound: a frame is its owner's.
func TestFrame_OfOthersIsNotFound(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Public)
	path := s.StartOf("azure-devops")
	if got := s.Visitor(t).Get(path + "/frames/2"); got.Status != http.StatusNotFound {
		t.Errorf("status %d", got.Status)
	}
}

// TestPoll_CountedPollsComeBackByteForByte: unchanged polls are a count on the
// page, in every file and in a share, and the file imports to the same file. The
// import is not polled.
func TestPoll_CountedPollsComeBackByteForByte(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]string{"JSON": "", "stream": "?stream"} {
		t.Run(name, func(t *testing.T) { countedPollsComeBack(t, query) })
	}
}

func countedPollsComeBack(t *testing.T, query string) {
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(*site.Config) {})
	address, polls := newEndless(t, 8, false)
	id := taskOf(s, address+query)
	for polls.Load() < 5 {
		changed, _ := s.Runner.Watch(t.Context(), id, -1)
		<-changed
	}
	if got := s.Post("/x/"+id+"/cancel", ""); got.Status != http.StatusSeeOther {
		t.Fatalf("cancel: %d", got.Status)
	}
	s.Runner.Wait(t.Context(), id)
	x, err := s.Store.Exchange(t.Context(), "local", id)
	sitetest.Check(t, err)
	repeats := x.Fold().Round(2).Repeats
	if repeats < 3 || len(x.Log) > 12 {
		t.Fatalf("%d repeats, %d events", repeats, len(x.Log))
	}
	words := fmt.Sprintf("Asked %d times with the same answer", repeats+1)
	s.Get("/x/"+id+"?round=2").Has(t, `"`+words+`"`)
	s.Get("/x/"+id).Has(t, `"You cancelled the task, and it still runs"`, `[data-do="resend"]`)
	s.Get("/x/"+id+".md").Contains(t, words)
	s.Get("/x/"+id+".har").Contains(t, words)
	s.Get("/x/"+id+".txt").Contains(t, fmt.Sprintf("Asked %d times more with the same answer as 5.", repeats))
	if svg := s.Get("/x/" + id + ".svg"); !strings.Contains(svg.Body, fmt.Sprintf("×\u00a0%d", repeats+1)) {
		t.Errorf("%q", regexp.MustCompile(`tasks/get[^<]*`).FindAllString(svg.Body, -1))
	}
	s.ComesBack("/x/" + id)
	s.Get("/s/"+s.Share("answers=omit")+"?round=2").Has(t, `"`+words+`"`)
	file := s.Get("/x/" + id + ".json").Body
	count := fmt.Sprintf(`\"count\":%d`, repeats)
	for name, damaged := range map[string]string{
		"of a request":       strings.Replace(file, `{\"of\":5,`, `{\"of\":4,`, 1),
		"of a later event":   strings.Replace(file, `{\"of\":5,`, `{\"of\":9,`, 1),
		"no count":           strings.Replace(file, count, `\"count\":0`, 1),
		"a member more":      strings.Replace(file, `{\"of\":5,`, `{\"a\":1,\"of\":5,`, 1),
		"a count too high":   strings.Replace(file, count, `\"count\":1000001`, 1),
		"not JSON after all": strings.Replace(file, `{\"of\":5,`, `{\"of\":5,,`, 1),
	} {
		if damaged == file {
			t.Fatalf("%s: the file is not damaged", name)
		}
		got := s.Do("POST", "/import", damaged, http.Header{"Content-Type": {"application/json"}})
		if got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, got.Status)
		}
	}
	s.NoErrors()
}

// TestPoll_OfAnImportIsNotSent: the file ends while a task is polled.
func TestPoll_OfAnImportIsNotSent(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	address, polls := newEndless(t, 8, false)
	id := taskOf(s, address)
	for polls.Load() < 3 {
		changed, _ := s.Runner.Watch(t.Context(), id, -1)
		<-changed
	}
	file := s.Get("/x/" + id + ".json").Body
	sitetest.Check(t, s.Store.DeleteSession(t.Context(), "local", "session"))
	got := s.Do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}})
	s.Get(got.Header.Get("Location")).Has(t, `[data-status="waiting"]`, `"came from a file"`,
		`[data-do="resend"]`)
	if left, err := s.Store.Unfinished(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("a restart would poll %v, %v", left, err)
	}
}

// TestPoll_IsWatchedByItsPages: every page and stream that shows the exchange to
// its owner is a look, a POST is none.
func TestPoll_IsWatchedByItsPages(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Runner = looks{cfg.App.Runner, seen}
	})
	x := s.StartOf("azure-devops")
	id := strings.TrimPrefix(x, "/x/")
	for _, path := range []string{x, x + "/events", "/sessions/" + s.SessionOf()} {
		before := seen[id]
		s.Get(path)
		if seen[id] == before {
			t.Errorf("GET %s is no look", path)
		}
	}
	before := seen[id]
	s.Post(x+"/rounds", "round=1&do=preview")
	if seen[id] != before {
		t.Error("a POST is a look")
	}
}

// looks counts the looks at each exchange.
type looks struct {
	app.Runner
	seen map[string]int
}

func (l looks) Look(_ context.Context, id string) { l.seen[id]++ }

// TestPoll_EndlessTaskTakesLittleMemory holds the memory's half of fault 89: a
// task that answers 1 MB per poll, until its recording is full and on pages.
func TestPoll_EndlessTaskTakesLittleMemory(t *testing.T) {
	s := sitetest.New(t, app.Local)
	address, polls := newEndless(t, 1_000_000, true)
	s.Get("/history")
	end := balance.Begin(t, 2*balance.Growth)
	id := taskOf(s, address)
	s.Runner.Wait(t.Context(), id)
	for range 5 {
		s.Get("/x/" + id)
	}
	s.Client.CloseIdleConnections()
	end()
	if polls.Load() == 0 {
		t.Error("the task was not polled")
	}
}
