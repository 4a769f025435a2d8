// Package server shows the servers of a user: connecting to one, its report
// about itself, its offers, and why it could not be reached.
package server

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// ConnectForm is the form that connects to a server: its URL, the declared
// capabilities, and the credentials.
type ConnectForm struct {
	ID                  string         // of a server to reconnect to; empty for a new one
	URL, Tool, Args     string         // filled in from the address
	Era                 playground.Era // chosen by the user; empty to detect it
	Headers             string         // as typed, "Name: value" per line
	Declared            []DeclareLine
	Saved               []string // names of the saved header fields
	Lost                bool     // the saved fields belong to another browser, or are gone
	Open                bool     // all settings are unfolded
	Problem             *prose.Sentence
	Detail              string
	Suggestions         []server.Suggestion
	HeadersProblem      string
	HasToken, Reconnect bool
}

// onLines reports whether the server is a command, which has no URL and no headers.
func (f ConnectForm) onLines() bool { return wire.IsCommand(f.URL) }

// settingsWords names the settings besides the URL.
func (f ConnectForm) settingsWords() string {
	if f.onLines() {
		return "MCP version and client capabilities"
	}
	return "Access token, HTTP headers, MCP version, and client capabilities"
}

// eraChoices are the choices of an era for the connect form.
func eraChoices() []struct {
	Era   playground.Era
	Words string
} {
	return []struct {
		Era   playground.Era
		Words string
	}{
		{"", "Detect it"},
		{playground.Modern, "MCP 2026-07-28"},
		{playground.Legacy, "2025-11-25 and before (initialize)"},
	}
}

// DeclareLine is a client capability that the user can declare.
type DeclareLine struct {
	Name, Words, Help string
	On                bool
}

// NewDeclared returns the client capabilities, with the declared ones on.
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
		{Name: "elicitation.form", Words: "Forms",
			Help: "elicitation, form mode: the server can ask you to fill in a form"},
		{Name: "elicitation.url", Words: "Links",
			Help: "elicitation, URL mode: the server can ask you to open a page"},
		{Name: "sampling", Words: "Sampling",
			Help: "the server can ask for a response of your model; you play the model"},
		{Name: "sampling.tools", Words: "Sampling with tools",
			Help: "the server can also give the model tools"},
		{Name: "roots", Words: "Roots", Help: "the server can ask for your folders"},
		{Name: "tasks", Words: "Tasks", Help: "extension: the server can continue the work as a task"},
	}
}
