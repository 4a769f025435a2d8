package views

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Target is the page of one server.
type Target struct {
	ID, Name, URL, Status string
	Summary, Teaches      string // of a sample
	Try                   []string
	Options               []OptionLine
	Start                 *StartLine
	Report                Report
	Connect               *ConnectForm // of the user's servers
	Offers                []Offer
	Trips                 []WireRound
	Events                int // how many events of the log the page shows
}

// Live is the address to ask again while connecting; empty otherwise.
func (t Target) Live() string {
	if t.Status != server.Connecting {
		return ""
	}
	return eventsPath("/servers/"+t.ID, t.Events)
}

// Checkable reports whether there is a tool to check the server with.
func (t Target) Checkable() bool {
	return t.Status == server.Connected && len(t.Offers) > 0 && t.Offers[0].ID == "tools"
}

// OptionLine is a parameter that a sample's URL takes.
type OptionLine struct{ Name, Values, Meaning string }

// Offer is one list of what can be called.
type Offer struct {
	Title, ID string
	Calls     []CallForm
	Cut       bool // the list goes on beyond what is read
}

// CallForm is something that can be called, with a form for its arguments.
// Kind is tool, prompt, resource or template.
type CallForm struct {
	Kind                     string
	Name, Label, Description string // Name is what goes on the wire; of a template the URI template
	About                    string // MIME type of a resource
	Target                   string // id of the server
	Prefix                   string // of the control names
	Form                     form.Form
	FormErr                  error
	JSON                     string // raw arguments
	Open                     bool
	UseJSON                  bool // the raw arguments count
	Problems                 []form.Problem
	Excluded                 string // why it cannot be called
	Completes                bool   // the server suggests values
	Suggestions              Suggestions
	Level, Wait              string // chosen, as sent
}

// Suggestions are what a server suggests for one field of a form.
type Suggestions struct {
	Field  string // control name; empty when nothing was asked yet
	Values []string
	Note   string // instead of values
}

// Verb is the word on the button.
func (f CallForm) Verb() string {
	switch f.Kind {
	case "prompt":
		return "Get"
	case "resource", "template":
		return "Read"
	}
	return "Call"
}

// HasForm reports whether there are fields to fill in.
func (f CallForm) HasForm() bool { return f.Kind != "resource" }

func (f CallForm) id(part string) string { return f.Prefix + "-" + part }

// summary is the beginning of a description, for a list.
func summary(description string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	return text.Visible(line, 240)
}

// suggested are the suggestions for one control.
func (f CallForm) suggested(control string) Suggestions {
	if f.Suggestions.Field == control {
		return f.Suggestions
	}
	return Suggestions{Field: control}
}

// Levels are the log levels that can be asked for (server/utilities/logging).
func Levels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// WaitChoice is how long an answer may take.
type WaitChoice struct{ Value, Words string }

// Waits are the choices; the first is the usual limit.
func Waits() []WaitChoice {
	return []WaitChoice{{"", "30 seconds"}, {"60", "60 seconds"}, {"120", "120 seconds"}}
}

// Prefix is the prefix of the control names of entry i of a list.
func Prefix(kind string, i int) string {
	letters := map[string]string{"tool": "t", "prompt": "p", "resource": "r", "template": "u"}
	return letters[kind] + strconv.Itoa(i)
}

// fillInPath is the page of connecting with an address filled in, waiting.
func fillInPath(address string) string { return "/servers?url=" + url.QueryEscape(address) }

// followWords say how the JSON stands to the fields.
func followWords(problems int) string {
	if problems > 0 {
		return "The JSON mirrors the form. Invalid fields: " + strconv.Itoa(problems) + "."
	}
	return "The JSON mirrors the form."
}

// NewSuggestions reads the answer to completion/complete for one control.
func NewSuggestions(control string, r playground.Round) Suggestions {
	s := Suggestions{Field: control, Values: server.Suggested(r)}
	switch {
	case r.Kind != playground.OutcomeComplete:
		s.Note = "The server sent no suggestions. " + text.Visible(r.Detail, 300)
	case len(s.Values) == 0:
		s.Note = "The server has no suggestions for this field."
	}
	return s
}
