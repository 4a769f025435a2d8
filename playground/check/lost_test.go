package check_test

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// crashing is a server that does something else instead of sending an error. What it
// does gets the number of errors so far.
func crashing(server http.Handler, crash func(http.ResponseWriter, *http.Request, int64)) http.Handler {
	var errors atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, r)
		if bytes.Contains(answer.Body.Bytes(), []byte(`"error":`)) {
			crash(w, r, errors.Add(1))
			return
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	})
}

func closes(http.ResponseWriter, *http.Request, int64) { panic(http.ErrAbortHandler) }

// command is a server on standard input. A line reaches the handler as a request whose headers
// are right; where that closes the connection, the command ends. The next line starts it again.
type command struct {
	server http.Handler
	now    func() time.Time
}

// Send implements [run.Caller].
func (c command) Send(
	ctx context.Context, _ string, f wire.Frame, record func(wire.Part) error,
) (none wire.Timing) {
	m := mcptest.Parse(f.Body)
	q := mcptest.Request(f.Body).WithContext(ctx)
	q.Header.Set("Authorization", alice)
	answer := httptest.NewRecorder()
	defer func() {
		if recover() != nil {
			_ = record(wire.Part{Kind: wire.Failed, At: c.now(), Failure: &wire.Failure{
				Class: wire.CommandEnded, Detail: "The command ended before the response: exit status 1."}})
		}
	}()
	c.server.ServeHTTP(answer, q)
	if m.ID != nil {
		_ = record(wire.Part{Kind: wire.Received, At: c.now(),
			Bytes: wire.Line(append(answer.Body.Bytes(), '\n')).Bytes()})
	}
	return none
}

// checkedOnLines is the report on a handler as a command.
func checkedOnLines(t *testing.T, clock *clock, h http.Handler, _ ...string) lab.Report {
	t.Helper()
	cfg := configOf(t, clock, run.NewMemory(), func(wire.Limits) run.Caller {
		return command{h, clock.Now}
	})
	plan := planOf(wire.CommandURL([]string{"node", "server.js"}))
	plan.Target.Header, plan.Person, plan.Narrow = nil, nil, nil
	return checkOf(t, cfg, plan)
}

// TestRun_CrashesAreNamed: a server that does not survive a malformed request gets an
// advisory for each experiment that shows it, and the check goes on with the rest.
func TestRun_CrashesAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		checked func(t *testing.T, clock *clock, h http.Handler, tools ...string) lab.Report
		crash   func(http.ResponseWriter, *http.Request, int64)
		says    string
		least   int // experiments that see it
	}{
		"closes": {checked, closes, "The server closed the connection without a response in round ", 15},
		"hangs": {checked, func(_ http.ResponseWriter, r *http.Request, _ int64) { <-r.Context().Done() },
			"The server sent no response in time in round ", 15},
		"fails": {
			checked, func(w http.ResponseWriter, _ *http.Request, _ int64) { http.Error(w, "oops", 500) },
			"The server failed with HTTP status 500 in round ", 15,
		},
		"ends": {checkedOnLines, closes, "The server ended in round ", 12}, // lines have no headers
	} {
		parallel(t, name, func(t *testing.T) {
			clock := &clock{moves: true}
			right := c.checked(t, clock, fakeServer{now: clock.Now})
			r := c.checked(t, clock, crashing(fakeServer{now: clock.Now}, c.crash))
			if r.Status != lab.Complete || !r.Worked || r.Verdict().Counts().Failed > 0 {
				show(t, r)
				t.Fatalf("%s %q", r.Status, r.Detail)
			}
			crashed := 0
			for _, p := range right.Results {
				got := result(t, r, p.ID)
				if p.Reaction != lab.Rejected || got.Verdict == verdict.Passed || p.Group == lab.GroupToken {
					continue // the server has no error to send
				}
				crashed++
				if got.Verdict != verdict.Advisory || !strings.HasPrefix(got.Text, c.says) ||
					got.Round.N == 0 || !strings.Contains(got.Text, "both times") {
					t.Errorf("%s: %s %q", p.ID, got.Verdict, got.Text)
				}
			}
			// an hour is for the late state
			if took := clock.Now().Sub(began); took > 5*time.Minute+time.Hour {
				t.Errorf("the check took %v", took)
			}
			for _, p := range r.Results {
				if p.Verdict == verdict.Advisory && p.Level == lab.Must {
					t.Errorf("%s is an advisory about a MUST", p.ID)
				}
			}
			if crashed < c.least {
				show(t, r)
				t.Errorf("only %d experiments saw it", crashed)
			}
		})
	}
}

