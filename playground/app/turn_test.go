package app

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// TestTakeTurn holds fault 91: one visit works on a large recording at a time, the next
// waits until the turn of the first ends, a third is refused in words, and small recordings
// never wait.
func TestTakeTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &App{Reads: newPool(1, 1, false)}
		open := func() *Visit { return s.Visit(context.Background(), Request{Owner: Agent("w")}) }
		large := session.Session{Exchanges: []playground.Exchange{{
			Log: []playground.Event{{Data: make([]byte, heavyRead)}},
		}}}
		first, second := open(), open()
		for range 2 { // a visit has one turn
			if err := s.TakeTurn(first, large); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan error, 1)
		go func() { done <- s.TakeTurn(second, large) }()
		synctest.Wait()
		var r *Refusal
		if err := s.TakeTurn(open(), large); !errors.As(err, &r) || r.Kind != TooOften ||
			r.Code != "too_many_reads" || r.after != 5 {
			t.Errorf("a third visit: %v", err)
		}
		if err := s.TakeTurn(open(), session.Session{}); err != nil {
			t.Errorf("a small recording: %v", err)
		}
		first.EndTurn()
		synctest.Wait()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("the second visit: %v", err)
			}
		default:
			t.Error("the second visit still waits after the turn of the first")
		}
		for range 2 { // a turn ends once
			if second.EndTurn(); taken(s) != 0 {
				t.Errorf("%d turns are taken at the end", taken(s))
			}
		}
		during := 0
		err := s.InTurn(open(), heavyRead, func() error {
			during = taken(s)
			return nil
		})
		if err != nil || during != 1 || taken(s) != 0 {
			t.Errorf("%v; %d turns during some work, %d after it", err, during, taken(s))
		}
	})
}

// TestVisit_MasksInItsTurn: masking much takes a turn like reading does, unless its visit has
// one, and a visit beyond the queue is refused.
func TestVisit_MasksInItsTurn(t *testing.T) {
	t.Parallel()
	s := &App{Reads: newPool(1, 0, false)}
	open := func() *Visit { return s.Visit(t.Context(), Request{Owner: Agent("w")}) }
	during := -1
	count := func() { during = taken(s) }
	for size, want := range map[int]int{heavyRead - 1: 0, heavyRead: 1} {
		err := redact.InTurn(open().Context(), size, count)
		if err != nil || during != want || taken(s) != 0 {
			t.Errorf("%d bytes: %v, %d turns during the work, %d after it", size, err, during, taken(s))
		}
	}
	v := open()
	if err := s.WaitTurn(v); err != nil {
		t.Fatal(err)
	}
	if err := redact.InTurn(v.Context(), heavyRead, count); err != nil || during != 1 {
		t.Errorf("in a visit that has its turn: %v, %d turns", err, during)
	}
	var refused *Refusal
	if err := redact.InTurn(open().Context(), heavyRead, count); !errors.As(err, &refused) ||
		refused.Kind != TooOften {
		t.Errorf("another visit: %v", err)
	}
	if v.EndTurn(); taken(s) != 0 {
		t.Errorf("%d turns after the end", taken(s))
	}
	if err := redact.InTurn(v.Context(), heavyRead, count); err != nil || during != 1 {
		t.Errorf("after the end: %v, %d turns", err, during)
	}
}

// TestTakeTurn_OfOneOwner: work of medium size waits for other such work of its own owner, and not
// for that of another. An address is one owner, whatever its workspaces and tokens are.
func TestTakeTurn_OfOneOwner(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &App{Reads: newPool(1, 0, false), Own: newOwn()}
		open := func(workspace, address string, kind OwnerKind) *Visit {
			return s.Visit(context.Background(), Request{
				Owner: Agent(workspace), Address: AddressOf(address), Kind: kind,
			})
		}
		medium := session.Session{Exchanges: []playground.Exchange{{
			Log: []playground.Event{{Data: make([]byte, lightRead)}},
		}}}
		first := open("a", "192.0.2.1", ByCookie)
		stranger := open("c", "192.0.2.2", ByCookie)
		for _, v := range []*Visit{first, stranger} {
			if err := s.TakeTurn(v, medium); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan error, 1)
		second := open("b", "192.0.2.1", ByToken)
		go func() { done <- s.TakeTurn(second, medium) }()
		synctest.Wait()
		if waiting, _ := s.Own.Waiting(); waiting != 1 || taken(s) != 0 {
			t.Errorf("%d wait, %d large ones are read", waiting, taken(s))
		}
		if err := s.WaitTurn(first); err != nil || taken(s) != 1 { // its work is more than it seemed
			t.Errorf("%v, %d large ones are read", err, taken(s))
		}
		first.EndTurn()
		synctest.Wait()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		default:
			t.Error("the second still waits after the turn of the first")
		}
		err := redact.InTurn(second.Context(), lightRead, func() {}) // needs no other
		if err != nil {
			t.Error(err)
		}
		second.EndTurn()
		stranger.EndTurn()
		if own, _ := s.Own.Count(); own != 0 || taken(s) != 0 {
			t.Errorf("%d and %d turns are taken at the end", own, taken(s))
		}
	})
}

// taken returns how many turns are taken.
func taken(s *App) int {
	n, _ := s.Reads.Count()
	return n
}

// largeStore has a call with a large record.
type largeStore struct{ Store }

func (largeStore) Exchange(context.Context, string, string) (playground.Exchange, error) {
	return playground.Exchange{ID: "x", Log: []playground.Event{
		{Seq: 1, Conn: 1, Kind: playground.Sent, Data: make([]byte, heavyRead)},
	}}, nil
}

// TestLoad_InATurn: a form that acts on a large call reads it in a turn, too, which ends with
// the reading: what is sent then may take long.
func TestLoad_InATurn(t *testing.T) {
	t.Parallel()
	s := &App{Store: largeStore{}}
	s.Reads = newPool(1, 0, false)
	visit := func(owner string) *Visit { return s.Visit(t.Context(), Request{Owner: Agent(owner)}) }
	if _, err := s.Load(visit("w"), "x"); err != nil || taken(s) != 0 {
		t.Errorf("%v; %d turns are taken after it", err, taken(s))
	}
	other := visit("v")
	if err := s.WaitTurn(other); err != nil {
		t.Fatal(err)
	}
	var refused *Refusal
	if _, err := s.Load(visit("w"), "x"); !errors.As(err, &refused) || refused.Code != "too_many_reads" {
		t.Errorf("while another has the only turn: %v", err)
	}
	other.EndTurn()
}
