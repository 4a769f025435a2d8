// Package call shows the form of a call: the arguments as fields or as JSON,
// and the options of the request.
package call

import (
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/control"
)

// Form is a tool, prompt, resource, or template with a form for its
// arguments. Kind says which.
type Form struct {
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

// Verb returns the label of the button.
func (f Form) Verb() string {
	switch f.Kind {
	case "prompt":
		return "Get"
	case "resource", "template":
		return "Read"
	}
	return "Call"
}

// HasForm reports whether there are arguments to fill in.
func (f Form) HasForm() bool { return f.Kind != "resource" }

// jsonOnly reports whether there is no field to enter arguments in, but JSON.
func (f Form) jsonOnly() bool {
	return f.FormErr != nil || len(f.Form.Fields) == 0 && f.Form.Beyond != ""
}

// editLink returns where the buttons inside the fields lead.
func (f Form) editLink() control.EditLink {
	return control.EditLink{
		URL: "/servers/" + f.Target + "/arguments", Target: "#" + f.id("fields"), Swap: "outerHTML",
		Own: true,
	}
}

func (f Form) id(part string) string { return f.Prefix + "-" + part }

// optional reports whether one of the options was chosen.
func (f Form) optional() bool {
	return f.Level != "" || f.Wait != "" || f.Trace != "" || f.NewTrace
}

// suggested returns the suggestions for one control.
func (f Form) suggested(control string) Suggestions {
	if f.Suggestions.Field == control {
		return f.Suggestions
	}
	return Suggestions{Field: control}
}

// mirrorWords says that the form mirrors the JSON, and names the members that
// no field of it shows.
func (f Form) mirrorWords() string {
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

// Suggestions holds the suggestions of a server for one field of a form.
type Suggestions struct {
	Field  string // control name; empty before the first request
	Values []string
	Note   string // instead of values
}

// WaitChoice is a choice of the timeout.
type WaitChoice struct{ Value, Words string }

// Waits returns the choices; the first is the default.
func Waits() []WaitChoice {
	return []WaitChoice{{"", "30 seconds"}, {"60", "60 seconds"}, {"120", "120 seconds"}}
}

// followWords says that the JSON mirrors the form.
func followWords(problems int) string {
	if problems > 0 {
		return "The JSON mirrors the form. Invalid fields: " + strconv.Itoa(problems) + "."
	}
	return "The JSON mirrors the form."
}
