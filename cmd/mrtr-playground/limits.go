package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// limits holds the limits of serve. Each has a name with which -limit sets it.
type limits struct {
	requests requestLimits
	pages    app.Limits
	answers  wire.Limits
	samples  sampletools.Limits
	polls    rounds.Limits // only those that are not limits of requests too

	times      app.Times
	commands   commandLimits
	checkTime  time.Duration // of one check
	idle       time.Duration // until the workspace of a browser is deleted
	drainDelay time.Duration // in public mode, between the first 503 of /readyz and the last new request
	drain      time.Duration // for running requests when the program stops

	personSession time.Duration // of a sign-in of a person
}

// commandLimits are the times of a command.
type commandLimits struct {
	whole time.Duration // of one run of a client
	exit  time.Duration // after the end of its input; then it gets SIGTERM
	kill  time.Duration // after SIGTERM; then it is killed
	read  time.Duration // for a client to read the rest, and then the report
}

func defaultLimits() limits {
	return limits{
		requests: defaultRequestLimits(), pages: app.DefaultLimits(), answers: wire.DefaultLimits(),
		samples:   sampletools.DefaultLimits(),
		polls:     rounds.Limits{Polls: 1000, Interval: time.Hour, Unwatched: 10 * time.Minute},
		times:     app.DefaultTimes(),
		commands:  commandLimits{time.Minute, 2 * time.Second, time.Second, 2 * time.Second},
		checkTime: 15 * time.Minute, idle: 30 * 24 * time.Hour, drainDelay: 3 * time.Second,
		drain: 20 * time.Second, personSession: 12 * time.Hour,
	}
}

// localLimits returns the limits of a program for one person, who chose its
// input: local mode, and the commands of the terminal.
func localLimits() limits {
	l := defaultLimits()
	l.answers.Body, l.answers.Event, l.pages.Session = localAnswer, localAnswer, localSession
	return l
}

// Sizes in localLimits.
const (
	localAnswer  = 8 << 20
	localSession = 64 << 20
)

// limitSettings are the values of -limit, which apply to the limits of a mode.
type limitSettings []string

// add adds NAME=VALUE.
func (l *limitSettings) add(text string) error {
	probe := defaultLimits()
	if err := probe.set(text); err != nil {
		return err
	}
	*l = append(*l, text)
	return nil
}

// on returns limits with the settings.
func (l limitSettings) on(base limits) limits {
	for _, text := range l {
		_ = base.set(text) // add has checked it
	}
	return base
}

const limitsHelp = `Limits of serve, set with -limit NAME=VALUE or MRTR_LIMITS="NAME=VALUE ...".
call, check, client and mcp take them, too. In local mode and in these commands,
answer-body and answer-event are 8388608 and session-size is 67108864.
Sizes are in bytes; a rate is N/TIME or N/TIME,BURST. Rates, calls-...
and storage... apply in every mode but local, where wrong-links and
follow-pages hold for the phones of a talk. storage-local applies in local
mode only, drain-delay in public mode only. Where people sign in, the limits
of a person replace pages, calls, calls-of-workspace and storage-workspace.

`

