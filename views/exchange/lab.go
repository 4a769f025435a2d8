package exchange

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	labview "github.com/mrtr-playground/mrtr-playground/views/lab"
)

// Lab is the panel of experiments, which can be run from a Round.
type Lab struct {
	Path, RerunPath string
	Round           int  // that a branch continues from; 0 is before the first
	Answers         bool // a branch can answer the Round differently
	Expired         bool // its state has expired
	Sample          bool
	Mode            string          // of a sample: how its state is protected
	EditPath        string          // of the editor for the request that follows the shown Round
	Board           boardview.Board // only where the panel is open
}

// newLab returns the experiments on the request that answers a Round. For a
// Round that cannot be answered they change the request of the Round itself.
func newLab(in Input, f playground.Transcript, i int) *Lab {
	x, r := in.Exchange, f.Rounds[i]
	if in.Lab == nil || r.Legacy {
		return nil
	}
	l := &Lab{
		Path: "/x/" + x.ID + "/branches", RerunPath: "/x/" + x.ID + "/rerun",
		Sample: x.Target.Sample != "", Mode: protection(x.Target), EditPath: paths.Edit(x.ID, r.N),
	}
	var from playground.Round
	switch {
	case r.Branchable():
		from = r
	case i > 0 && f.Rounds[i-1].Branchable():
		from = f.Rounds[i-1]
	}
	l.Round, l.Answers = from.N, len(from.Questions) > 0
	l.Expired = from.State != nil && in.Lab.Expired != nil && in.Lab.Expired(from)
	if in.Selection.Open() == selection.PanelLab {
		l.Board = newLabBoard(in, l.Round)
	}
	return l
}

// protection returns how a sample protects its state, read from its URL.
func protection(t playground.Target) string {
	u, err := url.Parse(t.URL)
	if err != nil || t.Sample == "" {
		return ""
	}
	if mode := u.Query().Get("state"); mode != "" {
		return mode
	}
	return string(lab.Sealed)
}

// BranchNote describes the origin of a branch and the result of its experiment.
type BranchNote struct {
	Round       int         // it continues from
	Original    string      // address of the Round there; empty for a call of a check, which is no branch
	Compare     string      // with the original; or empty
	Report      string      // address of the experiment in the report; or empty
	Tried       *lab.Result // nil without an experiment
	Edited      *editedNote // the request was edited by hand; else nil
	Fresh       bool        // it continues from a fresh run, because the recorded state had expired
	Placeholder bool        // the original had no answers, so placeholder answers were sent
	Unsent      bool        // the call ended without the changed request
	Expected    string      // that a sample behaved as designed; else empty
}

func newBranchNote(in Input) *BranchNote {
	x := in.Exchange
	if in.Lab == nil || x.Origin == nil && x.Experiment() == "" {
		return recordedBranch(in)
	}
	b := &BranchNote{}
	if x.Origin != nil {
		b.Round, b.Original = x.Origin.Round, "/x/"+x.Origin.Exchange
		b.Compare = "/compare?" + url.Values{"a": {x.Origin.Exchange}, "b": {x.ID}}.Encode()
	}
	if b.Round > 0 {
		b.Original = paths.Round(x.Origin.Exchange, b.Round)
	}
	tried, ok := lab.NewJudge(in.Lab.Session).Branch(x)
	if !ok {
		return b
	}
	if b.Tried = &tried; x.Session != "" && tried.ID != lab.EditedID {
		b.Report = paths.Check(x.Target.ID, x.Session) + "#" + tried.ID
	}
	if tried.ID == lab.EditedID {
		b.Edited = newEditedNote(x, in.Lab.Session)
		b.Edited.Again = in.editAgainPath()
	}
	b.Unsent = !tried.Ended() && in.Transcript.Status != playground.StatusRunning
	if x.Origin != nil && b.Round == 0 {
		b.Placeholder = hasOtherAnswers(in.Transcript, original(x, in.Lab.Session))
	}
	if b.Round > 0 && x.Origin.Parent != nil {
		parent := x.Origin.Parent
		b.Fresh = parent.Origin != nil && parent.Origin.Round == 0
		b.Placeholder = len(parent.Fold().Answers()) == 0 || parent.Fold().Round(b.Round+1) == nil
	}
	mode := lab.Protection(protection(x.Target))
	if tried.Ended() && x.Target.Sample != "" && b.Edited == nil &&
		tried.Experiment.Expected(mode, in.Lab.OnceOnly) == tried.Reaction {
		b.Expected = expectedWords(tried.Experiment, mode)
	}
	return b
}

// editAgainPath returns where the request that was edited by hand can be edited
// again, with the same changes, or "".
func (in Input) editAgainPath() string {
	f := in.Transcript
	i := slices.IndexFunc(f.Rounds, func(r playground.Round) bool {
		_, ok := lab.EditedRequest(f, r.N)
		return ok && !in.Exchange.Inherits(r.N)
	})
	if i < 0 {
		return ""
	}
	path, _ := in.editPath(f, i)
	return path
}

// recordedBranch returns the note for a reader of a recorded experiment, or nil
// for other exchanges.
func recordedBranch(in Input) *BranchNote {
	if in.Recording == nil || in.Exchange.Origin == nil && in.Verdict == nil {
		return nil
	}
	tried, ok := lab.NewJudge(in.Recording).Branch(in.Exchange)
	if !ok {
		return nil
	}
	if v := in.Verdict; v != nil && tried.Ended() {
		tried.Verdict, tried.Text = verdict.Outcome(v.Verdict), text.Visible(v.Text, 600)
	}
	running := in.Transcript.Status == playground.StatusRunning
	b := &BranchNote{Tried: &tried, Unsent: !tried.Ended() && !running}
	if from := in.Exchange.Origin; from != nil {
		b.Round = from.Round
	}
	if tried.ID == lab.EditedID {
		b.Edited = newEditedNote(in.Exchange, in.Recording)
	}
	return b
}

