package server_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestConnect_Cancel: while the client connects, the one button is Cancel, and it ends that.
func TestConnect_Cancel(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the end of the connection is not noticed
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	s := sitetest.NewWith(t, app.Local, wire.Config{},
		func(cfg *site.Config) { cfg.App.Settle = time.Millisecond })
	page := s.ConnectTo(silent.URL + "/mcp")
	page.Has(t, `[data-status="connecting"]`, `[data-progress="Connecting"]`,
		`form[action$="/cancel"] button "Cancel"`)
	page.HasNot(t, `[data-do="connect"]`, `[data-do="forget"]`)
	server := s.Last
	s.Follow(server+"/cancel", nil)
	page = s.Page(server)
	for page.HTML().Has(`[data-status="connecting"]`) {
		page = s.Page(server)
	}
	page.Has(t, `[data-status="failed"]`, `[data-error="connect_cancelled"] "You stopped connecting."`,
		`[data-do="connect"] "Reconnect"`)
	s.Follow(server+"/cancel", nil) // does nothing
	s.Page(server).Has(t, `[data-status="failed"]`)
}
