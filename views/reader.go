package views

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// ReaderInput holds what NewReader needs.
type ReaderInput struct {
	Share     share.Share
	Session   session.Session // the snapshot
	X         int             // exchange to show, from 1
	Selection Selection       // without a Round, the first is shown
	Explain   func(string) seal.Explanation
	Instances string
	Base      string // base URL, without a slash at the end
}

// Reader is the page of a share.
type Reader struct {
	Exchange
	Token, Title, Note string
	Made, Recorded     time.Time
	Expires            time.Time
	Exchanges          []Step // links to all exchanges, if there are several
	Waits              bool   // the recording stops at an open question
	Prev, Next         string // addresses of the neighbours; empty at the ends
	Branched           string // what a branch continues from; empty for others
	Meta               Meta
}

// Meta describes a link to chats and feeds.
type Meta struct {
	Title, Description, URL, Image string
}

// NewReader returns the page of a share, or false if there is no such exchange
// or Round.
func NewReader(in ReaderInput) (Reader, bool) {
	if in.X < 1 || in.X > len(in.Session.Exchanges) {
		return Reader{}, false
	}
	x := in.Session.Exchanges[in.X-1]
	f := x.Fold()
	if in.Selection.Round == 0 && len(f.Rounds) > 0 {
		in.Selection.Round = f.Rounds[0].N
	}
	address := func(s Selection) string { return readerPath(in.Share.Token, in.X, s) }
	model, ok := NewExchange(ExchangeInput{
		Exchange: x, Transcript: f, Selection: in.Selection, Instances: in.Instances, Explain: in.Explain,
		Address: address, Recording: in.Session.Exchanges,
		Frames: func(n string) FramePath { return FramesAt("/s/"+in.Share.Token, "?x="+n) },
	})
	if !ok {
		return Reader{}, false
	}
	r := Reader{
		Exchange: model, Token: in.Share.Token, Title: titleOr(in.Session.Title), Note: in.Session.Note,
		Made: in.Share.Created, Recorded: x.Created, Expires: in.Share.Expires,
		Meta: NewMeta(in.Share, in.Session, in.Base),
	}
	r.relink(x, f)
	if x.Origin != nil {
		r.Branched = "This branch reruns the call."
		if x.Origin.Round > 0 {
			r.Branched = fmt.Sprintf("This branch continues from round %d.", x.Origin.Round)
		}
	}
	r.readOnly(x, f)
	for i := range in.Session.Exchanges {
		if len(in.Session.Exchanges) > 1 {
			r.Exchanges = append(r.Exchanges, Step{
				N: i + 1, Path: readerPath(in.Share.Token, i+1, Selection{}), Current: i+1 == in.X,
			})
		}
	}
	return r, true
}

// NewMeta describes a share. Its URLs begin with base, which comes from the
// configuration and never from a request.
func NewMeta(h share.Share, s session.Session, base string) Meta {
	return Meta{
		Title: titleOr(s.Title), Description: session.Describe(s), URL: base + "/s/" + h.Token,
		Image: base + "/s/" + h.Token + ".png",
	}
}

// readerPath returns the address of exchange x of a share, from 1.
func readerPath(token string, x int, s Selection) string {
	q := url.Values{}
	if x > 1 {
		q.Set("x", fmt.Sprint(x))
	}
	return s.At("/s/"+token, q)
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
				r.Now = Now{Asked: NewAsked(x, f, i)}
			}
		}
		r.Waits, r.Hidden = true, server.HiddenInRound(*f.Round(r.Shown))
	case r.Now.Running != nil:
		r.Now = Now{Failed: &Failed{Sentence: SentenceCode("recorded_running",
			"The request was running when this was shared.", "The outcome is not part of the recording."),
			Ending: narrate.Unknown}}
		r.Narration = ""
	case r.Now.Task != nil:
		r.Now.Task.PollPath, r.Now.Task.OpenPath = "", ""
	case r.Now.Failed != nil:
		r.Now.Failed.ResendPath, r.Now.Failed.AgainPath = "", ""
	}
	if r.Now.Result != nil {
		r.Now.Result.AgainPath = ""
	}
	if r.Now.Asked != nil {
		r.Now.Asked.OpenPath = ""
	}
	r.More = false
}

// Embed is a share inside another page.
type Embed struct {
	Title, Description, URL string // URL of the whole page, absolute
	Picture                 string // SVG
	Narrow                  string // the same for a phone
	Hidden                  string // warns of characters that are not seen; empty if there are none
	Made                    time.Time
}
