package lesson

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Spot is one recorded exchange to judge, with four choices, one of them right.
type Spot struct {
	Title    string
	Sample   string // slug of the sample that was recorded
	Fault    string // tool of the sample naughty; empty for the start of the sample
	Lesson   string
	Rule     string // id of the rule that is broken; empty if nothing is wrong
	HTML     string
	Choices  []Answer
	Log      []playground.Event
	Messages []Message
}

// Recording returns the name of the file with the log of exchange n, from 1.
func (Spot) Recording(n int) string { return fmt.Sprintf("content/spot/%02d.json", n) }

// Exchange returns the recording as rules judge it.
func (s Spot) Exchange() playground.Exchange { return playground.Exchange{ID: "spot", Log: s.Log} }

// ParseSpots returns the embedded exchanges to judge without their recordings,
// for the test that makes them.
func ParseSpots() ([]Spot, error) {
	return readWith(files, "content/spot.md", newMarkdown().parseSpots)
}

// readSpots reads the exchanges to judge and their recordings.
func (m markdown) readSpots(files fs.FS) ([]Spot, error) {
	list, err := readWith(files, "content/spot.md", m.parseSpots)
	if err != nil {
		return nil, err
	}
	for i := range list {
		s := &list[i]
		if s.Log, err = readWith(files, s.Recording(i+1), parseLog); err != nil {
			return nil, err
		}
		if s.Messages, err = s.messages(); err != nil {
			return nil, fmt.Errorf("lesson %s: %w", s.Recording(i+1), err)
		}
	}
	return list, nil
}

func parseLog(text string) ([]playground.Event, error) {
	var log []playground.Event
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	return log, nil
}

// messages returns the JSON-RPC messages of a log without streams. Names of the
// sample naughty and its tool are replaced, because they tell what is wrong; the
// log that rules judge keeps them.
func (s Spot) messages() ([]Message, error) {
	names := strings.NewReplacer()
	if s.Fault != "" {
		names = strings.NewReplacer(s.Fault, "example", "naughty", "example", "Naughty (sample)", "Example")
	}
	var list []Message
	for _, e := range s.Log {
		if e.Kind != playground.Sent && e.Kind != playground.Received {
			continue
		}
		_, body, _ := strings.Cut(string(e.Data), "\r\n\r\n")
		body = names.Replace(body)
		m := Message{Server: e.Kind == playground.Received, JSON: body}
		var err error
		if m.HTML, err = message("", body); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

func (m markdown) parseSpots(text string) ([]Spot, error) {
	var list []Spot
	for _, section := range sections(text) {
		s, err := m.parseSpot(section)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Title, err)
		}
		list = append(list, s)
	}
	return list, nil
}

func (m markdown) parseSpot(section string) (Spot, error) {
	head, body, _ := strings.Cut(section, "\n")
	s := Spot{Title: strings.TrimSpace(head)}
	prose, blocks, err := cutBlocks(body, "choice")
	if err != nil {
		return s, err
	}
	front, prose, _ := strings.Cut(strings.TrimSpace(prose), "\n\n")
	for line := range strings.Lines(front) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		field, ok := map[string]*string{"sample": &s.Sample, "fault": &s.Fault,
			"lesson": &s.Lesson, "rule": &s.Rule}[name]
		if !ok {
			return s, fmt.Errorf("unknown field %q", name)
		}
		*field = value
	}
	if s.HTML, err = m.html(prose); err != nil {
		return s, err
	}
	for _, b := range blocks {
		text, why, _ := strings.Cut(b.text, "---\n")
		c := Answer{Right: b.info == "right"}
		if c.Text, err = m.inline(strings.TrimSpace(text)); err != nil {
			return s, err
		}
		if c.Why, err = m.inline(strings.TrimSpace(why)); err != nil {
			return s, err
		}
		s.Choices = append(s.Choices, c)
	}
	return s, s.check()
}

func (s Spot) check() error {
	right := 0
	for _, c := range s.Choices {
		if c.Right {
			right++
		}
	}
	if right != 1 || len(s.Choices) != 4 {
		return fmt.Errorf("want four choices, exactly one of them right")
	}
	if slices.ContainsFunc(s.Choices, func(c Answer) bool { return c.Why == "" }) {
		return fmt.Errorf("a choice has no explanation")
	}
	return nil
}
