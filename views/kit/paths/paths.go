// Package paths has the addresses of pages that others link. A room that has
// the page need not be imported for the link.
package paths

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
)

// Round returns the address of a Round.
func Round(id string, n int) string { return fmt.Sprintf("/x/%s?round=%d", url.PathEscape(id), n) }

// Server returns the page of the server of an exchange. If the server is in
// no list, because the exchange came from a file or a link, it is the form that
// connects, with the URL filled in.
func Server(t playground.Target) string {
	if t.Sample == sampletools.ClientTest {
		return "/test#client"
	}
	switch {
	case t.ID == "" && t.IsCommand():
		return "/test" // no page can name a command
	case t.ID == "":
		return "/test?" + url.Values{"url": {t.URL}}.Encode()
	}
	return "/servers/" + t.ID
}

// Check returns the address of the report of a check.
func Check(server, session string) string { return "/servers/" + server + "/check/" + session }

// Edit returns the address of the editor for the request that follows Round
// n; 0 is before the first.
func Edit(exchange string, n int) string {
	return fmt.Sprintf("/x/%s/edit?round=%d", url.PathEscape(exchange), n)
}

// Flow returns the path of a flow's page.
func Flow(id string) string { return "/flows/" + id }

// Recordings is where a recording is sent that is to be served, and ServeIt what the buttons that
// do it say.
const (
	Recordings = "/recordings"
	ServeIt    = "Serve this recording"
)

// Recording returns the path of the page of a recording that is served.
func Recording(id string) string { return Recordings + "/" + id }

// Gateways is where the test of a gateway begins.
const Gateways = "/gateways"

// Gateway returns the path of the page of a test of a gateway.
func Gateway(id string) string { return Gateways + "/" + id }

// SavedCalls and Links are the lists of one kind in the history.
const (
	SavedCalls = "/history?kind=" + string(session.KindSaved)
	Links      = "/history?kind=" + string(session.KindLink)
)

// Specification is the address of the table of the specification.
const Specification = "/learn/specification"

// State is the address of the requestState workbench.
const State = "/state"

// StateOf returns the address of the workbench with the state of a Round.
func StateOf(exchange string, round int) string {
	return State + "?" + url.Values{"x": {exchange}, "round": {fmt.Sprint(round)}}.Encode()
}

// LessonLink leads from an exchange back to its lesson.
type LessonLink struct{ Path, Words string }

// LessonFor returns the address of the lesson that explains an exchange.
func LessonFor(f playground.Transcript) string {
	has := func(what func(playground.Round) bool) bool { return slices.ContainsFunc(f.Rounds, what) }
	switch {
	case has(func(r playground.Round) bool { return r.Legacy }):
		return "/learn/legacy"
	case has(func(r playground.Round) bool { return r.Task != nil }):
		return "/learn/tasks"
	case has(func(r playground.Round) bool { return r.Kind == playground.OutcomeRetry }):
		return "/learn/nothing-to-ask"
	case has(func(r playground.Round) bool { return len(r.Questions) > 1 }):
		return "/learn/questions"
	case has(func(r playground.Round) bool { return r.State != nil }):
		return "/learn/rounds"
	case has(func(r playground.Round) bool { return len(r.Questions) > 0 }):
		return "/learn/one-round"
	}
	return "/learn/why"
}

// Events returns the address of a stream that reports when a log has more than
// the events that the page shows.
func Events(path string, events int) string {
	return fmt.Sprintf("%s/events?after=%d", path, events)
}

// NewStory returns the address of the page that proposes a story.
func NewStory(kind, id, of string) string {
	q := url.Values{"kind": {kind}, "id": {id}}
	if of != "" {
		q.Set("x", of)
	}
	return "/stories/new?" + q.Encode()
}

// MakeDemo are the words of the control that makes a story of a call, a board
// or a flow.
const MakeDemo = "Make a demo of it"

// MakeFlow are the words of the control that makes a flow of recorded calls.
const MakeFlow = "Make a flow of it"

// Again returns the address of the form of a call, filled in with the arguments
// of the call, without its secrets.
func Again(x playground.Exchange) string {
	params, err := jsontree.Parse(x.Call.Params, jsontree.Limits{})
	if err != nil {
		return Server(x.Target)
	}
	arguments, _ := share.Arguments(params.Get("arguments").Raw(), nil)
	if x.Target.ID == "" { // only the form that connects, which takes tools
		if x.Call.Method != playground.ToolsCall || len(arguments) > maxFilledIn {
			return Server(x.Target)
		}
		return Server(x.Target) + "&" +
			url.Values{"tool": {params.Get("name").Str()}, "args": {string(arguments)}}.Encode()
	}
	switch x.Call.Method {
	case playground.ToolsCall:
		return Call(x.Target.ID, "tool", params.Get("name").Str(), "", arguments)
	case playground.PromptsGet:
		return Call(x.Target.ID, "prompt", params.Get("name").Str(), "", arguments)
	case playground.ResourcesRead:
		return Call(x.Target.ID, "resource", params.Get("uri").Str(), "", nil)
	}
	return Server(x.Target)
}

// Field is the address of the facts about real software, and RealClients that of those about
// clients.
const (
	Field       = "/field"
	RealClients = Field + "?kind=client"
)

// Call returns the page of a server with a form chosen, and filled in with
// arguments unless they are too long or nil. entry distinguishes entries of the
// same name, such as "t3"; it is "" for the first of the name.
func Call(target, kind, name, entry string, arguments []byte) string {
	query := url.Values{}
	if len(name) <= MaxName {
		query.Set(kind, name)
	}
	if entry != "" {
		query.Set("entry", entry)
	}
	if len(query) > 0 && len(arguments) > 0 && len(arguments) <= maxFilledIn {
		query.Set("args", string(arguments))
	}
	return "/servers/" + url.PathEscape(target) + "?" + query.Encode()
}

// CheckOf returns the form that checks the server of a call, with the call filled
// in. It is empty if the server is in no list.
func CheckOf(x playground.Exchange) string {
	if x.Target.ID == "" {
		return ""
	}
	path := "/servers/" + x.Target.ID + "/check"
	params, err := jsontree.Parse(x.Call.Params, jsontree.Limits{})
	if err != nil || x.Call.Method != playground.ToolsCall {
		return path
	}
	q := url.Values{"tool": {params.Get("name").Str()}}
	if arguments, _ := share.Arguments(params.Get("arguments").Raw(), nil); len(arguments) <= maxFilledIn {
		q.Set("args", string(arguments))
	}
	return path + "?" + q.Encode()
}

// maxFilledIn is the most of arguments that an address carries, in bytes.
const maxFilledIn = 2000

// MaxName is the longest name that an address carries, in bytes.
const MaxName = 300
