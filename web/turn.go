package web

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// heavyRead is the size of a recording from which reading it takes turns, in
// bytes: folding, judging, drawing and searching it for secrets costs tens of
// milliseconds.
const heavyRead = 128 << 10

// readRetry is when to try again if too many large recordings are being read.
const readRetry = 5 * time.Second

// TakeTurn waits until a request may work on a large recording, whose logs it
// reads once from then on. At most one per core does at a time. The turn ends
// with the first byte of the response, so that a slow reader holds none, or with
// the request. A request has one turn.
func (s *App) TakeTurn(c echo.Context, n session.Session) error {
	n.ReadOnce()
	if recorded(n) < heavyRead {
		return nil
	}
	return s.WaitTurn(c)
}

// WaitTurn is takeTurn for work whose size is not known before it is done.
func (s *App) WaitTurn(c echo.Context) error {
	const key = "turn"
	if c.Get(key) != nil {
		return nil
	}
	release, err := s.acquireTurn(c)
	if err != nil {
		return err
	}
	c.Set(key, release)
	c.Response().Before(release)
	return nil
}

func (s *App) acquireTurn(c echo.Context) (release func(), err error) {
	ctx := c.Request().Context()
	t, _ := ctx.Value(turnKey{}).(*turn)
	if t == nil {
		t = &turn{}
	}
	return t.take(ctx, s.Reads, s.Visitor(c).Address)
}

// turn is whether a request has its turn. What it does meanwhile needs no other.
type turn struct{ held atomic.Bool }

type turnKey struct{}

func (t *turn) take(ctx context.Context, from *Pool, address netip.Prefix) (release func(), err error) {
	if t.held.Load() {
		return func() {}, nil
	}
	end, err := from.Acquire(ctx, address)
	if errors.Is(err, ErrPoolFull) {
		err = TooMany(readRetry, "too_many_reads", "Too many large recordings are being read.",
			"This takes much computing time, so requests for them take turns.")
	}
	if err != nil {
		return nil, err
	}
	t.held.Store(true)
	return sync.OnceFunc(func() {
		t.held.Store(false)
		end()
	}), nil
}

// WithTurns returns the context of a request from an address. Secrets are masked in turns of
// it, if there is much to search, also what a server sends after the request has ended.
func (s *App) WithTurns(ctx context.Context, address netip.Prefix) context.Context {
	t := &turn{}
	return redact.WithTurn(context.WithValue(ctx, turnKey{}, t),
		func(ctx context.Context, size int) (release func(), err error) {
			if size < heavyRead {
				return func() {}, nil
			}
			return t.take(ctx, s.Reads, address)
		})
}

// InTurn does some work on recorded exchanges. If they are large, it waits for a turn, which
// ends with the work: the request goes on, maybe for long.
func (s *App) InTurn(c echo.Context, list []playground.Exchange, work func()) error {
	if recorded(session.Session{Exchanges: list}) >= heavyRead {
		release, err := s.acquireTurn(c)
		if err != nil {
			return err
		}
		defer release()
	}
	work()
	return nil
}

// EndTurn ends the turn of a request that wrote nothing.
func EndTurn(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		defer func() {
			if release, ok := c.Get("turn").(func()); ok {
				release()
			}
		}()
		return next(c)
	}
}

// recorded returns the size of the logs of a session in bytes.
func recorded(n session.Session) int {
	size := 0
	for _, x := range n.Exchanges {
		for _, e := range x.Log {
			size += len(e.Data)
		}
	}
	return size
}

// IsRead reports whether a request only reads.
func IsRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }
