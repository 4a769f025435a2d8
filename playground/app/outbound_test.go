package app

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// calling is an outbound whose requests are handled, and whose logs are busy,
// as the test says.
type calling struct {
	*Outbound
	busy     map[string]bool
	sleeping map[string]bool
	n        int
}

func newCalling() *calling {
	c := &calling{busy: map[string]bool{}, sleeping: map[string]bool{}}
	c.Outbound = &Outbound{
		limits: DefaultLimits(), busy: func(id string) bool { return c.busy[id] },
		sleeping: func(id string) bool { return c.sleeping[id] },
	}
	return c
}

// call begins a call that goes on after its request, and gives the code of its
// refusal.
func (c *calling) call(workspace, from, host string) string {
	c.n++
	id := fmt.Sprint(c.n)
	request, handled := context.WithCancel(context.Background())
	defer handled()
	c.busy[id] = true
	return codeOf(c.Begin(request, to(host, id), Account{workspace, AddressOf(from)}))
}

// to is a call that has sent nothing yet.
func to(host, id string) playground.Exchange {
	return playground.Exchange{ID: id, Target: playground.Target{URL: "https://" + host + ":8443/mcp"}}
}

func codeOf(err error) string {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

// TestOutbound_LimitsConcurrentCalls: each at its limit and one beyond.
func TestOutbound_LimitsConcurrentCalls(t *testing.T) {
	t.Parallel()
	fresh := func(of string, i int) string { return fmt.Sprintf("%s%d", of, i) }
	address := func(i int) string { return fmt.Sprintf("192.0.2.%d", i) }
	for code, test := range map[string]struct {
		most int
		call func(c *calling, i int) string
	}{
		"calls_of_workspace": {2,
			func(c *calling, i int) string { return c.call("w", address(i), fresh("h", i)) }},
		"calls_of_address": {4, func(c *calling, i int) string {
			return c.call(fresh("w", i), "2001:db8::"+fmt.Sprint(i), fresh("h", i))
		}},
		"calls_to_host": {8, func(c *calling,
			i int) string {
			return c.call(fresh("w", i), address(i), "h")
		}},
		"calls_in_all": {64, func(c *calling, i int) string {
			return c.call(
				fresh("w", i), address(i), fresh("h", i),
			)
		}},
	} {
		c := newCalling()
		for i := range test.most {
			if got := test.call(c, i); got != "" {
				t.Fatalf("%s: call %d is refused: %s", code, i+1, got)
			}
		}
		if got := test.call(c, test.most); got != code {
			t.Errorf("one beyond %d: %q, want %s", test.most, got, code)
		}
		c.busy["1"] = false
		if got := test.call(c, test.most); got != "" {
			t.Errorf("%s: one has ended, and still there is no room: %s", code, got)
		}
	}
}

func TestOutbound_ActiveCallMayContinue(t *testing.T) {
	t.Parallel()
	c, who := newCalling(), Account{"w", AddressOf("192.0.2.1")}
	c.call("w", "192.0.2.1", "h")
	c.call("w", "192.0.2.1", "h")
	open := to("h", "1")
	if got := codeOf(c.Begin(t.Context(), open, who)); got != "calls_of_workspace" {
		t.Errorf("a server is asked a third time: %q", got)
	}
	open.Log = []playground.Event{{Kind: playground.Decided}}
	if got := codeOf(c.Begin(t.Context(), open, who)); got != "" {
		t.Errorf("the answer of an open call is refused: %s", got)
	}
	if len(c.calls) != 2 {
		t.Errorf("%d calls are counted", len(c.calls))
	}
}

func TestOutbound_CountsWhileTheRequestIsHandled(t *testing.T) {
	t.Parallel()
	c, who := newCalling(), Account{"w", AddressOf("192.0.2.1")}
	request, handled := context.WithCancel(t.Context())
	for _, id := range []string{"fresh run", "experiment"} { // both of one request
		if got := codeOf(c.Begin(request, to("h", id), who)); got != "" {
			t.Errorf("%s: %s", id, got)
		}
	}
	c.call("w", "192.0.2.1", "h")
	if got := c.call("w", "192.0.2.1", "h"); got != "calls_of_workspace" {
		t.Errorf("a call whose request is handled does not count: %q", got)
	}
	handled()
	if got := c.call("w", "192.0.2.1", "h"); got != "" {
		t.Errorf("a call counts for ever: %s", got)
	}
}

// TestOutbound_SleepingTasksTakeNoPlace: a call that waits for its next poll
// takes no place of all visitors, but one of its workspace and its address; a
// poll that is open takes one.
func TestOutbound_SleepingTasksTakeNoPlace(t *testing.T) {
	t.Parallel()
	c := newCalling()
	call := func(i int) string {
		return c.call(fmt.Sprint("w", i), fmt.Sprintf("192.0.2.%d", i), fmt.Sprint("h", i))
	}
	for i := range 64 {
		if code := call(i); code != "" {
			t.Fatalf("call %d: %s", i, code)
		}
	}
	if code := call(64); code != "calls_in_all" {
		t.Fatalf("all are open: %q", code)
	}
	for id := range c.busy {
		c.sleeping[id] = true
	}
	if code := call(65); code != "" {
		t.Errorf("all are sleeping: %q", code)
	}
	c.call("w0", "192.0.2.0", "h")
	if code := c.call("w0", "192.0.2.0", "h"); code != "calls_of_workspace" {
		t.Errorf("third of a workspace: %q", code)
	}
	clear(c.sleeping)
	if code := call(66); code != "calls_in_all" {
		t.Errorf("all are open again: %q", code)
	}
}

// TestOutbound_Captured: requests of captures count for the destination and for all, and not
// for the limits of a visitor; each only while it lasts, whatever is busy.
func TestOutbound_Captured(t *testing.T) {
	o := &Outbound{limits: DefaultLimits(), busy: func(string) bool { return true },
		sleeping: func(string) bool { return false }}
	var ends []context.CancelFunc
	for i := range o.limits.CallsToHost {
		ctx, end := context.WithCancel(t.Context())
		ends = append(ends, end)
		if got := codeOf(o.BeginCaptured(ctx, "https://h/mcp")); got != "" {
			t.Errorf("%d: %s", i, got)
		}
	}
	if got := codeOf(o.BeginCaptured(t.Context(), "https://h/mcp")); got != "calls_to_host" {
		t.Errorf("beyond the limit: %q", got)
	}
	if got := codeOf(o.BeginCaptured(t.Context(), "https://other/mcp")); got != "" {
		t.Errorf("another host: %q", got)
	}
	ends[0]()
	if got := codeOf(o.BeginCaptured(t.Context(), "https://h/mcp")); got != "" {
		t.Errorf("after one has ended: %q", got)
	}
	for _, end := range ends {
		end()
	}
}
