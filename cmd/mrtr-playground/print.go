package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// printRound prints Round i of a call.
func printRound(w io.Writer, t playground.Target, f playground.Transcript, i int) {
	r := f.Rounds[i]
	fmt.Fprintf(w, "round %d  %s", r.N, r.Kind)
	if r.Class != "" {
		fmt.Fprintf(w, " (%s)", r.Class)
	}
	fmt.Fprintln(w)
	for _, a := range r.Decision.Answers {
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
}

// printEnd prints how the call ended: its result, or the whole recording as one
// JSON document.
func printEnd(w io.Writer, x playground.Exchange, f playground.Transcript, asJSON bool) error {
	if asJSON {
		return writeJSON(w, newCallReport(x, f))
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

// callReport is what -json prints. Its fields are stable.
type callReport struct {
	URL    string            `json:"url"`
	Method string            `json:"method"`
	Params json.RawMessage   `json:"params"`
	Status playground.Status `json:"status"`
	Rounds []roundReport     `json:"rounds"`
	Result json.RawMessage   `json:"result,omitempty"`
}

type roundReport struct {
	Round    int                    `json:"round"`
	Outcome  playground.OutcomeKind `json:"outcome"`
	Class    playground.Class       `json:"class,omitempty"`
	Detail   string                 `json:"detail,omitempty"`
	IsError  bool                   `json:"isError,omitempty"`
	Request  frameReport            `json:"request"`
	Response frameReport            `json:"response"`
}

// frameReport holds the exact bytes: as text, or in base64 if they are not
// UTF-8.
type frameReport struct {
	Head   string `json:"head"`
	Body   string `json:"body"`
	Base64 bool   `json:"base64,omitempty"`
}

func newCallReport(x playground.Exchange, f playground.Transcript) callReport {
	report := callReport{URL: x.Target.URL, Method: x.Call.Method, Params: x.Call.Params, Status: f.Status}
	for _, r := range f.Rounds {
		report.Rounds = append(report.Rounds, roundReport{
			Round: r.N, Outcome: r.Kind, Class: r.Class, Detail: r.Detail, IsError: r.IsError,
			Request: newFrameReport(r.Request), Response: newFrameReport(r.Response),
		})
	}
	if last := f.Last(); last.Kind == playground.OutcomeComplete {
		report.Result = json.RawMessage(last.Final.Raw())
	}
	return report
}

func newFrameReport(f wire.Frame) frameReport {
	if utf8.Valid(f.Head) && utf8.Valid(f.Body) {
		return frameReport{Head: string(f.Head), Body: string(f.Body)}
	}
	encode := base64.StdEncoding.EncodeToString
	return frameReport{Head: encode(f.Head), Body: encode(f.Body), Base64: true}
}

// connectionReport is what -json prints of a server.
type connectionReport struct {
	Status   string           `json:"status"`
	Class    playground.Class `json:"class,omitempty"`
	Detail   string           `json:"detail,omitempty"`
	Name     string           `json:"name,omitempty"`
	Version  string           `json:"version,omitempty"`
	Versions []string         `json:"versions,omitempty"`
	Tools    []toolReport     `json:"tools"`
	Excluded []excludedReport `json:"excluded,omitempty"`
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

func printConnection(w io.Writer, c server.Connection, asJSON bool) error {
	report := connectionReport{
		Status: c.Status, Class: c.Class, Detail: c.Detail, Name: c.Name, Version: c.Version,
		Versions: c.Versions, Tools: []toolReport{},
	}
	for _, t := range c.Tools {
		if t.Excluded != "" {
			report.Excluded = append(report.Excluded, excludedReport{t.Name, t.Excluded})
			continue
		}
		report.Tools = append(report.Tools, toolReport{t.Name, t.Title, t.Description, t.InputSchema})
	}
	if asJSON {
		return writeJSON(w, report)
	}
	fmt.Fprintln(w, c.Status, text.Visible(c.Name, 120), text.Visible(c.Version, 40), c.Versions)
	if c.Detail != "" {
		fmt.Fprintf(w, "  %s: %s\n", c.Class, text.Visible(c.Detail, 600))
	}
	for _, t := range report.Tools {
		fmt.Fprintf(w, "  %-40s %s\n", text.Visible(t.Name, 120), text.Visible(t.Description, 160))
	}
	for _, t := range report.Excluded {
		fmt.Fprintf(w, "  %-40s excluded: %s\n", text.Visible(t.Name, 120), text.Visible(t.Why, 300))
	}
	return nil
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
