package client_test

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
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
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

func newRefusing(t *testing.T, refuse func(q run.Relay) error) *sitetest.Site {
	t.Helper()
	return sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
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
	}).Capture("azure-devops", "")
	id := strings.TrimPrefix(c.Page, "/clients/")
	for _, held := range []string{"", id, id + ".1", ""} {
		elsewhere[held] = true
		if got := c.Send(playground.ToolsList, map[string]any{}); got.Status != http.StatusOK {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	c.Get(c.Page).Has(t, `main[data-requests="4"]`, `#round-1`, `#round-4`)
	c.Get(c.Page+"/frames/8").Contains(t, "update_work_item")
	log, err := c.Store.CaptureEvents(t.Context(), id)
	sitetest.Check(t, err)
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
	}).Capture("azure-devops", "")
	resolve(c, "", nil)
	full = true
	if got := resolve(c, "", nil); got.Status != http.StatusInsufficientStorage ||
		got.Header.Get("Mcp-Capture-Error") != "disk_full" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if n, _ := c.Recorded(); len(n.Exchanges) != 1 {
		t.Errorf("%d exchanges", len(n.Exchanges))
	}
}
