// Package gateway shows the test of a gateway: how it is pointed at its upstream, what was judged of
// it, and the recordings of both ends, request by request.
package gateway

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	checkview "github.com/mrtr-playground/mrtr-playground/views/check"
	"github.com/mrtr-playground/mrtr-playground/views/kit/judged"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Title is the title of the page.
const Title = "Test a gateway"

// Input has the parts that a page is made from.
type Input struct {
	Saved     gateway.Saved
	Address   string // of the upstream
	Path      string // of that address
	Open      bool   // it answers
	Expires   string // until when, unless it is used again
	Upstream  string // what is behind it
	Own       *Own   // of an upstream that is the visitor's own; else nil
	Connect   serverview.ConnectForm
	Problem   string // of Own; empty for none
	Running   bool
	Recording gateway.Recording
	Report    verdict.Report // empty before the test begins
	Shown     int            // number of the request whose both ends are shown; 0 for none
	Since     *checkview.Since
}

// Own is the call that is made at an upstream of the visitor's own.
type Own struct {
	Tools               []checkview.Tool
	Tool, Args, Answers string
}

// Gateway is the page.
type Gateway struct {
	Input
	Card     judged.Card
	Lines    []Row // what is not in order, the worst first
	Folds    []Fold
	Named    []Row
	Requests []Request
	Both     *Both // nil for none
}

// Row is one line of the report.
type Row struct {
	ID, Title, Sentence, Link, Level string
	Outcome                          verdict.Outcome
	Where, Path                      string // of the request that shows it; may be empty
}

// Fold has the lines with one outcome.
type Fold struct {
	Outcome verdict.Outcome
	Rows    []Row
}

// Request is one request in the list.
type Request struct {
	N                    int
	Method, Name, Client string
	Upstream             string // what it answered, and which instance
	Changes              int
	Path                 string
	Current              bool
}

// Both has both ends of one request.
type Both struct {
	N           int
	Title       string
	Client      wireview.Round
	Upstream    []wireview.Round // the newest
	Repeats     int              // earlier ones
	There, Back Changes
	Times       []Time // of the parts of a stream at both ends
	Earlier     string // path of the request before; empty for none
	Later       string
	Call        string // path of the call of the client; empty for none
}

// Time is when the nth message of a response was sent by the upstream and came to the client, since
// the request.
type Time struct{ Sent, Came string }

// times returns the times of the messages of a stream; nil for a response of one part.
func times(client playground.Round, upstream []playground.Round) []Time {
	if len(upstream) == 0 {
		return nil
	}
	sent := upstream[len(upstream)-1].Messages
	if len(sent) < 2 {
		return nil
	}
	after := func(list []playground.RPC, i int) string {
		if i >= len(list) {
			return missing
		}
		return text.Duration(list[i].At.Sub(client.Started))
	}
	var list []Time
	for i := range min(max(len(sent), len(client.Messages)), mostChanges) {
		list = append(list, Time{after(sent, i), after(client.Messages, i)})
	}
	return list
}

// Changes are the differences of a request or a response between both ends.
type Changes struct {
	List []gateway.Difference // the first, made visible
	More int
}

// mostRepeats is how many requests at the upstream are shown for one of the client, and mostRequests
// how many requests are listed.
const mostRepeats, mostRequests = 3, 200

// mostChanges is how many differences are listed.
const mostChanges = 20

// folded are the outcomes of lines that are folded, in their order on the page.
var folded = []verdict.Outcome{
	verdict.NotJudged, verdict.NotReached, verdict.NotApplicable, verdict.Passed,
}

