package demo

import (
	"slices"
	"strconv"
	"strings"
)

// Draft is a story that is proposed, before it is stored.
type Draft struct {
	Story  Story
	Source string // as it was written; "" for a story that was made of something
	Result string // text of the result that its call will have; "" if that is not known
}

// Sentence is one text of a draft, as its reader sees and edits it: with values in place of
// placeholders.
type Sentence struct {
	Part  Part
	Step  int // from 1; 0 for a text of the whole
	Text  string
	Most  int  // characters
	Empty bool // it may be empty
}

// Part says what a sentence is in its story or step.
type Part string

// The parts of a story and of its steps.
const (
	TitlePart  Part = "title"
	ClaimPart  Part = "claim"
	LeadPart   Part = "lead"
	ButtonPart Part = "button"
	TextPart   Part = "text"
	BeforePart Part = "before"
	NotePart   Part = "note"
)

// Name returns the name of the sentence in its draft: lead, or text-2.
func (s Sentence) Name() string {
	if s.Step == 0 {
		return string(s.Part)
	}
	return string(s.Part) + "-" + strconv.Itoa(s.Step)
}

// place is where a sentence stands in a story, with the values of its placeholders.
type place struct {
	Sentence
	at     *string
	values Values
	fixed  bool // it has no placeholders
}

// places returns the sentences of a story that a draft can change.
func (s *Story) places(result string) []place {
	whole := func(part Part, at *string, most int, empty bool) place {
		return place{Sentence: Sentence{Part: part, Most: most, Empty: empty}, at: at, fixed: true}
	}
	list := []place{
		whole(TitlePart, &s.Title, maxTitle, false), whole(ClaimPart, &s.Claim, maxTitle, false),
		whole(LeadPart, &s.Lead, maxText, true),
	}
	values := s.Foretell(result)
	for i := range s.Steps {
		step := &s.Steps[i]
		of := func(part Part, at *string, most int, empty bool, v Values) {
			fixed := part == ButtonPart || part == NotePart
			list = append(list, place{Sentence{part, i + 1, "", most, empty}, at, v, fixed})
		}
		of(ButtonPart, &step.Button, maxButton, false, values[i])
		of(TitlePart, &step.Title, maxTitle, false, values[i])
		of(TextPart, &step.Text, maxText, true, values[i])
		if step.Before != "" { // before MRTR, all requests go to the first instance
			of(BeforePart, &step.Before, maxText, true, values[0])
		}
		of(NotePart, &step.Note, maxNote, true, values[i])
	}
	for i := range list {
		p := &list[i]
		if p.Text = *p.at; !p.fixed {
			p.Text = p.values.Fill(p.Text)
		}
	}
	return list
}

// Sentences returns the texts of a draft.
func (d Draft) Sentences() []Sentence {
	var list []Sentence
	for _, p := range d.Story.places(d.Result) {
		list = append(list, p.Sentence)
	}
	return list
}

// Edited returns the text of a draft's story with other sentences. get returns the sentence with a
// name, or false if it stays. A sentence that was not changed keeps its placeholders.
func (d Draft) Edited(get func(name string) (string, bool)) string {
	s, changed := d.Story, false
	s.Steps = slices.Clone(s.Steps)
	for _, p := range s.places(d.Result) {
		typed, ok := get(p.Name())
		if typed = tidy(typed, p.Part); !ok || typed == tidy(p.Text, p.Part) {
			continue
		}
		if !p.fixed {
			typed = p.values.Restore(typed)
		}
		*p.at, changed = typed, true
	}
	if d.Source != "" && !changed {
		return d.Source
	}
	return s.YAML()
}

// tidy makes one line of a text, unless it is a note.
func tidy(s string, part Part) string {
	if part == NotePart {
		return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
	}
	return strings.Join(strings.Fields(s), " ")
}
