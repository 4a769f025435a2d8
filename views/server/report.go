package server

import (
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/judged"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	signinview "github.com/mrtr-playground/mrtr-playground/views/signin"
	startview "github.com/mrtr-playground/mrtr-playground/views/start"
)

// Report holds the results of connecting to a server.
type Report struct {
	Headline    string       // in one sentence
	Card        *judged.Card // while it connects, and of a server that fails a check of connecting
	Awaits      string       // what connecting waits for, in one or two sentences; empty once it has ended
	Failed      *Failure
	Tried       doctor.List         // why it failed, or what of it is surprising; else nil
	Suggestions []server.Suggestion // of a URL that leads to this program
	OwnPage     bool                // the URL leads to this program, but not to a sample
	ForAgents   bool                // the URL is that of the server for agents
	ID          string              // of the server to reconnect to; empty for a sample
	Challenges  []wire.Challenge
	SignIn      *signinview.Offer // nil if a sign-in does not help
	Era         *EraLine
	Facts       []prose.Fact
	Timings     []TimingLine
	Asks        []string // kinds of questions that it can ask
	Findings    []FindingLine
	Warnings    []string
	Passed      int          // rules that pass
	Certificate *Certificate // of the server; nil for most
}

// Failure is why a server could not be reached.
type Failure struct {
	Sentence prose.Sentence
	Detail   string // what the sentence does not say; may be empty
	LastLine string // of the standard error of a command; may be empty
}

// EraLine names the era of the server.
type EraLine struct{ Code, Words string }

// TimingLine is one step of reaching the server, as a bar from 0 to 1000.
type TimingLine struct {
	Name, Words string
	From, Width int
}

// FindingLine is a violation or an advisory about connecting.
type FindingLine struct {
	Rule, Text, Link string
	Verdict          verdict.Outcome
	Method           string // of the request
}

// NewReport returns the report of a connection. Suggestions stay within the reach.
func NewReport(t playground.Target, c server.Connection, reach wire.Reach) Report {
	r := Report{
		Facts: prose.Facts(c), Era: eraLine(c), Asks: mayAsk(t, c),
	}
	if list := doctor.Connection(t, c, reach); list.Surprising() {
		r.Tried = list
	}
	if len(c.Trips) > 0 {
		first := c.Trips[0]
		r.Timings = timings(first.Timing)
		r.Challenges = challenges(c)
	}
	r.Headline, r.Awaits = headline(c), awaits(t, c)
	if c.Status == server.ConnectFailed {
		sentence, detail := doctor.FailureSentence(c.Class, c.Detail)
		r.Failed = &Failure{Sentence: sentence, Detail: detail}
		if r.Tried != nil { // it says the rest
			r.Failed.Detail, r.Failed.Sentence.Try = "", ""
		}
	}
	r.judge(t, c)
	return r
}

// suggestedSamples is how many samples a report suggests.
const suggestedSamples = 3

// OnOwnPage says that the URL leads to a page of the program at base, or to its server
// for agents, and suggests the first of its samples that a button starts.
func (r *Report) OnOwnPage(samples []startview.Line, base string, forAgents bool) {
	r.OwnPage, r.ForAgents, r.Tried = true, forAgents, nil
	r.Failed = &Failure{Sentence: doctor.SentenceOf("own_page")}
	if forAgents {
		r.Failed = &Failure{Sentence: doctor.SentenceOf("own_agents")}
	}
	for _, x := range samples {
		if x.Label != "" && len(r.Suggestions) < suggestedSamples {
			r.Suggestions = append(r.Suggestions, server.Suggestion{
				URL: base + "/mcp/" + x.Slug, Why: x.Title + ". " + x.Summary,
			})
		}
	}
}

