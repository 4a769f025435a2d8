package run_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// taskServer is a server of 2025-11-25 whose tool must be called as a task. The
// task asks one question: on the standalone stream, or on that of tasks/result.
type taskServer struct {
	standalone bool
	never      bool // works until it is cancelled
	interval   int  // between polls, in milliseconds; 0 means 500

	asked    chan struct{} // closed when the question may be asked
	answered chan string   // the answer
	mu       sync.Mutex
	status   string
	text     string
	sent     []string // bodies of all requests
}

func newTaskServer() *taskServer {
	return &taskServer{asked: make(chan struct{}), answered: make(chan string, 1), status: "working"}
}

func (s *taskServer) requests() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.sent, "\n")
}

func (s *taskServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := mcptest.Read(r)
	s.mu.Lock()
	s.sent = append(s.sent, r.Method+" "+string(m.Body))
	s.mu.Unlock()
	reply := func(result string) { mcptest.Answer{Result: result}.Write(w, m) }
	switch {
	case r.Method == http.MethodGet && s.standalone:
		s.ask(w, r)
		<-r.Context().Done()
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", "s1")
		reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"cancel":{},` +
			`"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"t","version":"1"}}`)
	case m.Method == "tools/call" && m.Params.Members()["task"] == nil:
		mcptest.Answer{Error: `{"code":-32601,"message":"Task augmentation required"}`}.Write(w, m)
	case m.Method == "tools/call":
		reply(`{"task":` + s.task() + `}`)
	case m.Method == "tasks/get":
		reply(s.task())
		s.mu.Lock()
		if s.status == "working" && !s.never && s.text == "" {
			s.status = "input_required"
			close(s.asked)
		}
		s.mu.Unlock()
	case m.Method == "tasks/cancel":
		s.mu.Lock()
		s.status = "cancelled"
		s.mu.Unlock()
		reply(s.task())
	case m.Method == "tasks/result":
		s.result(w, r, string(m.ID))
	case m.Result != nil:
		w.WriteHeader(http.StatusAccepted)
		s.answered <- string(m.Result)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

func (s *taskServer) task() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return `{"taskId":"T","status":"` + s.status + `","createdAt":"2025-11-25T10:30:00Z",` +
		`"lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000,"pollInterval":` +
		strconv.Itoa(cmp.Or(s.interval, 500)) + `}`
}

// ask sends the question once it may be asked.
func (s *taskServer) ask(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	select {
	case <-s.asked:
	case <-r.Context().Done():
		return
	}
	fmt.Fprint(w, `data: {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{`+
		`"message":"Which word?",`+
		`"requestedSchema":{"type":"object","properties":{"word":{"type":"string","default":"so"}}},`+
		`"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"T"}}}}`+"\n\n")
	_ = http.NewResponseController(w).Flush()
}

func (s *taskServer) result(w http.ResponseWriter, r *http.Request, id string) {
	if s.standalone {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
	} else {
		s.ask(w, r)
	}
	select {
	case s.text = <-s.answered:
	case <-r.Context().Done():
		return
	}
	fmt.Fprintf(w, "data: "+`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%q}],`+
		`"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"T"}}}}`+"\n\n", id, s.text)
}

const taskTool = `{"name":"job","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`

func TestLegacyTask_AsksAndEnds(t *testing.T) {
	for _, standalone := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newTaskServer()
			s.standalone = standalone
			p := olderPeer(t, s)
			p.tool("/", "job", `{}`)
			p.x.Call.Tool = json.RawMessage(taskTool)
			f := p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
			last := f.Last()
			if f.Status != playground.StatusWaiting || len(last.Questions) != 1 ||
				last.Questions[0].Label() != "“Which word?”" || last.LegacyTask == nil {
				t.Fatalf("standalone %t: %s %s, %s", standalone, f.Status, path(f), s.requests())
			}
			f = p.decide(p.answers())
			if f.Status != playground.StatusComplete || !strings.Contains(text(f.Last()), "related-task") {
				t.Errorf("standalone %t: %s %s: %s", standalone, f.Status, path(f), text(f.Last()))
			}
			if sent := s.requests(); strings.Contains(sent, "notifications/cancelled") ||
				strings.Count(sent, "tasks/result") != 1 {
				t.Errorf("sent:\n%s", sent)
			}
			if twice := sameIDs(p.log.Events("x")); len(twice) > 0 {
				t.Errorf("ids sent twice: %v", twice)
			}
		})
	}
}

func TestLegacyTask_IsCancelledAsATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTaskServer()
		s.never = true
		p := olderPeer(t, s)
		p.tool("/", "job", `{}`)
		p.x.Call.Tool = json.RawMessage(taskTool)
		p.begin(playground.Decision{Action: playground.ActionStart, Round: 1})
		time.Sleep(1700 * time.Millisecond)
		if !p.runner.Cancel("x") {
			t.Fatal("nothing to cancel")
		}
		p.runner.Wait(t.Context(), "x")
		synctest.Wait()
		f := p.folded()
		if f.Status != playground.StatusCancelled || f.Last().Polls != 3 {
			t.Errorf("%s after %d polls", f.Status, f.Last().Polls)
		}
		if sent := s.requests(); !strings.Contains(sent, `"method":"tasks/cancel"`) ||
			strings.Contains(sent, "notifications/cancelled") {
			t.Errorf("sent:\n%s", sent)
		}
	})
}

