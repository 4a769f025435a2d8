package app

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// busyRetry is when to try again if too many calls are in progress.
const busyRetry = 5 * time.Second

// Admit checks the limits for a call that x describes. A refused call is
// neither stored nor sent.
func (s *App) Admit(v *Visit, x playground.Exchange) error {
	if share.IsRedacted(x) {
		return Refuse(Invalid, "redacted_url",
			"The URL of the server is redacted in this recording.",
			"Nothing was sent. Connect to the server with your own URL, and make the call there.")
	}
	if !s.HasCommand(x.Target) {
		return unknownCommand()
	}
	if err := s.spaceIn(v, x.Session, 0); err != nil || !s.Mode.Shared() {
		return err
	}
	who := v.Account()
	if wait := s.Limiters.calls.Reserve(who, s.Now()); wait > 0 {
		return TooMany(wait, "too_many_calls", "Too many calls in a short time.", "Nothing was sent.")
	}
	if x.Target.Sample != "" {
		return nil
	}
	return s.Outbound.Begin(v.Context(), x, who)
}

// busy reports whether a log or a check is running in this process.
func (s *App) busy(id string) bool {
	return s.Checker.IsRunning(id) || s.Runner.Busy(id)
}

// Outbound counts the active calls to servers other than the samples. There is
// no release: a call is active while its HTTP request is handled or the runner
// is busy with its log. A call that only waits for the next poll of its task has
// no open connection; it counts for its workspace and address, but takes no
// place of those that all visitors share. Tasks of an earlier process are polled
// without being counted here; the runner bounds the polls that are open.
type Outbound struct {
	limits   Limits
	busy     func(id string) bool
	sleeping func(id string) bool // waits for the next poll of a task

	mu    sync.Mutex
	calls []*outboundCall
}

type outboundCall struct {
	Account
	host string
	ctx  context.Context // of the newest request for it
	ids  []string        // of its logs: an experiment may need two

	captured bool // a foreign client makes it
}

// Begin counts a call or returns a refusal. A call that is active already is
// never refused.
func (o *Outbound) Begin(request context.Context, x playground.Exchange, who Account) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls = slices.DeleteFunc(o.calls, o.ended)
	for _, call := range o.calls {
		if call.ctx == request || len(x.Log) > 0 && slices.Contains(call.ids, x.ID) {
			call.ctx, call.ids = request, append(call.ids, x.ID)
			return nil
		}
	}
	call := &outboundCall{Account: who, host: HostOf(x.Target.URL), ctx: request, ids: []string{x.ID}}
	if r := o.refuse(call); r != nil {
		return r
	}
	o.calls = append(o.calls, call)
	return nil
}

// BeginCaptured counts a request that a capture passes on to a URL while its context
// lasts, or returns a refusal. The captures have limits of their own for their owners, so
// only the limits of the destination and of the whole site hold.
func (o *Outbound) BeginCaptured(request context.Context, to string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls = slices.DeleteFunc(o.calls, o.ended)
	call := &outboundCall{host: HostOf(to), ctx: request, captured: true}
	if r := o.refuse(call); r != nil {
		return r
	}
	o.calls = append(o.calls, call)
	return nil
}

// Count returns how many calls take a place of those that all visitors share.
// It is 0 but in public mode.
func (o *Outbound) Count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls = slices.DeleteFunc(o.calls, o.ended)
	n := 0
	for _, call := range o.calls {
		n += count(o.open(call))
	}
	return n
}

// Holders returns who has calls in progress, with name as the name of an address.
func (o *Outbound) Holders(name func(netip.Prefix) string) []usage.Holder {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls = slices.DeleteFunc(o.calls, o.ended)
	held := map[string]int{}
	for _, call := range o.calls {
		who := call.workspace
		if call.Address.IsValid() {
			who = name(call.Address)
		}
		held[who]++
	}
	return SortHolders(held)
}

func (o *Outbound) ended(call *outboundCall) bool {
	return call.ctx.Err() != nil && !slices.ContainsFunc(call.ids, o.busy)
}

// open reports whether a call may have an open connection.
func (o *Outbound) open(call *outboundCall) bool {
	return call.ctx.Err() == nil || slices.ContainsFunc(call.ids, func(id string) bool {
		return o.busy(id) && !o.sleeping(id)
	})
}

// refuse returns nil if one more call is allowed. o.mu must be held.
func (o *Outbound) refuse(more *outboundCall) *Refusal {
	var ofWorkspace, ofAddress, ofNetwork, toHost, inAll int
	for _, call := range o.calls {
		if call.captured || more.captured {
			open := o.open(call)
			toHost += count(open && call.host == more.host)
			inAll += count(open)
			continue
		}
		ofWorkspace += count(call.workspace == more.workspace)
		if more.Address.IsValid() {
			ofAddress += count(call.Address == more.Address)
			ofNetwork += count(networkOf(call.Address) == networkOf(more.Address))
		}
		open := o.open(call)
		toHost += count(open && call.host == more.host)
		inAll += count(open)
	}
	switch {
	case ofWorkspace >= o.limits.CallsOfWorkspace:
		return TooMany(busyRetry, "calls_of_workspace", "Too many of your calls are in progress.",
			"Nothing was sent. Wait until one ends, or cancel one in the history.")
	case ofAddress >= o.limits.CallsOfAddress, ofNetwork >= networkShare*o.limits.CallsOfAddress:
		return TooMany(busyRetry, "calls_of_address", "Too many calls from your network are in progress.",
			"Nothing was sent. The limit counts all visitors who share your address.")
	case toHost >= o.limits.CallsToHost:
		return TooMany(busyRetry, "calls_to_host",
			"Too many calls to this server are in progress on this site.",
			"Nothing was sent. The limit protects the server.")
	case inAll >= o.limits.CallsInAll:
		return TooMany(busyRetry, "calls_in_all", "Too many calls are in progress on this site.",
			"Nothing was sent. You can still call the samples.")
	}
	return nil
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