func (r *Report) judge(t playground.Target, c server.Connection) {
	if c.Status == server.Connecting {
		r.Card = &judged.Card{Running: &judged.Running{Now: "Connecting", Since: began(c)}}
		return
	}
	if c.Era != playground.Legacy { // warnings are about 2026-07-28
		for _, o := range server.Warnings(c) {
			r.Warnings = append(r.Warnings, text.Visible(o, 400))
		}
	}
	group := verdict.Group{ID: "connection", Title: "Connecting", Noun: "Rule"}
	passed, judge := map[string]bool{}, rules.JudgeConnection
	if t.IsCommand() {
		judge = rules.JudgeCommand
	}
	for _, f := range judge(c) {
		switch {
		case f.Side == rules.Client || f.Verdict == verdict.NotApplicable:
		case f.Verdict == verdict.Passed:
			passed[f.Rule] = true
		default:
			line := FindingLine{
				Rule: f.Rule, Verdict: f.Verdict, Text: text.Visible(f.Text, 400), Link: f.Link,
			}
			if f.Round > 0 && f.Round <= len(c.Trips) {
				line.Method = c.Trips[f.Round-1].Method
			}
			r.Findings = append(r.Findings, line)
			group.Lines = append(group.Lines, verdict.Line{
				ID: f.Rule, Outcome: f.Verdict, Sentence: f.Text, Clause: f.Link,
			})
		}
	}
	for _, f := range r.Findings {
		delete(passed, f.Rule)
	}
	for rule := range passed {
		group.Lines = append(group.Lines, verdict.Line{ID: rule, Outcome: verdict.Passed})
	}
	r.Passed = len(passed)
	if c.Status == server.Connected && group.Counts().Failed > 0 {
		card := judged.New(verdict.Report{Party: "server", Groups: []verdict.Group{group}}, nil)
		r.Card = &card
	}
}

// began returns when connecting began, or the zero time if nothing was sent yet.
func began(c server.Connection) time.Time {
	if len(c.Trips) == 0 {
		return time.Time{}
	}
	return c.Trips[0].Began
}

// suggestions returns other addresses for the step that failed.
func (r Report) suggestions() []server.Suggestion {
	if failed := r.Tried.Failed(); failed != nil {
		return failed.Suggestions
	}
	return nil
}

func challenges(c server.Connection) []wire.Challenge {
	refused, sent := c.Failed()
	if c.Status != server.ConnectFailed || !sent ||
		refused.Head.Status != 401 && refused.Head.Status != 403 {
		return nil
	}
	return wire.Challenges(refused.Head.Values("WWW-Authenticate"))
}

// gist returns the era and the conformance of a server in one line.
func (r Report) gist() string {
	var list []string
	if r.Era != nil {
		era := "Legacy"
		if r.Era.Code == string(playground.Modern) {
			era = "MCP 2026-07-28"
		}
		list = append(list, era)
	}
	violations, advisories := 0, 0
	for _, f := range r.Findings {
		if f.Verdict == verdict.Failed {
			violations++
		} else {
			advisories++
		}
	}
	for _, n := range []struct {
		count int
		words string
	}{{violations, verdict.Failed.Count(violations)}, {advisories, verdict.Advisory.Count(advisories)},
		{len(r.Warnings), text.Plural(len(r.Warnings), "warning")}} {
		if n.count > 0 {
			list = append(list, n.words)
		}
	}
	if len(r.Findings)+len(r.Warnings) == 0 && r.Passed > 0 {
		list = append(list, text.Plural(r.Passed, "check")+" passed")
	}
	return strings.Join(list, " · ")
}

// headline summarizes a connection in one line.
func headline(c server.Connection) string {
	if c.Status != server.Connected || len(c.Trips) == 0 {
		return ""
	}
	var offers []string
	for _, o := range []struct {
		n    int
		word string
	}{
		{len(c.Tools), "tool"},
		{len(c.Prompts), "prompt"},
		{len(c.Resources), "resource"},
		{len(c.Templates), "resource template"},
	} {
		if o.n > 0 {
			offers = append(offers, text.Plural(o.n, o.word))
		}
	}
	what := "It offers nothing to call."
	if len(offers) > 0 {
		what = "It offers " + prose.List(offers) + "."
	}
	reached := "Reached"
	if total := c.Trips[0].Timing.Total; total > 0 {
		reached = "Reached in " + text.Duration(total)
	}
	return reached + ". " + what
}

