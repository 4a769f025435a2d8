package lesson

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Scenario is a question of the quiz: the messages so far, and the options for
// the next one. The messages are complete, except that "…" in a client's params
// stands for the params of the call.
type Scenario struct {
	Title    string
	ID       string // of its form controls
	Lesson   string
	HTML     string
	Method   string // of the call; empty if the scenario has no messages
	Params   string
	CallHTML string // the request of the call
	Messages []Message
	Options  []Option
	Script   Script // shows that the right option is right, where no rule can
	declared string // client capabilities; empty: form elicitation
}

// Message is one message and its sender.
type Message struct {
	Server bool
	JSON   string
	HTML   string
}

// Option is one possible next message or action.
type Option struct {
	Text  string // inline HTML
	JSON  string // empty if the option is not a message
	HTML  string
	Right bool
	Why   string // inline HTML
}

// ByServer reports whether the server sends the next message.
func (s Scenario) ByServer() bool { return len(s.Messages)%2 == 0 && s.Method != "" }

// OnTheWire reports whether the options are messages that rules can judge.
func (s Scenario) OnTheWire() bool { return s.Method != "" && s.Options[0].JSON != "" }

func (m markdown) parseQuiz(text string) ([]Scenario, error) {
	var list []Scenario
	for _, section := range sections(text) {
		s, err := m.parseScenario(section)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Title, err)
		}
		s.ID = fmt.Sprintf("q%d", len(list)+1)
		list = append(list, s)
	}
	return list, nil
}

func (m markdown) parseScenario(section string) (Scenario, error) {
	head, body, _ := strings.Cut(section, "\n")
	s := Scenario{Title: strings.TrimSpace(head)}
	prose, blocks, err := cutBlocks(body, "call", "declare", "server", "client", "option",
		"expect")
	if err != nil {
		return s, err
	}
	slug, prose, _ := strings.Cut(strings.TrimSpace(prose), "\n")
	s.Lesson, _ = strings.CutPrefix(slug, "lesson: ")
	if s.HTML, err = m.html(prose); err != nil {
		return s, err
	}
	for _, b := range blocks {
		if err := m.addBlockToScenario(&s, b); err != nil {
			return s, err
		}
	}
	if s.CallHTML, err = s.callHTML(); err != nil {
		return s, err
	}
	return s, s.check()
}

// callHTML renders the request of the call. Of its _meta it shows only the
// capabilities that the scenario declares.
func (s Scenario) callHTML() (string, error) {
	if s.Method == "" {
		return "", nil
	}
	meta := `{"…": "…"}`
	if s.declared != "" {
		meta = `{"io.modelcontextprotocol/clientCapabilities": ` + s.declared + `, "…": "…"}`
	}
	params, err := jsontree.Set(json.RawMessage(s.Params),
		jsontree.Pair{Key: "_meta", Value: json.RawMessage(meta)})
	if err != nil {
		return "", fmt.Errorf("call: %w", err)
	}
	return message("", fmt.Sprintf(`{"jsonrpc": "2.0", "id": 1, "method": %q, "params": %s}`,
		s.Method, params))
}

// addBlockToScenario adds the call, capabilities, message or option of a block.
func (m markdown) addBlockToScenario(s *Scenario, b block) error {
	switch b.kind {
	case "call":
		s.Method, s.Params = b.info, strings.TrimSpace(b.text)
	case "expect":
		steps, err := parseSteps(len(s.Script)+1, b)
		s.Script = append(s.Script, steps...)
		return err
	case "declare":
		s.declared = strings.TrimSpace(b.text)
	case "option":
		o, err := m.parseOption(b)
		s.Options = append(s.Options, o)
		return err
	default:
		m := Message{Server: b.kind == "server", JSON: strings.TrimSpace(b.text)}
		var err error
		m.HTML, err = message("", m.JSON)
		s.Messages = append(s.Messages, m)
		return err
	}
	return nil
}

// parseOption parses a text, a message and an explanation, separated by "---".
func (m markdown) parseOption(b block) (Option, error) {
	parts := strings.Split(b.text, "---\n")
	if len(parts) != 3 {
		return Option{}, fmt.Errorf("option %q: want text, message and explanation", b.text)
	}
	o := Option{Right: b.info == "right", JSON: strings.TrimSpace(parts[1])}
	var err error
	if o.Text, err = m.inline(strings.TrimSpace(parts[0])); err != nil {
		return o, err
	}
	if o.JSON != "" {
		if o.HTML, err = message("", o.JSON); err != nil {
			return o, err
		}
	}
	o.Why, err = m.inline(strings.TrimSpace(parts[2]))
	return o, err
}

func (s Scenario) check() error {
	right := 0
	for _, o := range s.Options {
		if o.Right {
			right++
		}
		if o.Why == "" {
			return fmt.Errorf("an option has no explanation")
		}
	}
	if right != 1 || len(s.Options) < 3 {
		return fmt.Errorf("want at least three options, exactly one of them right")
	}
	for i, m := range s.Messages {
		if m.Server != (i%2 == 0) {
			return fmt.Errorf("message %d does not alternate sides", i+1)
		}
	}
	return nil
}
