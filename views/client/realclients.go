package client

import (
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/clients"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// RealClientsTitle is its title.
const RealClientsTitle = "Real clients"

// RealClients is the page with the results of real clients in the client test.
type RealClients struct {
	Day  string
	Rows []RealClient
}

// RealClient is a row, and the failures of the client.
type RealClient struct {
	clients.Client
	Spoke  string // revisions
	Faults []RealFault
}

// RealFault is a failed check.
type RealFault struct {
	Check, Text, Requirement, Level, Link, Path string
}

// realOutcomes are the outcomes of the table, in the order of its columns.
var realOutcomes = []verdict.Outcome{verdict.Failed, verdict.Advisory, verdict.Passed, verdict.NotJudged}

// realHeading returns the heading of a column: "Advisories".
func realHeading(o verdict.Outcome) string {
	words := o.Words(2)
	return strings.ToUpper(words[:1]) + words[1:]
}

// number returns how often a client has an outcome.
func (c RealClient) number(o verdict.Outcome) int {
	return map[verdict.Outcome]int{
		verdict.Failed: c.Failed, verdict.Advisory: c.Advisory,
		verdict.Passed: c.Passed, verdict.NotJudged: c.Unjudged,
	}[o]
}

// place returns where the page lists what a number counts; "" for nowhere.
func (c RealClient) place(o verdict.Outcome) string {
	if o == verdict.Failed && len(c.Faults) > 0 {
		return "#" + c.Slug
	}
	return ""
}

// NewRealClients returns the page of a table.
func NewRealClients(t clients.Table) RealClients {
	r := RealClients{Day: t.Date}
	if day, err := time.Parse(time.DateOnly, t.Date); err == nil {
		r.Day = day.Format("2 January 2006")
	}
	for _, c := range t.Clients {
		row := RealClient{Client: c, Spoke: strings.Join(c.Revisions, ", ")}
		for _, f := range c.Faults {
			s := f.Sentence()
			row.Faults = append(row.Faults, RealFault{
				Check: f.Scenario + "/" + f.Check, Text: text.Visible(f.Words(), 400), Requirement: s.Text,
				Level: string(s.Level), Link: s.Link(), Path: c.Path(f),
			})
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}
