package views

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
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
	Flow                  string // path of its page, for its maker; empty for others
	Report                Report
	Connect               *ConnectForm // of the user's servers
	Command               *Command     // nil for a server with a URL
	Tools                 bool         // it offers a tool, prompt or resource that can be checked
	Menu                  Menu
	Chosen                *CallForm // the form that is shown; nil for none
	Missing               string    // name of what the address chooses and the server does not offer
	Last                  *LastCall // of Chosen; nil for none
	SignedIn              *SignedIn // nil if the user has not signed in to it
	Saved                 []SavedLine
	Added                 *SavedLine // just saved; nil for none
	Fresh                 *Freshness
	Trips                 []WireRound
	Events                int // how many events of the log the page shows
}

// place returns where the server is: its URL, or the command that it is.
func (t Target) place() string {
	if t.Command != nil {
		return t.Command.Words
	}
	return t.URL
}

// Live returns the address of the event stream while connecting, else "".
func (t Target) Live() string {
	if t.Status != server.Connecting {
		return ""
	}
	return eventsPath("/servers/"+t.ID, t.Events)
}

// Said returns what a screen reader says when it changes.
func (t Target) Said() string {
	return strings.TrimSpace(asSentence(targetStanding(t.Status).Word) + " " + t.Report.Headline)
}

// opensSettings reports whether the form that connects again is unfolded: the
// connection failed, or the form needs the user.
func (t Target) opensSettings() bool {
	return t.Status != server.Connected || t.Connect.Lost || t.Connect.Problem != nil
}

// Checkable reports whether the server has a tool to check it with.
func (t Target) Checkable() bool {
	return t.Status == server.Connected && t.Tools
}

// OptionLine is a parameter that a sample's URL takes.
type OptionLine struct{ Name, Values, Meaning string }

// CallForm is a tool, prompt, resource, or template with a form for its
// arguments. Kind says which.
type CallForm struct {
	Kind                     string
	Name, Label, Description string // Name as on the wire; of a template, the URI template
	About                    string // MIME type of a resource
	Target                   string // id of the server
	Prefix                   string // of the control names
	Form                     form.Form
	FormErr                  error
	JSON                     string // raw arguments
	Path                     string // of the page with this form and its arguments
	Omitted                  string // names of the arguments that Path leaves out
	SaveProblem              string
	UseJSON                  bool // the raw JSON is sent
	Problems                 []form.Problem
	Excluded                 string // why it cannot be called
	Completes                bool   // the server suggests values
	Suggestions              Suggestions
	Level, Wait, Trace       string // chosen, as sent; Trace is a traceparent to continue
	NewTrace                 bool   // the call starts a new trace, unless there is one to continue
}

// Suggestions holds what a server suggests for one field of a form.
type Suggestions struct {
	Field  string // control name; empty before the first request
	Values []string
	Note   string // instead of values
}

// Verb returns the label of the button.
func (f CallForm) Verb() string {
	switch f.Kind {
	case "prompt":
		return "Get"
	case "resource", "template":
		return "Read"
	}
	return "Call"
}

// HasForm reports whether there are arguments to fill in.
func (f CallForm) HasForm() bool { return f.Kind != "resource" }

// jsonOnly reports whether there is no field to enter arguments in, but JSON.
func (f CallForm) jsonOnly() bool {
	return f.FormErr != nil || len(f.Form.Fields) == 0 && f.Form.Beyond != ""
}

// indentFrom is how long JSON may be before it is laid out over several lines.
const indentFrom = 72

// Indented returns JSON as it is shown for editing: a long text on several
// lines. Its values keep their notation.
func Indented(raw json.RawMessage) string {
	if len(raw) <= indentFrom {
		return string(raw)
	}
	return string(jsontree.Indent(raw))
}

// editLink returns where the buttons inside the fields lead.
func (f CallForm) editLink() EditLink {
	return EditLink{
		URL: "/servers/" + f.Target + "/arguments", Target: "#" + f.id("fields"), Swap: "outerHTML",
		Own: true,
	}
}

func (f CallForm) id(part string) string { return f.Prefix + "-" + part }

// optional reports whether one of the options was chosen.
func (f CallForm) optional() bool {
	return f.Level != "" || f.Wait != "" || f.Trace != "" || f.NewTrace
}

// suggested returns the suggestions for one control.
func (f CallForm) suggested(control string) Suggestions {
	if f.Suggestions.Field == control {
		return f.Suggestions
	}
	return Suggestions{Field: control}
}

// WaitChoice is a choice of the timeout.
type WaitChoice struct{ Value, Words string }

// Waits returns the choices; the first is the default.
func Waits() []WaitChoice {
	return []WaitChoice{{"", "30 seconds"}, {"60", "60 seconds"}, {"120", "120 seconds"}}
}

// Prefix returns the prefix of the control names of entry i of a list.
func Prefix(kind string, i int) string {
	letters := map[string]string{"tool": "t", "prompt": "p", "resource": "r", "template": "u"}
	return letters[kind] + strconv.Itoa(i)
}

// fillInPath returns the page that connects, with a URL filled in.
func fillInPath(address string) string { return "/servers?url=" + url.QueryEscape(address) }

// followWords says that the JSON mirrors the form.
func followWords(problems int) string {
	if problems > 0 {
		return "The JSON mirrors the form. Invalid fields: " + strconv.Itoa(problems) + "."
	}
	return "The JSON mirrors the form."
}

// mirrorWords says that the form mirrors the JSON, and what no field of it shows.
func (f CallForm) mirrorWords() string {
	if f.jsonOnly() {
		return "The JSON is sent exactly as written."
	}
	words := "The form mirrors the JSON, which is sent exactly as written."
	extra, err := jsontree.Parse(f.Form.Extra, jsontree.Limits{})
	if err != nil || len(extra.Members) == 0 {
		return words
	}
	var kept, lost []string
	for _, m := range extra.Members {
		if f.Form.Has(m.Key) {
			lost = append(lost, text.Visible(m.Key, 40))
		} else {
			kept = append(kept, text.Visible(m.Key, 40))
		}
	}
	if len(kept) > 0 {
		words += " No field shows " + text.Visible(strings.Join(kept, ", "), 200) +
			": an edit in the form keeps this."
	}
	if len(lost) > 0 {
		words += " No field can show the value of " + text.Visible(strings.Join(lost, ", "), 200) +
			": an edit in the form leaves this out."
	}
	return words
}

// NewSuggestions reads the response to completion/complete for one control.
func NewSuggestions(control string, r playground.Round) Suggestions {
	s := Suggestions{Field: control, Values: server.CompletionValues(r)}
	switch {
	case r.Kind != playground.OutcomeComplete:
		s.Note = "The server sent no suggestions. " + text.Visible(r.Detail, 300)
	case len(s.Values) == 0:
		s.Note = "The server has no suggestions for this field."
	}
	return s
}
