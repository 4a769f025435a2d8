package exchange

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
)

// timingPanel describes the time that an exchange took.
type timingPanel struct {
	Drawing drawing.Drawing // empty if nothing was sent
	Sum     string          // the whole in one line
	Legend  []legendLine
	Text    []string // the drawing in words
	Trace   string   // id of the trace that the shown Round's request is a span of; empty if none
	Span    string   // id of that span
}

// legendLine explains one fill of the drawing. Key is a picture.Phase or
// "break".
type legendLine struct{ Key, Name, Words string }

// newTimingPanel returns the timing of the Rounds of f, and the trace that Round
// shown was sent in. That Round is marked; link returns the address of a Round and
// may be nil.
func newTimingPanel(f playground.Transcript, shown int, link func(round int) string) timingPanel {
	t := picture.Waterfall(f, picture.Options{Current: shown, Link: link, ID: "timing"})
	p := timingPanel{Sum: t.Sum() + ".", Text: t.Text(), Legend: legendOf(t)}
	if r := f.Round(shown); r != nil {
		trace, _ := r.Trace()
		p.Trace, p.Span = trace.ID, trace.Span
	}
	if len(t.Bars) > 0 {
		p.Drawing = drawing.New("drawn-timing", picture.WideTiming,
			func(width int) []byte { return t.At(width).SVG() })
	}
	return p
}

// legendOf explains the fills that a waterfall has.
func legendOf(t picture.Timing) []legendLine {
	var list []legendLine
	spent := t.Spent()
	for _, phase := range picture.Phases() {
		if _, drawn := spent[phase]; drawn {
			words := phaseWords[phase]
			list = append(list, legendLine{string(phase), words.name, words.meaning})
		}
	}
	if len(t.Paused()) > 0 {
		list = append(list, legendLine{"break", "Break", "a pause, not to scale; the axis leaves it out"})
	}
	return list
}

// phaseWords explains what each Phase is.
var phaseWords = map[picture.Phase]struct{ name, meaning string }{
	picture.Connecting: {"Connecting", "DNS, TCP and TLS, by the client"},
	picture.Waiting: {"Waiting",
		"from the request to the first byte: the server, and the way there and back"},
	picture.Receiving: {"Receiving", "from the first byte to the end"},
	picture.Streaming: {"Streaming", "messages arrive while the server works on"},
	picture.Unsplit:   {"Not split", "the recording has only the whole, or the round is several requests"},
	picture.Polling:   {"Polling", "several polls with the same status, and the intervals between them"},
}
