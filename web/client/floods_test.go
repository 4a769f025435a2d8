package client_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestCapture_Floods: one capture has a rate and places of its own.
func TestCapture_Floods(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Limits = app.DefaultLimits()
		cfg.App.Limits.Captured.Burst, cfg.App.Limits.Captured.N = 3, 1
		cfg.App.Limits.CapturedOpen = 1
	})
	addressOf := func() string {
		page := s.Visitor(t).Follow("/clients", url.Values{"server": {"azure-devops"}})
		u, err := url.Parse(page.HTML().Texts("[data-address]")[0])
		sitetest.Check(t, err)
		return u.Path
	}
	flooded, other := &sitetest.Capture{Site: s, Path: addressOf()},
		&sitetest.Capture{Site: s, Path: addressOf()}
	refused := 0
	for range 6 {
		if got := flooded.Send(playground.ToolsList,
			map[string]any{}); got.Status == http.StatusTooManyRequests &&
			got.Header.Get("Mcp-Capture-Error") == "too_many_captured" {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("%d refused", refused)
	}
	if got := other.Send(playground.ToolsList, map[string]any{}); got.Status != http.StatusOK {
		t.Errorf("another capture: %d", got.Status)
	}
	letGo := s.Hold()
	done := make(chan sitetest.Answer)
	go func() { done <- other.Send(playground.ToolsList, map[string]any{}) }()
	k, err := s.Store.CaptureAt(t.Context(), strings.TrimPrefix(other.Path, "/c/"))
	sitetest.Check(t, err)
	sitetest.Await(t, func() string { // the first request has the one place
		log, err := s.Store.Log(t.Context(), k.ID)
		if len(playground.Unanswered(log)) == 1 {
			return ""
		}
		return fmt.Sprint("no request is held: ", err)
	})
	second := &sitetest.Capture{Site: s, Path: other.Path, Next: 100}
	sitetest.Await(t, func() string {
		got := second.Send(playground.ToolsList, map[string]any{})
		if got.Header.Get("Mcp-Capture-Error") == "capture_open" || got.Status == http.StatusTooManyRequests {
			return ""
		}
		return fmt.Sprint(got.Status)
	})
	letGo()
	<-done
}

func TestCapture_FullRecordEndsIt(t *testing.T) {
	t.Parallel()
	s := sitetest.NewWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Limits = app.DefaultLimits()
		cfg.App.Limits.Session = 4000
	})
	c := s.Capture("azure-devops", "")
	var got sitetest.Answer
	for range 20 {
		if got = resolve(c, "", nil); got.Status != http.StatusOK {
			break
		}
	}
	if got.Status != http.StatusInsufficientStorage || got.Header.Get("Mcp-Capture-Error") != "capture_full" {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	page := c.Get(c.Page)
	page.Has(t, `.outcome "– ended"`)
	page.HasNot(t, `[data-side="server"] [data-verdict="fail"]`)
	if got := resolve(c, "", nil); got.Status != http.StatusNotFound {
		t.Errorf("after its end: %d", got.Status)
	}
}

// TestCapture_HugeRequests: what no request may be is refused before anything is sent.
func TestCapture_HugeRequests(t *testing.T) {
	t.Parallel()
	f := sitetest.InFrontOf(t, sitetest.New(t, app.Local), nil)
	got := f.Do(http.MethodPost, f.Path, strings.Repeat(" ", 512<<10+1), nil)
	if got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", got.Status, sitetest.Excerpt(got.Body))
	}
	n, log := f.Recorded()
	if f.Seen.Load() != 0 || len(n.Exchanges) > 0 || len(log) > 0 {
		t.Errorf("%d connections, %d exchanges, %d events", f.Seen.Load(), len(n.Exchanges), len(log))
	}
}
