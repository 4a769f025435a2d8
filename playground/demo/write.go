package demo

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// YAML returns the story as a document for people to edit. Parse returns the same
// story for it.
func (s Story) YAML() string {
	w := &writer{}
	w.line(0, "story: 1")
	w.text(0, "title", s.Title)
	w.text(0, "claim", s.Claim)
	w.text(0, "lead", s.Lead)
	if s.Cast != (Cast{}) {
		w.line(0, "cast:")
		w.text(1, "you", s.Cast.You)
		w.text(1, "client", s.Cast.Client)
		w.text(1, "state", s.Cast.State)
		w.text(1, "instances", s.Cast.Instances)
	}
	w.server(s)
	w.answers("answers", s.Answers)
	w.answers("inputResponses", s.Responses)
	w.line(0, "steps:")
	for _, step := range s.Steps {
		w.step(step)
	}
	w.text(0, "verdict", s.Verdict)
	if s.HasBefore() {
		w.line(0, "before:")
		if s.Before.Sample != s.Sample {
			w.text(1, "sample", s.Before.Sample)
		}
		if s.Before.Instances != s.Instances {
			w.text(1, "instances", s.Before.Instances)
		}
		w.text(1, "verdict", s.Before.Verdict)
	}
	return w.b.String()
}

type writer struct{ b strings.Builder }

func (w *writer) line(depth int, format string, a ...any) {
	w.b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&w.b, format, a...)
	w.b.WriteByte('\n')
}

// plain is a text that YAML reads as itself without quotes.
var plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 .,;()'’“”…/_+-]*$`)

// yamlWords are the words that YAML reads as another kind of value.
var yamlWords = regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n)$`)

// foldAt is the length of a line beyond which a text is folded.
const foldAt = 96

// text writes a field with a text, if it has one.
func (w *writer) text(depth int, name, s string) {
	switch {
	case s == "":
	case strings.ContainsAny(s, "\n\t") || strings.Contains(s, "  ") || s != strings.TrimSpace(s):
		w.line(depth, "%s: %s", name, quoted(s))
	case len(s)+len(name)+2*depth > foldAt:
		w.line(depth, "%s: >-", name)
		for s != "" {
			line := s
			if len(s) > foldAt {
				if i := strings.LastIndexByte(s[:foldAt], ' '); i > 0 {
					line = s[:i]
				} else if i := strings.IndexByte(s, ' '); i > 0 {
					line = s[:i]
				}
			}
			w.line(depth+1, "%s", line)
			s = strings.TrimPrefix(s[len(line):], " ")
		}
	case plain.MatchString(s) && !yamlWords.MatchString(s) && s == strings.TrimSpace(s):
		w.line(depth, "%s: %s", name, s)
	default:
		w.line(depth, "%s: %s", name, quoted(s))
	}
}

// quoted returns a text in double quotes. YAML reads those of JSON.
func quoted(s string) string {
	n := document.Node{Kind: document.Text, Text: s}
	return string(n.JSON())
}

func (w *writer) server(s Story) {
	switch {
	case s.IsRecorded():
		ids := make([]string, len(s.Recorded))
		for i, id := range s.Recorded {
			ids[i] = quoted(id)
		}
		w.line(0, "server: {recorded: [%s]}", strings.Join(ids, ", "))
		return
	case s.Flow != "":
		w.line(0, "server: {flow: %s}", quoted(s.Flow))
	default:
		w.line(0, "server: {sample: %s}", quoted(s.Sample))
	}
	w.line(0, "versions: [%s]", strings.Join(s.Versions, ", "))
	w.line(0, "instances: %s", s.Instances)
	w.line(0, "first: %s", s.First)
	w.line(0, "call:")
	w.line(1, "method: %s", s.Call.Method)
	w.line(1, "params: %s", s.Call.Params)
}

func (w *writer) answers(name string, all map[string]json.RawMessage) {
	if len(all) == 0 {
		return
	}
	w.line(0, "%s:", name)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		w.line(1, "%s: %s", quoted(key), all[key])
	}
}

// roleWords are the words of the roles of instances.
var roleWords = map[Role]string{AnyInstance: "any", Asker: "asker", Other: "another"}

func (w *writer) step(step Step) {
	w.b.WriteString("  - button: " + quoted(step.Button) + "\n")
	switch word := step.word(); word {
	case roundWord:
		w.line(2, "round: %d", step.Round)
		if step.Call > 1 {
			w.line(2, "call: %s", strconv.Itoa(step.Call))
		}
	case showWord:
		w.line(2, "show: %s", map[Show]string{State: "state", Legacy: "before"}[step.Show])
	default:
		w.line(2, "%s: %s", word, roleWords[step.Act.To])
	}
	w.text(2, "title", step.Title)
	w.text(2, "text", step.Text)
	if step.Act.Kind == Send || step.Act.Kind == Recorded {
		expect := string(step.Expect)
		if step.Fails {
			expect = toolError
		}
		w.text(2, "expect", expect)
		if step.Asks != "" {
			w.line(2, "asks: %s", quoted(step.Asks))
		}
	}
	w.text(2, "before", step.Before)
	w.text(2, "verdict", step.Verdict)
	w.text(2, "note", step.Note)
}

// word returns the word that the step is written with.
func (s Step) word() string {
	switch s.Act.Kind {
	case Send:
		return sendWord
	case Alter:
		return string(s.Act.Do)
	case Recorded:
		return roundWord
	}
	return showWord
}