// judged returns the Round that the experiment judges, and how it ended: well
// if the server rejected the change as expected, badly if it accepted a change
// that it must reject.
func (b *BranchNote) judged() picture.Judged {
	if b == nil || b.Tried == nil || !b.Tried.Ended() {
		return picture.Judged{}
	}
	j := picture.Judged{Round: b.Tried.Round.N}
	switch b.Tried.Verdict {
	case verdict.Passed:
		if b.Tried.Reaction == lab.Rejected || b.Tried.Reaction == lab.NoAnswer {
			j.Ending = narrate.Good
		}
	case verdict.Failed:
		j.Ending = narrate.Bad
	case verdict.Advisory:
		j.Ending = narrate.Unknown
	}
	return j
}

// EditedStanding returns the result of a request that was edited by hand,
// without a verdict.
func (b BranchNote) EditedStanding() standing.Standing {
	switch {
	case b.Unsent:
		return standing.Ink("Edited by hand: it was not sent.")
	case !b.Tried.Ended():
		return standing.Running("Edited by hand: no response yet")
	}
	first, _ := splitText(b.Tried.Text)
	return standing.Ink("Edited by hand: " + inSentence(first))
}

// Standing returns the verdict on the experiment.
func (b BranchNote) Standing() standing.Standing {
	tried := *b.Tried
	if !tried.Ended() && !b.Unsent {
		return standing.Running("No response yet")
	}
	s := standing.OfVerdict(tried.Verdict)
	first, _ := splitText(tried.Text)
	switch tried.Verdict {
	case verdict.Passed:
		s.Word = "Passed: " + b.passWords(first)
	case verdict.Failed:
		s.Word = "Failed: " + inSentence(first)
	case verdict.Advisory:
		s.Word = "Advisory: " + inSentence(first)
	default:
		s.Word = first
		if !strings.HasPrefix(first, "Not judged") {
			s.Word = "Not judged: " + inSentence(first)
		}
	}
	return s
}

// passWords says how the server passed, and by which keyword it had to.
func (b BranchNote) passWords(first string) string {
	must := ", as it " + strings.ToLower(string(b.Tried.Level)) + "."
	switch b.Tried.Reaction {
	case lab.Rejected:
		return fmt.Sprintf("the server rejected the changed request (%s)%s",
			responseWords(b.Tried.Round), must)
	case lab.AskedAgain:
		return "the server asked again" + must
	}
	return inSentence(first)
}

// Result returns the response, in one or two sentences.
func (b BranchNote) Result() string {
	switch {
	case b.Unsent:
		return "The changed request was not sent."
	case !b.Tried.Ended():
		return "No response yet."
	}
	words := fmt.Sprintf("%s (%s).", standing.ReactionWords(b.Tried.Reaction), responseWords(b.Tried.Round))
	if _, rest := splitText(b.Tried.Text); rest != "" && b.Tried.Verdict != verdict.Passed {
		words += " " + rest
	}
	return words
}

// responseWords returns a response in a few words: "HTTP 400, error -32602".
func responseWords(r playground.Round) string {
	words := narrate.Response(r)
	if r.Kind == playground.OutcomeRPCError {
		words = fmt.Sprintf("HTTP %d, %s", r.Head.Status, words)
	}
	return words
}

// maxHeadline is how long the text of a verdict may be to be a heading as a
// whole, in bytes.
const maxHeadline = 140

// splitText returns the part of a text that fits a heading, which is at least its
// first sentence, and the rest.
func splitText(s string) (first, rest string) {
	s = strings.TrimSpace(text.Visible(s, 600))
	if len(s) <= maxHeadline {
		return s, ""
	}
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1], s[i+2:]
	}
	return s, ""
}

// inSentence returns a sentence as the part after a colon.
func inSentence(s string) string {
	if strings.HasPrefix(s, "The ") {
		return "t" + s[1:]
	}
	return s
}

// original returns the exchange that x was made from, or a zero one if it is not
// in the session.
func original(x playground.Exchange, session []playground.Exchange) playground.Exchange {
	for _, other := range session {
		if other.ID == x.Origin.Exchange {
			return other
		}
	}
	return playground.Exchange{}
}

// hasOtherAnswers reports whether a call that was made again answered a question
// that has no answer in the original.
func hasOtherAnswers(f playground.Transcript, original playground.Exchange) bool {
	recorded := original.Fold().Answers()
	for key := range f.Answers() {
		if _, ok := recorded[key]; !ok {
			return true
		}
	}
	return false
}

// expectedWords says that a sample behaved as designed, and whether that
// depends on how its state is protected.
func expectedWords(e lab.Experiment, mode lab.Protection) string {
	if e.Expected(lab.Plain, false) == e.Expected(lab.Sealed, false) {
		return "Expected for this sample."
	}
	return "Expected for this sample with " + string(mode) + " state."
}

// editedNote describes a request that was edited by hand, and the response.
type editedNote struct {
	Changes []labview.ChangedPart
	Again   string // address of the editor with these changes; empty for readers
}

// newEditedNote returns the note on a branch that was made for an edited request.
func newEditedNote(x playground.Exchange, session []playground.Exchange) *editedNote {
	changes, _ := lab.EditedChanges(x, session)
	return &editedNote{Changes: labview.NewChangedParts(changes)}
}
