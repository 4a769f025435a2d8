package dbtest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

var logTests = map[string]func(*testing.T, *db.Store){
	"Append_KeepsEveryByte": func(t *testing.T, s *db.Store) {
		must(t, s.AddExchange(t.Context(), "w", "title", Exchange("x")))
		every := make([]byte, 256)
		for i := range every {
			every[i] = byte(i)
		}
		events := Events()
		events[1].Data, events[1].Sealed = every, []byte{0, 1}
		events[2].Timing = &wire.Timing{DNS: time.Millisecond}
		must(t,
			s.Append(t.Context(), "x", cancelled(), events[:1]...),
			s.Append(t.Context(), "x", cancelled(), events[1:]...),
		)
		log, err := s.Log(t.Context(), "x")
		must(t, err)
		for i := range events {
			events[i].Seq = i + 1
		}
		events[2].Data = []byte{}
		if diff := cmp.Diff(events, log); diff != "" {
			t.Error(diff)
		}
	},

	// Of many writers at once, one opens Round 1, and the others leave nothing
	// behind.
	"Append_OpensARoundOnce": func(t *testing.T, s *db.Store) {
		must(t, s.AddExchange(t.Context(), "w", "title", Exchange("x")))
		results := make([]error, 20)
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() { results[i] = s.Append(context.Background(), "x", cancelled(), Events()[:2]...) })
		}
		wg.Wait()
		won := 0
		for _, err := range results {
			switch {
			case err == nil:
				won++
			case !errors.Is(err, playground.ErrNotOpen):
				t.Error(err)
			}
		}
		log, err := s.Log(t.Context(), "x")
		if won != 1 || len(log) != 2 || err != nil {
			t.Errorf("%d won, %d events, %v", won, len(log), err)
		}
	},

	// The count of a repeated event grows in place, and nothing else changes.
	"Append_CountsOn": func(t *testing.T, s *db.Store) {
		must(t, s.AddExchange(t.Context(), "w", "title", Exchange("x")))
		must(t, s.Append(t.Context(), "x", cancelled(), Events()...))
		repeat := func(seq, of, count, conn int) playground.Event {
			at := Now.Add(time.Duration(count) * time.Second)
			e := playground.Repetition{Of: of, Count: count}.Event(at, conn)
			e.Seq = seq
			return e
		}
		must(t,
			s.Append(t.Context(), "x", cancelled(), repeat(4, 2, 1, 2)),
			s.Append(t.Context(), "x", cancelled(), repeat(4, 2, 2, 3)),
			s.Append(t.Context(), "x", cancelled(), repeat(4, 2, 57, 58)),
		)
		for name, e := range map[string]playground.Event{
			"of another poll": repeat(4, 1, 58, 59), "a lower count": repeat(4, 2, 57, 59),
			"an earlier connection": repeat(4, 2, 58, 58), "an older event": repeat(3, 2, 58, 59),
			"a damaged one": {Seq: 4, Kind: playground.Repeated, Conn: 59, Data: []byte("{}")},
		} {
			if err := s.Append(t.Context(), "x", cancelled(), e); !errors.Is(err, playground.ErrNotOpen) {
				t.Errorf("%s: %v", name, err)
			}
		}
		log, err := s.Log(t.Context(), "x")
		must(t, err)
		if diff := cmp.Diff(repeat(4, 2, 57, 58), log[len(log)-1]); diff != "" || len(log) != 4 {
			t.Errorf("%d events %s", len(log), diff)
		}
		must(t, s.Append(t.Context(), "x", cancelled(), repeat(5, 2, 1, 59)))
		if err := s.Append(t.Context(), "x", cancelled(), repeat(4, 2, 58, 60)); !errors.Is(err,
			playground.ErrNotOpen) {
			t.Errorf("no longer the newest: %v", err)
		}
	},

	"Append_IsAllOrNothing": func(t *testing.T, s *db.Store) {
		must(t,
			s.AddExchange(t.Context(), "w", "title", Exchange("x")),
			s.Append(t.Context(), "x", cancelled(), Events()...),
		)
		sum := playground.Summary{Status: "running", Rounds: 2, Held: true, Changed: Now.Add(time.Hour)}
		err := s.Append(t.Context(), "x", sum, Events()[1], Events()[0]) // the second opens Round 1 again
		if !errors.Is(err, playground.ErrNotOpen) {
			t.Error(err)
		}
		log, err := s.Log(t.Context(), "x")
		must(t, err)
		unfinished, err := s.Unfinished(t.Context())
		if len(log) != 3 || len(unfinished) != 0 || err != nil {
			t.Errorf("%d events, unfinished: %v, %v", len(log), unfinished, err)
		}
	},

	// What happened is recorded even if the client that asked for it is gone.
	"Append_OutlivesItsContext": func(t *testing.T, s *db.Store) {
		must(t, s.AddExchange(t.Context(), "w", "title", Exchange("x")))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		must(t, s.Append(ctx, "x", cancelled(), Events()...))
	},

	"Append_ToADeletedLogIsNotFound": func(t *testing.T, s *db.Store) {
		must(t,
			s.AddExchange(t.Context(), "w", "title", Exchange("x")),
			s.Append(t.Context(), "x", cancelled(), Events()[:2]...),
		)
		target := playground.Target{ID: "server", Name: "n", URL: "u", Capabilities: []byte("{}")}
		must(t, s.AddTarget(t.Context(), "w", target, Now))
		must(t, s.DeleteSession(t.Context(), "w", "sx"), s.ForgetTarget(t.Context(), "w", "server"))
		for _, id := range []string{"x", "server", "never"} {
			for _, events := range [][]playground.Event{Events()[2:], nil} {
				err := s.Append(t.Context(), id, cancelled(), events...)
				if !errors.Is(err, playground.ErrNotFound) || err.Error() != "append event: not found" {
					t.Errorf("%s, %d events: %v", id, len(events), err)
				}
			}
			if log, err := s.Log(t.Context(), id); len(log) != 0 || err != nil {
				t.Errorf("%s: %d events, %v", id, len(log), err)
			}
		}
	},

	"Unfinished": func(t *testing.T, s *db.Store) {
		for id, held := range map[string]bool{"running": true, "waiting": false} {
			must(t, s.AddExchange(t.Context(), "w", "title", Exchange(id)))
			sum := playground.Summary{Status: id, Rounds: 1, Held: held, Changed: Now}
			must(t, s.Append(t.Context(), id, sum, Events()[:2]...))
		}
		for _, id := range []string{"connecting", "connected"} {
			target := playground.Target{ID: id, Name: "n", URL: "u", Capabilities: []byte("{}")}
			must(t,
				s.AddTarget(t.Context(), "w", target, Now),
				s.Append(t.Context(), id, playground.Summary{Status: id}, Events()[1]),
			)
		}
		ids, err := s.Unfinished(t.Context())
		slices.Sort(ids)
		if diff := cmp.Diff([]string{"connecting", "running"}, ids); diff != "" || err != nil {
			t.Error(diff, err)
		}
	},
}
