package capture

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Document is a Board as JSON. Its members are stable: members may be added, but
// none is removed or changes its meaning.
type Document struct {
	Revision string   `json:"revision"` // of MCP
	Server   string   `json:"server"`
	Clients  []string `json:"clients"`
	verdict.Document
	Judged bool                   `json:"judged"`
	Checks []verdict.LineDocument `json:"checks"`
	Rules  []verdict.LineDocument `json:"rules"`
	Calls  []verdict.LineDocument `json:"calls"`
	Behind []verdict.LineDocument `json:"server_rules"`   // about the server; not part of OK and Summary
	Note   string                 `json:"note,omitempty"` // one sentence about the lines that were not judged
	Runs   []RunDocument          `json:"runs"`
}

// RunDocument is the JSON form of a Run. Requests have their number as round.
type RunDocument struct {
	Scenario string            `json:"scenario,omitempty"`
	Ended    string            `json:"ended"`
	Requests []RequestDocument `json:"requests"`
}

// RequestDocument is the JSON form of a request with its response. Started is
// when it began, and Ended when the last byte came; zero if none did.
type RequestDocument struct {
	lab.RoundDocument
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
}

// Document returns the board in the form that is encoded as JSON.
func (b Board) Document() Document {
	v := b.Verdict()
	d := Document{
		Revision: wire.ProtocolVersion, Server: b.Server, Clients: append([]string{}, b.Clients...),
		Document: v.Document(), Judged: v.Counts().Judged() > 0,
		Checks: v.Group(GroupChecks).Documents(), Rules: v.Group(GroupRules).Documents(),
		Calls: v.Group(GroupCalls).Documents(), Behind: v.Group(GroupServer).Documents(),
		Note: b.Note(), Runs: []RunDocument{},
	}
	for _, r := range b.Runs {
		d.Runs = append(d.Runs, RunDocument{r.Scenario, r.Ended, r.Report.requests()})
	}
	return d
}

// requests returns the contacts as they are written as JSON.
func (r Report) requests() []RequestDocument {
	list, contacts := []RequestDocument{}, r.Contacts()
	var f playground.Transcript
	for i, q := range r.requestsInOrder() {
		round := rules.NewContact(rules.Recorded{}, contacts[i].Trip, contacts[i].Kind).Round
		round.N, round.Decision.Action = i+1, playground.ActionStart
		round.Class, round.Detail = q.Class, q.Detail
		f.Rounds = append(f.Rounds, round)
	}
	for i, d := range lab.NewRounds(f) {
		list = append(list, RequestDocument{d, contacts[i].Started.UTC(), contacts[i].Last.UTC()})
	}
	return list
}

// Succeeded is how a client ends that reports no error.
const Succeeded = "exit status 0"
