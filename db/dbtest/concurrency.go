package dbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// writers is how many goroutines write at once, half of them to each Store.
const writers = 16

// together runs f in writers goroutines, with a Store and a number from 0, and
// returns its errors by number.
func together(a, b *db.Store, f func(s *db.Store, n int) error) []error {
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for n := range errs {
		s := a
		if n%2 == 1 {
			s = b
		}
		wg.Go(func() { errs[n] = f(s, n) })
	}
	wg.Wait()
	return errs
}

// one fails unless one of the errors is nil and each other is lost.
func one(t *testing.T, what string, lost error, errs []error) {
	t.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else if !errors.Is(err, lost) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if won != 1 {
		t.Errorf("%s: %d writers won, want 1", what, won)
	}
}

// noted returns an event without a Round, with some bytes.
func noted(n int) playground.Event {
	data := bytes.Repeat([]byte{byte(n)}, 100+n)
	return playground.Event{At: Now, Conn: 1, Kind: playground.Received, Data: data}
}

// payerOf returns an address of a network on the day of the tests.
func payerOf(t *testing.T, s *db.Store, address, network string) usage.Payer {
	t.Helper()
	day := usage.Day(Now)
	salt, err := s.Salt(t.Context(), day)
	must(t, err)
	return usage.Payer{
		Day: day, Hash: usage.Hash(salt, address), Network: usage.Hash(salt, network),
	}
}

// stored returns what a workspace stores.
func stored(t *testing.T, s *db.Store, workspace string) int64 {
	t.Helper()
	u, err := s.Storage(t.Context(), workspace, "", usage.Payer{})
	must(t, err)
	return u.Workspace
}

