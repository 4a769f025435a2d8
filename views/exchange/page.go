// Package exchange shows a call: its Rounds as a ribbon, the open form, the
// picture and the panels. New makes the whole page from the log; owner, reader,
// lesson and embedded page take their parts from it, so that none of them
// describes a Round in other words.
package exchange

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/doctor"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	labview "github.com/mrtr-playground/mrtr-playground/views/lab"
	questionview "github.com/mrtr-playground/mrtr-playground/views/question"
	resultview "github.com/mrtr-playground/mrtr-playground/views/result"
	signinview "github.com/mrtr-playground/mrtr-playground/views/signin"
	stateview "github.com/mrtr-playground/mrtr-playground/views/state"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Input has the parts that New needs.
type Input struct {
	Exchange   playground.Exchange
	Transcript playground.Transcript // of Exchange
	Selection  selection.Selection
	// the open Round's questions as filled in; empty means its defaults
	Draft   question.Draft
	Problem *prose.Sentence // why the form was not sent, besides its answers
	// Round whose form was sent too late, or -1 if unknown; 0 for none
	Stale     int
	Next      *wire.Request                 // the request that would be sent; nil when it cannot be built yet
	Instance  string                        // server instance chosen for the next request
	Instances string                        // topology of a sample: "a:v1,b:v1"
	Explain   func(string) seal.Explanation // the sample's view of a state; nil for foreign servers
	Address   selection.Address             // of the page; nil means that of the exchange
	// returns where the bodies of an exchange are; nil means at the exchange
	Frames func(exchange string) wireview.FramePath
	// set for a reader of a recording: the exchanges of the recorded session
	Recording []playground.Exchange
	Verdict   *share.Verdict    // of a shared experiment, as its owner saw it; nil for others
	Back      string            // where the form leads to; empty means the exchange
	Lesson    *paths.LessonLink // the lesson it was started in; nil for others
	SignIn    *signinview.Offer // nil if a sign-in does not help
	SignedOut *SignedOut        // nil if nothing is missing that the call was sent with
	Lab       *labview.Input    // nil if nothing can be sent
	Command   server.Command    // that the server is; zero for others
	Capture   string            // page of the capture that recorded it; empty for none
	Live      string            // address of the events of that capture
	Flow      string            // page that leads to the flow that is called; empty if it is none
	Every     bool              // every panel is made, and not only the open one

	opens bool // links to Rounds open the stage
}

