package picture

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/static"
)

func TestBadge_NamesRoundsAndStatus(t *testing.T) {
	golden(t, "badge.svg", Badge(3, playground.StatusComplete, false))
	if one := string(Badge(1, playground.StatusFailed, false)); !strings.Contains(one, "1 round · failed") ||
		!strings.Contains(one, static.Light.Value("fail")) {
		t.Errorf("badge: %s", one)
	}
}

func TestBadge_EveryStatusHasAColour(t *testing.T) {
	for _, status := range []playground.Status{
		playground.StatusReady, playground.StatusRunning, playground.StatusWaiting,
		playground.StatusComplete, playground.StatusDeclined,
		playground.StatusCancelled, playground.StatusFailed, playground.StatusInterrupted,
		playground.StatusCapped,
	} {
		if static.Light.Value(badgeColour(status)) == "" {
			t.Errorf("%s has no colour", status)
		}
	}
}
