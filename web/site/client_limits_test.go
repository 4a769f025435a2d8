package site_test

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
)

// TestCapture_Floods: one capture has a rate and places of its own.
func TestCapture_Floods(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Limits = app.DefaultLimits()
		cfg.App.Limits.Captured.Burst, cfg.App.Limits.Captured.N = 3, 1
		cfg.App.Limits.CapturedOpen = 1
	})
	addressOf := func() string {
		page := s.visitor(t).follow("/clients", url.Values{"server": {"azure-devops"}})
		u, err := url.Parse(page.html().Texts("[data-address]")[0])
		check(t, err)
		return u.Path
	}
	flooded, other := &capture{testSite: s, path: addressOf()}, &capture{testSite: s, path: addressOf()}
	refused := 0
	for range 6 {
		if got := flooded.send(playground.ToolsList,
			map[string]any{}); got.status == http.StatusTooManyRequests &&
			got.header.Get("Mcp-Capture-Error") == "too_many_captured" {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("%d refused", refused)
	}
	if got := other.send(playground.ToolsList, map[string]any{}); got.status != http.StatusOK {
		t.Errorf("another capture: %d", got.status)
	}
	letGo := s.hold()
	done := make(chan answer)
	go func() { done <- other.send(playground.ToolsList, map[string]any{}) }()
	k, err := s.store.CaptureAt(t.Context(), strings.TrimPrefix(other.path, "/c/"))
	check(t, err)
	await(t, func() string { // the first request has the one place
		log, err := s.store.Log(t.Context(), k.ID)
		if len(playground.Unanswered(log)) == 1 {
			return ""
		}
		return fmt.Sprint("no request is held: ", err)
	})
	second := &capture{testSite: s, path: other.path, next: 100}
	await(t, func() string {
		got := second.send(playground.ToolsList, map[string]any{})
		if got.header.Get("Mcp-Capture-Error") == "capture_open" || got.status == http.StatusTooManyRequests {
			return ""
		}
		return fmt.Sprint(got.status)
	})
	letGo()
	<-done
}

func TestCapture_FullRecordEndsIt(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, app.Local, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Limits = app.DefaultLimits()
		cfg.App.Limits.Session = 4000
	})
	c := s.capture("azure-devops", "")
	var got answer
	for range 20 {
		if got = c.resolve("", nil); got.status != http.StatusOK {
			break
		}
	}
	if got.status != http.StatusInsufficientStorage || got.header.Get("Mcp-Capture-Error") != "capture_full" {
		t.Fatalf("%d %s", got.status, got.body)
	}
	page := c.get(c.page)
	page.has(t, `.outcome "– ended"`)
	page.hasNot(t, `[data-side="server"] [data-verdict="fail"]`)
	if got := c.resolve("", nil); got.status != http.StatusNotFound {
		t.Errorf("after its end: %d", got.status)
	}
}

// TestCapture_HugeRequests: what no request may be is refused before anything is sent.
func TestCapture_HugeRequests(t *testing.T) {
	t.Parallel()
	f := inFrontOf(t, newSite(t, app.Local), nil)
	got := f.do(http.MethodPost, f.path, strings.Repeat(" ", 512<<10+1), nil)
	if got.status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", got.status, excerpt(got.body))
	}
	n, log := f.recorded()
	if f.seen.Load() != 0 || len(n.Exchanges) > 0 || len(log) > 0 {
		t.Errorf("%d connections, %d exchanges, %d events", f.seen.Load(), len(n.Exchanges), len(log))
	}
}
