package picture

// DefaultWidth is the width of a Picture in user units, about its width in
// pixels beside a form on a desktop. NarrowWidth is for a phone.
const (
	DefaultWidth = 560
	NarrowWidth  = 360
)

// Options say how an Exchange is drawn.
type Options struct {
	Current     int                    // Round to mark; 0 marks none
	Link        func(round int) string // address of a Round; nil draws no links
	Instances   []Instance             // instances of a sample known beforehand; else those of the Target's URL
	Width       int                    // in user units; 0 means DefaultWidth
	ID          string                 // prefix of the ids of title and description; needed only for a second Picture on a page
	HideAnswers bool                   // show that you answered, not what
}

// Picture is a sequence diagram as data.
type Picture struct {
	Title   string
	Lanes   []Lane
	Steps   []Step
	Current int
	Link    func(round int) string
	Width   int
	ID      string
	Dense   bool // rows closer together, so that letters can be larger: for a projector
}

// Lane is one participant, drawn as a vertical line under its name.
type Lane struct {
	Name, Note string
}

// Kind tells what a Step is.
type Kind string

// Kinds of steps. Call goes towards the server and is solid and blue, Reply
// comes back and is dashed and amber, Notice is a Reply's lesser kin. Pause is
// time in which you thought, Now the place where the Exchange stands, Change
// what happened to the instance of a lane.
const (
	Call   Kind = "call"
	Reply  Kind = "reply"
	Notice Kind = "notice"
	Pause  Kind = "pause"
	Now    Kind = "now"
	Change Kind = "change"
)

// Mark is the shape that says how a Step ended.
type Mark string

// Marks: a tick, a cross beside the label, and a cross on an arrow that never
// arrived.
const (
	NoMark Mark = ""
	Done   Mark = "done"
	Wrong  Mark = "wrong"
	Broken Mark = "broken"
)

// Step is one row of a Picture.
type Step struct {
	Kind     Kind
	Round    int    // the Round it belongs to; 0 for none
	From, To int    // lanes, as positions in Picture.Lanes
	Via      int    // lane that passed the Step on; 0 for none, as the first lane never does
	Label    string // short, drawn above the arrow
	State    string // words for the requestState that travels along; empty for none
	Mark     Mark
	Sentence string // the same in plain words, for Text
}

// Text is the Picture in words: one plain sentence per Step.
func (p Picture) Text() []string {
	lines := make([]string, 0, len(p.Steps))
	for _, s := range p.Steps {
		lines = append(lines, s.Sentence)
	}
	return lines
}

func (p Picture) width() float64 {
	if p.Width <= 0 {
		return DefaultWidth
	}
	return float64(max(p.Width, 240))
}
