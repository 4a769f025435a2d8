package site_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestWorkspace_KeptWhenInUse: one look within its time is enough, and its
// cookie lives on as well; a reader's look at a link is none.
func TestWorkspace_KeptWhenInUse(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	s, clock := sitetest.Strict(t, nil)
	s.Stranger()
	exchange := s.Last
	drop := func() int {
		t.Helper()
		n, err := s.Store.DeleteIdleWorkspaces(t.Context(), clock.Now().Add(-30*day))
		sitetest.Check(t, err)
		return n
	}
	clock.Pass(29 * day)
	s.Page("/s/nothing")
	if got := s.Page("/static/nothing"); got.Header.Get("Set-Cookie") != "" {
		t.Error("a file renews the cookie")
	}
	if got := s.Page("/history"); !strings.Contains(got.Header.Get("Set-Cookie"), "mrtr=") {
		t.Errorf("the cookie is not renewed: %v", got.Header)
	}
	if got := s.Page("/history"); got.Header.Get("Set-Cookie") != "" {
		t.Error("the cookie is renewed all the time")
	}
	clock.Pass(29 * day)
	if n := drop(); n != 0 {
		t.Errorf("%d workspaces were dropped, and one is in use", n)
	}
	clock.Pass(2 * day)
	s.Page("/s/nothing")
	if n := drop(); n != 1 {
		t.Errorf("%d workspaces were dropped", n)
	}
	if got := s.Page(exchange); got.Status != 404 {
		t.Errorf("the exchange is still there: %d", got.Status)
	}
	s.Stranger() // with the cookie of before
}

func TestWorkspace_LocalUseIsNotStored(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	s.Stranger()
	if got := s.Page("/history"); got.Header.Get("Set-Cookie") != "" {
		t.Error("a cookie in local mode")
	}
}
