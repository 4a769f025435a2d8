package views

import (
	"fmt"
	"net/url"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// LabInput is what is known of a call besides its record.
type LabInput struct {
	Mine     bool                        // the server may be sent wrong things
	OnceOnly bool                        // of a sample: it remembers which retries were used
	Expired  func(playground.Round) bool // whether the state of a Round has expired
	Session  []playground.Exchange       // of a branch: the other exchanges beside it
}

// Lab lists what can be sent wrong on purpose.
type Lab struct {
	Path, RerunPath string
	Round           int  // that a branch goes on from; 0 is before the first
	Answers         bool // a branch can answer it in another way
	Expired         bool // its state is good no more
	Mine, Sample    bool
	Mode            string // of a sample: how its state is protected
	Groups          []LabGroup
}

// LabGroup are experiments on the same part of a request.
type LabGroup struct {
	Title string
	Lines []LabLine
}

// LabLine is one experiment.
type LabLine struct {
	lab.Experiment
	Person bool // it takes the credentials of a second person
}

// newLab lists the experiments on the request that answers a Round, or on the
// very request of one that cannot be answered.
func newLab(in ExchangeInput, f playground.Transcript, i int) *Lab {
	x, r := in.Exchange, f.Rounds[i]
	if in.Lab == nil || r.Legacy {
		return nil
	}
	l := &Lab{Path: "/x/" + x.ID + "/branches", RerunPath: "/x/" + x.ID + "/redrive", Mine: in.Lab.Mine, Sample: x.Target.Sample != "", Mode: protection(x.Target)}
	var from playground.Round
	switch {
	case r.Branchable():
		from = r
	case i > 0 && f.Rounds[i-1].Branchable():
		from = f.Rounds[i-1]
	}
	l.Round, l.Answers = from.N, len(from.Questions) > 0
	l.Expired = from.State != nil && in.Lab.Expired != nil && in.Lab.Expired(from)
	right := f.Round(from.N + 1)
	for _, e := range lab.Experiments() {
		if e.Fits(from) && (right == nil || lab.Changeable(e, from, *right, x)) {
			l.add(e)
		}
	}
	return l
}

func (l *Lab) add(e lab.Experiment) {
	title := string(e.Group)
	if n := len(l.Groups); n == 0 || l.Groups[n-1].Title != title {
		l.Groups = append(l.Groups, LabGroup{Title: title})
	}
	last := &l.Groups[len(l.Groups)-1]
	last.Lines = append(last.Lines, LabLine{Experiment: e, Person: e.Wants == lab.WantsOtherPerson && !l.Sample})
}

// protection is how a sample protects its state, as its address says.
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

// branchName is what a branch is called in a list: its number, and what was
// wrong on purpose.
func branchName(i int, x session.ExchangeRow) string {
	if x.Experiment == "" {
		return fmt.Sprintf("Branch %d", i+1)
	}
	e, _ := lab.ExperimentByID(x.Experiment)
	return fmt.Sprintf("Branch %d: %s", i+1, e.Title)
}

// BranchNote says where a branch comes from, and what came of it.
type BranchNote struct {
	Round    int    // it goes on from
	Original string // address of the Round there
	Compare  string
	Tried    *lab.Result // nil when nothing is wrong on purpose
	Fresh    bool        // it goes on from a fresh run, as the recorded state was good no more
	StandIn  bool        // nothing had been answered there, so stand-ins were sent
	Foreseen string      // of a sample that did what it is made to do: says so; else empty
}

func newBranchNote(in ExchangeInput) *BranchNote {
	x := in.Exchange
	if x.Origin == nil || in.Lab == nil {
		return nil
	}
	b := &BranchNote{Round: x.Origin.Round, Original: "/x/" + x.Origin.Exchange}
	if b.Round > 0 {
		b.Original = RoundPath(x.Origin.Exchange, b.Round)
	}
	b.Compare = "/compare?" + url.Values{"a": {x.Origin.Exchange}, "b": {x.ID}}.Encode()
	tried, ok := lab.JudgeBranch(x, in.Lab.Session)
	if !ok {
		return b
	}
	b.Tried = &tried
	if parent := x.Origin.Parent; parent != nil && b.Round > 0 {
		b.Fresh = parent.Origin != nil && parent.Origin.Round == 0
		b.StandIn = len(parent.Fold().Answers()) == 0 || parent.Fold().Round(b.Round+1) == nil
	}
	mode := lab.Protection(protection(x.Target))
	if tried.Ended() && x.Target.Sample != "" && tried.Experiment.Expected(mode, in.Lab.OnceOnly) == tried.Reaction {
		b.Foreseen = foreseen(tried.Experiment, mode)
	}
	return b
}

// foreseen says that a sample did what it is made to do, and whether that comes
// from how its state is protected.
func foreseen(e lab.Experiment, mode lab.Protection) string {
	if e.Expected(lab.Plain, false) == e.Expected(lab.Sealed, false) {
		return "As expected of this sample."
	}
	return "As expected of this sample while its state is " + string(mode) + "."
}

func reactionWords(r lab.Reaction) string {
	switch r {
	case lab.Rejected:
		return "The server rejected it"
	case lab.AskedAgain:
		return "The server asked again"
	case lab.Accepted:
		return "The server went on with it"
	}
	return "No answer came"
}
