package lab

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Document is the report as JSON. Its members are stable: members may be added,
// but none is removed or changes its meaning.
type Document struct {
	Revision string          `json:"revision"` // of MCP
	URL      string          `json:"url"`
	Method   string          `json:"method"`
	Params   json.RawMessage `json:"params,omitempty"`
	Status   Status          `json:"status"`
	Detail   string          `json:"detail,omitempty"`
	Note     string          `json:"note,omitempty"` // on answers given in advance and never asked
	verdict.Document
	Worked   bool              `json:"worked"`  // the right call completed without an error
	Control  string            `json:"control"` // one sentence about the right call
	Imported bool              `json:"imported,omitempty"`
	Era      playground.Era    `json:"era,omitempty"`
	Results  []ResultDocument  `json:"probes"`
	Findings []FindingDocument `json:"findings"` // of every rule about the server, passed ones included
	Call     ExchangeDocument  `json:"call"`     // the right call
}

// ResultDocument is the JSON form of a Result. Sends and Expects are sentences,
// the level is MUST, SHOULD or MAY.
type ResultDocument struct {
	verdict.LineDocument
	Sends     string             `json:"sends"`
	Expects   string             `json:"expects"`
	Decisive  int                `json:"telling"` // index of the exchange that the verdict is about
	Exchanges []ExchangeDocument `json:"exchanges,omitempty"`
}

// FindingDocument is the JSON form of the result of a rule: its worst finding,
// or that it passed, or why it found nothing. Experiment is the id of the
// experiment in whose exchange it was seen, or "" for the right call.
type FindingDocument struct {
	Rule string `json:"rule"`
	verdict.LineDocument
	Experiment string `json:"probe,omitempty"`
	Round      int    `json:"round,omitempty"`
}

// ExchangeDocument is the JSON form of an Exchange.
type ExchangeDocument struct {
	ID     string            `json:"id"`
	Status playground.Status `json:"status"`
	Rounds []RoundDocument   `json:"rounds"`
}

// RoundDocument is the JSON form of a Round. Changed marks the Round whose
// request an experiment changed.
type RoundDocument struct {
	Round    int                    `json:"round"`
	Changed  bool                   `json:"changed,omitempty"`
	Outcome  playground.OutcomeKind `json:"outcome"`
	Class    playground.Class       `json:"class,omitempty"`
	Detail   string                 `json:"detail,omitempty"`
	IsError  bool                   `json:"isError,omitempty"`
	Request  FrameDocument          `json:"request"`
	Response FrameDocument          `json:"response"`
}

// FrameDocument holds the exact bytes: as text, or in base64 if they are not
// UTF-8.
type FrameDocument struct {
	Head   string `json:"head"`
	Body   string `json:"body"`
	Base64 bool   `json:"base64,omitempty"`
}

// Document returns the report in the form that is encoded as JSON.
func (r Report) Document() Document {
	v := r.Verdict()
	d := Document{
		Revision: wire.ProtocolVersion, URL: r.Target.URL, Method: r.Call.Method, Params: r.Call.Params,
		Status: r.Status, Detail: r.Detail, Note: r.Unused, Document: v.Document(),
		Worked: r.Worked, Control: r.Compared, Imported: r.Control.Imported, Era: r.Era,
		Call:    newExchange(r.Control),
		Results: []ResultDocument{}, Findings: []FindingDocument{},
	}
	for i, l := range v.Group(groupExperiments).Documents() {
		d.Results = append(d.Results, newResult(l, r.Results[i]))
	}
	for i, l := range v.Group(groupRules).Documents() {
		f := FindingDocument{Rule: l.ID, LineDocument: l}
		f.ID, f.Title = "", ""
		if i < len(r.Findings) {
			f.Experiment, f.Round = r.Findings[i].Experiment, r.Findings[i].Round
		}
		d.Findings = append(d.Findings, f)
	}
	return d
}

func newResult(l verdict.LineDocument, p Result) ResultDocument {
	d := ResultDocument{LineDocument: l, Sends: p.Sends, Expects: p.Expects, Decisive: p.Decisive}
	for _, x := range p.Exchanges {
		d.Exchanges = append(d.Exchanges, newExchange(x))
	}
	return d
}

func newExchange(x playground.Exchange) ExchangeDocument {
	f := x.FoldOwn()
	return ExchangeDocument{ID: x.ID, Status: f.Status, Rounds: NewRounds(f)}
}

// NewRounds returns the Rounds of a transcript as they are written as JSON; an empty
// list for none.
func NewRounds(f playground.Transcript) []RoundDocument {
	list := []RoundDocument{}
	for _, r := range f.Rounds {
		list = append(list, RoundDocument{
			Round: r.N, Changed: r.Decision.Changed, Outcome: r.Kind, Class: r.Class, Detail: r.Detail,
			IsError: r.IsError, Request: newFrame(r.Request), Response: newFrame(r.Response),
		})
	}
	return list
}

func newFrame(f wire.Frame) FrameDocument {
	if f.IsLine() {
		f.Head = nil // there is none
	}
	if utf8.Valid(f.Head) && utf8.Valid(f.Body) {
		return FrameDocument{Head: string(f.Head), Body: string(f.Body)}
	}
	encode := base64.StdEncoding.EncodeToString
	return FrameDocument{Head: encode(f.Head), Body: encode(f.Body), Base64: true}
}
