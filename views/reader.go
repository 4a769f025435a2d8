package views

import (
	"fmt"
	"net/url"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
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
	Round     int             // 0 means the first
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
	Shown              int
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
	if in.Round == 0 && len(f.Rounds) > 0 {
		in.Round = f.Rounds[0].N
	}
	link := func(n int) string { return readerPath(in.Share.Token, in.X, n) }
	model, ok := NewExchange(ExchangeInput{
		Exchange: x, Transcript: f, Shown: in.Round, Instances: in.Instances, Explain: in.Explain,
		Link:   link,
		Frames: func(n string) FramePath { return FramesAt("/s/"+in.Share.Token, "?x="+n) },
	})
	if !ok {
		return Reader{}, false
	}
	r := Reader{
		Exchange: model, Token: in.Share.Token, Title: titleOr(in.Session.Title), Note: in.Session.Note,
		Made: in.Share.Created, Recorded: x.Created, Expires: in.Share.Expires, Shown: in.Round,
		Meta: NewMeta(in.Share, in.Session, in.Base),
	}
	r.relink(x, f, link)
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
				N: i + 1, Path: readerPath(in.Share.Token, i+1, 0), Current: i+1 == in.X,
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

func readerPath(token string, x, round int) string {
	q := url.Values{}
	if x > 1 {
		q.Set("x", fmt.Sprint(x))
	}
	if round > 0 {
		q.Set("round", fmt.Sprint(round))
	}
	if len(q) == 0 {
		return "/s/" + token
	}
	return "/s/" + token + "?" + q.Encode()
}

// relink makes the ribbon link to the share instead of the owner's exchange,
// and the curl commands read masked values from a variable.
func (r *Reader) relink(x playground.Exchange, f playground.Transcript, link func(int) string) {
	for i := range r.Ribbon {
		r.Ribbon[i].Path = link(r.Ribbon[i].N)
		switch r.Ribbon[i].N {
		case r.Shown - 1:
			r.Prev = r.Ribbon[i].Path
		case r.Shown + 1:
			r.Next = r.Ribbon[i].Path
		}
	}
	masks := share.CurlMasks(x)
	for i := range r.Rounds {
		if round := f.Round(r.Rounds[i].N); round != nil {
			r.Rounds[i].Curl = export.Curl(round.Request, x.Target.URL, masks...)
		}
	}
}

// readOnly removes all controls: a recording only shows.
func (r *Reader) readOnly(x playground.Exchange, f playground.Transcript) {
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
			"The request was running when this was shared.", "The outcome is not part of the recording.")}}
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