// concurrencyTests are what is promised to several writers at once, each with a
// Store of its own where the engine can be shared.
var concurrencyTests = map[string]func(t *testing.T, a, b *db.Store){
	"Concurrent_ARoundIsOpenedOnce": func(t *testing.T, a, b *db.Store) {
		must(t, a.AddExchange(t.Context(), "w", "title", Exchange("x")))
		one(t, "round 1", playground.ErrNotOpen, together(a, b, func(s *db.Store, _ int) error {
			return s.Append(context.Background(), "x", cancelled(), Events()[:2]...)
		}))
		if log, err := b.Log(t.Context(), "x"); len(log) != 2 || err != nil {
			t.Errorf("%d events, %v", len(log), err)
		}
	},

	"Concurrent_ALogHasNoGaps": func(t *testing.T, a, b *db.Store) {
		const each = 5
		must(t, a.AddExchange(t.Context(), "w", "title", Exchange("x")))
		before := stored(t, a, "w")
		must(t, together(a, b, func(s *db.Store, n int) error {
			for range each {
				if err := s.Append(t.Context(), "x", cancelled(), noted(n), noted(n)); err != nil {
					return err
				}
			}
			return nil
		})...)
		log, err := b.Log(t.Context(), "x")
		must(t, err)
		want := int64(0)
		for i, e := range log {
			if e.Seq != i+1 || i%2 == 1 && !bytes.Equal(e.Data, log[i-1].Data) {
				t.Fatalf("event %d has the number %d, or was separated from its neighbour", i+1, e.Seq)
			}
			want += 64 + int64(len(e.Data))
		}
		if got := stored(t, a, "w") - before; len(log) != 2*each*writers || got != want {
			t.Errorf("%d events, %d bytes counted, want %d", len(log), got, want)
		}
	},

	// Every step is reached once, and a stage gets one legacy call.
	"Concurrent_AStageGoesOnOnce": func(t *testing.T, a, b *db.Store) {
		must(t, addStage(t, a, Exchange("own")))
		one(t, "step 2", playground.ErrNotOpen, together(a, b, func(s *db.Store, _ int) error {
			return s.AddMark(t.Context(), "sown", 2, demo.Mark{Instances: "a:v1"}, Now)
		}))
		one(t, "legacy call", playground.ErrNotOpen, together(a, b, func(s *db.Store, n int) error {
			x := Exchange(fmt.Sprint("legacy", n))
			x.Session = "sown"
			return s.AddLegacy(t.Context(), x)
		}))
		if n, err := b.Session(t.Context(), "w", "sown"); err != nil || len(n.Exchanges) != 2 {
			t.Errorf("%d exchanges, %v", len(n.Exchanges), err)
		}
	},

	"Concurrent_ASignInGoesOnOnce": func(t *testing.T, a, b *db.Store) {
		must(t, a.AddSignIn(t.Context(), "w", newSignIn("1", 0)))
		one(t, "sign-in", playground.ErrNotFound, together(a, b, func(s *db.Store, n int) error {
			next := newSignIn("1", 0)
			next.Stage, next.Sealed = "exchanging", []byte{byte(n)}
			return s.SetSignIn(t.Context(), "w", next, "ready")
		}))
	},

	"Concurrent_LimitsHold": func(t *testing.T, a, b *db.Store) {
		const most = 5
		added := make([]bool, writers)
		must(t, together(a, b, func(s *db.Store, n int) error {
			var err error
			added[n], err = s.AddSavedCall(t.Context(), "w", newSavedCall(fmt.Sprint(n), "x"), most)
			at := Now.Add(time.Duration(n) * time.Second)
			end := at.Add(time.Hour)
			return errors.Join(err,
				s.KeepWorkbench(t.Context(), "w", fmt.Sprint(n), []byte("state"), at, end, most),
				s.AddSignIn(t.Context(), "w", newSignIn(fmt.Sprint(n, "a"), time.Duration(n))),
				s.AddSignIn(t.Context(), "w", newSignIn(fmt.Sprint(n, "b"), time.Duration(n))),
			)
		})...)
		calls, err := a.SavedCalls(t.Context(), "w", "")
		must(t, err)
		won, benches := 0, 0
		for n := range writers {
			if added[n] {
				won++
			}
			if _, err := b.Workbench(t.Context(), "w", fmt.Sprint(n), Now); err == nil {
				benches++
			}
		}
		signIns, err := b.CountSignIns(t.Context(), "w", "x")
		must(t, err)
		if len(calls) != most || won != most || benches != most || signIns != 20 {
			t.Errorf("%d saved calls, %d added, %d workbenches, want %d; %d sign-ins, want 20",
				len(calls), won, benches, most, signIns)
		}
	},

	// What writers of several workspaces store at one address is added up.
	"Concurrent_AnAddressIsCharged": func(t *testing.T, a, b *db.Store) {
		first, second := payerOf(t, a, "2001:db8::/64", "2001:db8::/48"),
			payerOf(t, b, "2001:db8:0:1::/64", "2001:db8::/48")
		must(t, together(a, b, func(s *db.Store, n int) error {
			p := []usage.Payer{first, second}[n/2%2]
			ctx := usage.WithPayer(t.Context(), p)
			x := Exchange(fmt.Sprintf("x%02d", n))
			if err := s.AddExchange(ctx, fmt.Sprint("w", n), "title", x); err != nil {
				return err
			}
			for range 5 {
				if err := s.Append(ctx, x.ID, cancelled(), noted(7)); err != nil {
					return err
				}
			}
			return s.AddShare(ctx, fmt.Sprint("w", n), share.Share{
				Token: x.ID, Session: x.Session, Created: Now, Expires: Now.Add(time.Hour),
				Data: make([]byte, 1000), Image: []byte{},
			})
		})...)
		u, err := a.Storage(t.Context(), "w0", "", first)
		must(t, err)
		other, err := b.Storage(t.Context(), "w2", "", second)
		must(t, err)
		each := u.Address / (writers / 2)
		if each < 1000+5*(64+107) || u.Address != each*writers/2 || other.Address != u.Address ||
			u.Network != 2*u.Address {
			t.Errorf("%+v, %+v", u, other)
		}
	},

	"Concurrent_ADayHasOneSalt": func(t *testing.T, a, b *db.Store) {
		salts := make([][]byte, writers)
		must(t, together(a, b, func(s *db.Store, n int) error {
			var err error
			salts[n], err = s.Salt(t.Context(), usage.Day(Now))
			return err
		})...)
		for _, salt := range salts {
			if !bytes.Equal(salt, salts[0]) {
				t.Fatalf("salts %x and %x", salts[0], salt)
			}
		}
	},

	"Concurrent_EveryViewCounts": func(t *testing.T, a, b *db.Store) {
		AddSessions(t, a, "w", 1)
		must(t, a.AddShare(t.Context(), "w", newShare("T", "s00000-w")))
		must(t, together(a, b, func(s *db.Store, _ int) error {
			return s.CountView(t.Context(), "T")
		})...)
		if h, err := b.Share(t.Context(), "T", Now); err != nil || h.Views != writers {
			t.Errorf("%d views, %v", h.Views, err)
		}
	},

	// Everything that a visitor can do, in one new workspace at once: nothing
	// fails, and the sum is that of what is there.
	"Concurrent_AWorkspaceIsCountedRight": func(t *testing.T, a, b *db.Store) {
		must(t, together(a, b, func(s *db.Store, n int) error {
			return visit(t.Context(), s, n)
		})...)
		grown := stored(t, b, "w")
		must(t, a.DeleteSessions(t.Context(), "w"))
		must(t, together(a, b, func(s *db.Store, n int) error {
			return errors.Join(
				s.ForgetTarget(t.Context(), "w", fmt.Sprint("t", n)),
				s.DeleteSavedCall(t.Context(), "w", fmt.Sprint("c", n)),
				s.DeleteRegistration(t.Context(), "w", fmt.Sprint("https://as", n)))
		})...)
		if got := stored(t, b, "w"); grown == 0 || got != 0 {
			t.Errorf("%d bytes, after everything was deleted %d", grown, got)
		}
	},

	// A session is deleted while others write to it: they are told so, and nothing
	// of it is left.
	"Concurrent_WhatIsDeletedStaysDeleted": func(t *testing.T, a, b *db.Store) {
		for round := range 5 {
			x := Exchange(fmt.Sprint("x", round))
			must(t, a.AddExchange(t.Context(), "w", "title", x))
			for n, err := range together(a, b, func(s *db.Store, n int) error {
				switch n % 4 {
				case 1:
					return s.DeleteSession(t.Context(), "w", x.Session)
				case 2:
					more := Exchange(fmt.Sprint(x.ID, "-", n))
					more.Session = x.Session
					return s.AddBranch(t.Context(), "w", more)
				}
				return s.Append(t.Context(), x.ID, cancelled(), noted(n))
			}) {
				if err != nil && !errors.Is(err, playground.ErrNotFound) {
					t.Errorf("writer %d: %v", n, err)
				}
			}
			gone(t, b, x.ID, x.Session)
			wantErr(t, "the session", playground.ErrNotFound, a.HasSession(t.Context(), "w", x.Session))
		}
		if got := stored(t, a, "w"); got != 0 {
			t.Errorf("%d bytes are left", got)
		}
	},

	// Of several sweepers, each workspace is deleted by one. One that its owner
	// comes back to meanwhile is deleted before or stays.
	"Concurrent_IdleWorkspacesAreDeletedOnce": func(t *testing.T, a, b *db.Store) {
		const idle = 20
		for n := range idle {
			AddSessions(t, a, fmt.Sprint("idle", n), 1)
		}
		deleted := make([]int, writers)
		must(t, together(a, b, func(s *db.Store, n int) error {
			if n < 4 {
				x := Exchange(fmt.Sprint("back", n))
				x.Created = Now.Add(48 * time.Hour)
				return s.AddExchange(t.Context(), fmt.Sprint("idle", n), "title", x)
			}
			var err error
			deleted[n], err = s.DeleteIdleWorkspaces(t.Context(), Now.Add(24*time.Hour))
			return err
		})...)
		sum := 0
		for _, n := range deleted {
			sum += n
		}
		if sum < idle-4 || sum > idle {
			t.Errorf("%d workspaces were deleted, want %d to %d", sum, idle-4, idle)
		}
		for n := range 4 {
			if _, err := b.ExchangeByID(t.Context(), fmt.Sprint("back", n)); err != nil {
				t.Errorf("what the owner did: %v", err)
			}
		}
	},
}