// New returns the page of one call, or false if there is no such Round.
func New(in Input) (Exchange, bool) {
	x, f := in.Exchange, in.Transcript
	in.Address = in.address()
	out := Exchange{
		ID: x.ID, Session: x.Session, Heading: text.Visible(prose.Heading(x.Call), 80),
		Target:     text.Visible(x.Target.Name, 80),
		targetURL:  x.Target.URL,
		TargetPath: paths.Server(x.Target), Status: f.Status, Standing: standing.Of(f), Lesson: in.Lesson,
		Branch: newBranchNote(in), Events: playground.Progress(x.Log),
	}
	out.Imported, out.Redacted = x.Imported, share.IsRedacted(x)
	out.Capture, out.captureLive, out.foreign = in.Capture, in.Live, f.Foreign()
	out.Tabs = selection.Tabs{Selection: in.Selection, Address: in.Address}
	if len(f.Rounds) == 0 {
		return out, in.Selection.Round == 0
	}
	out.Newest = f.Last().N
	out.Shown = cmp.Or(in.Selection.Round, out.Newest)
	i := slices.IndexFunc(f.Rounds, func(r playground.Round) bool { return r.N == out.Shown })
	if i < 0 {
		return out, false
	}
	if !in.Every {
		out.Fold, out.openPath = in.foldAt(in.Selection, f, out.Shown), in.openPath(out.Shown)
	}
	in.opens = in.Selection.Stage || out.Fold != Unfolded
	out.Ribbon = newRibbon(in, f, out.Shown)
	out.More = f.Last().Open() && f.Status == playground.StatusWaiting
	out.Now = newNow(in, f, i)
	if out.Now.Failed == nil { // which says it all
		out.Narration = in.narration(f, i).Sentence
		if out.Now.Task != nil {
			out.Now.Task.onceToldBy(out.Narration, f.Rounds[i])
		}
	}
	if out.Hidden = server.HiddenInRound(f.Rounds[i]); out.Now.Form != nil {
		out.Hidden = server.HiddenBesideQuestions(f.Rounds[i]) // the form warns of its questions
	}
	out.EraNote = eraNote(f)
	out.Stale = newStale(in.Stale, f)
	out.Lab = newLab(in, f, i)
	if in.Lab != nil && len(in.Lab.Rows) > 1 {
		tree := boardview.NewTree(in.Lab.Rows, in.Lab.Showed, x.ID)
		out.Tree = &tree
	}
	out.draw(in, f)
	judged := standing.RoundsOf(f, out.Shown, in.panelPath(selection.PanelRules))
	out.Verdicts = standing.NewVerdicts(rules.JudgeFolded(x, f), judged).OnPurpose(f)
	out.Verdicts.OnLines = x.Target.IsCommand()
	if failed := out.Now.Failed; failed != nil {
		issues := out.Verdicts.OfRound(out.Shown)
		failed.Broken = newBroken(f.Rounds[i], issues)
		failed.blame(issues)
	}
	if out.Branch != nil && out.Branch.Tried != nil {
		out.judge(*out.Branch)
	}
	out.EditPath, out.editRound = in.editPath(f, i)
	out.callPath = in.againPath()
	if in.Lab != nil {
		out.rerunPath, out.savePath = "/x/"+in.Exchange.ID+"/rerun", "/saved?exchange="+in.Exchange.ID
	}
	if in.Exchange.Session != "" {
		out.demoPath = paths.NewStory("exchange", in.Exchange.ID, "")
		out.flowPath = in.Flow
		if last := f.Last(); last != nil && f.Status.Ended() && last.Result != nil {
			out.recorded = in.Exchange.ID
		}
		if f.Status.Ended() && in.Back == "" {
			out.expectPath, out.served = "/x/"+in.Exchange.ID+"/expectation", in.Exchange.ID
		}
	}
	out.curlPath = in.curlPath(f.Rounds[i])
	out.finish(in, f)
	out.signInNeeded(f)
	out.end(in, f)
	out.openPanel(in, f, i)
	return out, true
}

// draw makes the picture of the whole of a call that has ended, and the sequence
// diagram once something shows it.
func (out *Exchange) draw(in Input, f playground.Transcript) {
	selected := picture.Message{Round: out.Shown, Side: in.Selection.Message}
	instances, judged := picture.ParseInstances(in.Instances), out.judgedRound(f)
	if f.Status.Ended() && out.Shown == out.Newest {
		whole := picture.Stage(in.Exchange, f, picture.StageOptions{
			Instances: instances, Events: picture.EventsOf(in.Exchange, f), Messages: in.messagePath(f),
			Selected: selected, Judged: judged, ID: "whole",
		})
		out.whole = &whole
	}
	out.picture = sync.OnceValue(func() picture.Picture {
		return picture.Of(in.Exchange, f, picture.Options{
			Current: out.Shown, Instances: instances, Link: in.roundPath, Messages: in.messagePath(f),
			Selected: selected, Judged: judged,
		})
	})
}

// judgedRound returns the Round whose response means something else than it
// says: that of an experiment, or a challenge that a sign-in answers.
func (out Exchange) judgedRound(f playground.Transcript) picture.Judged {
	if out.Now.Failed != nil && out.Now.Failed.SignIn != nil {
		return picture.Judged{Round: f.Last().N, Ending: narrate.Unknown}
	}
	return out.Branch.judged()
}

// signInNeeded shows a call that a sign-in can continue as one that waits for
// the user.
func (out *Exchange) signInNeeded(f playground.Transcript) {
	if out.Now.Failed == nil || out.Now.Failed.SignIn == nil || f.Status != playground.StatusFailed {
		return
	}
	out.Standing = standing.SignIn
	last := &out.Ribbon[len(out.Ribbon)-1].Standing
	*last = standing.Waiting(last.Word)
}

