package views

import (
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// Servers lists the samples and the user's own servers.
type Servers struct {
	URL, Tool, Args string // filled in from a link, waiting
	Problem         *Sentence
	Mine            []playground.TargetLine
	Samples         []StartLine
}

// Target is the page of one server.
type Target struct {
	ID, Name, URL, Status string
	Sample                bool
	Summary, Teaches      string
	Try                   []string
	Options               []OptionLine
	Start                 *StartLine
	Failed                *Failed
	Facts                 []Fact
	Tools                 []ToolForm
	Cut                   bool
	Trips                 []WireRound
}

// Live is the address to ask again while connecting; empty otherwise.
func (t Target) Live() string {
	if t.Status != playground.Connecting {
		return ""
	}
	return "/servers/" + t.ID + "/events"
}

// OptionLine is a parameter that a sample's URL takes.
type OptionLine struct{ Name, Values, Meaning string }

// Fact is one line of what is known of a server.
type Fact struct{ Name, Value string }

// ToolForm is a tool with a form for its arguments.
type ToolForm struct {
	Name, Label, Description string
	Target                   string
	Form                     form.Form
	FormErr                  error
	JSON                     string // raw arguments
	Open                     bool
	UseJSON                  bool // the raw arguments count
	Problems                 []form.Problem
}

// TargetWords are the words of a target's status.
func TargetWords(status string) string {
	if status == playground.ConnectFailed {
		return "not connected"
	}
	return status
}

// SentenceCode is a sentence for a refusal of ours, outside the classes of servers.
func SentenceCode(code, what, try string) Sentence { return Sentence{Code: code, What: what, Try: try} }

// toolPrefix is the prefix of the control names of tool i.
func toolPrefix(i int) string { return "t" + strconv.Itoa(i) }
