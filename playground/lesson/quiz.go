package lesson

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Scenario is a question of the quiz: what was said so far, and what could be
// said next. Its messages are whole, so that what is shown has its true place.
// Only a client's params say "…" for what the call has there.
type Scenario struct {
	Title    string
	ID       string // of its controls
	Lesson   string
	HTML     string
	Method   string // of the call; empty when nothing is on the wire
	Params   string
	CallHTML string // the call as the request that began it
	Messages []Message
	Options  []Option
	declared string // capabilities; empty for those of most clients
}

// Message is one message, and who said it.
type Message struct {
	Server bool
	JSON   string
	HTML   string
}

// Option is one thing that could be said or done next.
type Option struct {
	Text  string // inline HTML
	JSON  string // empty when it is words alone
	HTML  string
	Right bool
	Why   string // inline HTML
}

// ByServer reports whether the options are the server's.
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
	prose, blocks, err := cutBlocks(body, "call", "declare", "server", "client", "option")
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

// callHTML shows the request that began the call. Of its _meta only what the
// scenario is about can be seen.
func (s Scenario) callHTML() (string, error) {
	if s.Method == "" {
		return "", nil
	}
	meta := `{"…": "…"}`
	if s.declared != "" {
		meta = `{"io.modelcontextprotocol/clientCapabilities": ` + s.declared + `, "…": "…"}`
	}
	params, err := jsontree.Set(json.RawMessage(s.Params), jsontree.Pair{Key: "_meta", Value: json.RawMessage(meta)})
	if err != nil {
		return "", fmt.Errorf("call: %w", err)
	}
	return message("", fmt.Sprintf(`{"jsonrpc": "2.0", "id": 1, "method": %q, "params": %s}`, s.Method, params))
}

func (m markdown) addBlockToScenario(s *Scenario, b block) error {
	switch b.kind {
	case "call":
		s.Method, s.Params = b.info, strings.TrimSpace(b.text)
	case "declare":
		s.declared = strings.TrimSpace(b.text)
	case "option":
		o, err := m.parseOption(b)
		s.Options = append(s.Options, o)
		return err
	default:
		said := Message{Server: b.kind == "server", JSON: strings.TrimSpace(b.text)}
		var err error
		said.HTML, err = message("", said.JSON)
		s.Messages = append(s.Messages, said)
		return err
	}
	return nil
}

// parseOption reads a text, a message and an explanation, parted by "---".
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
		return fmt.Errorf("want three options or more, and one that is right")
	}
	for i, said := range s.Messages {
		if said.Server != (i%2 == 0) {
			return fmt.Errorf("message %d is not the other side's", i+1)
		}
	}
	return nil
}