// openPanel makes the content of the open panel for Round i.
func (out *Exchange) openPanel(in Input, f playground.Transcript, i int) {
	r, open := f.Rounds[i], in.Selection.Open()
	if in.Every || open == selection.PanelWire {
		wire := wireview.Input{
			Transcript: f, Index: i, Selection: in.Selection, Address: in.Address,
			Frames: in.frames(in.Exchange.At(r.N).Exchange),
			Curl:   wireview.CurlOf(r.Request, in.Exchange.Target),
			Issues: out.Verdicts.OfRound(r.N), Stderr: wireview.NewStderr(in.Command, f, in.Exchange.Created),
			Follow: in.Command.URL != "" && f.Status == playground.StatusRunning, Unlisted: in.Every,
		}
		out.Wire = wireview.NewPanel(wire)
		if in.Every {
			out.Messages = wireview.NewMessages(wire)
			wire.Selection.Exact = true
			out.Exact = wireview.NewPanel(wire).Beside("-exact")
		}
	}
	if in.Every || open == selection.PanelState {
		out.State = stateview.NewPanel(f, i, in.Explain)
		if out.State.Exists && in.Recording == nil {
			out.State.Bench = paths.StateOf(in.Exchange.ID, out.State.Round)
		}
	}
	if in.Every || open == selection.PanelTiming {
		out.Timing = newTimingPanel(f, out.Shown, in.panelPath(selection.PanelTiming))
	}
}

// newStale returns the note that the form of Round n was sent too late. It
// returns nil if n is 0.
func newStale(n int, f playground.Transcript) *prose.Sentence {
	if n == 0 {
		return nil
	}
	why := "The form was out of date."
	if f.Round(n) != nil {
		why = fmt.Sprintf("Round %d was no longer open when the form arrived.", n)
	}
	s := prose.SentenceCode("stale", "Nothing was sent.", why+" This is the call as it is now.")
	return &s
}

// judge shows a Round that an experiment judges by its meaning, which differs
// from that of the response: a rejection can be a success. The page opens with
// the verdict, so that the response is only mentioned.
func (out *Exchange) judge(b BranchNote) {
	out.Standing = out.Standing.Judged(*b.Tried, out.Status)
	j := b.judged()
	for i, step := range out.Ribbon {
		if step.N == j.Round && j.Ending != narrate.NoEnding {
			out.Ribbon[i].Standing = standing.EndingAs(j.Ending, step.Standing.Word)
		}
	}
	if j.Round == 0 || out.Shown != j.Round {
		return
	}
	if out.Now.Failed != nil {
		out.Now.Failed.Judged = true
	}
	if out.Now.Result != nil {
		out.Now.Result.Judged, out.Narration = true, ""
	}
}

// narration describes Round i for the person who looks at the page.
func (in Input) narration(f playground.Transcript, i int) narrate.Narration {
	if in.Recording != nil {
		return narrate.Recorded(in.Exchange.Target, f, i)
	}
	return narrate.Round(in.Exchange.Target, f, i)
}

// frames returns where the bodies of an exchange are, which may be one that the
// shown exchange continues.
func (in Input) frames(exchange string) wireview.FramePath {
	if in.Frames != nil {
		return in.Frames(exchange)
	}
	return wireview.FramesAt("/x/"+exchange, "")
}

// address returns the addresses of the page.
func (in Input) address() selection.Address {
	if in.Address != nil {
		return in.Address
	}
	path := "/x/" + url.PathEscape(in.Exchange.ID)
	return func(s selection.Selection) string { return s.At(path, nil) }
}

// roundPath returns the address of a Round, with the panel that is open. From a
// page with a folded stage, it opens the stage.
func (in Input) roundPath(n int) string {
	return in.Address(selection.Selection{Round: n, Panel: in.Selection.Panel, Stage: in.opens})
}

// messagePath returns the addresses of messages, which Wire shows beside the open
// picture.
func (in Input) messagePath(f playground.Transcript) func(picture.Message) string {
	return func(m picture.Message) string {
		s := selection.Selection{Round: m.Round, Message: m.Side}
		s.Stage = in.foldAt(s, f, m.Round) != Unfolded
		return in.Address(s)
	}
}

