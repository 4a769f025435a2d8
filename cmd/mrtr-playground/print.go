package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// printRound prints Round i of a call.
func printRound(w io.Writer, t playground.Target, f playground.Transcript, i int) {
	r := f.Rounds[i]
	fmt.Fprintf(w, "round %d  %s", r.N, r.Kind)
	if r.Class != "" {
		fmt.Fprintf(w, " (%s)", r.Class)
	}
	fmt.Fprintln(w)
	for _, a := range r.Answers() {
		fmt.Fprintf(w, "  sent   %s = %s\n", text.Visible(a.Key, 80), text.Visible(string(a.Value), 300))
	}
	for _, q := range r.Questions {
		fmt.Fprintf(
			w, "  asked  %s (%s) %s\n", text.Visible(q.Key, 80), text.Visible(q.Method, 80),
			narrate.Question(q),
		)
	}
	if r.State != nil {
		fmt.Fprintf(w, "  state  %s\n", text.Size(len(r.StateText())))
	}
	if r.Task != nil {
		fmt.Fprintf(w, "  task   %s %s", text.Visible(r.Task.ID, 80), text.Visible(r.Task.Status, 40))
		if r.Polls > 1 {
			fmt.Fprintf(w, ", %s", text.Plural(r.Polls, "poll"))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "  %s\n", narrate.Round(t, f, i).Sentence)
	if hidden := server.HiddenInRound(r); hidden != "" {
		fmt.Fprintf(w, "  warning: %s\n", hidden)
	}
}

// printEnd prints how the call ended: its result, or the whole recording as one
// JSON document. edited are the edited parts of the last request.
func printEnd(w io.Writer, x playground.Exchange, f playground.Transcript, asJSON bool,
	edited ...string) error {
	if asJSON {
		report := newCallReport(x, f)
		report.Edited = edited
		return verdict.WriteJSON(w, report)
	}
	last := f.Last()
	if last.Kind == playground.OutcomeComplete {
		for _, line := range narrate.Result(last.Final) {
			fmt.Fprintln(w, line)
		}
	}
	_, err := fmt.Fprintln(w, f.Status)
	return err
}

// callReport is the output of -json. Its fields are stable.
type callReport struct {
	URL    string              `json:"url"`
	Method string              `json:"method"`
	Params json.RawMessage     `json:"params"`
	Status playground.Status   `json:"status"`
	Trace  string              `json:"trace,omitempty"`  // id of the trace that was sent
	Edited []string            `json:"edited,omitempty"` // edited parts of the last request
	Polls  string              `json:"polls,omitempty"`  // why the task is polled no more
	Rounds []lab.RoundDocument `json:"rounds"`
	Result json.RawMessage     `json:"result,omitempty"`
}

func newCallReport(x playground.Exchange, f playground.Transcript) callReport {
	report := callReport{URL: x.Target.URL, Method: x.Call.Method, Params: x.Call.Params, Status: f.Status,
		Rounds: lab.NewRounds(f)}
	if trace, ok := x.Call.Trace(); ok {
		report.Trace = trace.ID
	}
	report.Polls = narrate.StoppedPolling(*f.Last())
	if last := f.Last(); last.Kind == playground.OutcomeComplete {
		report.Result = json.RawMessage(last.Final.Raw())
	}
	return report
}

// connectionReport is the output of -json about a server.
type connectionReport struct {
	Status   string           `json:"status"`
	Class    playground.Class `json:"class,omitempty"`
	Detail   string           `json:"detail,omitempty"`
	Name     string           `json:"name,omitempty"`
	Version  string           `json:"version,omitempty"`
	Versions []string         `json:"versions,omitempty"`
	Era      playground.Era   `json:"era,omitempty"`
	Tools    []toolReport     `json:"tools"`
	Excluded []excludedReport `json:"excluded,omitempty"`
	Prompts  []promptReport   `json:"prompts"`
	// resources first, then URI templates
	Resources []resourceReport `json:"resources"`
}

type promptReport struct {
	Name        string   `json:"name"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Arguments   []string `json:"arguments,omitempty"`
}

type resourceReport struct {
	URI         string `json:"uri,omitempty"`
	Template    string `json:"uriTemplate,omitempty"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
}

// excludedReport is a tool that clients must exclude.
type excludedReport struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

type toolReport struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema,omitempty"`
}

