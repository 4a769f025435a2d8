package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"testing/synctest"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// TestTakeTurn holds fault 91: one request works on a large recording at a time,
// the next waits until the first byte of its response, a third is refused in
// words, and small recordings never wait.
func TestTakeTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &App{
			Owners: newOwners(Config{Mode: Local, CookieKeys: func(bool) [][]byte { return [][]byte{{1}} }}),
			Reads:  newPool(1, 1, false),
		}
		e := echo.New()
		open := func() echo.Context {
			return e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder())
		}
		large := session.Session{Exchanges: []playground.Exchange{{
			Log: []playground.Event{{Data: make([]byte, heavyRead)}},
		}}}
		first, second := open(), open()
		for range 2 { // a request has one turn
			if err := s.TakeTurn(first, large); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan error, 1)
		go func() { done <- s.TakeTurn(second, large) }()
		synctest.Wait()
		var r *Refusal
		if err := s.TakeTurn(open(), large); !errors.As(err, &r) || r.Status != http.StatusTooManyRequests ||
			r.Sentence.Code != "too_many_reads" || r.after != 5 {
			t.Errorf("a third request: %v", err)
		}
		if err := s.TakeTurn(open(), session.Session{}); err != nil {
			t.Errorf("a small recording: %v", err)
		}
		if err := first.String(http.StatusOK, "x"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("the second request: %v", err)
			}
		default:
			t.Error("the second request still waits after the first byte of the first")
		}
		broken := echo.HandlerFunc(func(echo.Context) error { return errors.New("nothing was written") })
		if err := EndTurn(broken)(second); err == nil || s.Reads.taken != 0 {
			t.Errorf("%v; %d turns are taken at the end", err, s.Reads.taken)
		}
		during := 0
		err := s.InTurn(open(), large.Exchanges, func() { during = s.Reads.taken })
		if err != nil || during != 1 || s.Reads.taken != 0 {
			t.Errorf("%v; %d turns during some work, %d after it", err, during, s.Reads.taken)
		}
	})
}

// TestWithTurns: masking much takes a turn like reading does, unless its request has one, and a
// request beyond the queue is refused.
func TestWithTurns(t *testing.T) {
	t.Parallel()
	s := &App{
		Owners: newOwners(Config{Mode: Local, CookieKeys: func(bool) [][]byte { return [][]byte{{1}} }}),
		Reads:  newPool(1, 0, false),
	}
	ctx := func() context.Context { return s.WithTurns(t.Context(), netip.Prefix{}) }
	during := -1
	count := func() { during = s.Reads.taken }
	for size, want := range map[int]int{heavyRead - 1: 0, heavyRead: 1} {
		if err := redact.InTurn(ctx(), size, count); err != nil || during != want || s.Reads.taken != 0 {
			t.Errorf("%d bytes: %v, %d turns during the work, %d after it", size, err, during, s.Reads.taken)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	c := echo.New().NewContext(r.WithContext(ctx()), httptest.NewRecorder())
	if err := s.WaitTurn(c); err != nil {
		t.Fatal(err)
	}
	if err := redact.InTurn(c.Request().Context(), heavyRead, count); err != nil || during != 1 {
		t.Errorf("in a request that has its turn: %v, %d turns", err, during)
	}
	var refused *Refusal
	if err := redact.InTurn(ctx(), heavyRead, count); !errors.As(err, &refused) ||
		refused.Status != http.StatusTooManyRequests {
		t.Errorf("another request: %v", err)
	}
	if err := c.String(http.StatusOK, "x"); err != nil || s.Reads.taken != 0 {
		t.Errorf("%v, %d turns after the first byte", err, s.Reads.taken)
	}
	if err := redact.InTurn(c.Request().Context(), heavyRead, count); err != nil || during != 1 {
		t.Errorf("after the first byte: %v, %d turns", err, during)
	}
}
