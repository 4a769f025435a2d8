package site_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// refusing is a Runner whose storage refuses some requests of foreign clients.
type refusing struct {
	app.Runner
	refuse func(q run.Relay) error
}

func (r refusing) Relay(ctx context.Context, q run.Relay) (run.Relayed, error) {
	if err := r.refuse(q); err != nil {
		return run.Relayed{}, err
	}
	return r.Runner.Relay(ctx, q)
}

func newRefusing(t *testing.T, refuse func(q run.Relay) error) *testSite {
	t.Helper()
	return newSiteWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Runner = refusing{cfg.App.Runner, refuse}
	})
}

// TestCapture_HeldElsewhere: what belongs to no call is recorded although another process
// holds a log of the capture, and shown with the rest.
func TestCapture_HeldElsewhere(t *testing.T) {
	t.Parallel()
	elsewhere := map[string]bool{}
	c := newRefusing(t, func(q run.Relay) error {
		if elsewhere[q.Log] {
			return playground.ErrElsewhere
		}
		return nil
	}).capture("azure-devops", "")
	id := strings.TrimPrefix(c.page, "/clients/")
	for _, held := range []string{"", id, id + ".1", ""} {
		elsewhere[held] = true
		if got := c.send(playground.ToolsList, map[string]any{}); got.status != http.StatusOK {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	c.get(c.page).has(t, `main[data-requests="4"]`, `#round-1`, `#round-4`)
	c.get(c.page+"/frames/8").contains(t, "update_work_item")
	log, err := c.store.CaptureEvents(t.Context(), id)
	check(t, err)
	if n := len(playground.Connections(log)); n != 4 {
		t.Errorf("%d requests", n)
	}
}

// TestCapture_NothingIsLeft of a call whose first events were refused.
func TestCapture_NothingIsLeft(t *testing.T) {
	t.Parallel()
	var full bool
	c := newRefusing(t, func(run.Relay) error {
		if full {
			return playground.ErrFull
		}
		return nil
	}).capture("azure-devops", "")
	c.resolve("", nil)
	full = true
	if got := c.resolve("", nil); got.status != http.StatusInsufficientStorage ||
		got.header.Get("Mcp-Capture-Error") != "disk_full" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if n, _ := c.recorded(); len(n.Exchanges) != 1 {
		t.Errorf("%d exchanges", len(n.Exchanges))
	}
}
