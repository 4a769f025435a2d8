package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// limits are the numbers that bound serve. Each has a name, under which -limit
// sets it.
type limits struct {
	requests requestLimits
	pages    web.Limits
	answers  wire.Limits

	checks     int           // made at the same time
	checkTime  time.Duration // for one
	idle       time.Duration // in public mode, until a workspace is deleted
	drainDelay time.Duration // in public mode, between the first 503 of /readyz and the last new request
	drain      time.Duration // for running requests when the program stops
}

func defaultLimits() limits {
	return limits{
		requests: defaultRequestLimits(), pages: web.DefaultLimits(), answers: wire.DefaultLimits(),
		checks: 4, checkTime: 15 * time.Minute, idle: 30 * 24 * time.Hour, drainDelay: 3 * time.Second,
		drain: 20 * time.Second,
	}
}

const limitsHelp = `Limits of serve, set with -limit NAME=VALUE or MRTR_LIMITS="NAME=VALUE ...".
Sizes are in bytes; a rate is N/TIME or N/TIME,AT-ONCE. Rates, calls-... and
workspace-idle hold with -public only.

`

// table is every limit by its name.
func (l *limits) table() *flag.FlagSet {
	f := newFlags("limits")
	number := func(p *int, name, meaning string) { f.IntVar(p, name, *p, meaning) }
	span := func(p *time.Duration, name, meaning string) { f.DurationVar(p, name, *p, meaning) }
	rate := func(p *web.Rate, name, meaning string) { f.TextVar(p, name, *p, meaning) }

	span(&l.requests.headTime, "request-head-time", "for the head of a request")
	span(&l.requests.time, "request-time", "for all of a request")
	span(&l.requests.idle, "request-idle", "between two requests of a connection")
	span(&l.requests.stall, "request-stall", "for a client to take a piece of its answer")
	number(&l.requests.head, "request-head", "head of a request")
	number(&l.pages.Body, "request-body", "body of a form")
	number(&l.pages.Fields, "request-fields", "controls of a form")
	number(&l.pages.Share, "share-size", "the snapshot behind a link")
	number(&l.pages.Session, "session-size", "record of a session")

	rate(&l.pages.Pages, "pages", "pages for a workspace")
	rate(&l.pages.Parts, "parts", "what pages ask for by themselves")
	rate(&l.pages.Calls, "calls", "calls begun by a workspace")
	rate(&l.pages.Shares, "shares", "links made by a workspace")
	rate(&l.pages.Samples, "samples", "other clients' requests to samples, by address")
	rate(&l.pages.WrongLinks, "wrong-links", "links that lead nowhere, by address")
	number(&l.pages.Crowd, "crowd", "workspaces' worth of these for one address")

	number(&l.pages.CallsOfWorkspace, "calls-of-workspace", "calls of a workspace under way")
	number(&l.pages.CallsOfAddress, "calls-of-address", "calls of an address under way")
	number(&l.pages.CallsToHost, "calls-to-host", "calls to one host under way")
	number(&l.pages.CallsInAll, "calls-in-all", "calls under way")
	number(&l.checks, "checks", "checks under way")
	span(&l.checkTime, "check-time", "for one check")

	span(&l.answers.DNS, "answer-dns", "to look up the name of a server")
	span(&l.answers.Connect, "answer-connect", "to connect to it")
	span(&l.answers.TLS, "answer-tls", "for the TLS handshake")
	span(&l.answers.FirstByte, "answer-first-byte", "until it says anything")
	span(&l.answers.Total, "answer-total", "for a whole answer")
	span(&l.answers.Idle, "answer-idle", "silence in a stream")
	number(&l.answers.Header, "answer-head", "head of an answer")
	number(&l.answers.Body, "answer-body", "body of an answer")
	number(&l.answers.Event, "answer-event", "one event of a stream")
	number(&l.answers.Events, "answer-events", "events of a stream")

	span(&l.idle, "workspace-idle", "until a workspace that nobody uses is deleted")
	span(&l.drainDelay, "drain-delay", "from SIGTERM until new requests are refused")
	span(&l.drain, "drain", "for what is under way after SIGTERM")
	return f
}

// set reads NAME=VALUE.
func (l *limits) set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	table := l.table()
	f := table.Lookup(name)
	if f == nil {
		return fmt.Errorf("there is no limit %q; mrtr-playground help limits lists them", name)
	}
	if err := f.Value.Set(value); err != nil {
		return fmt.Errorf("limit %s: %w", name, err)
	}
	if !isPositive(f.Value) {
		return fmt.Errorf("limit %s: %s is not above zero", name, value)
	}
	return nil
}

// isPositive reports whether a number or time is above zero; a rate always is.
func isPositive(v flag.Value) bool {
	getter, _ := v.(flag.Getter)
	switch n := getter.Get().(type) {
	case int:
		return n > 0
	case time.Duration:
		return n > 0
	}
	return true
}

// printLimits lists every limit with its default.
func printLimits(w io.Writer) error {
	l := defaultLimits()
	short := strings.NewReplacer("h0m0s", "h", "m0s", "m")
	var b strings.Builder
	b.WriteString(limitsHelp)
	l.table().VisitAll(func(f *flag.Flag) {
		fmt.Fprintf(&b, "  %-18s %-10s %s\n", f.Name, short.Replace(f.DefValue), f.Usage)
	})
	_, err := io.WriteString(w, b.String())
	return err
}
