// Package clients keeps the results of real MCP clients in the client test: a
// table, and a recording of each call that failed. Command e2e/clients makes
// its files; "make clients" runs it. A Client is a library or a program in one
// of its modes.
//
// Nothing here judges: the words are those of package capture on the day of the
// table, and they stay so when a rule changes. The files must not be edited by
// hand, because they are claims about the software of others.
package clients

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
)

// Table has the results of one day.
type Table struct {
	Date    string   `json:"date"` // as 2026-11-26
	Clients []Client `json:"clients"`
}

// Client is a client in one of its modes.
type Client struct {
	Slug      string   `json:"slug"`
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Mode      string   `json:"mode"`      // in code, or in a few words
	Revisions []string `json:"revisions"` // of MCP that its requests named
	Requests  int      `json:"requests"`
	Passed    int      `json:"passed"` // checks, as the others
	Failed    int      `json:"failed"`
	Advisory  int      `json:"advisory"`
	Unjudged  int      `json:"unjudged"` // for whatever reason
	Faults    []Fault  `json:"faults"`   // the failed checks
}

// Fault is a check that a client failed.
type Fault struct {
	Scenario    string `json:"scenario"`
	Check       string `json:"check"`
	Condition   string `json:"condition"`   // when it happens: the title of the scenario
	Requirement string `json:"requirement"` // id in package spec
	Text        string `json:"text"`        // the observation, one sentence
	Exchange    int    `json:"exchange"`    // number in the recording, from 1
	Round       int    `json:"round"`       // the one that shows it, from 1
}

// Sentence returns the requirement in the words of the specification.
func (f Fault) Sentence() spec.Sentence {
	s, _ := spec.ByID(f.Requirement)
	return s
}

// Words returns the fault with its condition, in one sentence.
func (f Fault) Words() string { return f.Condition + ": " + f.Text }

// Path returns the address of the round that shows the fault.
func (c Client) Path(f Fault) string {
	return fmt.Sprintf("/s/%s?x=%d&round=%d&panel=wire", tokenPrefix+c.Slug, f.Exchange, f.Round)
}

// Seen returns how many checks were judged.
func (c Client) Seen() int { return c.Passed + c.Failed + c.Advisory }

//go:embed table.json recordings/*.json
var files embed.FS

var table = sync.OnceValue(func() Table {
	var t Table
	data, err := files.ReadFile("table.json")
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	if err != nil { // a test reads the table, which is part of the program
		panic(err)
	}
	return t
})

// Measured returns the table.
func Measured() Table {
	t := table()
	t.Clients = slices.Clone(t.Clients)
	return t
}

// tokenPrefix begins the tokens of the recordings. A token that the program makes
// has no such beginning.
const tokenPrefix = "client-"

// Share returns the recording of a client's failures, as a share with a fixed
// token, and whether there is one.
func Share(token string) (share.Share, bool) {
	slug, ok := strings.CutPrefix(token, tokenPrefix)
	i := slices.IndexFunc(table().Clients, func(c Client) bool { return c.Slug == slug })
	if !ok || i < 0 {
		return share.Share{}, false
	}
	data, err := files.ReadFile("recordings/" + slug + ".json")
	if err != nil {
		return share.Share{}, false
	}
	c := table().Clients[i]
	day, _ := time.Parse(time.DateOnly, table().Date)
	return share.Share{Token: token, Title: c.Title(), Created: day, Data: data}, true
}

// Title returns the title of the recording.
func (c Client) Title() string { return c.Name + " " + c.Version + " in the client test" }
