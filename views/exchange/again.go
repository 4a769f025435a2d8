package exchange

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
	DemoPath    string // makes a demo of the call
	FlowPath    string // of the flow that was called, if it is one
}

// rerunWords are those of the buttons that make a call again.
const rerunWords = "Run again with the same answers"

// Again returns the ways to send something again, or nil if there is none.
func (x Exchange) Again() *Again {
	if x.foreign {
		return nil
	}
	a := Again{
		Round: x.Shown, CallPath: x.callPath, EditPath: x.EditPath, EditRound: x.editRound,
		CurlPath:  x.curlPath,
		RerunPath: x.rerunPath, SavePath: x.savePath, DemoPath: x.demoPath, FlowPath: x.flowPath,
	}
	if x.Lab != nil && x.Lab.Answers && x.Now.Form == nil {
		a.AnswerPath, a.AnswerRound = x.Lab.Path, x.Lab.Round
	}
	if a == (Again{Round: x.Shown, EditRound: x.editRound}) {
		return nil
	}
	return &a
}