// rulesPath returns the address of the Rules panel.
func (out Exchange) rulesPath() string {
	return out.Tabs.Address(selection.Selection{Round: out.Shown, Panel: selection.PanelRules})
}

// panelPath returns the addresses of Rounds with a panel open.
func (in Input) panelPath(panel selection.Panel) func(round int) string {
	return func(n int) string { return in.Address(selection.Selection{Round: n, Panel: panel}) }
}

// newNow returns the part beside the diagram for Round i.
func newNow(in Input, f playground.Transcript, i int) Now {
	now := nowOf(in, f, i)
	if i == len(f.Rounds)-1 && now.Running == nil {
		if !f.Foreign() {
			now.Stop = newStop(in.Exchange, f)
		}
		now.block(in)
		switch {
		case now.Task != nil:
			now.Task.Problem = in.Problem
		case now.Failed != nil:
			now.Failed.Problem = in.Problem
		}
	}
	now.leadBack(in.Back)
	return now
}

// leadBack sets where the forms lead to.
func (n *Now) leadBack(back string) {
	switch {
	case n.Running != nil:
		n.Running.Back = back
	case n.Task != nil:
		n.Task.Back = back
	case n.Failed != nil:
		n.Failed.Back = back
	}
	if n.Stop != nil {
		n.Stop.Back = back
	}
}

func nowOf(in Input, f playground.Transcript, i int) Now {
	r := f.Rounds[i]
	newest := i == len(f.Rounds)-1
	switch {
	case r.Open() && newest && f.Foreign():
		asked := NewAsked(in.Exchange, f, i)
		asked.OpenPath, asked.Waits = "", true
		return Now{Asked: asked}
	case r.Open() && newest && f.Status == playground.StatusWaiting:
		return Now{Form: newAnswerForm(in, r)}
	case r.Open() && newest && f.Status == playground.StatusRunning:
		return Now{Task: newRetrying(f)}
	case r.Open() && newest:
		return Now{Failed: newEnded(f, i)}
	case r.Open():
		return Now{Asked: NewAsked(in.Exchange, f, i)}
	case r.Kind == playground.OutcomeComplete:
		res := resultview.New(in.Exchange.Call, r, f.Status)
		if in.Lesson == nil && res.Ending() == narrate.Good {
			res.LessonPath = paths.LessonFor(f)
		}
		return Now{Result: res}
	case r.Kind == playground.OutcomePending && r.LegacyTask != nil:
		return Now{Task: newLegacyTask(in.Exchange, r, newest)}
	case r.Kind == playground.OutcomePending:
		running := &Running{CancelPath: "/x/" + in.Exchange.ID + "/cancel", Since: r.Began,
			Progress: progress(r)}
		if f.Foreign() {
			running.CancelPath = ""
		}
		return Now{Running: running}
	}
	if r.Task != nil && (r.Kind == playground.OutcomeTask || r.Kind == playground.OutcomeTaskStatus ||
		r.Kind == playground.OutcomeAck || r.PollsStopped() != "") {
		return Now{Task: newTask(in.Exchange, r, newest && !f.Foreign())}
	}
	return Now{Failed: newFailed(in, f, i)}
}

// newEnded describes an open Round at which the call ended: the user refused to
// answer, or the call had its last Round.
func newEnded(f playground.Transcript, i int) *Failed {
	r := f.Rounds[i]
	failed := &Failed{Sentence: doctor.SentenceOf("capped"), Ending: narrate.EndingOf(f, i)}
	if f.Status == playground.StatusDeclined {
		failed.Sentence = refused(r)
	}
	if len(r.Questions) > 0 {
		failed.Detail = "The server had asked for " + narrate.Keys(r.Questions) + "."
	}
	return failed
}

// refused describes an open Round that the user refused to answer.
func refused(r playground.Round) prose.Sentence {
	s := prose.Sentence{Code: "refused_by_you", What: "You refused, and the call ended here."}
	if r.Legacy {
		s.Try = "What was sent to the server is under Wire."
	} else {
		s.Try = "MCP has no message for a refusal. The client simply stops."
	}
	if !r.Legacy && !question.NewDraft(r).CanRefuse() {
		s.What, s.Try = "You ended the call here.", "Nothing was sent to the server."
	}
	return s
}

