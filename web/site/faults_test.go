package site_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/e2e/faults/balance"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// TestHostileLists_AskForNothing holds fault 37: a server that answers a list
// with a question is connected to or not, but nothing of it is asked, and the
// page names the violation.
func TestHostileLists_AskForNothing(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"server/discover", "tools/list"} {
		t.Run(method, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var m struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.NewDecoder(r.Body).Decode(&m)
				body := `{"resultType":"complete","ttlMs":0,"cacheScope":"private",` +
					`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"tools":[]}`
				if m.Method == method {
					body = ask("k", oneString)
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + body + `}`))
			}))
			t.Cleanup(server.Close)
			s := newSite(t, app.Local)
			page := s.connectTo(server.URL)
			if page.status != http.StatusOK || !strings.Contains(page.body, "</html>") {
				t.Fatalf("%d %s", page.status, excerpt(page.body))
			}
			page.hasNot(t, `[data-form="answers"]`, "[data-input-key]", `[data-status="connecting"]`)
			if found := codes(page.body); len(found) != 1 || found[0] != "violation" {
				t.Errorf("codes %q", found)
			}
			s.noErrors()
		})
	}
}

// readCounter counts how often a share is looked up.
type readCounter struct {
	site.Store
	reads atomic.Int64
}

func (c *readCounter) Share(ctx context.Context, token string, now time.Time) (share.Share, error) {
	c.reads.Add(1)
	return c.Store.Share(ctx, token, now)
}

// TestShare_InvalidLinksCostTheSame holds fault 65 without a clock: a link that
// is unknown, expired, deleted or cut is looked up as often as any other, so its
// time does not tell why it does not work.
func TestShare_InvalidLinksCostTheSame(t *testing.T) {
	t.Parallel()
	counted := &readCounter{}
	s := newSiteWith(t, app.Local, wire.Config{}, func(c *site.Config) {
		counted.Store = c.Store
		c.Store = counted
	})
	s.post("/exchanges", "sample=azure-devops")
	deleted, session := s.share("leave=note"), s.sessionOf()
	s.post("/shares/"+deleted+"/delete", "x=y")
	past := share.Share{
		Token: "EXPIREDEXPIREDEXPIREDEXPIR", Session: session, Created: time.Now().Add(-2 * time.Hour),
		Expires: time.Now().Add(-time.Hour), Data: []byte("{}"), Image: []byte("p"),
	}
	check(t, s.store.AddShare(t.Context(), "local", past))
	for _, suffix := range []string{"", ".json", ".png"} {
		for name, token := range map[string]string{
			"unknown": "UNKNOWNUNKNOWNUNKNOWNUNKNO", "expired": past.Token, "deleted": deleted,
			"cut": deleted[:len(deleted)-1],
		} {
			counted.reads.Store(0)
			if got := s.get("/s/" + token + suffix); got.status != http.StatusNotFound {
				t.Errorf("%s%s: %d", name, suffix, got.status)
			}
			if n := counted.reads.Load(); n != 1 {
				t.Errorf("%s%s: looked up %d times", name, suffix, n)
			}
		}
	}
}

// TestPoll_EndlessTaskTakesLittleMemory holds the memory's half of fault 89: a
// task that answers 1 MB per poll, until its recording is full and on pages.
func TestPoll_EndlessTaskTakesLittleMemory(t *testing.T) {
	s := newSite(t, app.Local)
	address, polls := newEndless(t, 1_000_000, true)
	s.get("/history")
	end := balance.Begin(t, 2*balance.Growth)
	id := s.taskOf(address)
	s.runner.Wait(t.Context(), id)
	for range 5 {
		s.get("/x/" + id)
	}
	s.client.CloseIdleConnections()
	end()
	if polls.Load() == 0 {
		t.Error("the task was not polled")
	}
}
