package picture

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// bubble has your words to the client in a Call, or the client's words to you
// in a Reply. It stands between the first two lanes, at the height of the
// Step's arrow, and points at the lane of the speaker.
type bubble struct {
	box   box
	tail  float64 // y of its tip
	yours bool
	lines []label
}

// Measures of a bubble, in user units.
const (
	bubblePad    = 6.0
	bubbleLeast  = 3.0 // of it beside a word that would not fit otherwise
	bubbleLine   = 14.0
	bubbleTail   = 7.0
	bubbleCorner = 4.0 // and half the width of the tail
	bubbleGap    = 3.0 // between the bubbles of two rows, half of it on each side
)

// placeSpeech places the bubble of a Step and makes its row tall enough.
func (l plan) placeSpeech(r *row) {
	if r.Speech == "" || len(l.lanes) <= client {
		return
	}
	left, right := l.lanes[you]+clearance, l.lanes[client]-clearance
	b := bubble{yours: r.Kind == Call}
	pad := bubblePad
	room := right - left - bubbleTail - 2*pad
	if room < 40 {
		return // many lanes on a narrow page; the answers are in the labels too
	}
	if least := room + 2*(pad-bubbleLeast); longest(r.Speech) > room {
		pad, room = bubbleLeast, least // rather than to break a word
	}
	most := 3
	if l.width > NarrowWidth {
		most = 2
	}
	lines := wrap(r.Speech, labelSize, room, most)
	width := 0.0
	for _, line := range lines {
		width = max(width, textWidth(line, labelSize))
	}
	b.box = box{w: width + 2*pad, h: float64(len(lines))*bubbleLine + 2*bubblePad - 2}
	b.box.x = right - bubbleTail - b.box.w
	if b.yours {
		b.box.x = left + bubbleTail
	}
	b.box.y = max(r.top+bubbleGap, min(r.y-b.box.h/2, r.bottom-bubbleGap-b.box.h))
	r.bottom = max(r.bottom, b.box.bottom()+bubbleGap)
	b.tail = min(max(r.y, b.box.y+2*bubbleCorner), b.box.bottom()-2*bubbleCorner)
	for i, line := range lines {
		y := b.box.y + bubblePad + 10 + float64(i)*bubbleLine
		b.lines = append(b.lines, centred("pic-said", b.box.x+b.box.w/2, y, line, labelSize))
	}
	r.bubble = b
}

// speechRoom is how far the first two lanes are apart if no bubble between them
// breaks a word.
func (p Picture) speechRoom() float64 {
	longest := 0.0
	for _, s := range p.Steps {
		for word := range strings.FieldsSeq(s.Speech) {
			longest = max(longest, textWidth(word, labelSize))
		}
	}
	if longest == 0 {
		return 0
	}
	return longest + bubbleTail + 2*bubblePad + 2*clearance
}

// draw draws a bubble; nothing if it has no words.
func (b bubble) draw(c canvas) {
	if len(b.lines) == 0 {
		return
	}
	class := "pic-asks"
	if b.yours {
		class = "pic-answers"
	}
	c.path(class, b.outline())
	for _, line := range b.lines {
		line.draw(c)
	}
}

// outline is the bubble's shape: a box without corners, and its tail.
func (b bubble) outline() path {
	x, y, right, bottom := b.box.x, b.box.y, b.box.right(), b.box.bottom()
	points := []point{{x + bubbleCorner, y}, {right - bubbleCorner, y}, {right, y + bubbleCorner}}
	if !b.yours {
		points = append(points, point{right, b.tail - bubbleCorner}, point{right + bubbleTail, b.tail},
			point{right, b.tail + bubbleCorner})
	}
	points = append(points, point{right, bottom - bubbleCorner}, point{right - bubbleCorner, bottom},
		point{x + bubbleCorner, bottom}, point{x, bottom - bubbleCorner})
	if b.yours {
		points = append(points, point{x, b.tail + bubbleCorner}, point{x - bubbleTail, b.tail},
			point{x, b.tail - bubbleCorner})
	}
	points = append(points, point{x, y + bubbleCorner})
	return path{{points, true}}
}

// asked returns the server's questions as the client asks you them: the last
// sentence of the first, and how many more there are.
func asked(questions []playground.Question) string {
	if len(questions) == 0 {
		return ""
	}
	first, _ := questionText(questions[0])
	first = lastSentence(first)
	if n := len(questions) - 1; n > 0 {
		return fmt.Sprintf("%s (and %d more)", first, n)
	}
	return first
}

// lastSentence returns the last sentence of a message, which often explains
// itself before it asks.
func lastSentence(message string) string {
	if i := strings.LastIndex(strings.TrimRight(message, ".?! "), ". "); i >= 0 {
		return message[i+2:]
	}
	return message
}

// answered returns your answers as you give them to the client.
func answered(answers []playground.Answer) string {
	words := make([]string, len(answers))
	for i, a := range answers {
		words[i] = answerText(a, false)
	}
	return strings.Join(words, ", ")
}

// resultText returns the text of a result for the client's words to the user.
func resultText(r playground.Round) string {
	return visible(r.Final.At("content", "0", "text").Str())
}