// awaits says which answer connecting waits for.
func awaits(t playground.Target, c server.Connection) string {
	switch {
	case c.Status != server.Connecting:
		return ""
	case len(c.Trips) == 0:
		return "The first request is on its way."
	}
	method := c.Trips[len(c.Trips)-1].Method
	words := "Waiting for the answer to " + method + "."
	if method == playground.Discover && t.IsCommand() {
		words += " A server from before 2026-07-28 may ignore it. If no answer comes, initialize is tried."
	}
	return words
}

// eraLine says which era the server is taken for, and why. A server that was
// taken for one by choice may well know the other.
func eraLine(c server.Connection) *EraLine {
	if c.Status != server.Connected { // the era is unknown
		return nil
	}
	words := ""
	switch {
	case c.Era == playground.Modern && c.Chosen != "":
		words = "You chose MCP 2026-07-28; it was not detected."
	case c.Era == playground.Modern:
		words = "Supports MCP 2026-07-28. " +
			"The protocol is stateless, so any instance can answer a request. " +
			"A call can ask back with multi round-trip requests."
	case c.Chosen != "":
		words = "You chose a revision before 2026-07-28; it was not detected." + legacyWords(c)
	case c.Listed:
		words = "Supports only revisions before 2026-07-28." + legacyWords(c)
	default:
		words = "Does not answer server/discover as MCP 2026-07-28 requires. " +
			"The client uses an earlier revision." + legacyWords(c)
	}
	return &EraLine{string(c.Era), words}
}

// legacyWords describes the effect of the revision of a legacy server on a
// call.
func legacyWords(c server.Connection) string {
	switch {
	case slices.ContainsFunc(c.Trips, func(t playground.Round) bool { return t.OnLine() }):
		return " The server asks while the call stays open in one process. " +
			"If the process ends, the call is lost."
	case !hasSession(c):
		return " The server named no session id (it is stateless). " +
			"A call stays open on one connection until its response arrives."
	}
	return " The server asks while the call stays open on one connection. " +
		"If that connection is lost, so is the call."
}

// hasSession reports whether a legacy server named a session id.
func hasSession(c server.Connection) bool {
	return slices.ContainsFunc(c.Trips, func(t playground.Round) bool {
		return t.Method == playground.Initialize && t.Head.Get("Mcp-Session-Id") != ""
	})
}

// mayAsk lists the kinds of questions that the server can ask. This depends on
// the declaration of the client, not on the server (basic/patterns/mrtr).
func mayAsk(t playground.Target, c server.Connection) []string {
	if c.Status != server.Connected {
		return nil
	}
	var list []string
	for _, d := range NewDeclared(t.Capabilities) {
		if d.On && d.Name != "tasks" { // a task asks through the other capabilities
			list = append(list, d.Words)
		}
	}
	return list
}

// timings returns the steps of reaching the server as consecutive bars.
func timings(t wire.Timing) []TimingLine {
	steps := []struct {
		name string
		took time.Duration
	}{{"Name lookup", t.DNS}, {"Connect", t.Connect}, {"TLS", t.TLS}, {"First byte", t.FirstByte}}
	sum := time.Duration(0)
	for _, s := range steps {
		sum += s.took
	}
	if sum == 0 {
		return nil
	}
	var lines []TimingLine
	at := time.Duration(0)
	for _, s := range steps {
		if s.took < time.Microsecond { // for example no lookup of an IP address
			continue
		}
		lines = append(lines, TimingLine{
			Name: s.name, Words: text.Duration(s.took),
			From: int(at * 1000 / sum), Width: max(4, int(s.took*1000/sum)),
		})
		at += s.took
	}
	return lines
}

// Offer offers a sign-in in the report of a server that refused to be connected
// to; o may be nil.
func (r *Report) Offer(o *signinview.Offer) {
	if r.SignIn = o; o != nil && r.Failed != nil {
		failed := *r.Failed
		failed.Sentence, failed.Detail = o.Asks(failed.Sentence), ""
		failed.Sentence.Try = "Or enter a token under “Connect with different settings”."
		r.Failed = &failed
	}
}
