package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// oneSession is a store that has one session and keeps one link.
type oneSession struct {
	Store
	recorded session.Session
	link     share.Share
}

func (s *oneSession) Session(context.Context, string, string) (session.Session, error) {
	return s.recorded, nil
}

func (*oneSession) Token(context.Context, string, string) (server.SealedToken, error) {
	return server.SealedToken{}, playground.ErrNotFound
}

func (s *oneSession) AddShare(_ context.Context, _ string, h share.Share) error {
	s.link = h
	return nil
}

func (s *oneSession) Below(int64) bool { return false }

func (s *oneSession) Storage(context.Context, string, string, usage.Payer) (usage.Storage, error) {
	return usage.Storage{}, nil
}

// TestMakeLink_OnlyWhatWasSeen: a link is made of the proposal that its maker has seen, if it
// has room, and of no other.
func TestMakeLink_OnlyWhatWasSeen(t *testing.T) {
	t.Parallel()
	store := &oneSession{}
	s := New(Config{
		Runner: struct{ Runner }{}, Now: time.Now, NewID: func() string { return "token" },
		Logger: slog.New(slog.DiscardHandler),
	}, store)
	v := s.Visit(t.Context(), Request{Owner: Agent("w"), Kind: ByToken})
	defer v.EndTurn()
	record := func(tool string) Proposal {
		call := playground.Call{Method: "tools/call", Params: json.RawMessage(`{"name":"` + tool + `"}`)}
		store.recorded = session.Session{ID: "S", Exchanges: []playground.Exchange{{
			ID: "X", Call: call, Created: time.Now(),
			Target: playground.Target{ID: "T", Name: "h", URL: "https://h.example/mcp"},
			Log: []playground.Event{
				{
					Seq: 1, At: time.Now(), Kind: playground.Decided,
					Data: []byte(`{"action":"start","round":1}`),
				},
			},
		}}}
		p, err := s.Propose(v, "S", ShareChoices{Life: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	draw := func(share.View, session.Session, func(playground.Exchange) string) ([]byte, error) {
		return []byte("card"), nil
	}
	seen := record("one").Digest
	changed := record("two")
	for _, tt := range []struct {
		name string
		most int
		seen string
		want Kind
	}{
		{"changed", 1 << 20, seen, Conflict},
		{"too large", 1, changed.Digest, TooLarge},
	} {
		s.Limits.Share = tt.most
		_, err := s.MakeLink(v, changed, tt.seen, draw)
		var refused *Refusal
		if !errors.As(err, &refused) || refused.Kind != tt.want || store.link.Token != "" {
			t.Errorf("%s: %v, stored %q", tt.name, err, store.link.Token)
		}
	}
	s.Limits.Share = 1 << 20
	h, err := s.MakeLink(v, changed, changed.Digest, draw)
	if err != nil || store.link.Token != h.Token || string(h.Image) != "card" {
		t.Errorf("%v, stored %q", err, store.link.Token)
	}
	if life := h.Expires.Sub(h.Created).Round(time.Hour); life != 30*24*time.Hour {
		t.Errorf("a life that is no choice became %v", life)
	}
}

// TestMakeLink_DrawsInATurn: the picture of a link is drawn in a turn among the work of its
// maker, however small the recording is.
func TestMakeLink_DrawsInATurn(t *testing.T) {
	t.Parallel()
	store := &oneSession{}
	s := New(Config{
		Mode: Public, Runner: struct{ Runner }{}, Now: time.Now, NewID: func() string { return "token" },
		Logger: slog.New(slog.DiscardHandler),
	}, store)
	v := s.Visit(t.Context(), Request{Owner: Agent("w"), Address: AddressOf("192.0.2.1")})
	drawn, stop := 0, errors.New("it was drawn")
	_, err := s.addLink(v, Proposal{}, func(
		share.View, session.Session, func(playground.Exchange) string,
	) ([]byte, error) {
		drawn, _ = s.Own.Count()
		return nil, stop
	})
	if !errors.Is(err, stop) || drawn != 1 {
		t.Errorf("%v; %d turns during the drawing", err, drawn)
	}
	if v.EndTurn(); s.Own.IsFull(v.turn.near) {
		t.Error("the turn did not end")
	}
}

// storedLink is a store that has one link.
type storedLink struct {
	Store
	data []byte
}

func (s storedLink) Share(context.Context, string, time.Time) (share.Share, error) {
	return share.Share{Data: s.data}, nil
}

// TestOpenLink_DecodesInATurn: a large link is not decoded without a turn.
func TestOpenLink_DecodesInATurn(t *testing.T) {
	t.Parallel()
	s := &App{
		Config: Config{Now: time.Now}, Reads: newPool(1, 0, false),
		Store: storedLink{data: make([]byte, heavyRead)},
	}
	other := s.Visit(t.Context(), Request{Owner: Agent("v"), Kind: ByToken})
	if err := s.WaitTurn(other); err != nil {
		t.Fatal(err)
	}
	defer other.EndTurn()
	var refused *Refusal
	_, err := s.OpenLink(s.Visit(t.Context(), Request{Owner: Agent("w"), Kind: ByToken}), "token")
	if !errors.As(err, &refused) || refused.Code != "too_many_reads" {
		t.Errorf("while another has the only turn: %v", err)
	}
}

func (*oneSession) Exchange(context.Context, string, string) (playground.Exchange, error) {
	return playground.Exchange{ID: "X", Session: "S"}, nil
}

// TestOpenRecording_InATurn: the files of one owner are made one after the other, however small
// its recordings are.
func TestOpenRecording_InATurn(t *testing.T) {
	t.Parallel()
	s := &App{Own: places.New(places.Limits{Each: 1}), Store: &oneSession{}}
	visit := func(workspace string) *Visit {
		return s.Visit(t.Context(), Request{Owner: Agent(workspace), Address: AddressOf("192.0.2.1")})
	}
	first := visit("a")
	if _, _, err := s.OpenRecording(first, "X", share.Options{}); err != nil {
		t.Fatal(err)
	}
	var refused *Refusal
	_, _, err := s.OpenRecording(visit("b"), "X", share.Options{})
	if !errors.As(err, &refused) || refused.Code != "too_many_reads" {
		t.Errorf("while another of its address has the turn: %v", err)
	}
	first.EndTurn()
	if _, _, err := s.OpenRecording(visit("b"), "X", share.Options{}); err != nil {
		t.Errorf("after that: %v", err)
	}
}
