package agent

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// large is a storage with one recording, which is read in turns.
type large struct{ app.Store }

func (large) Session(context.Context, string, string) (session.Session, error) {
	request := "POST / HTTP/1.1\r\n\r\n" + strings.Repeat("much ", 50_000)
	return session.Session{Exchanges: []playground.Exchange{{
		ID: "X1", Created: time.Now(), Target: playground.Target{URL: "https://h.example/mcp"},
		Call: playground.Call{Method: "tools/call", Params: json.RawMessage("{}")},
		Log: []playground.Event{
			{Seq: 1, At: time.Now(), Kind: playground.Decided, Data: []byte(`{"action":"start","round":1}`)},
			{Seq: 2, At: time.Now(), Conn: 1, Kind: playground.Sent, Data: []byte(request)},
		},
	}}}, nil
}

func (large) Token(context.Context, string, string) (server.SealedToken, error) {
	return server.SealedToken{}, playground.ErrNotFound
}

// TestKeep_EndsItsTurn: however the work on a link ends, the next visit gets a turn.
func TestKeep_EndsItsTurn(t *testing.T) {
	a := &app.App{Reads: places.New(places.Limits{InAll: 1}), Store: large{}}
	a.Limits.Share = 10 << 20
	a.NewID = func() string { panic("broken") } // the recording is ready for its link
	s := &Pages{App: &web.App{App: a}}
	open := func() *app.Visit { return a.Visit(t.Context(), app.Request{Owner: app.Agent("guest-1")}) }
	func() {
		defer func() {
			if p := recover(); p != "broken" {
				t.Errorf("it panicked with %v", p)
			}
		}()
		_, _ = s.keep(visit{Visit: open(), guest: true}, session.Session{ID: "S1"}, "/x/1")
	}()
	if err := a.WaitTurn(open()); err != nil {
		t.Errorf("the next visit: %v", err)
	}
}

// TestTools_TakeTurns: tools that work for a caller do so one call of its address at a time,
// whatever its workspaces are.
func TestTools_TakeTurns(t *testing.T) {
	a := &app.App{Own: places.New(places.Limits{Each: 1}), Store: large{}}
	s := &Pages{App: &web.App{App: a}, entries: func() []search.Entry { return nil }}
	other := a.Visit(t.Context(), app.Request{
		Owner: app.Agent("other"), Address: app.AddressOf("192.0.2.1"), Kind: app.ByToken,
	})
	if err := a.WaitOwnTurn(other); err != nil {
		t.Fatal(err)
	}
	called := func(turn *serve.Turn) (serve.Result, error) {
		v, err := s.visit(t.Context(), turn, "w")
		if err != nil {
			return nil, err
		}
		return s.called(v, playground.Exchange{}, playground.Transcript{}, "", nil)
	}
	for name, run := range map[string]func(*serve.Turn) (serve.Result, error){
		"search_lessons": func(turn *serve.Turn) (serve.Result, error) { return s.search(t.Context(), turn) },
		"read_exchange":  func(turn *serve.Turn) (serve.Result, error) { return s.read(t.Context(), turn) },
		"call_tool":      called,
	} {
		turn := &serve.Turn{
			Caller: "192.0.2.1", Principal: "w", Arguments: json.RawMessage(`{"query":"state"}`),
		}
		if name == "read_exchange" {
			turn.Arguments = json.RawMessage(`{"id":"X1"}`)
		}
		if _, err := run(turn); err == nil || !strings.Contains(s.inWords(err).Error(), "are being read") {
			t.Errorf("%s, while its address has its turn: %v", name, err)
		}
	}
}
