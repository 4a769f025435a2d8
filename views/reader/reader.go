// Package reader shows a recording to those who have its link. Nothing on these
// pages sends anything to a server or changes the recording; a reader's copy is
// a Fork.
package reader

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Input has the parts that New needs.
type Input struct {
	Share     share.Share
	View      share.View          // without Shown, every exchange can be opened
	Session   session.Session     // the snapshot
	X         int                 // exchange to show, from 1
	Selection selection.Selection // without a Round, the first is shown
	Explain   func(string) seal.Explanation
	Instances string
	Base      string // base URL, without a slash at the end
	Place     Place  // zero: that of the link
	Preview   bool   // the page is shown to its owner before it is published
	File      bool   // the page is a part of a file: its addresses are queries alone
}

// Place is the address of a recording. Every address on the page keeps
// the query.
type Place struct {
	Path  string
	Query url.Values
	first int // exchange that the address without ?x= shows, from 1; 0 if it shows none
}

// exchange returns the address of exchange x, from 1, with a selection.
func (p Place) exchange(x int, s selection.Selection) string {
	q := url.Values{}
	if x != p.first {
		q.Set("x", fmt.Sprint(x))
	}
	for name, values := range p.Query {
		q[name] = values
	}
	return s.At(p.Path, q)
}

// start returns the address that the link opens with.
func (p Place) start() string {
	if p.Path == "" && len(p.Query) == 0 {
		return "?" // of a file
	}
	return selection.Selection{}.At(p.Path, p.Query)
}

// place returns where the recording is read.
func (in Input) place() Place {
	p := in.Place
	if p.Path == "" && !in.File {
		p.Path = "/s/" + in.Share.Token
	}
	if k := in.View.Kind; k == "" || k == share.KindExchange {
		p.first = in.Exchanges()[0]
	}
	return p
}

// Address returns the address of a selection in exchange x, from 1.
func (in Input) Address(x int, s selection.Selection) string { return in.place().exchange(x, s) }

