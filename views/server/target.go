package server

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	callview "github.com/mrtr-playground/mrtr-playground/views/call"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
	signinview "github.com/mrtr-playground/mrtr-playground/views/signin"
	startview "github.com/mrtr-playground/mrtr-playground/views/start"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Target is the page of one server.
type Target struct {
	ID, Name, URL, Status string
	Summary, Teaches      string // of a sample
	Try                   []string
	Options               []OptionLine
	Start                 *startview.Line
	Flow                  string // path of its page, for its maker; empty for others
	Report                Report
	Connect               *ConnectForm      // of the user's servers
	Command               *wireview.Command // nil for a server with a URL
	Tools                 bool              // it offers a tool, prompt or resource that can be checked
	Menu                  Menu
	Chosen                *callview.Form       // the form that is shown; nil for none
	Missing               string               // what the address chooses and the server does not offer
	Last                  *LastCall            // of Chosen; nil for none
	SignedIn              *signinview.SignedIn // nil if the user has not signed in to it
	Saved                 []SavedLine
	Added                 *SavedLine // just saved; nil for none
	Fresh                 *Freshness
	Changes               *Changes // since the last connect; nil if there was none
	Trips                 []wireview.Round
	Events                int // how many events of the log the page shows
	Away                  *Away
}

// Away is a server that was connected and went away. It is connected to again by the script of
// its page, for a time.
type Away struct {
	Attempt int // the next one; 0 if no more are made
	Seconds int // until then
}

// NewAway returns what a page says of a server that failed so often since it went away, or nil
// if it did not.
func NewAway(failed int) *Away {
	switch {
	case failed == 0:
		return nil
	case failed > server.MaxAway:
		return &Away{}
	}
	return &Away{failed, int(server.AwayPause(failed).Seconds())}
}

// awayWords are those of a page without its script.
const awayWords = "It was connected before. Connect again when it runs."

// words says what the script of the page does next.
func (a Away) words() string {
	if a.Attempt == 0 {
		return fmt.Sprintf("It did not come back in %s. Connect again when it runs.",
			text.Plural(server.MaxAway, "attempt"))
	}
	return fmt.Sprintf("It was connected before. Trying again in %s (attempt %d of %d).",
		text.Plural(a.Seconds, "second"), a.Attempt, server.MaxAway)
}

// place returns where the server is: its URL, or the command that it is.
func (t Target) place() string {
	if t.Command != nil {
		return t.Command.Words
	}
	return t.URL
}

// Live returns the address of the event stream while connecting, else "".
func (t Target) Live() string {
	if t.Status != server.Connecting {
		return ""
	}
	return paths.Events("/servers/"+t.ID, t.Events)
}

// Said returns the words for a screen reader when it changes.
func (t Target) Said() string {
	return strings.TrimSpace(text.AsSentence(standing.OfTarget(t.Status).Word) + " " + t.Report.Headline)
}

// standing returns how connecting ended. A server that needs a sign-in did not fail.
func (t Target) standing() standing.Standing {
	if t.Status == server.ConnectFailed && t.Report.SignIn != nil {
		return standing.SignIn
	}
	return standing.OfTarget(t.Status)
}

// opensSettings reports whether the form that connects again is unfolded: the
// connection failed, or the form needs the user.
func (t Target) opensSettings() bool {
	return t.Status != server.Connected || t.Connect.Lost || t.Connect.Problem != nil
}

// checkPath returns the form of a check of the chosen tool, prompt or resource.
func (t Target) checkPath() string {
	path := "/servers/" + t.ID + "/check"
	if t.Chosen == nil || t.Chosen.Excluded != "" {
		return path
	}
	name := t.Chosen.Name
	switch t.Chosen.Kind {
	case "prompt":
		name = playground.PromptsGet + " " + name
	case "resource":
		name = playground.ResourcesRead + " " + name
	}
	return path + "?" + url.Values{"tool": {name}}.Encode()
}

// Checkable reports whether the server has a tool to check it with.
func (t Target) Checkable() bool {
	return t.Status == server.Connected && t.Tools
}

// OptionLine is a parameter that a sample's URL takes.
type OptionLine struct{ Name, Values, Meaning string }

// indentFrom is how long JSON may be before it is laid out over several lines.
const indentFrom = 72

// Indented returns JSON as it is shown for editing: a long text on several
// lines. Its values keep their notation.
func Indented(raw json.RawMessage) string {
	if len(raw) <= indentFrom {
		return string(raw)
	}
	return string(jsontree.Indent(raw))
}

// Prefix returns the prefix of the control names of entry i of a list.
func Prefix(kind string, i int) string {
	letters := map[string]string{"tool": "t", "prompt": "p", "resource": "r", "template": "u"}
	return letters[kind] + strconv.Itoa(i)
}

// fillInPath returns the page that connects, with a URL filled in.
func fillInPath(address string) string { return "/test?url=" + url.QueryEscape(address) }

// NewSuggestions reads the response to completion/complete for one control.
func NewSuggestions(control string, r playground.Round) callview.Suggestions {
	s := callview.Suggestions{Field: control, Values: server.CompletionValues(r)}
	switch {
	case r.Kind != playground.OutcomeComplete:
		s.Note = "The server sent no suggestions. " + text.Visible(r.Detail, 300)
	case len(s.Values) == 0:
		s.Note = "The server has no suggestions for this field."
	}
	return s
}
