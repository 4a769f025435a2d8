package site_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// TestWorkspace_KeptWhenInUse: one look within its time is enough, and its
// cookie lives on as well; a reader's look at a link is none.
func TestWorkspace_KeptWhenInUse(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	s, clock := strict(t, nil)
	s.stranger()
	exchange := s.last
	drop := func() int {
		t.Helper()
		n, err := s.store.DeleteIdleWorkspaces(t.Context(), clock.Now().Add(-30*day))
		check(t, err)
		return n
	}
	clock.pass(29 * day)
	s.page("/s/nothing")
	if got := s.page("/static/nothing"); got.header.Get("Set-Cookie") != "" {
		t.Error("a file renews the cookie")
	}
	if got := s.page("/history"); !strings.Contains(got.header.Get("Set-Cookie"), "mrtr=") {
		t.Errorf("the cookie is not renewed: %v", got.header)
	}
	if got := s.page("/history"); got.header.Get("Set-Cookie") != "" {
		t.Error("the cookie is renewed all the time")
	}
	clock.pass(29 * day)
	if n := drop(); n != 0 {
		t.Errorf("%d workspaces were dropped, and one is in use", n)
	}
	clock.pass(2 * day)
	s.page("/s/nothing")
	if n := drop(); n != 1 {
		t.Errorf("%d workspaces were dropped", n)
	}
	if got := s.page(exchange); got.status != 404 {
		t.Errorf("the exchange is still there: %d", got.status)
	}
	s.stranger() // with the cookie of before
}

func TestWorkspace_LocalUseIsNotStored(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	s.stranger()
	if got := s.page("/history"); got.header.Get("Set-Cookie") != "" {
		t.Error("a cookie in local mode")
	}
}
