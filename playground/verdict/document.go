package verdict

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Document is the result of a report as JSON. Its members are stable: members
// may be added, but none is removed or changes its meaning.
type Document struct {
	OK       bool     `json:"ok"`
	Headline string   `json:"headline"`
	Gaps     []string `json:"gaps,omitempty"`
	Summary  Counts   `json:"summary"` // of all groups that judge the party

	Baseline *ComparisonDocument `json:"baseline,omitempty"` // with -baseline only
}

// LineDocument is the JSON form of a Line.
type LineDocument struct {
	ID          string         `json:"id,omitempty"`
	Scenario    string         `json:"scenario,omitempty"`
	Title       string         `json:"title,omitempty"`
	Requirement string         `json:"requirement,omitempty"`
	Level       spec.Level     `json:"level,omitempty"`
	Verdict     Outcome        `json:"verdict"`
	Text        string         `json:"text"`
	Clause      string         `json:"clause,omitempty"`
	Where       *PlaceDocument `json:"where,omitempty"`
	Times       int            `json:"times,omitempty"`
	SameAs      string         `json:"same_as,omitempty"` // name of the line that counts the fault
}

// PlaceDocument is the JSON form of a Place. Request is a number in the requests of the
// run.
type PlaceDocument struct {
	Run     string   `json:"run,omitempty"`
	Request int      `json:"request"`
	Method  string   `json:"method"`
	Name    string   `json:"name,omitempty"`
	Path    []string `json:"path,omitempty"`
	Header  string   `json:"header,omitempty"`
}

// WriteJSON writes the document of a report of any judge, with escapes for
// characters that a terminal must not get. The same document gives the same
// bytes.
func WriteJSON(w io.Writer, document any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		return err
	}
	_, err := w.Write(text.EscapeJSON(b.Bytes()))
	return err
}

// Document returns the result of the report.
func (r Report) Document() Document {
	d := Document{OK: r.OK(), Headline: r.Headline().Words, Gaps: r.Gaps, Summary: r.Counts()}
	if r.Since != nil {
		d.Baseline = r.Since.Document()
	}
	return d
}

// Document returns the line in the form that is encoded as JSON.
func (l Line) Document() LineDocument {
	d := LineDocument{
		ID: l.ID, Scenario: l.Scope, Title: l.Title, Requirement: l.Requirement, Level: l.Level,
		Verdict: l.Outcome, Text: l.Sentence, Clause: l.Clause, Times: l.Times,
		SameAs: l.SameAs,
	}
	if p := l.Place; p.Request > 0 {
		d.Where = &PlaceDocument{p.Run, p.Request, p.Method, p.Name, p.Path, p.Header}
	}
	return d
}

// Documents returns the lines of a group; an empty list for none.
func (g Group) Documents() []LineDocument {
	list := []LineDocument{}
	for _, l := range g.Lines {
		list = append(list, l.Document())
	}
	return list
}
