package gateway

import (
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Groups of the report.
const (
	GroupLines = "lines"
	GroupNamed = "named" // what a gateway may do; nothing counts it
)

// Report returns the report on a gateway.
func Report(rec Recording) verdict.Report {
	r := pair(rec)
	v := verdict.Report{
		Name: "mrtr-playground gateway", Title: rec.Gateway, Party: "gateway",
		Lead: []string{
			text.Plural(len(r.requests), "request") + " through " + text.Visible(rec.Gateway, 200) +
				", " + text.Plural(len(r.ups), "request") + " at the upstream.",
		},
		Groups: []verdict.Group{
			{ID: GroupLines, Title: "End to end", Class: "mrtr.gateway", Noun: "Line", Lines: r.judge()},
			{
				ID: GroupNamed, Title: "Named", Class: "mrtr.gateway.named", Noun: "Habit",
				Empty: "nothing", Lines: r.namedLines(), Aside: true, Whole: true,
			},
		},
		Progress: verdict.Progress{Done: true},
		Keeps:    "This gateway passes everything on as it must",
	}
	if len(r.requests) > 0 {
		v.Extent = text.Plural(len(r.requests), "request")
	}
	reached := slices.ContainsFunc(r.requests, func(q *request) bool {
		return len(q.ups) > 0 && slices.Contains(forwarded, q.client.Method)
	})
	switch {
	case rec.Gap != "":
		v.Gaps = append(v.Gaps, rec.Gap)
	case !reached && len(r.requests) > 0:
		v.Gaps = append(
			v.Gaps,
			"No call reached the upstream: check the address that the gateway is pointed at.",
		)
	}
	if asked := slices.ContainsFunc(r.requests, (*request).isRetry); reached && !asked && !rec.Interrupted {
		v.Gaps = append(v.Gaps, "No call was continued, so that no answer and no requestState went through "+
			"the gateway. Choose a call that asks something.")
	}
	if rec.Interrupted {
		v.Gaps = append(v.Gaps, "The test ended early; the other calls were not made.")
	}
	if slices.ContainsFunc(r.requests, func(q *request) bool { return q.client.Request.IsLine() }) {
		v.Notes = append(v.Notes, "Lines of a command have no headers and no status, "+
			"so that the client's side of these was not judged.")
	}
	return v
}

// judge returns a Line for each line of the table.
func (r *recordings) judge() []verdict.Line {
	if !slices.ContainsFunc(r.requests, func(q *request) bool { return len(q.ups) > 0 }) {
		return r.unreached()
	}
	tallies := make([]tally, len(lines))
	for i, l := range lines {
		l.judge(r, &tallies[i])
	}
	gather(tallies)
	list := make([]verdict.Line, len(lines))
	for i, l := range lines {
		list[i] = l.line(tallies[i])
	}
	return list
}

// unreached returns the lines of a gateway through which nothing came.
func (r *recordings) unreached() []verdict.Line {
	list := make([]verdict.Line, len(lines))
	for i, l := range lines {
		list[i] = l.line(tally{})
		list[i].Sentence = "No call reached the upstream."
	}
	return list
}

// keep are the lines that keep what they found in any call, because it is the same fault there.
var keep = []string{"message", "response-id", "encoding", "pages", "subscription-id", Cancellation}

// gather moves what was found only in calls that were made for a line to that line. A header
// field is not moved: that it is missing says nothing about the rest of the call.
func gather(tallies []tally) {
	index := map[string]int{}
	for i, l := range lines {
		index[l.id] = i
	}
	for i, l := range lines {
		t := &tallies[i]
		stays := slices.ContainsFunc(t.found, func(f found) bool {
			return f.q.call.Focus == "" || f.q.call.Focus == l.id
		})
		if stays || slices.Contains(keep, l.id) {
			continue
		}
		t.found = slices.DeleteFunc(t.found, func(f found) bool {
			to, known := index[f.q.call.Focus]
			if !known || f.q.call.Focus == l.id || f.header != "" {
				return false
			}
			tallies[to].found = append(tallies[to].found, f)
			return true
		})
	}
}

// line returns the Line of what was found.
func (l line) line(t tally) verdict.Line {
	v := verdict.Line{ID: l.id, Title: l.title, Requirement: l.requirement, Outcome: verdict.Passed}
	if s, ok := spec.ByID(l.requirement); ok {
		v.Clause, v.Level = s.Link(), s.Level
	}
	switch {
	case len(t.found) > 0:
		f := t.found[0]
		v.Outcome, v.Times = verdict.Failed, len(t.found)
		if !slices.ContainsFunc(t.found, func(f found) bool { return !f.mild }) {
			v.Outcome = verdict.Advisory
		}
		v.Sentence = strings.TrimSpace(f.sentence + " " + l.breaks)
		v.Place = f.q.place()
		v.Place.Path, v.Place.Header = f.path, f.header
	case t.seen == 0:
		v.Outcome, v.Sentence = verdict.NotReached, "The upstream saw no case of it: "+l.reached+"."
	default: // the first request that shows it
		v.Place = t.first.place()
	}
	return v
}

// place returns the place of a request in the report.
func (q *request) place() verdict.Place {
	return verdict.Place{Request: q.n, Method: q.client.Method, Name: q.call.Tool}
}

// Document is the report as JSON. Its members are stable: members may be added, but none is
// removed or changes its meaning.
type Document struct {
	Revision string `json:"revision"` // of MCP
	Gateway  string `json:"gateway"`
	verdict.Document
	Judged bool                   `json:"judged"`
	Lines  []verdict.LineDocument `json:"lines"`
	Named  []verdict.LineDocument `json:"named"` // what a gateway may do; nothing counts it
	Calls  []CallDocument         `json:"calls"`
}

// CallDocument is one call with both ends of each request.
type CallDocument struct {
	Mark     string            `json:"mark"`
	Tool     string            `json:"tool"`
	Name     string            `json:"name"` // of the tool at the gateway
	Requests []RequestDocument `json:"requests"`
}

// RequestDocument is one request of the client, with its number in the places of lines, and
// what the upstream got for it.
type RequestDocument struct {
	Request  int           `json:"request"`
	Client   EndDocument   `json:"client"`
	Upstream []EndDocument `json:"upstream"`
}

// EndDocument is a request and its response as one end recorded them. Started is when the
// request began, and Ended when the last byte came; zero if none did. Messages are the times of
// the messages of a stream. Both ends have the same clock.
type EndDocument struct {
	lab.RoundDocument
	Started  time.Time   `json:"started"`
	Ended    time.Time   `json:"ended,omitzero"`
	Messages []time.Time `json:"messages,omitempty"`
}

// NewDocument returns a report that was made of a recording as JSON.
func NewDocument(rec Recording, v verdict.Report) Document {
	d := Document{
		Revision: wire.ProtocolVersion, Gateway: rec.Gateway, Document: v.Document(),
		Judged: v.Counts().Judged() > 0, Lines: v.Group(GroupLines).Documents(),
		Named: v.Group(GroupNamed).Documents(), Calls: []CallDocument{},
	}
	for _, c := range pair(rec).calls {
		doc := CallDocument{Mark: c.Mark, Tool: c.Tool, Name: c.Name, Requests: []RequestDocument{}}
		for _, q := range c.requests {
			doc.Requests = append(doc.Requests, RequestDocument{
				Request: q.n, Client: ends(q.client)[0], Upstream: ends(q.ups...),
			})
		}
		d.Calls = append(d.Calls, doc)
	}
	return d
}

// ends returns what an end recorded as it is written as JSON; an empty list for none.
func ends(list ...playground.Round) []EndDocument {
	docs := make([]EndDocument, len(list))
	for i, d := range lab.NewRounds(playground.Transcript{Rounds: list}) {
		docs[i] = EndDocument{d, list[i].Started, list[i].Last, nil}
		if list[i].Head.IsStream() {
			for _, m := range list[i].Messages {
				docs[i].Messages = append(docs[i].Messages, m.At)
			}
		}
	}
	return docs
}