// Exchanges returns the exchanges that a reader can open, from 1.
func (in Input) Exchanges() []int {
	if len(in.View.Shown) > 0 {
		return in.View.Shown
	}
	all := make([]int, len(in.Session.Exchanges))
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// NewHead returns the head of a share. The other exchanges of a recording
// are of the same server as x.
func NewHead(in Input, x playground.Exchange) shareview.Head {
	h := shareview.Head{
		Title: prose.TitleOr(in.Session.Title), Note: in.Session.Note, Made: in.Share.Created,
		Recorded: x.Created, Imported: in.Session.Imported, Preview: in.Preview,
		Server: forkNeeds(x), Meta: NewMeta(in.Share, in.View, in.Session, in.Base),
		Suffixes: ShareSuffixes(in.View.Kind), File: in.File,
	}
	if !in.Preview && !in.File {
		h.Fork, h.Files = "/s/"+in.Share.Token+"/fork", "/s/"+in.Share.Token
	}
	return h
}

// ShareSuffixes returns the suffixes of the files of a share: a board and a
// compare are no sequence of messages that one diagram could show.
func ShareSuffixes(k share.Kind) []string {
	if k == share.KindFlow {
		return []string{".yaml", ".svg", ".mmd", ".png"}
	}
	return append(export.Suffixes(k != share.KindBoard && k != share.KindCompare), ".png")
}

// forkNeeds names the things that a fork of an exchange needs to go on.
func forkNeeds(x playground.Exchange) string {
	if last := x.Fold().Last(); last != nil && last.Open() && share.IsMasked(last.StateText()) {
		return "The requestState of the last round is redacted, so a fork can't continue from there. " +
			"It can make the call again from the start."
	}
	switch {
	case x.Target.Sample != "":
		return ""
	case x.Target.IsCommand():
		return "The server is a command on the machine where this was recorded. " +
			"A fork is a copy that you can read. It continues only where the playground was started " +
			"with -stdio and the same command."
	case share.IsRedacted(x):
		return "A part of the server's URL is redacted. " +
			"A fork is a copy that you can read, but it can't reach the server. " +
			"Connect to the server with your own URL to make the call."
	}
	return "A fork continues with the server at " + text.Visible(x.Target.URL, 200) + ". " +
		"It has no credentials: if the server needs some, connect to it with your own."
}

// Reader is the page of an exchange of a share.
type Reader struct {
	exchangeview.Exchange
	Head       shareview.Head
	Exchanges  []exchangeview.Step // links to all exchanges, if there are several
	Waits      bool                // the recording stops at an open question
	Prev, Next string              // addresses of the neighbours; empty at the ends
	Branched   string              // what a branch continues from; empty for others
}

// verdict returns the result of the experiment of exchange in.X as its owner
// saw it, or nil.
func (in Input) verdict() *share.Verdict {
	for _, v := range in.View.Verdicts {
		if v.Exchange == in.X {
			return &v
		}
	}
	return nil
}

// New returns the page of a share, or false if there is no such exchange
// or Round.
func New(in Input) (Reader, bool) {
	shown, place := in.Exchanges(), in.place()
	if !slices.Contains(shown, in.X) || in.X > len(in.Session.Exchanges) {
		return Reader{}, false
	}
	x := in.Session.Exchanges[in.X-1]
	f := x.Fold()
	if in.Selection.Round == 0 && len(f.Rounds) > 0 {
		in.Selection.Round = f.Rounds[0].N
	}
	model, ok := exchangeview.New(exchangeview.Input{
		Exchange: x, Transcript: f, Selection: in.Selection, Instances: in.Instances, Explain: in.Explain,
		Address:   func(s selection.Selection) string { return place.exchange(in.X, s) },
		Recording: in.Session.Exchanges, Verdict: in.verdict(), Every: in.File,
		Frames: func(n string) wireview.FramePath {
			if in.File {
				return nil
			}
			q := url.Values{"x": {n}}
			for name, values := range place.Query {
				q[name] = values
			}
			return wireview.FramesAt(place.Path, "?"+q.Encode())
		},
	})
	if !ok {
		return Reader{}, false
	}
	r := Reader{Exchange: model, Head: NewHead(in, x)}
	if r.Now.Result != nil && in.File {
		r.Now.Result.LessonPath = ""
	}
	r.relink(x, f)
	if x.Origin != nil {
		r.Branched = "This branch reruns the call."
		if x.Origin.Round > 0 {
			r.Branched = fmt.Sprintf("This branch continues from round %d.", x.Origin.Round)
		}
	}
	r.readOnly(x, f)
	switch in.View.Kind {
	case share.KindBoard:
		r.Head.Up, r.Head.UpWords = place.start(), "Results board"
	case share.KindCompare:
		r.Head.Up, r.Head.UpWords = place.start(), "Compare"
	case share.KindDemo:
		r.Head.Up, r.Head.UpWords = place.start(), "Demo"
	default:
		r.Exchanges = in.steps(shown, place)
	}
	return r, true
}

// steps returns links to the exchanges that a reader can open, or nil if it is
// one.
func (in Input) steps(shown []int, place Place) []exchangeview.Step {
	if len(shown) < 2 {
		return nil
	}
	var list []exchangeview.Step
	branches := 0
	first := prose.CallName(in.Session.Exchanges[shown[0]-1].Call)
	ends := in.severalTargets(shown)
	other := func(n int) bool { // another call, as a foreign client makes
		x := in.Session.Exchanges[n-1]
		return x.Origin == nil && prose.CallName(x.Call) != first
	}
	several := slices.ContainsFunc(shown, other)
	for _, n := range shown {
		s := exchangeview.Step{N: n, Path: place.exchange(n, selection.Selection{}), Current: n == in.X}
		x := in.Session.Exchanges[n-1]
		switch e, _ := lab.ExperimentByID(x.Experiment()); {
		case e.ID != "" && x.Origin == nil: // of a check that has no branches
			s.Standing.Word = e.Title
		case ends:
			s.Standing.Word = text.Visible(prose.CallName(x.Call)+", "+x.Target.Name, 80)
		case other(n) || several && n == shown[0]:
			s.Standing.Word = text.Visible(prose.CallName(x.Call), 40)
		case x.Origin != nil || n > shown[0]:
			branches++
			s.Standing.Word = fmt.Sprintf("Branch %d", branches)
		default:
			s.Standing.Word = "The call"
		}
		list = append(list, s)
	}
	return list
}

// severalTargets reports whether exchanges are with servers of different names, such as the two
// ends of a gateway.
func (in Input) severalTargets(shown []int) bool {
	first := in.Session.Exchanges[shown[0]-1].Target.Name
	return slices.ContainsFunc(shown, func(n int) bool {
		return in.Session.Exchanges[n-1].Target.Name != first
	})
}

// manyExchanges is the most exchanges that a page links without being asked.
const manyExchanges = 12

// current returns which of the exchanges is shown, in words.
func (r Reader) current() string {
	i := slices.IndexFunc(r.Exchanges, func(s exchangeview.Step) bool { return s.Current })
	if i < 0 {
		return text.Plural(len(r.Exchanges), "call")
	}
	return fmt.Sprintf("Call %d of %d: %s", i+1, len(r.Exchanges), r.Exchanges[i].Standing.Word)
}

// NewMeta describes a share. Its URLs begin with base, which comes from the
// configuration and never from a request.
func NewMeta(h share.Share, v share.View, s session.Session, base string) layout.Meta {
	return layout.Meta{
		Title: prose.TitleOr(s.Title), Description: DescribeShare(v, s), URL: base + "/s/" + h.Token,
		Image: base + "/s/" + h.Token + ".png",
	}
}

// DescribeShare returns in one line what a share shows.
func DescribeShare(v share.View, s session.Session) string {
	shown := Input{View: v, Session: s}.Exchanges()
	if len(shown) == 0 {
		return ""
	}
	line := ""
	switch v.Kind {
	case share.KindBoard:
		line = "Results board: " + strings.Join(BoardReport(v, s).Experiments().Counts().Words(), ", ")
	case share.KindCompare:
		a, b := s.Exchanges[shown[0]-1], s.Exchanges[shown[1]-1]
		line = fmt.Sprintf("%s of %s. A: %s. B: %s", text.Visible(a.Call.Method, 40),
			text.Visible(a.Target.Name, 80), endWords(a), endWords(b))
	case share.KindFlow:
		line = "A flow: " + session.Describe(s.Exchanges[shown[0]-1])
	case share.KindDemo:
		story, _ := demo.Stage{Story: v.Demo.Story, Text: v.Demo.Text}.Played()
		line = strings.TrimSpace(story.Claim + " Demo: " + session.Describe(s.Exchanges[v.Demo.Own-1]))
	default:
		x := s.Exchanges[shown[0]-1]
		line = session.Describe(x)
		if words := narrate.Call(x.Target, x.Fold()); words != "" {
			line = words + " " + line
		}
		if n := len(shown) - 1; n > 0 {
			line += fmt.Sprintf(", and %d more", n)
		}
	}
	if s.Imported {
		line += " (imported)"
	}
	return line
}

// relink adds the links to the neighbours, and makes the curl commands read
// masked values from a variable.
func (r *Reader) relink(x playground.Exchange, f playground.Transcript) {
	for i := range r.Ribbon {
		switch r.Ribbon[i].N {
		case r.Shown - 1:
			r.Prev = r.Ribbon[i].Path
		case r.Shown + 1:
			r.Next = r.Ribbon[i].Path
		}
	}
	masks := share.CurlMasks(x)
	if round := f.Round(r.Shown); round != nil {
		r.Wire.Curl = export.Curl(round.Request, x.Target.URL, masks...)
	}
}

// readOnly removes all controls: a recording only shows.
func (r *Reader) readOnly(x playground.Exchange, f playground.Transcript) {
	switch r.Status {
	case playground.StatusWaiting:
		r.Standing.Word = strings.Replace(r.Standing.Word, "waiting for you", "waiting for an answer", 1)
	case playground.StatusRunning:
		r.Standing.Word = "running when recorded"
	}
	retries := r.Now.Task != nil && !r.Now.Task.NextRetry.IsZero()
	switch {
	case r.Now.Form != nil || retries:
		for i := range f.Rounds {
			if f.Rounds[i].N == r.Shown {
				r.Now = exchangeview.Now{Asked: exchangeview.NewAsked(x, f, i)}
			}
		}
		r.Waits, r.Hidden = true, server.HiddenInRound(*f.Round(r.Shown))
	case r.Now.Running != nil:
		r.Now = exchangeview.Now{Failed: &exchangeview.Failed{Sentence: prose.SentenceCode("recorded_running",
			"The request was running when this was shared.", "The outcome is not part of the recording."),
			Ending: narrate.Unknown}}
		r.Narration = ""
	case r.Now.Task != nil:
		r.Now.Task.PollPath, r.Now.Task.OpenPath = "", ""
	case r.Now.Failed != nil:
		r.Now.Failed.ResendPath = ""
	}
	if r.Now.Asked != nil {
		r.Now.Asked.OpenPath = ""
	}
	r.More = false
}

// endWords says after how many Rounds an exchange came to where it is.
func endWords(x playground.Exchange) string {
	f := x.Fold()
	return fmt.Sprintf("%s after %s", f.Status, text.Plural(len(f.Rounds), "round"))
}

// Embed is a share inside another page.
type Embed struct {
	Title, Description, URL string // URL of the whole page, absolute
	Pictures                []EmbedPicture
	Board                   *boardview.Board // of a board; nil for the others
	Imported                bool
	Hidden                  string // warns of characters that are not seen; empty if there are none
	Made                    time.Time
}

// EmbedPicture is a diagram with its name, which is empty for the only one.
type EmbedPicture struct {
	Name         string
	Wide, Narrow string // SVG
}