// TestLegacyTask_RarePolls: a call whose task asks for more time between polls than
// the limit is given up, with the reason, and its task is cancelled.
func TestLegacyTask_RarePolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTaskServer()
		s.never, s.interval = true, 1_000_000_000
		p := olderPeer(t, s)
		p.limits.Interval = 3 * time.Second
		p.stop()
		p.start()
		p.tool("/", "job", `{}`)
		p.x.Call.Tool = json.RawMessage(taskTool)
		f := p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		if f.Status != playground.StatusFailed || !strings.Contains(f.Last().Detail, "11 days 13 h") {
			t.Errorf("%s: %s", f.Status, f.Last().Detail)
		}
		synctest.Wait()
		if sent := s.requests(); !strings.Contains(sent, `"method":"tasks/cancel"`) {
			t.Errorf("sent:\n%s", sent)
		}
	})
}

// TestLegacy_NotifiesOnlyOfCallsInProgress: an answered call is not cancelled.
func TestLegacy_NotifiesOnlyOfCallsInProgress(t *testing.T) {
	const notified = `"method":"notifications/cancelled"`
	decline := json.RawMessage(`{"action":"decline"}`)
	sentOf := func(p *peer) string {
		var all []string
		for _, e := range p.log.Events("x") {
			if e.Kind == playground.Sent {
				all = append(all, string(e.Data))
			}
		}
		return strings.Join(all, "\n")
	}
	synctest.Test(t, func(t *testing.T) {
		p := olderPeer(t, older(t, false))
		p.tool("/", "form", `{}`)
		f := p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		f = p.decide(playground.Decision{Action: playground.ActionAnswer, Round: 2,
			Answers: []playground.Answer{{Key: f.Last().Questions[0].Key, Value: decline}}})
		synctest.Wait()
		if sent := sentOf(p); f.Status != playground.StatusDeclined || strings.Contains(sent, notified) {
			t.Errorf("declined: %s\n%s", f.Status, sent)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		p := olderPeer(t, older(t, false))
		p.tool("/", "model", `{}`)
		f := p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		refused := json.RawMessage(`{"code":-1,"message":"User rejected sampling request"}`)
		f = p.decide(playground.Decision{Action: playground.ActionAnswer, Round: 2,
			Answers: []playground.Answer{{Key: f.Last().Questions[0].Key, Error: refused}}})
		synctest.Wait()
		sent := sentOf(p)
		if strings.Contains(sent, notified) || !strings.Contains(sent, `"error":`+string(refused)) ||
			f.Last().Final == nil && f.Last().Error == nil {
			t.Errorf("refused: %s\n%s", f.Status, sent)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		p := olderPeer(t, older(t, false))
		p.tool("/", "form", `{}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		p.runner.Cancel("x")
		p.runner.Wait(t.Context(), "x")
		synctest.Wait()
		if sent := sentOf(p); !strings.Contains(sent, notified) || !strings.Contains(sent, "the user "+
			"cancelled") {
			t.Errorf("cancelled: not notified\n%s", sent)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		wrong := saying(200, "application/json", `{"jsonrpc":"2.0","id":2,"result":[]}`)
		p := olderPeer(t, faulty(nil, wrong))
		p.tool("/", "t", `{}`)
		f := p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		synctest.Wait()
		if sent := sentOf(p); f.Status != playground.StatusFailed || strings.Contains(sent, notified) {
			t.Errorf("a violation: %s\n%s", f.Status, sent)
		}
	})
}

// TestLegacy_ResumesAStream reconnects with the id of the last event after the
// time that the server named; a question counts as an event.
func TestLegacy_ResumesAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var resumed []string
		var closed time.Time
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			w.Header().Set("Content-Type", "text/event-stream")
			if r.Method == http.MethodGet {
				resumed = append(resumed, r.Header.Get("Last-Event-ID"), time.Since(closed).String())
				fmt.Fprint(w, `data: {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text",`+
					`"text":"done"}]}}`+"\n\n")
				return
			}
			closed = time.Now()
			fmt.Fprint(w, "id: e1\nretry: 700\ndata:\n\n")
			fmt.Fprint(w, `id: e2`+"\n"+`data: {"jsonrpc":"2.0","id":9,"method":"roots/list"}`+"\n\n")
		})
		base := faulty(nil, h.ServeHTTP)
		p := olderPeer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet && r.Header.Get("Last-Event-ID") != "" {
				h(w, r)
				return
			}
			base.ServeHTTP(w, r)
		}))
		p.tool("/", "t", `{}`)
		p.decide(playground.Decision{Action: playground.ActionStart, Round: 1})
		time.Sleep(5 * time.Second)
		synctest.Wait()
		f := p.folded()
		mu.Lock()
		defer mu.Unlock()
		if f.Status != playground.StatusComplete || strings.Join(resumed, " ") != "e2 700ms" {
			t.Errorf("%s: resumed %q", f.Status, resumed)
		}
	})
}