// newFailed describes Round i, which has no usable response.
func newFailed(in Input, f playground.Transcript, i int) *Failed {
	r, newest := f.Rounds[i], i == len(f.Rounds)-1
	class := r.Class
	switch {
	case r.Kind == playground.OutcomeCancelled && r.Result != nil:
		class = "task_cancelled"
	case class == "":
		class = playground.Class(r.Kind)
	}
	sentence, detail := doctor.SentenceOf(class), r.Detail
	if r.Kind == playground.OutcomeHTTPError || r.Kind == playground.OutcomeTransportError {
		sentence, detail = doctor.FailureSentence(class, r.Detail)
	}
	failed := &Failed{
		Sentence: sentence, Detail: detail, Round: r.N, Ending: narrate.EndingOf(f, i),
		Interrupted: r.Kind == playground.OutcomeInterrupted,
	}
	if class == "command_ended" {
		failed.LastLine = wireview.NewStderr(in.Command, f, in.Exchange.Created).LastLine()
	}
	failed.about(r, in.narration(f, i))
	for _, link := range r.Error.Links() {
		failed.Links = append(failed.Links, questionview.NewLink(link))
	}
	if newest && in.SignIn != nil {
		offer := *in.SignIn
		offer.Back = in.Back
		failed.Offer(&offer)
	}
	if newest && r.Resendable() && r.N < playground.MaxRounds && !f.Foreign() {
		failed.ResendPath = "/x/" + in.Exchange.ID + "/rounds"
	}
	return failed
}

// about makes the sentences fit the Round, so that each thing is said once.
func (out *Failed) about(r playground.Round, n narrate.Narration) {
	switch r.Kind {
	case playground.OutcomeInterrupted, playground.OutcomeCancelled:
		if r.Class == "" && r.Result == nil {
			what, rest, _ := strings.Cut(n.Sentence, ". ")
			out.Sentence.What, out.Sentence.Try = strings.TrimSuffix(what, ".")+".", rest
		}
	case playground.OutcomeRPCError:
		number := fmt.Sprintf("The server returned error %d", r.Error.Code)
		if message, ok := strings.CutPrefix(out.Detail, number+": "); ok && r.Class == "rpc" {
			out.Sentence.What, out.Sentence.Try, out.Detail = number+".", "", message
		}
	case playground.OutcomeTransportError:
		if r.Notifications() > 0 {
			out.Detail = strings.TrimSpace(out.Detail + " " + narrate.Unfinished(r))
		}
	}
	if r.Lost != "" {
		out.Detail = strings.TrimSpace(text.AsSentence(r.Lost) + " " + out.Detail)
	}
	answers := r.Decision.Action == playground.ActionAnswer || r.Decision.Action == playground.ActionRetry
	if answers && (r.Class == playground.HTTP404 || r.Class == playground.HTTP405) {
		out.Sentence.Try = "The same URL answered the request before. " +
			"The server, or a proxy in front of it, may have changed."
	}
}

// blame says after error -32020 that the request was right, if the rules say so: nothing is
// wrong with it, and a rule on how servers treat requests is broken.
func (out *Failed) blame(issues []standing.Verdict) {
	right := false
	for _, v := range issues {
		if v.Verdict != string(verdict.Failed) {
			continue
		}
		if v.Side == string(rules.Client) {
			return
		}
		rule, _ := rules.ByID(v.Rule)
		right = right || rule.OnReply
	}
	if right && out.Sentence.Code == string(playground.HeaderMismatch) {
		out.Sentence.Try = "The request was right: its headers match its body. " +
			"The server has to be fixed, or a proxy in front of it."
	}
}

// progress are the progress notifications of a Round (basic/patterns/progress).
func progress(r playground.Round) []Progress {
	var list []Progress
	for _, m := range r.AllMessages() {
		if m.Method() != playground.ProgressNotified {
			continue
		}
		p := m.Node.Get("params")
		list = append(list, Progress{
			Value: text.Visible(string(p.Get("progress").Raw()), 40),
			Total: text.Visible(string(p.Get("total").Raw()), 40),
			Text:  text.Visible(p.Get("message").Str(), 200),
		})
	}
	return list
}
