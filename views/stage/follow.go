package stage

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/talk"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Talk is the page with which a presenter invites a room to follow.
type Talk struct {
	Slug, Story, Session string
	Step                 int
	Present              bool
	URL, QR              string // empty if the stage is no talk, or phones cannot reach it
	Own                  bool   // phones have an address of their own, which is open during a talk
	Closed               bool   // the stage is a talk, but that address is closed
	Reach                *Reach // set if phones cannot reach this program
}

// Reach says what it takes that phones reach the program.
type Reach struct {
	Off  bool   // the flag -room off forbids it; else the presenter uses a URL of this machine alone
	Port string // of the program
}

// NewReach returns what it takes that phones reach a program whose own address is base. off
// reports whether the user has forbidden it.
func NewReach(off bool, base string) *Reach {
	port := ""
	if u, err := url.Parse(base); err == nil {
		port = u.Port()
	}
	return &Reach{Off: off, Port: port}
}

// Problem is a page of a follower that has no step to show.
type Problem struct{ Code, Title, Text string }

// TalkLine is what the page of a stage shows of its talk.
type TalkLine struct {
	Shown string // the URL of the followers without its scheme
}

// NewTalkLine returns the line of a talk whose followers reach this program at a URL.
func NewTalkLine(origin, code string) *TalkLine {
	return &TalkLine{withoutScheme(origin) + FollowPath(code)}
}

func withoutScheme(address string) string {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		return rest
	}
	return address
}

// FollowPath returns the path at which a talk is followed.
func FollowPath(code string) string { return "/follow/" + talk.ShownCode(code) }

// TalkPath returns the address of the page that invites a room.
func TalkPath(slug, session string, present bool) string {
	path := "/demos/" + url.PathEscape(slug) + "/" + url.PathEscape(session) + "/talk"
	if present {
		path += "?present=1"
	}
	return path
}

func (t Talk) path() string  { return TalkPath(t.Slug, t.Session, false) }
func (t Talk) other() string { return TalkPath(t.Slug, t.Session, !t.Present) }
func (t Talk) stage() string { return Path(t.Slug, t.Session, t.Step, t.Present) }

// host returns the first part of the URL of the followers as people read it, and code
// the rest, which they have to type exactly.
func (t Talk) host() string {
	shown := withoutScheme(t.URL)
	return shown[:strings.LastIndexByte(shown, '/')+1]
}

func (t Talk) code() string { return t.URL[strings.LastIndexByte(t.URL, '/')+1:] }

// port returns the port of the URL of the followers.
func (t Talk) port() string {
	u, err := url.Parse(t.URL)
	if err != nil {
		return ""
	}
	return cmp.Or(u.Port(), "80")
}

// example returns a URL at which phones would reach the program.
func (r Reach) example() string { return "http://192.168.1.20:" + r.Port }

// Follow is what the followers of a talk see of a step.
type Follow struct {
	Stage
	Events string // address of the event stream that goes on after this step
	Result string // of the call, unless the words say it
}

// FollowFrame is what stands around the main element of a follower's page.
type FollowFrame struct {
	Main string // HTML of FollowMain
	Full bool   // the talk has as many followers as it can have
}

// NewFollow returns what followers see of step in.N. id names it, so that none gets it
// twice.
func NewFollow(in Input, code, id string) Follow {
	in.Player = &DemoPlayer{Address: func(int, bool) string { return "" }} // it leads nowhere
	f := Follow{Stage: New(in), Events: eventsOfTalk(code, id)}
	last := in.transcript().Last()
	if last == nil || last.Kind != playground.OutcomeComplete {
		return f
	}
	result := text.Visible(demo.Result(*last), 400)
	if !strings.Contains(f.Words.Title+f.Words.Text, result) {
		f.Result = result
	}
	return f
}

func eventsOfTalk(code, id string) string {
	return FollowPath(code) + "/events?after=" + url.QueryEscape(id)
}