// visit does what a visitor with the number n can do, in workspace w.
func visit(ctx context.Context, s *db.Store, n int) error {
	x := Exchange(fmt.Sprint("x", n))
	x.Sealed = []byte{1}
	target := newTarget(fmt.Sprint("t", n))
	sum := playground.Summary{Status: "running", Rounds: 1, Changed: Now}
	connected := playground.Summary{Status: "connected"}
	saved := newSavedCall(fmt.Sprint("c", n), "call")
	signIn := newSignIn(fmt.Sprint("g", n), time.Duration(n))
	signIn.Target = target.ID
	_, err := s.AddSavedCall(ctx, "w", saved, 99)
	for _, f := range []func() error{
		func() error { return s.AddExchange(ctx, "w", "title", x) },
		func() error { return s.Append(ctx, x.ID, sum, Events()[:2]...) },
		func() error { return s.AddTarget(ctx, "w", target, Now) },
		func() error { return s.Append(ctx, target.ID, connected, noted(n)) },
		func() error { return s.EditSession(ctx, "w", x.Session, "edited", "note", n%2 == 0) },
		func() error { return s.AddShare(ctx, "w", newShare(fmt.Sprint("T", n), x.Session)) },
		func() error { return s.AddBranch(ctx, "w", branch(fmt.Sprint("b", n), x, 0)) },
		func() error { return s.Append(ctx, x.ID, sum, answer(`{"jsonrpc":"2.0","id":1,"result":{}}`)) },
		func() error { return s.Looked(ctx, x.ID, Now) },
		func() error { return s.SetSeen(ctx, "w", Now.Add(time.Duration(n)*time.Hour)) },
		func() error { return s.AddSignIn(ctx, "w", signIn) },
		func() error { return s.SetToken(ctx, "w", newToken(target.ID)) },
		func() error {
			return s.SetRegistration(ctx, "w", fmt.Sprint("https://as", n), []byte("client"), Now)
		},
		func() error { return s.ForgetSecrets(ctx, "w", target.ID) },
		func() error { return s.CountView(ctx, fmt.Sprint("T", n)) },
		func() error {
			_, err := s.Sessions(ctx, "w", session.Search{Limit: 9, Words: []string{"edited"}})
			return err
		},
	} {
		err = errors.Join(err, f())
	}
	return err
}