// New returns the page.
func New(in Input) Gateway {
	g := Gateway{Input: in}
	if in.Saved.Began.IsZero() {
		return g
	}
	requests := gateway.Requests(in.Recording)
	if in.Shown == 0 && !in.Running {
		g.Shown = firstFailure(in.Report)
	}
	lines := in.Report.Group(gateway.GroupLines).Lines
	byOutcome := map[verdict.Outcome][]Row{}
	for _, l := range lines {
		byOutcome[l.Outcome] = append(byOutcome[l.Outcome], g.row(l))
	}
	for _, o := range []verdict.Outcome{verdict.Failed, verdict.Advisory, verdict.Stopped} {
		g.Lines = append(g.Lines, byOutcome[o]...)
	}
	for _, o := range folded {
		if rows := byOutcome[o]; len(rows) > 0 {
			g.Folds = append(g.Folds, Fold{o, rows})
		}
	}
	for _, l := range in.Report.Group(gateway.GroupNamed).Lines {
		g.Named = append(g.Named, g.row(l))
	}
	g.Card = judged.New(in.Report, func(l verdict.Line) string { return g.row(l).Path })
	if len(g.Lines) > 0 {
		g.Card = g.Card.Above()
	}
	if in.Running {
		g.Card = g.Card.While(judged.Running{
			Now: text.Plural(len(in.Recording.Calls), "call") + " made", Since: in.Saved.Began,
		})
	}
	for i, q := range requests {
		if i < mostRequests {
			g.Requests = append(g.Requests, g.request(q))
		}
		if q.N == g.Shown {
			g.Both = g.both(requests, i)
		}
	}
	return g
}

// firstFailure returns the number of the request that shows the first failure, or 0.
func firstFailure(r verdict.Report) int {
	for _, l := range r.Group(gateway.GroupLines).Lines {
		if l.Outcome == verdict.Failed && l.Place.Request > 0 {
			return l.Place.Request
		}
	}
	return 0
}

// path returns the address of the page.
func (g Gateway) path() string { return paths.Gateway(g.Saved.ID) }

// at returns the address of the page with both ends of a request.
func (g Gateway) at(request int) string { return fmt.Sprintf("%s?request=%d#both", g.path(), request) }

// live returns the address of the events while the test runs, else "".
func (g Gateway) live() string {
	if !g.Running {
		return ""
	}
	return g.path() + "/events"
}

// title returns what the page is about.
func (g Gateway) title() string {
	if g.Saved.Began.IsZero() {
		return Title
	}
	return "Test of the gateway " + text.Visible(g.Saved.Name, 120)
}

func (g Gateway) row(l verdict.Line) Row {
	r := Row{
		ID: l.ID, Title: l.Title, Sentence: text.Visible(cmp.Or(l.Sentence, l.Title), 600), Link: l.Clause,
		Level: string(l.Level), Outcome: l.Outcome,
	}
	if n := l.Place.Request; n > 0 {
		r.Where, r.Path = fmt.Sprintf("request %d", n), g.at(n)
		if l.Times > 1 {
			r.Where += fmt.Sprintf(", and %d more times", l.Times-1)
		}
	}
	return r
}

// missing stands for a value that one end does not have.
const missing = "missing"

// mostShown is how long a value of a difference may be.
const mostShown = 200

func changes(list []gateway.Difference) Changes {
	c := Changes{More: max(0, len(list)-mostChanges)}
	for _, d := range list[:len(list)-c.More] {
		c.List = append(c.List, gateway.Difference{
			Where:  text.Visible(d.Where, mostShown),
			Before: cmp.Or(text.Visible(d.Before, mostShown), missing),
			After:  cmp.Or(text.Visible(d.After, mostShown), missing),
		})
	}
	return c
}

// got returns in a word what came of a request.
func got(r playground.Round) string {
	switch {
	case r.Error != nil:
		return fmt.Sprintf("error %d", r.Error.Code)
	case r.Result != nil:
		return text.Visible(cmp.Or(r.Result.Get("resultType").Str(), "result"), 60)
	case r.Head.Status > 0:
		return fmt.Sprintf("status %d", r.Head.Status)
	}
	return text.Visible(string(r.Kind), 60)
}

