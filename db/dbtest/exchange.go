package dbtest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

var exchangeTests = map[string]func(*testing.T, *db.Store){
	// The time of the last look grows only.
	"Looked_IsKept": func(t *testing.T, s *db.Store) {
		must(t, s.AddExchange(t.Context(), "w", "title", Exchange("x")))
		for i, at := range []time.Time{{}, Now.Add(time.Minute), Now} {
			if i > 0 {
				must(t, s.Looked(t.Context(), "x", at))
			}
			x, err := s.ExchangeByID(t.Context(), "x")
			must(t, err)
			if want := []time.Time{{}, Now.Add(time.Minute), Now.Add(time.Minute)}[i]; !x.Looked.Equal(want) {
				t.Errorf("looked at %s, want %s", x.Looked, want)
			}
		}
		must(t, s.Looked(t.Context(), "never", Now))
	},

	"Exchange_IsReadAsStored": func(t *testing.T, s *db.Store) {
		x := Exchange("x")
		x.Call.Tool, x.Call.Wait, x.Sealed = []byte(`{"name": "t"}`), 90*time.Second, []byte{1}
		must(t,
			s.AddExchange(t.Context(), "w", "title", x),
			s.Append(t.Context(), "x", cancelled(), Events()...),
		)
		got, err := s.Exchange(t.Context(), "w", "x")
		must(t, err)
		x.Log = Events()
		for i := range x.Log {
			x.Log[i].Seq = i + 1
		}
		x.Log[2].Data = []byte{}
		if diff := cmp.Diff(x, got); diff != "" {
			t.Error(diff)
		}
		byID, err := s.ExchangeByID(t.Context(), "x")
		if diff := cmp.Diff(got, byID); diff != "" || err != nil {
			t.Error(diff, err)
		}
	},

	"Exchange_BelongsToItsWorkspace": func(t *testing.T, s *db.Store) {
		must(t, s.AddExchange(t.Context(), "w", "title", Exchange("x")))
		for _, id := range []string{"x", "nothing"} {
			if _, err := s.Exchange(t.Context(), "other", id); !errors.Is(err, playground.ErrNotFound) {
				t.Errorf("exchange %s: %v", id, err)
			}
		}
		if _, err := s.ExchangeByID(t.Context(), "nothing"); !errors.Is(err, playground.ErrNotFound) {
			t.Errorf("by id: %v", err)
		}
	},

	// A branch is read with what it continues, and both are deleted with the
	// session.
	"Branch_IsReadWithItsParent": func(t *testing.T, s *db.Store) {
		x := Exchange("x")
		must(t,
			s.AddExchange(t.Context(), "w", "title", x),
			s.Append(t.Context(), "x", cancelled(), Events()...),
		)
		b := branch("b", x, 1)
		wantErr(t, "into a session of another workspace", playground.ErrNotFound,
			s.AddBranch(t.Context(), "v", b))
		must(t, s.AddBranch(t.Context(), "w", b))
		got, err := s.Exchange(t.Context(), "w", "b")
		if err != nil || got.Origin == nil || got.Origin.Parent == nil {
			t.Fatalf("%+v %v", got, err)
		}
		if n := len(got.Fold().Rounds); n != 1 || len(got.Log) != 0 {
			t.Errorf("%d rounds, %d events of its own", n, len(got.Log))
		}
		n, err := s.Session(t.Context(), "w", x.Session)
		if err != nil || len(n.Exchanges) != 2 || n.Exchanges[0].ID != "x" ||
			n.Exchanges[1].Origin.Parent == nil {
			t.Errorf("%+v %v", n, err)
		}
		must(t, s.DeleteSession(t.Context(), "w", x.Session))
	},

	// Each exchange continues the one before, the last but one from the first
	// request, so that it needs no parent.
	"Branch_IsReadWithItsWholeLineage": func(t *testing.T, s *db.Store) {
		x := Exchange("x0")
		must(t,
			s.AddExchange(t.Context(), "w", "title", x),
			s.Append(t.Context(), "x0", cancelled(), Events()...),
		)
		for i, round := range []int{1, 1, 0, 1} {
			x = branch(fmt.Sprint("x", i+1), x, round)
			x.Created = Now.Add(-time.Duration(i) * time.Second) // times are not the order of the lineage
			must(t, s.AddBranch(t.Context(), "w", x))
		}
		for id, want := range map[string][]string{
			"x0": {"x0"}, "x1": {"x0", "x1"}, "x2": {"x0", "x1", "x2"}, "x3": {"x3"}, "x4": {"x3", "x4"},
		} {
			one, err := s.Exchange(t.Context(), "w", id)
			must(t, err)
			n, err := s.Session(t.Context(), "w", "sx0")
			must(t, err)
			for name, x := range map[string]playground.Exchange{"Exchange": one, "Session": find(n, id)} {
				var got []string
				for _, l := range x.Lineage() {
					got = append(got, l.ID)
				}
				if diff := cmp.Diff(want, got); diff != "" || x.Origin != nil && x.Origin.Exchange == "" {
					t.Errorf("%s of %s: %s", name, id, diff)
				}
			}
		}
	},

	"ExchangeRows": func(t *testing.T, s *db.Store) {
		x := Exchange("x")
		b := branch("b", x, 0)
		b.Created = x.Created.Add(time.Second)
		must(t, s.AddExchange(t.Context(), "w", "title", x), s.AddBranch(t.Context(), "w", b))
		rows, err := s.ExchangeRows(t.Context(), "w", "sx")
		if err != nil || len(rows) != 2 || rows[0].Parent != "" || rows[1].Parent != "x" {
			t.Errorf("%+v, %v", rows, err)
		}
		_, err = s.ExchangeRows(t.Context(), "other", "sx")
		wantErr(t, "another workspace", playground.ErrNotFound, err)
	},

	// Until something is sent on it, a branch stands where its origin stands.
	"Branch_HasTheStatusOfItsOrigin": func(t *testing.T, s *db.Store) {
		x := Exchange("x")
		must(t, s.AddExchange(t.Context(), "w", "title", x))
		sent := playground.Event{At: Now, Conn: 1, Kind: playground.Sent, Data: []byte(
			"POST /mcp HTTP/1.1\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)}
		log := append(Events()[:1], sent, answer(
			`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",
			"inputRequests":{"k":{"method":"roots/list"}}}}`))
		sum := playground.Summary{Status: "waiting", Rounds: 1, Changed: Now}
		must(t, s.Append(t.Context(), "x", sum, log...))
		x, err := s.Exchange(t.Context(), "w", "x")
		must(t, err)
		must(t,
			s.AddBranch(t.Context(), "w", branch("after", x, 1)),
			s.AddBranch(t.Context(), "w", branch("begin", x, 0)),
		)
		list, err := s.Sessions(t.Context(), "w", session.Search{Limit: 1})
		must(t, err)
		want := map[string]playground.Status{"x": "waiting", "after": "waiting", "begin": "ready"}
		for _, row := range list.Rows[0].Exchanges {
			if row.Status != want[row.ID] {
				t.Errorf("%s is %s, want %s", row.ID, row.Status, want[row.ID])
			}
		}
	},

	"Branch_NotOfACheck": func(t *testing.T, s *db.Store) {
		x := Exchange("x")
		must(t, s.AddCheck(t.Context(), "w", "title", x))
		wantErr(t, "error", playground.ErrNotFound, s.AddBranch(t.Context(), "w", branch("b", x, 0)))
	},
}

// branch returns an exchange that continues another one after a Round.
func branch(id string, from playground.Exchange, round int) playground.Exchange {
	b := Exchange(id)
	b.Session, b.Origin = from.Session, &playground.Origin{Exchange: from.ID, Round: round}
	if round > 0 {
		b.Origin.Parent = &from
	}
	return b
}

func find(n session.Session, id string) playground.Exchange {
	for _, x := range n.Exchanges {
		if x.ID == id {
			return x
		}
	}
	return playground.Exchange{}
}
