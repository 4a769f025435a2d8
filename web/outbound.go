package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// busyRetry is how soon it is worth trying again when others are at it.
const busyRetry = 5 * time.Second

// admit lets a call begin, with what x is to become, or refuses it before
// anything of it is stored or sent.
func (s *app) admit(c echo.Context, x playground.Exchange) error {
	if err := s.room(c, x.Session); err != nil || s.Mode != Public {
		return err
	}
	who := s.visitor(c)
	if wait := s.limiters.calls.reserve(who, s.Now()); wait > 0 {
		return tooMany(wait, "too_many_calls", "That were many calls in a short time.", "Nothing was sent.")
	}
	if x.Target.Sample != "" {
		return nil
	}
	return s.outbound.begin(c.Request().Context(), x, who)
}

// busy reports whether something is under way for a log or a check.
func (s *app) busy(id string) bool {
	_, checking := s.Checker.Watch(id)
	return checking || s.Runner.Busy(id)
}

// room refuses a Round of a session whose record is full.
func (s *app) room(c echo.Context, session string) error {
	if session == "" {
		return nil
	}
	size, err := s.Store.SessionSize(c.Request().Context(), session)
	if err == nil && size > s.Limits.Session {
		err = refuse(http.StatusUnprocessableEntity, "session_full", "The record of this call is full.",
			"Nothing was sent. What is there can be read, shared and taken along; start the call anew to go on with a record of its own.")
	}
	return err
}

// hostOf is the host that a URL leads to.
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// outbound are the calls to other people's servers that are under way. Nobody
// says when one ends, so nobody can forget to: a call counts while the request
// is handled that began it, and as long as something is busy with its log.
// Tasks that an earlier process left behind are polled without being counted.
type outbound struct {
	limits Limits
	busy   func(id string) bool

	mu    sync.Mutex
	calls []*outboundCall
}

type outboundCall struct {
	visitor
	host string
	ctx  context.Context // of the newest request for it
	ids  []string        // of its logs: an experiment may need two
}

// begin counts a call, or refuses it in words. One that is under way already
// may always go on.
func (o *outbound) begin(request context.Context, x playground.Exchange, who visitor) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls = slices.DeleteFunc(o.calls, o.ended)
	for _, call := range o.calls {
		if call.ctx == request || len(x.Log) > 0 && slices.Contains(call.ids, x.ID) {
			call.ctx, call.ids = request, append(call.ids, x.ID)
			return nil
		}
	}
	call := &outboundCall{who, hostOf(x.Target.URL), request, []string{x.ID}}
	if r := o.refuse(call); r != nil {
		return r
	}
	o.calls = append(o.calls, call)
	return nil
}

func (o *outbound) ended(call *outboundCall) bool {
	return call.ctx.Err() != nil && !slices.ContainsFunc(call.ids, o.busy)
}

// refuse is nil when there is room for one more. The lock is held.
func (o *outbound) refuse(more *outboundCall) *refusal {
	var ofWorkspace, ofAddress, toHost int
	for _, call := range o.calls {
		ofWorkspace += count(call.workspace == more.workspace)
		ofAddress += count(call.address == more.address)
		toHost += count(call.host == more.host)
	}
	switch {
	case ofWorkspace >= o.limits.CallsOfWorkspace:
		return tooMany(busyRetry, "calls_of_workspace", "Your other calls are still under way.", "Nothing was sent. Let one end, or cancel it; the history has them.")
	case ofAddress >= o.limits.CallsOfAddress:
		return tooMany(busyRetry, "calls_of_address", "Other calls from your network are still under way.", "Nothing was sent. You share an address with whoever made them.")
	case toHost >= o.limits.CallsToHost:
		return tooMany(busyRetry, "calls_to_host", "Enough calls to this server are under way from here.", "Nothing was sent. It is spared, so that nobody can attack it from here.")
	case len(o.calls) >= o.limits.CallsInAll:
		return tooMany(busyRetry, "calls_in_all", "This site has its hands full.", "Nothing was sent. The samples can be called all the same.")
	}
	return nil
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
