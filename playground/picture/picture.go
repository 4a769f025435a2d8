// Package picture draws what an Exchange did: a sequence diagram, a waterfall
// of its timings, a share image and a badge, and the diagram as Mermaid text
// and as plain sentences.
//
// Of turns an Exchange into a Picture, which is only data: Lanes (the
// participants) and Steps (arrows, pauses, and the current position). Stage
// does the same for an audience. layout places everything as boxes and lines,
// with estimated text widths, so that a test can prove that no label touches
// another label, an arrow or a lane. The plan is then drawn on a canvas: SVG or
// pixels.
//
// SVG for a page holds no script, no style and no id that could clash with
// another on the page: it names classes, and css/picture.css of package static
// styles them. Standalone SVG, share images and badges take their colours from
// the same style sheets. Text of a server is data: it is cut, escaped, and its
// control characters are made visible.
//
// The package is pure: it reads no clock, file or network.
package picture

import (
	"cmp"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
)

// Widths of a Picture in user units. A page shows DefaultWidth where there are
// as many pixels, and NarrowWidth elsewhere, so that no letter gets smaller
// than 12 pixels.
const (
	DefaultWidth = 560
	NarrowWidth  = 320
)

// Options say how an Exchange is drawn.
type Options struct {
	Current     int                    // Round to mark; 0 marks none
	Link        func(round int) string // address of a Round; nil draws no links
	Messages    func(Message) string   // address of a message; if set, messages are links instead of Rounds
	Selected    Message                // message to mark; the zero value marks none
	Instances   []Instance             // known instances of a sample; nil means those of the Target's URL
	Width       int                    // in user units; 0 means DefaultWidth
	ID          string                 // prefix of ids; needed only for a second Picture on a page
	HideAnswers bool                   // show that you answered, but not the answer
	Judged      Judged                 // the verdict of an experiment; the zero value for none
}

// Judged is the verdict of an experiment on the response of a Round, which its
// arrow shows instead of the words of the response: a rejection can be Good.
type Judged struct {
	Round  int
	Ending narrate.Ending
}

// Side names one of the two messages of a Round.
type Side string

// The two messages of a Round. What arrives in the response's stream belongs to
// the response.
const (
	Request  Side = "request"
	Response Side = "response"
)

// Message is a message of a Round.
type Message struct {
	Round int
	Side  Side
}

// String returns the message as pages name it: "2.request".
func (m Message) String() string { return fmt.Sprintf("%d.%s", m.Round, m.Side) }

// Picture is a sequence diagram as data.
type Picture struct {
	Title    string
	Lanes    []Lane
	Steps    []Step
	Current  int
	Link     func(round int) string
	Messages func(Message) string
	Selected Message
	Width    int
	ID       string
	LeftOut  int  // number of the first steps that are not drawn
	Dense    bool // rows are closer together, so that letters can be larger on a projector
	Brief    bool // a state is a diamond without words, and instances are "a" and "b"
	Height   int  // at least this many user units, so that lanes reach down a slide

	passed []Step // left out without a note, see Compare
	slots  *slots // places of the rows, see Compare; nil to place them freely
}

// Lane is one participant, drawn as a vertical line under its name.
type Lane struct {
	Name, Note string
	Instance   string // name of the instance, if the lane is one: "a" of "Instance a"
}

// Kind is the kind of a Step.
type Kind string

// Kinds of steps.
const (
	Call   Kind = "call"   // arrow towards the server: solid, blue
	Reply  Kind = "reply"  // arrow towards the user: dashed, amber
	Notice Kind = "notice" // notifications: a thinner Reply
	Pause  Kind = "pause"  // time in which you thought
	Now    Kind = "now"    // where the Exchange stands
	Change Kind = "change" // event of the instance of a lane
)

// Mark is the shape that says how a Step ended.
type Mark string

// beside reports whether the shape stands beside the label.
func (m Mark) beside() bool { return m == Done || m == Wrong || m == Neutral }

// onArrow reports whether the shape is the end of an arrow that never arrived.
func (m Mark) onArrow() bool { return m == Broken || m == Cut }

// Marks of steps.
const (
	NoMark  Mark = ""
	Done    Mark = "done"    // a tick beside the label
	Wrong   Mark = "wrong"   // a cross beside the label
	Neutral Mark = "neutral" // a crossed circle beside the label: you declined or cancelled
	Broken  Mark = "broken"  // a cross on an arrow that never arrived
	Cut     Mark = "cut"     // a bar on an arrow that never arrived because the client stopped
)

// Step is one row of a Picture.
type Step struct {
	Kind     Kind
	Round    int    // the Round that it belongs to; 0 for none
	From, To int    // lanes, as positions in Picture.Lanes
	Via      int    // lane that forwarded the Step; 0 for none, because the first lane never forwards
	Label    string // short, drawn above the arrow
	State    string // describes the requestState that the message carries; empty for none
	Mark     Mark
	Message  Message // that the Step shows, or that sends or asks its content; zero for none
	Sentence string  // the Step as a plain sentence, for Text
	Speech   string  // what you or the client say in the same row; on a stage only
}

// Text returns the Picture in words: one plain sentence per Step.
func (p Picture) Text() []string {
	lines := make([]string, 0, len(p.Steps))
	for _, s := range p.Steps {
		lines = append(lines, s.Sentence)
	}
	return lines
}

// Narrow returns the Picture for a phone. Its ids differ, so that both can be
// on one page.
func (p Picture) Narrow() Picture {
	p.Width, p.ID = NarrowWidth, cmp.Or(p.ID, "pic")+"-narrow"
	return p
}

// drawn are the steps that are drawn, after one about the omitted steps.
func (p Picture) drawn() []Step {
	if p.LeftOut == 0 {
		return p.Steps
	}
	label := "round 1 is not shown"
	if last := p.Steps[p.LeftOut-1].Round; last > 1 {
		label = fmt.Sprintf("rounds 1 to %d are not shown", last)
	}
	note := Step{Kind: Pause, From: 0, To: len(p.Lanes) - 1, Label: label}
	return append([]Step{note}, p.Steps[p.LeftOut:]...)
}

func (p Picture) width() float64 {
	if p.Width <= 0 {
		return DefaultWidth
	}
	return float64(max(p.Width, 240))
}
