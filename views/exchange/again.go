package exchange

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
)

// Again lists the ways to send something of a call again. A way that does not
// exist has no address.
type Again struct {
	Round       int    // that the page shows
	RerunPath   string // makes the call again with the recorded answers
	AnswerPath  string // begins a branch that answers AnswerRound differently
	AnswerRound int
	CallPath    string // the form of the call, filled in
	EditPath    string // edits the request of EditRound
	EditRound   int    // Round, or an earlier one if the client sent that by itself
	SavePath    string // saves the call, to make it again later
	CurlPath    string // shows the request of Round as a curl command
	ExpectPath  string // saves what the call came to as an expectation
	DemoPath    string // makes a demo of the call
	FlowPath    string // of the flow that was called, if it is one
	Recorded    string // id of the exchange that a flow can be made of; empty for none
	Served      string // id of the exchange that can be served again; empty for none
}

// rerunWords are those of the buttons that make a call again.
const rerunWords = "Run again with the same answers"

// Again returns the ways to send something again, or nil if there is none.
func (x Exchange) Again() *Again {
	if x.foreign { // nothing of it is ours to send
		if x.recorded == "" && x.served == "" {
			return nil
		}
		return &Again{Round: x.Shown, Recorded: x.recorded, Served: x.served}
	}
	a := Again{
		Round: x.Shown, CallPath: x.callPath, EditPath: x.EditPath, EditRound: x.editRound,
		CurlPath:  x.curlPath,
		RerunPath: x.rerunPath, SavePath: x.savePath, DemoPath: x.demoPath, FlowPath: x.flowPath,
		Recorded: x.recorded, Served: x.served,
		ExpectPath: x.expectPath,
	}
	if x.Lab != nil && x.Lab.Answers && x.Now.Form == nil {
		a.AnswerPath, a.AnswerRound = x.Lab.Path, x.Lab.Round
	}
	if a == (Again{Round: x.Shown, EditRound: x.editRound}) {
		return nil
	}
	return &a
}

// editPath returns where the request of Round i can be edited, or the newest one before
// it that the client did not send by itself, as it polls a task, and the number of its
// Round. The path is empty where nothing can be sent.
func (in Input) editPath(f playground.Transcript, i int) (path string, round int) {
	if in.Lab == nil || in.Back != "" || f.Rounds[i].Legacy {
		return "", 0
	}
	from, ok := lab.EditFrom(f, f.Rounds[i].N-1)
	if !ok {
		return "", 0
	}
	return paths.Edit(in.Exchange.ID, from.N), from.N + 1
}

// curlPath returns where the request of r is a curl command, or "" if it is
// none.
func (in Input) curlPath(r playground.Round) string {
	if len(r.Request.Head) == 0 || r.OnLine() {
		return ""
	}
	return in.Address(selection.Selection{Round: r.N, Panel: selection.PanelWire, Exact: true}) + "#" +
		fmt.Sprintf("request-%d-curl", r.N)
}

// againPath returns the form to edit and repeat the call. It is empty in a
// lesson, which has its own button.
func (in Input) againPath() string {
	if in.Back != "" {
		return ""
	}
	return paths.Again(in.Exchange)
}
