package exchange

import (
	"fmt"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	questionview "github.com/mrtr-playground/mrtr-playground/views/question"
	resultview "github.com/mrtr-playground/mrtr-playground/views/result"
	signinview "github.com/mrtr-playground/mrtr-playground/views/signin"
	stateview "github.com/mrtr-playground/mrtr-playground/views/state"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Exchange is the page of one call.
type Exchange struct {
	Capture     string // page of the capture that recorded it; empty for none
	captureLive string // address of its events
	foreign     bool   // a foreign client makes the call

	ID, Heading, Target, TargetPath string
	Session                         string            // of the exchange; empty if it can't be shared
	Lesson                          *paths.LessonLink // that started it; nil for most
	Status                          playground.Status
	Standing                        standing.Standing
	Ribbon                          []Step
	More                            bool // another Round may follow
	Narration                       string
	Hidden                          string // warns of characters that are not seen in the Round; else empty
	EraNote                         string // limits of a legacy server
	Imported                        bool   // the recording came from a file or a link
	picture                         func() picture.Picture
	whole                           *picture.Picture // of a call that has ended, in its place; else nil
	Fold                            Fold
	openPath                        string // opens the stage
	targetURL                       string
	Stale                           *prose.Sentence // the form that was sent was out of date; nil for most
	Now                             Now
	Finish                          *Finish        // of a call that ended with a result
	Ended                           *Ended         // of a call that has ended, on an earlier Round
	Shown                           int            // Round on the page
	Newest                          int            // the newest Round
	Tabs                            selection.Tabs // of the panels; the content of the open one follows
	EditPath                        string         // edits the request of editRound; may be empty
	editRound                       int            // Shown, or an earlier one if the client sent that
	callPath                        string         // form of the call, filled in; empty if there is none
	rerunPath, savePath, demoPath   string         // of the call; empty for readers
	recorded                        string         // id of the call, if it has ended; empty for readers
	served                          string         // id of the call, if it has ended and can be served again
	expectPath                      string         // of a call that has ended; empty for readers
	flowPath                        string         // of the flow that is called; empty if it is none
	curlPath                        string         // the request as a curl command; may be empty
	Wire                            wireview.Panel
	Exact                           wireview.Panel    // Wire with the exact bytes; of Input.Every
	Messages                        wireview.Messages // of all Rounds; of Input.Every
	State                           stateview.Panel
	Verdicts                        standing.Verdicts // of Rules, and counted on its tab
	Timing                          timingPanel
	Lab                             *Lab               // experiments; nil if nothing can be sent
	Branch                          *BranchNote        // origin of a branch; nil for others
	Tree                            *boardview.Tree    // branches of the call; nil if there are none
	Events                          int                // how many events of the log the page shows
	Links                           []layout.ShareLine // of the user, to the session
	Redacted                        bool               // the URL of the server is not known whole
}

// sharePath returns the address of the page that shares the exchange as it is
// shown.
func (x Exchange) sharePath() string {
	s := x.Tabs.Selection
	if s.Panel == selection.PanelLab {
		s.Panel = ""
	}
	return selection.Selection{Round: x.Shown, Panel: s.Panel}.At("/sessions/"+x.Session+"/share",
		url.Values{"x": {x.ID}})
}

// evidence names the drawer.
func (x Exchange) evidence() string {
	if x.Shown == 0 {
		return "Evidence"
	}
	return fmt.Sprintf("Evidence of round %d", x.Shown)
}

// Place returns the attributes that name the shown Round, panel and message for
// the script.
func (x Exchange) Place() templ.OrderedAttributes {
	list := templ.OrderedAttributes{
		templ.KV[string, any]("data-shown", fmt.Sprint(x.Shown)),
		templ.KV[string, any]("data-panel", string(x.Tabs.Selection.Open())),
		templ.KV[string, any]("data-newest", fmt.Sprint(x.Newest)),
	}
	if m := x.Tabs.Selection.Message; m != "" {
		list = append(list, templ.KV[string, any]("data-message", fmt.Sprintf("%d.%s", x.Shown, m)))
	}
	return list
}

// diagram returns the sequence diagram. There is none before the first Round.
func (x Exchange) diagram() picture.Picture {
	if x.picture == nil {
		return picture.Picture{}
	}
	return x.picture()
}

// SplitPicture returns the picture beside the question or the result as two SVG
// images, of which the first has the names of the lanes.
func (x Exchange) SplitPicture() string { return string(x.beside().Split()) }

// NarrowBeside returns the same picture for a phone.
func (x Exchange) NarrowBeside() string { return string(x.beside().Narrow().SVG()) }

// BriefPicture returns the picture of a folded stage, as SVG. It is empty if
// nothing is known of the Round.
func (x Exchange) BriefPicture() string {
	brief := x.beside().Round(x.Shown)
	if len(brief.Steps) == 0 {
		return ""
	}
	brief.Width, brief.Title = picture.NarrowWidth, "" // the whole picture has the words
	return string(brief.SVG())
}

// beside returns the picture beside the question or the result: that of a call
// that has ended is more compact than the sequence diagram.
func (x Exchange) beside() picture.Picture {
	if x.whole != nil {
		return *x.whole
	}
	return x.diagram()
}

// NarrowPicture returns the sequence diagram for a phone, as SVG.
func (x Exchange) NarrowPicture() string { return string(x.diagram().Narrow().SVG()) }

// Parameter returns a parameter of the server's URL, or "".
func (x Exchange) Parameter(name string) string {
	u, err := url.Parse(x.targetURL)
	if err != nil {
		return ""
	}
	return u.Query().Get(name)
}

// PictureText returns the sequence diagram in words.
func (x Exchange) PictureText() []string { return x.diagram().Text() }

// Mermaid returns the sequence diagram as text for documents.
func (x Exchange) Mermaid() string { return x.diagram().Mermaid() }

// Said returns the words for a screen reader when it changes: how the newest
// Round stands, and the call.
func (x Exchange) Said() string {
	if len(x.Ribbon) == 0 {
		return text.AsSentence(x.Standing.Word)
	}
	last := x.Ribbon[len(x.Ribbon)-1]
	words := fmt.Sprintf("Round %d: %s", last.N, last.Standing.Word)
	if x.Standing.Word != last.Standing.Word {
		words += ", " + x.Standing.Word
	}
	return words + "."
}

// Live returns the address of the page's event stream while the call or its
// experiments run, else "".
func (x Exchange) Live() string {
	if x.foreign {
		return x.captureLive
	}
	if x.Status != playground.StatusRunning {
		return x.labLive()
	}
	return paths.Events("/x/"+x.ID, x.Events)
}

// labLive returns the address of the event stream of the open Lab while all
// experiments are being run, else "".
func (x Exchange) labLive() string {
	if x.Lab == nil {
		return ""
	}
	return x.Lab.Board.Live()
}

// Step is a Round in the ribbon.
type Step struct {
	N        int
	Path     string
	Standing standing.Standing // the outcome and the answers; with a glyph if it is an end
	Current  bool
	Rel      string // prev, next or empty, seen from the current one
	Outcome  playground.OutcomeKind
	Class    string // of the failure; empty for none
	Method   string // of the request
	IsError  bool   // the tool reported an error
}

// Now is the part beside the diagram, for the shown Round. Exactly one of its
// parts is set, apart from Stop and SignedOut.
type Now struct {
	Form    *answerForm
	Asked   *Asked
	Result  *resultview.Result
	Failed  *Failed
	Running *Running
	Task    *Task
	Stop    *Stop // beside any of them

	SignedOut *SignedOut // before a Round without a form; nil if the call can go on
}

// Asked is a Round that was answered.
type Asked struct {
	Foreign   bool // a foreign client answers
	Waits     bool // for its client
	Who       string
	Questions []askedQuestion
	OpenPath  string // newest Round; empty if another line leads there
}

// askedQuestion is one question of an answered Round with its answer.
type askedQuestion struct {
	Key, Message, Answer string
}

// Failed is a Round without a usable response.
type Failed struct {
	Sentence    prose.Sentence
	Detail      string
	Links       []questionview.Link // addresses that the server asks the user to open
	SignIn      *signinview.Offer   // nil if a sign-in does not help
	ResendPath  string              // empty if the request cannot be sent again
	Round       int
	Interrupted bool
	Problem     *prose.Sentence // why it was not sent again; nil if that was not refused
	Judged      bool            // the page opens with the verdict of an experiment on it
	Back        string          // as in Input
	Ending      narrate.Ending
	LastLine    string  // of the standard error of a command; may be empty
	Broken      *Broken // where the response violates the protocol; nil if it does not
}

// bad reports whether something failed. An end by the user, and an unknown one,
// is neither good nor bad.
func (f Failed) bad() bool { return f.Ending == narrate.Bad || f.Ending == narrate.NoEnding }

// Running is a request without a response yet.
type Running struct {
	CancelPath string
	Back       string // as in Input
	Since      time.Time
	Progress   []Progress
}

// Progress is one progress notification. Value and Total are JSON numbers as
// they came; Total may be empty.
type Progress struct{ Value, Total, Text string }

// Words returns the notification as one line.
func (p Progress) Words() string {
	words := p.Value
	if p.Total != "" {
		words += " of " + p.Total
	}
	if p.Text != "" {
		words += ": " + p.Text
	}
	return words
}

// newRibbon returns the steps of the ribbon. Round shown is the current one.
func newRibbon(in Input, f playground.Transcript, shown int) []Step {
	steps := make([]Step, len(f.Rounds))
	for i, r := range f.Rounds {
		steps[i] = Step{
			N: r.N, Path: in.roundPath(r.N), Current: r.N == shown,
			Standing: stepStanding(in.narration(f, i)),
			Outcome:  r.Kind, Class: string(r.Class), IsError: r.IsError,
			Method: text.Visible(r.Method, text.NoLimit),
		}
		switch r.N {
		case shown - 1:
			steps[i].Rel = "prev"
		case shown + 1:
			steps[i].Rel = "next"
		}
	}
	return steps
}

// stepStanding returns the action of a Round and, once answered, the answer.
func stepStanding(n narrate.Narration) standing.Standing {
	if n.Answer != "" {
		return standing.EndingAs(n.Ending, n.Label+" → "+n.Answer)
	}
	return standing.EndingAs(n.Ending, n.Label)
}

// NewAsked returns the questions of an answered Round with their answers.
func NewAsked(x playground.Exchange, f playground.Transcript, i int) *Asked {
	r := f.Rounds[i]
	a := &Asked{Who: x.Target.Name, OpenPath: "/x/" + x.ID, Foreign: f.Foreign()}
	answers := map[string]playground.Answer{}
	if i+1 < len(f.Rounds) {
		for _, answer := range f.Rounds[i+1].Answers() {
			answers[answer.Key] = answer
		}
	}
	for _, q := range r.Questions {
		line := askedQuestion{Key: text.Visible(q.Label(), 80), Message: narrate.Question(q)}
		if answer, ok := answers[q.Key]; ok {
			line.Answer = narrate.Answer(answer)
		}
		a.Questions = append(a.Questions, line)
	}
	return a
}

func (a Asked) answerWords() string {
	if a.Foreign {
		return "The client's answer:"
	}
	return "Your answer:"
}

func (a Asked) noneWords() string {
	if a.Waits {
		return "Nothing was asked. The client is to send the call again."
	}
	return "Nothing was asked. The call was sent again."
}

// Offer makes the sentences say that a sign-in is missing. The exact words of
// the server are beside them.
func (f *Failed) Offer(o *signinview.Offer) {
	f.SignIn, f.Detail, f.Sentence = o, "", o.Asks(f.Sentence)
	f.Ending = narrate.Neutral // a challenge is no failure
}
