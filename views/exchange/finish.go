package exchange

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	resultview "github.com/mrtr-playground/mrtr-playground/views/result"
)

// Finish has the offers of the page of a call once the call has ended with a
// result.
type Finish struct {
	SharePath  string
	CheckPath  string // of a foreign server: experiments on this call; empty for none
	KillPath   string // repeats the call and kills the instance that asked; empty for none
	Killed     string // name of that instance
	LessonPath string // lesson that explains the exchange; empty for none
}

// finish makes the end of a call a summary: in one sentence, with the whole
// picture, and with links that lead on.
func (out *Exchange) finish(in Input, f playground.Transcript) {
	x, res := in.Exchange, out.Now.Result
	if res == nil || out.Shown != out.Newest || res.Ending() != narrate.Good {
		return
	}
	if words := narrate.Call(x.Target, f); words != "" {
		res.Heading, out.Narration = words, ""
	}
	if in.Recording != nil || in.Back != "" {
		return
	}
	out.Finish = &Finish{LessonPath: res.LessonPath}
	res.LessonPath = ""
	if x.Session != "" {
		out.Finish.SharePath = out.sharePath()
	}
	switch asker := killable(in, f); {
	case asker != "":
		out.Finish.KillPath, out.Finish.Killed = out.Lab.RerunPath, asker
	case x.Target.Sample == "" && out.Lab != nil:
		out.Finish.CheckPath = in.Address(selection.Selection{Panel: selection.PanelLab})
	}
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
