package views

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Servers lists the samples and the user's own servers.
type Servers struct {
	Connect ConnectForm
	Mine    []server.Row
	Samples []StartLine
	Base    string // what the paths of the samples follow, "http://127.0.0.1:2322"
}

// ConnectForm is the form that connects to a server: its address, what this
// client declares, and what the user gives to be let in.
type ConnectForm struct {
	ID                  string // of a server that is connected to again; empty for a new one
	URL, Tool, Args     string // filled in, waiting
	Headers             string // as typed, "Name: value" per line
	Declared            []DeclareLine
	Given               []string // names of header fields that are kept already
	Lost                bool     // they were given in another browser, or forgotten
	Open                bool     // more than the address is shown at once
	Problem             *Sentence
	Detail              string
	Suggestions         []server.Suggestion
	HeadersProblem      string
	HasToken, Reconnect bool
}

// DeclareLine is a client capability that can be declared.
type DeclareLine struct {
	Name, Words, Help string
	On                bool
}

// NewDeclared are the client capabilities with those on that are declared.
func NewDeclared(capabilities []byte) []DeclareLine {
	lines := declarable()
	for _, name := range playground.Declares(capabilities) {
		for i := range lines {
			lines[i].On = lines[i].On || lines[i].Name == name
		}
	}
	return lines
}

func declarable() []DeclareLine {
	return []DeclareLine{
		{Name: "elicitation.form", Words: "Forms", Help: "elicitation, form mode: the server can ask you to fill in a form"},
		{Name: "elicitation.url", Words: "Links", Help: "elicitation, URL mode: the server can ask you to open a page"},
		{Name: "sampling", Words: "Sampling", Help: "the server can ask for a response of your model; you play the model"},
		{Name: "sampling.tools", Words: "Sampling with tools", Help: "the server can also give the model tools"},
		{Name: "roots", Words: "Roots", Help: "the server can ask for your folders"},
		{Name: "tasks", Words: "Tasks", Help: "extension: the server can continue the work as a task"},
	}
}
