package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// terminal asks the user what a program must not answer. A nil terminal has no
// user and fails.
type terminal struct {
	in  *bufio.Reader
	out io.Writer
}

// newTerminal returns the terminal that in is, or nil if it is none.
func newTerminal(in *os.File, out io.Writer) *terminal {
	info, err := in.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return &terminal{bufio.NewReader(in), out}
}

// errUnanswered is for a question that only the user can answer.
var errUnanswered = errors.New("it needs your answer: use -answers, or a terminal")

// ask prints a line and returns the word that the user entered.
func (t *terminal) ask(line string) (string, error) {
	if t == nil {
		return "", errUnanswered
	}
	fmt.Fprintf(t.out, "%s ", line)
	answer, err := t.in.ReadString('\n')
	if err != nil {
		return "", errUnanswered
	}
	return strings.ToLower(strings.TrimSpace(answer)), nil
}

// consent asks whether to accept an elicitation in URL mode. The URL is printed
// in full and never opened.
func (t *terminal) consent(f question.Form) (playground.Answer, error) {
	url := text.Visible(f.Params.Get("url").Str(), text.NoLimit)
	about := fmt.Sprintf("%s asks you to open this URL: %s\n  %s\n", label(f), url,
		text.Prose(f.Message(), 600))
	word, err := t.ask(about + "Open it yourself. Accept, decline or cancel?")
	if err != nil {
		return playground.Answer{}, fmt.Errorf("%s is a URL, %s: %w", label(f), url, err)
	}
	for _, action := range []string{"accept", "decline", "cancel"} {
		if word != "" && strings.HasPrefix(action, word) {
			return f.FromJSON(json.RawMessage(`{"action":"` + action + `"}`))
		}
	}
	return playground.Answer{}, fmt.Errorf("%s: %q is none of accept, decline and cancel", label(f), word)
}

// boolean asks for a required boolean; the other fields get their defaults or
// placeholder values.
func (t *terminal) boolean(f question.Form, property string) (playground.Answer, error) {
	word, err := t.ask(fmt.Sprintf("%s: %s\n  %s (yes or no)?", label(f), text.Prose(f.Message(), 600),
		text.Visible(property, 80)))
	if err != nil {
		return playground.Answer{}, fmt.Errorf("%s requires the boolean %q: %w", label(f), property, err)
	}
	switch word {
	case "y", "yes", "true":
		f = f.Preset(property, true)
	case "n", "no", "false":
		f = f.Preset(property, false)
	default:
		return playground.Answer{}, fmt.Errorf("%s: %q is neither yes nor no", label(f), word)
	}
	if next := f.Unanswerable(); next != "" {
		return t.boolean(f, next)
	}
	return f.Placeholder()
}

// label names a question in a message.
func label(f question.Form) string {
	return fmt.Sprintf("the question %q", text.Visible(f.Label(), 80))
}
