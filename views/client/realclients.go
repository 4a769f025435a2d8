package client

import (
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/clients"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
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