// table returns every limit by its name.
func (l *limits) table() *flag.FlagSet {
	f := newFlags("limits")
	number := func(p *int, name, meaning string) { f.IntVar(p, name, *p, meaning) }
	span := func(p *time.Duration, name, meaning string) { f.DurationVar(p, name, *p, meaning) }
	rate := func(p *app.Rate, name, meaning string) { f.TextVar(p, name, *p, meaning) }

	span(&l.requests.headTime, "request-head-time", "time to read the head of a request")
	span(&l.requests.time, "request-time", "time to read a whole request")
	span(&l.requests.idle, "request-idle", "time between two requests on a connection")
	span(&l.requests.stall, "request-stall", "time for one write to a client")
	number(&l.requests.head, "request-head", "size of the head of a request")
	number(&l.pages.Body, "request-body", "size of a form")
	number(&l.pages.Fields, "request-fields", "number of fields in a form")
	number(&l.pages.Share, "share-size", "size of a shared snapshot")
	number(&l.pages.Session, "session-size", "size of a session's recording")
	number(&l.pages.Saved, "saved-calls", "calls saved under a name, per workspace")
	number(&l.pages.Stories, "demos", "demos that a visitor writes, per workspace")

	rate(&l.pages.Pages, "pages", "pages per workspace")
	rate(&l.pages.Parts, "parts", "requests made by pages, per workspace")
	rate(&l.pages.Calls, "calls", "calls started per workspace")
	rate(&l.pages.Shares, "shares", "links created per workspace")
	rate(&l.pages.Samples, "samples", "sample requests of other clients, per address")
	rate(&l.pages.WrongLinks, "wrong-links", "invalid share links, per address")
	rate(&l.pages.Imports, "imports", "recordings imported or forked per workspace")
	rate(&l.pages.SignInPages, "sign-in-pages", "pages without a sign-in, per address")
	rate(&l.pages.PersonPages, "person-pages", "pages of a person who signs in")
	rate(&l.pages.PersonCalls, "person-calls", "calls started by a person who signs in")
	number(&l.pages.PersonCallsOpen, "person-calls-open", "concurrent calls of such a person")
	number(&l.pages.PersonStorage, "person-storage", "bytes stored by such a person")
	span(&l.personSession, "person-session", "time until a person has to sign in again")
	number(&l.pages.Crowd, "crowd", "factor for an address: all rates per workspace")

	number(&l.pages.StorageWorkspace, "storage-workspace", "bytes stored per workspace")
	number(&l.pages.StorageAddress, "storage-address", "bytes stored per address and day")
	number(&l.pages.Storage, "storage", "bytes stored in all; 90% for strangers")
	number(&l.pages.StorageLocal, "storage-local", "bytes stored in all, in local mode")

	number(&l.pages.CallsOfWorkspace, "calls-of-workspace", "concurrent calls per workspace")
	number(&l.pages.CallsOfAddress, "calls-of-address", "concurrent calls per address")
	number(&l.pages.CallsToHost, "calls-to-host", "concurrent calls per destination host")
	number(&l.pages.CallsInAll, "calls-in-all", "concurrent calls in all")
	number(&l.pages.Reads, "reads", "large recordings being read; 0: one per core")
	number(&l.pages.ReadsQueue, "reads-queue", "reads that wait")
	number(&l.pages.Flows, "flows", "flows of one workspace")
	number(&l.pages.Recordings, "recordings", "recordings that one workspace serves")
	number(&l.pages.Captures, "captures", "open addresses of captures, per workspace")
	rate(&l.pages.CapturesAddress, "captures-address", "captures made, per address")
	number(&l.pages.CapturedOpen, "captured-open", "open requests of one capture")
	rate(&l.pages.Captured, "captured", "requests to one capture of a sample")
	rate(&l.pages.CapturedOthers, "captured-others", "requests to one capture of another server")
	number(&l.pages.Checks, "checks", "concurrent checks")
	number(&l.pages.Streams, "streams", "concurrent event streams of pages")
	number(&l.pages.Followers, "followers", "followers of one presenter, at one process")
	number(&l.pages.FollowersInAll, "followers-in-all", "followers of all talks")
	rate(&l.pages.FollowPages, "follow-pages", "pages and streams of talks, per address")
	number(&l.requests.connections, "connections", "open connections; also of one address, an eighth")
	span(&l.checkTime, "check-time", "time for one check")
	span(&l.times.CheckAnswer, "check-answer", "time for one response to a check")
	span(&l.times.Experiment, "experiment-time", "time for one experiment of a page")
	span(&l.times.Rerun, "rerun-time", "time for the rounds before an experiment")
	span(&l.times.AgentRound, "agent-round", "time for one round of an agent's call")

	span(&l.commands.whole, "command-time", "time for a run of client, as -timeout")
	span(&l.commands.exit, "command-exit", "time for a command to end after its input")
	span(&l.commands.kill, "command-kill", "time for a command to end after SIGTERM")
	span(&l.commands.read, "command-read", "time for a client to read the last lines")

	number(&l.polls.Polls, "poll-count", "polls of a task until its user is asked")
	span(&l.polls.Interval, "poll-interval", "longest time between two polls of a task")
	span(&l.polls.Unwatched, "poll-unwatched", "time to poll a task whose page is not open")

	number(&l.samples.Tasks, "sample-tasks", "tasks kept by one sample")
	number(&l.samples.Listeners, "sample-listeners", "subscriptions of one sample")
	number(&l.samples.Sessions, "sample-sessions", "legacy sessions of one instance")
	number(&l.samples.OpenCalls, "sample-calls", "legacy calls of one sample that wait")
	number(&l.samples.Tickets, "sample-tickets", "vouchers, sign-ins and tokens of one sample")
	number(&l.samples.Flows, "sample-flows", "instances of flows that run")

	span(&l.answers.DNS, "answer-dns", "time to resolve a server's name")
	span(&l.answers.Connect, "answer-connect", "time to connect")
	span(&l.answers.TLS, "answer-tls", "time for the TLS handshake")
	span(&l.answers.FirstByte, "answer-first-byte", "time until the first byte of a response")
	span(&l.answers.Total, "answer-total", "time for a whole response")
	span(&l.answers.Idle, "answer-idle", "time between two parts of a stream")
	number(&l.answers.Header, "answer-head", "size of the head of a response")
	number(&l.answers.Body, "answer-body", "size of the body of a response")
	number(&l.answers.Event, "answer-event", "size of one event of a stream")
	number(&l.answers.Events, "answer-events", "number of events of a stream")

	span(&l.idle, "workspace-idle", "time until an unused workspace is deleted")
	span(&l.drainDelay, "drain-delay", "time from SIGTERM until requests are refused")
	span(&l.drain, "drain", "time for running requests after SIGTERM")
	return f
}

// polling returns the limits of polls in a mode. In public mode, as many polls
// may be open as calls.
func (l *limits) polling(mode app.Mode) rounds.Limits {
	p := l.polls
	p.Session = l.pages.Session
	if mode.Shared() {
		p.Open, p.OpenToHost = l.pages.CallsInAll, l.pages.CallsToHost
	}
	return p
}

// set reads NAME=VALUE.
func (l *limits) set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	table := l.table()
	f := table.Lookup(name)
	if f == nil {
		return fmt.Errorf("unknown limit %q; %s lists them", name, self.Command("help limits"))
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
