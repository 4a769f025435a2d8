package sitetest

import (
	"sync"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site"
)

// Clock stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at the present time.
func NewClock() *Clock { return &Clock{now: time.Now()} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Pass moves the clock.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Strict returns a public site with other limits, on a clock of its own.
func Strict(t *testing.T, change func(*app.Limits)) (*Site, *Clock) {
	t.Helper()
	c := NewClock()
	return NewWith(t, app.Public, wire.Config{}, func(cfg *site.Config) {
		cfg.App.Now, cfg.App.Limits = c.Now, app.DefaultLimits()
		if change != nil {
			change(&cfg.App.Limits)
		}
	}), c
}
