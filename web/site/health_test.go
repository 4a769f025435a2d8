package site_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// unready is a store that takes no write for a reason.
type unready struct {
	site.Store
	reason error
}

func (u *unready) Ready(ctx context.Context) error {
	if u.reason != nil {
		return fmt.Errorf("write: %w", u.reason)
	}
	return u.Store.Ready(ctx)
}

// TestReadyz_NamesTheCause: an operator reads what to do, and it ends with the
// cause. The process is healthy all the while.
func TestReadyz_NamesTheCause(t *testing.T) {
	t.Parallel()
	store, draining := &unready{}, false
	s := sitetest.NewOn(t, app.Local, wire.Config{}, nil, func(cfg *site.Config) {
		store.Store = cfg.Store
		cfg.Store, cfg.Draining = store, func() bool { return draining }
	})
	for _, test := range []struct {
		reason   error
		draining bool
		status   int
		says     string
	}{
		{nil, false, http.StatusOK, "ready\n"},
		{playground.ErrFull, false, http.StatusServiceUnavailable, "disk full\n"},
		{playground.ErrStorage, false, http.StatusServiceUnavailable, "database not writable\n"},
		{nil, true, http.StatusServiceUnavailable, "draining\n"},
		{nil, false, http.StatusOK, "ready\n"},
	} {
		store.reason, draining = test.reason, test.draining
		if got := s.Get("/readyz"); got.Status != test.status || got.Body != test.says {
			t.Errorf("%+v: %d %q", test, got.Status, got.Body)
		}
		if got := s.Get("/healthz"); got.Status != http.StatusOK {
			t.Errorf("%+v: /healthz %d", test, got.Status)
		}
	}
}