// TestRun_AccidentsAreNotJudged: a request that is lost once says nothing, nor does one
// of a server that loses right requests, too.
func TestRun_AccidentsAreNotJudged(t *testing.T) {
	parallel(t, "once", func(t *testing.T) {
		clock := &clock{moves: true}
		server := fakeServer{now: clock.Now}
		r := checked(t, clock, crashing(server, func(w http.ResponseWriter, q *http.Request, n int64) {
			if n%2 == 1 {
				closes(w, q, n)
			}
			refuse(w, message{ID: []byte("0")}, 400, -32602, "")
		}))
		for _, p := range r.Results {
			if strings.Contains(p.Text, "closed the connection") {
				t.Errorf("%s: %s", p.ID, p.Text)
			}
		}
	})
	parallel(t, "at random", func(t *testing.T) {
		clock := &clock{moves: true}
		var n atomic.Int64
		server := fakeServer{now: clock.Now}
		r := checked(t, clock, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if n.Add(1)%5 == 4 {
				panic(http.ErrAbortHandler)
			}
			server.ServeHTTP(w, q)
		}))
		for _, p := range r.Results {
			if strings.Contains(p.Text, "both times") || p.Verdict == verdict.Failed {
				t.Errorf("%s: %s", p.ID, p.Text)
			}
		}
	})
}

// TestRun_ServerThatIsGone: a server that dies for good ends the check, which says where.
func TestRun_ServerThatIsGone(t *testing.T) {
	parallel(t, "gone", func(t *testing.T) {
		clock := &clock{moves: true}
		var dead atomic.Bool
		server := crashing(fakeServer{now: clock.Now}, func(http.ResponseWriter, *http.Request, int64) {
			dead.Store(true)
			panic(http.ErrAbortHandler)
		})
		r := checked(t, clock, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if dead.Load() {
				panic(http.ErrAbortHandler)
			}
			server.ServeHTTP(w, q)
		}))
		p := result(t, r, "malformed-answer")
		if r.Status != lab.Stopped || !strings.HasSuffix(r.Detail,
			`The server responds to nothing any more since the experiment "Answer with a bare string".`) {
			t.Errorf("%s %q", r.Status, r.Detail)
		}
		if p.Verdict != verdict.Advisory ||
			!strings.Contains(p.Text, "did not respond to right requests after that") {
			t.Errorf("%s %q", p.Verdict, p.Text)
		}
	})
}

// TestRun_RequestInPlaceOfAResponse: a server that takes a malformed request for one of an
// earlier revision, and asks in a request of its own, is not called silent.
func TestRun_RequestInPlaceOfAResponse(t *testing.T) {
	parallel(t, "asks", func(t *testing.T) {
		clock := &clock{moves: true}
		r := checked(t, clock, crashing(fakeServer{now: clock.Now},
			func(w http.ResponseWriter, q *http.Request, _ int64) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","id":"s","method":"elicitation/create",`+
					`"params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`+"\n\n")
				_ = http.NewResponseController(w).Flush()
				<-q.Context().Done()
			}))
		p := result(t, r, "no-meta")
		const want = "The server sent a request of its own (elicitation/create)"
		if p.Verdict == verdict.Passed || !strings.HasPrefix(p.Text, want) {
			show(t, r)
			t.Errorf("%s %s", p.Verdict, p.Text)
		}
	})
}
