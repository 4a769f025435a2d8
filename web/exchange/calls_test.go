package exchange_test

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
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestRate_OfCallsPerWorkspace(t *testing.T) {
	t.Parallel()
	s, clock := sitetest.Strict(t, func(l *app.Limits) { l.Pages.Burst = 1000 })
	start := url.Values{"sample": {"azure-devops"}}
	for i := range 20 {
		if got := s.Follow("/exchanges", start); got.Status != http.StatusOK {
			t.Fatalf("call %d: %d", i+1, got.Status)
		}
	}
	before := len(s.Page("/history").HTML().Find("[data-session]"))
	sitetest.Refused(t, "call 21", s.Follow("/exchanges", start), "too_many_calls", "3")
	sitetest.Refused(
		t, "its answer",
		s.Follow(s.Last+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"decline"}}),
		"too_many_calls", "3",
	)
	sitetest.Refused(t, "a stage", s.Follow("/demos/azure-devops", nil), "too_many_calls", "3")
	sitetest.Refused(t, "a server", s.ConnectTo("https://example.com/mcp"), "too_many_calls", "3")
	sitetest.Refused(
		t, "a check",
		s.Follow("/servers/azure-devops/check", url.Values{"tool": {"update_work_item"}, "args": {"{}"}}),
		"too_many_calls", "3",
	)
	if after := len(s.Page("/history").HTML().Find("[data-session]")); after != before || before == 0 {
		t.Errorf("%d sessions before and %d after", before, after)
	}
	clock.Pass(3 * time.Second)
	if got := s.Follow("/exchanges", start); got.Status != http.StatusOK {
		t.Errorf("three seconds later: %d", got.Status)
	}
}

func TestAnswer_RefusedStaysInItsForm(t *testing.T) {
	t.Parallel()
	s, clock := sitetest.Strict(t, func(l *app.Limits) {
		l.Calls = app.Rate{N: 1, Per: time.Minute, Burst: 1}
	})
	s.Stranger()
	path := s.Last
	answer := url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"Duplicate"}}
	got := s.Follow(path+"/rounds", answer)
	sitetest.Refused(t, "the answer", got, "too_many_calls", "60")
	if !got.HTML().Has(`[data-form="answers"]`) ||
		!got.HTML().Has(`option[value="Duplicate"][selected]`) {
		t.Errorf("the form is not there as it was filled in: %s", sitetest.Excerpt(got.Body))
	}
	clock.Pass(time.Minute)
	if got := s.Follow(path+"/rounds", answer); got.Status != http.StatusOK ||
		!got.HTML().Has(`[data-round="2"]`) {
		t.Errorf("a minute later: %d", got.Status)
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
	s := sitetest.NewWith(t, app.Public, wire.Config{
		Resolver: resolver, Limits: wire.Limits{DNS: time.Hour, Total: time.Hour},
	}, func(cfg *site.Config) { cfg.App.Settle = time.Millisecond })
	var servers []string
	for _, address := range []string{"https://slow.example/1", "https://slow.example/2"} {
		if got := s.ConnectTo(address); !got.HTML().Has(`[data-status="connecting"]`) {
			t.Fatalf("%d %s", got.Status, sitetest.Excerpt(got.Body))
		}
		servers = append(servers, strings.TrimPrefix(s.Last, "/servers/"))
	}
	sitetest.Refused(t, "the third", s.ConnectTo("https://slow.example/3"), "calls_of_workspace", "5")
	if n := len(s.Page("/test").HTML().Find(`.tested [data-kind="server"]`)); n != 2 {
		t.Errorf("%d servers are on the list", n)
	}
	s.Stranger() // samples are not other people's servers
	close(resolver)
	for _, id := range servers {
		s.Runner.Wait(t.Context(), id)
	}
	for s.Runner.Busy(servers[0]) || s.Runner.Busy(servers[1]) {
		runtime.Gosched() // the last event is there, the goroutine not gone
	}
	if got := s.ConnectTo("https://slow.example/3"); got.Status != http.StatusOK {
		t.Errorf("no call is in progress, and the next is refused: %d %q", got.Status,
			sitetest.Codes(got.Body))
	}
}

// TestSession_FullTakesNoRound: before anything is sent, and the recording
// stays.
func TestSession_FullTakesNoRound(t *testing.T) {
	t.Parallel()
	for _, spare := range []int{0, -1} {
		limits := app.DefaultLimits()
		s := sitetest.NewWith(t, app.Local, wire.Config{},
			func(cfg *site.Config) { limits = app.DefaultLimits(); cfg.App.Limits = limits })
		s.Stranger()
		id := strings.TrimPrefix(s.Last, "/x/")
		x, err := s.Store.Exchange(t.Context(), "local", id)
		sitetest.Check(t, err)
		size, err := s.Store.SessionSize(t.Context(), x.Session)
		sitetest.Check(t, err)
		fill := playground.Event{
			Conn: 1, Kind: playground.Message, At: time.Now(), Data: make([]byte, limits.Session-size-spare),
		}
		sitetest.Check(t, s.Store.Append(
			t.Context(), id, playground.Summary{Status: "waiting", Rounds: 1, Changed: time.Now()}, fill,
		))
		got := s.Post("/x/"+id+"/rounds", "round=1&do=send&a0.action=decline")
		if full := slices.Equal(sitetest.Codes(got.Body), []string{"session_full"}); full != (spare < 0) {
			t.Errorf("%d bytes are left: %d %q", spare, got.Status, sitetest.Codes(got.Body))
		}
	}
}
