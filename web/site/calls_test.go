package site_test

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

func TestRate_OfCallsPerWorkspace(t *testing.T) {
	t.Parallel()
	s, clock := strict(t, func(l *app.Limits) { l.Pages.Burst = 1000 })
	start := url.Values{"sample": {"azure-devops"}}
	for i := range 20 {
		if got := s.follow("/exchanges", start); got.status != http.StatusOK {
			t.Fatalf("call %d: %d", i+1, got.status)
		}
	}
	before := len(s.page("/history").html().Find("[data-session]"))
	refused(t, "call 21", s.follow("/exchanges", start), "too_many_calls", "3")
	refused(
		t, "its answer",
		s.follow(s.last+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"decline"}}),
		"too_many_calls", "3",
	)
	refused(t, "a stage", s.follow("/demos/azure-devops", nil), "too_many_calls", "3")
	refused(t, "a server", s.connectTo("https://example.com/mcp"), "too_many_calls", "3")
	refused(
		t, "a check",
		s.follow("/servers/azure-devops/check", url.Values{"tool": {"update_work_item"}, "args": {"{}"}}),
		"too_many_calls", "3",
	)
	if after := len(s.page("/history").html().Find("[data-session]")); after != before || before == 0 {
		t.Errorf("%d sessions before and %d after", before, after)
	}
	clock.pass(3 * time.Second)
	if got := s.follow("/exchanges", start); got.status != http.StatusOK {
		t.Errorf("three seconds later: %d", got.status)
	}
}

func TestAnswer_RefusedStaysInItsForm(t *testing.T) {
	t.Parallel()
	s, clock := strict(t, func(l *app.Limits) { l.Calls = app.Rate{N: 1, Per: time.Minute, Burst: 1} })
	s.stranger()
	path := s.last
	answer := url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"Duplicate"}}
	got := s.follow(path+"/rounds", answer)
	refused(t, "the answer", got, "too_many_calls", "60")
	if !got.html().Has(`[data-form="answers"]`) ||
		!got.html().Has(`option[value="Duplicate"][selected]`) {
		t.Errorf("the form is not there as it was filled in: %s", excerpt(got.body))
	}
	clock.pass(time.Minute)
	if got := s.follow(path+"/rounds", answer); got.status != http.StatusOK ||
		!got.html().Has(`[data-round="2"]`) {
		t.Errorf("a minute later: %d", got.status)
	}
}

// pondering is a resolver that finds nothing, and waits for a signal first.
type pondering chan struct{}

func (p pondering) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	select {
	case <-p:
	case <-ctx.Done():
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func TestOutbound_TwoCallsPerWorkspace(t *testing.T) {
	t.Parallel()
	resolver := make(pondering)
	s := newSiteWith(t, app.Public, wire.Config{
		Resolver: resolver, Limits: wire.Limits{DNS: time.Hour, Total: time.Hour},
	}, func(cfg *site.Config) { cfg.App.Settle = time.Millisecond })
	var servers []string
	for _, address := range []string{"https://slow.example/1", "https://slow.example/2"} {
		if got := s.connectTo(address); !got.html().Has(`[data-status="connecting"]`) {
			t.Fatalf("%d %s", got.status, excerpt(got.body))
		}
		servers = append(servers, strings.TrimPrefix(s.last, "/servers/"))
	}
	refused(t, "the third", s.connectTo("https://slow.example/3"), "calls_of_workspace", "5")
	if n := strings.Count(s.page("/servers").body, `/forget"`); n != 2 {
		t.Errorf("%d servers are on the list", n)
	}
	s.stranger() // samples are not other people's servers
	close(resolver)
	for _, id := range servers {
		s.runner.Wait(t.Context(), id)
	}
	for s.runner.Busy(servers[0]) || s.runner.Busy(servers[1]) {
		runtime.Gosched() // the last event is there, the goroutine not gone
	}
	if got := s.connectTo("https://slow.example/3"); got.status != http.StatusOK {
		t.Errorf("no call is in progress, and the next is refused: %d %q", got.status, codes(got.body))
	}
}

// TestSession_FullTakesNoRound: before anything is sent, and what is there
// stays.
func TestSession_FullTakesNoRound(t *testing.T) {
	t.Parallel()
	for _, spare := range []int{0, -1} {
		limits := app.DefaultLimits()
		s := newSiteWith(t, app.Local, wire.Config{},
			func(cfg *site.Config) { limits = app.DefaultLimits(); cfg.App.Limits = limits })
		s.stranger()
		id := strings.TrimPrefix(s.last, "/x/")
		x, err := s.store.Exchange(t.Context(), "local", id)
		check(t, err)
		size, err := s.store.SessionSize(t.Context(), x.Session)
		check(t, err)
		fill := playground.Event{
			Conn: 1, Kind: playground.Message, At: time.Now(), Data: make([]byte, limits.Session-size-spare),
		}
		check(t, s.store.Append(
			t.Context(), id, playground.Summary{Status: "waiting", Rounds: 1, Changed: time.Now()}, fill,
		))
		got := s.post("/x/"+id+"/rounds", "round=1&do=send&a0.action=decline")
		if full := slices.Equal(codes(got.body), []string{"session_full"}); full != (spare < 0) {
			t.Errorf("%d bytes are left: %d %q", spare, got.status, codes(got.body))
		}
	}
}