func (g Gateway) request(q gateway.Request) Request {
	r := Request{
		N: q.N, Method: text.Visible(q.Client.Method, 80), Name: text.Visible(q.Call.Name, 80),
		Client: got(q.Client), Upstream: "nothing came", Changes: len(q.There) + len(q.Back),
		Path: g.at(q.N), Current: q.N == g.Shown,
	}
	if n := len(q.Upstream); n > 0 {
		last := q.Upstream[n-1]
		r.Upstream = got(last)
		if instance := instanceOf(last); instance != "" {
			r.Upstream += ", instance " + instance
		}
		if n > 1 {
			r.Upstream += fmt.Sprintf(", %d times", n)
		}
	}
	return r
}

// instanceOf returns the name of the instance that answered, or "".
func instanceOf(r playground.Round) string {
	name, _, _ := strings.Cut(r.Instance, "/")
	return text.Visible(name, 20)
}

// both returns both ends of the request at an index.
func (g Gateway) both(list []gateway.Request, i int) *Both {
	q := list[i]
	b := &Both{
		N: q.N, Title: strings.TrimSpace(text.Visible(q.Client.Method+" "+q.Call.Name, 120)),
		There: changes(q.There), Back: changes(q.Back), Times: times(q.Client, q.Upstream),
	}
	var frames wireview.FramePath
	if q.Call.Exchange != "" {
		b.Call = fmt.Sprintf("/x/%s?panel=wire", q.Call.Exchange)
		frames = wireview.FramesAt("/x/"+q.Call.Exchange, "")
	}
	q.Client.N = 1 // the ids on the page are made of it
	b.Client = wireview.NewRound(q.Client, true, "", frames)
	b.Repeats = max(0, len(q.Upstream)-mostRepeats)
	for i, u := range q.Upstream[b.Repeats:] { // the newest
		u.N = 2 + i
		b.Upstream = append(b.Upstream, wireview.NewRound(u, true, "", nil))
	}
	if i > 0 {
		b.Earlier = g.at(list[i-1].N)
	}
	if i+1 < len(list) {
		b.Later = g.at(list[i+1].N)
	}
	return b
}

// ci is the command of a CI step with this report as its baseline.
func (g Gateway) ci() string {
	quote := launch.ShellOf("linux").Quote
	return "mrtr-playground gateway -addr 127.0.0.1:9000 " + quote(g.Connect.URL) +
		" \\\n  -baseline baseline.json -report gateway.xml"
}

// examples are configurations that point a proxy at the upstream.
func (g Gateway) examples() []capture.Snippet {
	at, err := url.Parse(g.Address)
	if err != nil {
		return nil
	}
	secure := ""
	if at.Scheme == "https" {
		secure = " ssl verify required ca-file @system-ca"
	}
	return []capture.Snippet{
		{ID: "nginx", Title: "nginx", Text: lines(
			"server {",
			"  listen 127.0.0.1:8080;",
			"  location /mcp {",
			"    proxy_pass "+g.Address+";",
			"  }",
			"}",
		)},
		{ID: "caddy", Title: "Caddy", Text: lines(
			"http://127.0.0.1:8080 {",
			"  rewrite /mcp "+g.Path,
			"  reverse_proxy "+at.Scheme+"://"+at.Host+" {",
			"    header_up Host "+at.Host,
			"  }",
			"}",
		)},
		{ID: "haproxy", Title: "HAProxy", Text: lines(
			"listen mcp",
			"  mode http",
			"  bind 127.0.0.1:8080",
			"  option abortonclose",
			"  http-request set-path "+g.Path,
			"  http-request set-header Host "+at.Host,
			"  server upstream "+hostPort(at)+secure,
		)},
	}
}

func lines(list ...string) string { return strings.Join(list, "\n") }

// hostPort returns the host of a URL with its port, which may be that of its scheme.
func hostPort(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Host
	case u.Scheme == "https":
		return u.Host + ":443"
	}
	return u.Host + ":80"
}
