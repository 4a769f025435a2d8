package guard

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// TestCompress: a long page is zipped once for a browser that takes it, and an error
// page stands alone.
func TestCompress(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("abcdefgh ", 500)
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) { _ = c.HTML(http.StatusTeapot, err.Error()) }
	e.Use(Compress(app.Public))
	e.GET("/long", func(c echo.Context) error { return c.HTML(http.StatusOK, long) })
	e.GET("/short", func(c echo.Context) error { return c.HTML(http.StatusOK, "short") })
	e.GET("/none", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	e.GET("/error", func(echo.Context) error { return errors.New("wrong") })
	e.GET("/archive", func(c echo.Context) error {
		return c.Blob(http.StatusOK, "application/gzip", []byte(long))
	})
	e.GET("/events", func(c echo.Context) error { return c.HTML(http.StatusOK, long) })
	for _, tt := range []struct {
		path, accepts string
		status        int
		zipped        bool
		body          string
	}{
		{"/long", "gzip, br", http.StatusOK, true, long},
		{"/long", "gzip;q=0", http.StatusOK, false, long},
		{"/long", "", http.StatusOK, false, long},
		{"/long", "zstd", http.StatusOK, false, long},
		{"/short", "gzip", http.StatusOK, false, "short"},
		{"/none", "gzip", http.StatusNoContent, false, ""},
		{"/error", "gzip", http.StatusTeapot, false, "wrong"},
		{"/archive", "gzip", http.StatusOK, false, long},
		{"/events", "gzip", http.StatusOK, false, long},
	} {
		r := httptest.NewRequest(http.MethodGet, tt.path, nil)
		r.Header.Set("Accept-Encoding", tt.accepts)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		body := io.Reader(w.Body)
		if zipped := w.Header().Get("Content-Encoding") == "gzip"; zipped != tt.zipped {
			t.Errorf("%s for %q: zipped %v", tt.path, tt.accepts, zipped)
		} else if zipped {
			var err error
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
		}
		text, err := io.ReadAll(body)
		if err != nil || w.Code != tt.status || string(text) != tt.body {
			t.Errorf("%s for %q: %d %.20q, %v", tt.path, tt.accepts, w.Code, text, err)
		}
		if tt.path != "/events" && w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s for %q: Vary %q", tt.path, tt.accepts, w.Header().Values("Vary"))
		}
	}
}

// TestProblem_WhenTheRequestWasEnded: a request without an answer has no status
// 200.
func TestProblem_WhenTheRequestWasEnded(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	end()
	s := &Pages{App: &web.App{App: &app.App{Config: app.Config{Logger: slog.New(slog.DiscardHandler)}}}}
	w := httptest.NewRecorder()
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil).WithContext(ctx), w)
	s.Problem(fmt.Errorf("read: %w", context.Canceled), c)
	if w.Code != web.StatusLeft || w.Body.Len() > 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
