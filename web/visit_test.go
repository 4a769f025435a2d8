package web

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/places"
)

// TestBeginVisit_TurnEndsWithTheFirstByte, so that a slow reader holds none.
func TestBeginVisit_TurnEndsWithTheFirstByte(t *testing.T) {
	t.Parallel()
	s := &App{
		App: &app.App{
			Config: app.Config{BaseURL: "http://127.0.0.1:2322"}, Reads: places.New(places.Limits{InAll: 1}),
		},
	}
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder())
	v := s.BeginVisit(c)
	if v != RequestOf(c).Visit || !v.Looks || v.Context() != c.Request().Context() {
		t.Errorf("the request does not have its visit")
	}
	if err := s.WaitTurn(v); err != nil || taken(s) != 1 {
		t.Fatalf("%v, %d turns", err, taken(s))
	}
	if err := c.String(http.StatusOK, "x"); err != nil || taken(s) != 0 {
		t.Errorf("%v, %d turns after the first byte", err, taken(s))
	}
}

// taken returns how many turns are taken.
func taken(s *App) int {
	n, _ := s.Reads.Count()
	return n
}
