package views

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// Finish is what the page of a call offers once the call has ended with a
// result.
type Finish struct {
	SharePath  string
	CheckPath  string // of a foreign server: experiments on this call; empty for none
	KillPath   string // repeats the call and kills the instance that asked; empty for none
	Killed     string // name of that instance
	LessonPath string // lesson that explains the exchange; empty for none
}

// finish makes the end of a call say what happened: in one sentence, with the
// whole picture, and with what leads on.
func (out *Exchange) finish(in ExchangeInput, f playground.Transcript) {
	x, res := in.Exchange, out.Now.Result
	if res == nil || out.Shown != out.Newest || res.ending() != narrate.Good {
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
		out.Finish.CheckPath = in.address()(Selection{Panel: PanelLab})
	}
}

// killable returns the name of the instance of a sample that asked last in a
// call that could be repeated with that instance down, or "".
func killable(in ExchangeInput, f playground.Transcript) string {
	n := len(f.Rounds)
	if in.Lab == nil || n < 2 || !f.Rounds[n-2].Branchable() || slices.ContainsFunc(f.Rounds, needsUser) {
		return ""
	}
	t := server.ParseTopology(in.Instances, "", "")
	asker, _ := f.Rounds[n-2].ServedBy()
	if k, ok := t.Find(asker); !ok || k.Health != server.Live || t.Other(asker) == "" {
		return ""
	}
	for _, h := range server.History(f) {
		if h.Do == server.Kill {
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
