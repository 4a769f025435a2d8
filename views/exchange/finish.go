package exchange

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	resultview "github.com/mrtr-playground/mrtr-playground/views/result"
)

// Finish has the offers of the page of a call that has ended, the main one first.
type Finish struct {
	AnswerPath  string // begins a branch that answers AnswerRound; empty for none
	AnswerRound int
	JudgePath   string // checks a server that violated the protocol; empty for none
	RerunPath   string // makes the call again with the recorded answers; empty for none
	CallPath    string // the form of the call, filled in; empty for none
	SharePath   string
	CheckPath   string // of a foreign server: experiments on this call; empty for none
	KillPath    string // repeats the call and kills the instance that asked; empty for none
	Killed      string // name of that instance
	LessonPath  string // lesson that explains the exchange; empty for none
}

// sharesFirst reports whether the button that shares is the main one.
func (f Finish) sharesFirst() bool { return f.AnswerPath+f.JudgePath+f.RerunPath+f.CallPath == "" }

// finish makes the end of a call a summary, with links that lead on: of a good
// end in one sentence with the whole picture, of any other with the way to
// another end.
func (out *Exchange) finish(in Input, f playground.Transcript) {
	if out.Shown != out.Newest || !f.Status.Ended() {
		return
	}
	res, own := out.Now.Result, in.Recording == nil && in.Back == ""
	switch {
	case res != nil && res.Judged: // the page opens with the verdict on the experiment
		res.LessonPath = ""
	case res != nil && res.Ending() == narrate.Good:
		if words := narrate.Call(in.Exchange.Target, f); words != "" {
			res.Heading, out.Narration = words, ""
		}
		if own {
			out.Finish = out.goodFinish(in, f)
		}
	case res != nil && own:
		out.Finish = out.otherFinish(in, res.Ending(), false)
	case out.Now.Failed != nil && own && !out.Now.Failed.Judged:
		out.Finish = out.failedFinish(in, *out.Now.Failed)
	}
}

// goodFinish leads on from a result.
func (out *Exchange) goodFinish(in Input, f playground.Transcript) *Finish {
	fin := &Finish{LessonPath: out.Now.Result.LessonPath}
	out.Now.Result.LessonPath = ""
	if out.Session != "" {
		fin.SharePath = out.sharePath()
	}
	switch asker := killable(in, f); {
	case asker != "":
		fin.KillPath, fin.Killed = out.Lab.RerunPath, asker
	case in.Exchange.Target.Sample == "" && out.Lab != nil:
		fin.CheckPath = in.Address(selection.Selection{Panel: selection.PanelLab})
	}
	return fin
}

// failedFinish leads on from a Round without a result. It is nil if a button of
// the Round leads on itself.
func (out *Exchange) failedFinish(in Input, failed Failed) *Finish {
	if failed.SignIn != nil || failed.ResendPath != "" || out.Now.SignedOut != nil {
		return nil
	}
	violates := failed.Broken != nil || slices.ContainsFunc(out.Verdicts.OfRound(out.Shown), isViolation)
	return out.otherFinish(in, failed.Ending, violates)
}

// otherFinish leads on from the end of a call that is not good: to an answer
// after a refusal, to a check and a link of a server that violated the protocol,
// else to the same call. It is nil where nothing can be sent.
func (out *Exchange) otherFinish(in Input, end narrate.Ending, violates bool) *Finish {
	fin := &Finish{}
	switch {
	case in.Lab == nil:
		return nil
	case end == narrate.Neutral && out.Lab != nil && out.Lab.Answers && !out.Lab.Expired:
		fin.AnswerPath, fin.AnswerRound = out.Lab.Path, out.Lab.Round
	case end == narrate.Neutral:
		fin.CallPath = out.callPath
	case violates:
		fin.JudgePath = paths.CheckOf(in.Exchange)
		if out.Session != "" {
			fin.SharePath = out.sharePath()
		}
	default:
		fin.RerunPath, fin.CallPath = out.rerunPath, out.callPath
	}
	if *fin == (Finish{}) {
		return nil
	}
	return fin
}

// killable returns the name of the instance of a sample that asked last in a
// call that could be repeated with that instance down, or "".
func killable(in Input, f playground.Transcript) string {
	n := len(f.Rounds)
	if in.Lab == nil || n < 2 || !f.Rounds[n-2].Branchable() || slices.ContainsFunc(f.Rounds, needsUser) {
		return ""
	}
	t := cluster.ParseTopology(in.Instances, "", "")
	asker, _ := f.Rounds[n-2].ServedBy()
	if k, ok := t.Find(asker); !ok || k.Health != cluster.Live || t.Other(asker) == "" {
		return ""
	}
	for _, h := range cluster.History(f) {
		if h.Do == cluster.Kill {
			return "" // it was killed already
		}
	}
	return asker
}

// needsUser reports whether a Round cannot be repeated with the recorded
// answers alone.
func needsUser(r playground.Round) bool {
	return r.Legacy || r.Task != nil || r.Decision.Action == playground.ActionResend ||
		slices.ContainsFunc(r.Questions, func(q playground.Question) bool { return q.Mode() == "url" })
}

// Ended is how a call ended whose page shows an earlier Round.
type Ended struct {
	Path     string // of the last Round
	Round    int    // the last one
	Standing standing.Standing
	Text     string // of the result; may be empty
}

// end keeps the result in view while an earlier Round is on the page.
func (out *Exchange) end(in Input, f playground.Transcript) {
	if !f.Status.Ended() || out.Shown == out.Newest {
		return
	}
	out.Ended = &Ended{Path: in.roundPath(out.Newest), Round: out.Newest, Standing: out.Standing,
		Text: endText(f)}
	if out.Now.Asked != nil {
		out.Now.Asked.OpenPath = ""
	}
	if out.Now.Task != nil {
		out.Now.Task.OpenPath = ""
	}
}

// endText returns the text that a call ended with, in one line.
func endText(f playground.Transcript) string {
	last := f.Last()
	if last.Error != nil {
		return text.Visible(last.Error.Message, 200)
	}
	if last.Kind != playground.OutcomeComplete && last.Final == nil {
		return ""
	}
	var words []string
	for _, p := range resultview.New(playground.Call{}, *last, f.Status).Parts {
		if p.Kind == "text" {
			words = append(words, p.Text)
		}
	}
	return text.Visible(strings.Join(strings.Fields(strings.Join(words, " ")), " "), 200)
}