func newConnectionReport(c server.Connection) connectionReport {
	report := connectionReport{
		Status: c.Status, Class: c.Class, Detail: c.Detail, Name: c.Name, Version: c.Version,
		Versions: c.Versions, Era: c.Era, Tools: []toolReport{}, Prompts: []promptReport{},
		Resources: []resourceReport{},
	}
	for _, t := range c.Tools {
		if t.Excluded != "" {
			report.Excluded = append(report.Excluded, excludedReport{t.Name, t.Excluded})
			continue
		}
		report.Tools = append(report.Tools, toolReport{t.Name, t.Title, t.Description, t.InputSchema})
	}
	for _, p := range c.Prompts {
		var arguments []string
		for _, a := range p.Arguments {
			arguments = append(arguments, a.Name)
		}
		report.Prompts = append(report.Prompts, promptReport{p.Name, p.Title, p.Description, arguments})
	}
	for _, r := range c.Resources {
		report.Resources = append(report.Resources,
			resourceReport{URI: r.URI, Name: r.Label(), Description: r.Description})
	}
	for _, r := range c.Templates {
		report.Resources = append(report.Resources,
			resourceReport{Template: r.URI, Name: r.Label(), Description: r.Description})
	}
	return report
}

func printConnection(w io.Writer, t playground.Target, c server.Connection, asJSON bool) error {
	report := newConnectionReport(c)
	if asJSON {
		return verdict.WriteJSON(w, report)
	}
	head := []string{
		c.Status, text.Visible(c.Name, 120), text.Visible(c.Version, 40), string(c.Era),
		text.Visible(strings.Join(c.Versions, ", "), 120),
	}
	head = slices.DeleteFunc(head, func(word string) bool { return word == "" })
	fmt.Fprintln(w, strings.Join(head, " "))
	switch {
	case c.Class != "": // what was tried says the rest
		fmt.Fprintf(w, "  %s: %s\n", c.Class, doctor.SentenceOf(c.Class).What)
	case c.Detail != "": // nothing was sent
		fmt.Fprintf(w, "  %s\n", text.Visible(c.Detail, 600))
	}
	line := func(kind, name, words string) {
		row := fmt.Sprintf("  %-9s %-40s %s", kind, text.Visible(name, 120), text.Prose(words, 160))
		fmt.Fprintln(w, strings.TrimRight(row, " "))
	}
	for _, t := range c.Tools {
		if t.Excluded == "" {
			line("tool", t.Name, t.Description)
			printArguments(w, t.Arguments())
		}
	}
	for _, t := range report.Excluded {
		line("excluded", t.Name, t.Why)
	}
	for _, p := range c.Prompts {
		line("prompt", p.Name, p.Description)
		printArguments(w, p.ArgumentList())
	}
	for _, r := range report.Resources {
		if r.Template != "" {
			line("template", r.Template, r.Description)
			continue
		}
		line("resource", r.URI, r.Description)
	}
	for _, hidden := range server.HiddenWarnings(c) {
		fmt.Fprintf(w, "  warning: %s\n", hidden)
	}
	printUsage(w, t, report)
	return nil
}

// printArguments prints a line for each argument.
func printArguments(w io.Writer, list []server.Argument) {
	for _, a := range list {
		words := text.Visible(a.Type, 120)
		if a.Required {
			words += ", required"
		}
		if a.Description != "" {
			words += ": " + text.Prose(a.Description, 160)
		}
		fmt.Fprintf(w, "            %-24s %s\n", text.Visible(a.Name, 120), words)
	}
}

// printUsage prints how to call what the server offers.
func printUsage(w io.Writer, t playground.Target, report connectionReport) {
	place := "URL"
	if t.IsCommand() {
		place = "-stdio " + self.Shell.Placeholder("COMMAND")
	}
	how := func(what, call string) {
		fmt.Fprintf(w, "%-16s %s\n", what+":", self.Command("call "+place+" "+call))
	}
	if len(report.Tools) > 0 {
		how("call a tool", "TOOL "+self.Shell.Placeholder("ARGUMENTS"))
	}
	if len(report.Prompts) > 0 {
		how("get a prompt", "-prompt PROMPT "+self.Shell.Placeholder("ARGUMENTS"))
	}
	if len(report.Resources) > 0 {
		how("read a resource", "-resource URI")
	}
}
