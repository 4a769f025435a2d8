package gateway

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Lines that calls are made for: see Call.Focus.
const (
	Definitions   = "definitions"
	Large         = "large"
	Tasks         = "tasks"
	Mixed         = "mixed"
	Subscriptions = "subscriptions"
	Challenge     = "challenge"
	Cancellation  = "cancellation"
	Surrogates    = "surrogates" // named only
)

// line is one thing that is judged.
type line struct {
	id          string
	title       string
	requirement string // id in package spec; empty if none binds
	breaks      string // the damage; empty if the requirement says enough
	reached     string // what has to happen for it to be judged
	judge       func(*recordings, *tally)
}

// tally has what a line compared and found.
type tally struct {
	seen  int
	first *request // that was compared; nil if none was
	found []found
}

// saw counts a comparison.
func (t *tally) saw(q *request) {
	t.seen++
	if t.first == nil {
		t.first = q
	}
}

// found is one fault.
type found struct {
	q        *request
	sentence string
	path     []string
	header   string
	mild     bool // the client can go on nevertheless
}

// check counts a comparison, and the fault if it does not hold.
func (t *tally) check(q *request, holds bool, sentence string, path ...string) {
	t.saw(q)
	if !holds {
		t.found = append(t.found, found{q: q, sentence: sentence, path: path})
	}
}

// refused is what follows from a header field that is not true to the body (basic/transports/
// streamable-http, "Server Validation").
const refused = "A server must refuse the request with error -32020."

// lines are all lines, in the order of the report.
var lines = []line{
	{Definitions, "The client gets the definitions of tools, prompts and resources as they are", "",
		"The client calls with other arguments than it should, or reads another result.",
		"a list of the upstream", definitions},
	{"pages", "Every page of a list is read, with the cursor of the upstream", "pagination.opaque", "",
		"a list with pages", pages},
	{"call-reaches", "Every call reaches the upstream", "",
		"A tool that acts would not act: the gateway answered by itself.", "a call", callReaches},
	{"retry-reaches", "Every retry reaches the upstream", "",
		"The upstream never gets the answers: the gateway answered by itself.", "a retry", retryReaches},
	{"once", "Every request reaches the upstream once", "",
		"A tool that acts would act twice.", "a request", once},
	{"called", "The upstream is called by its own names", "",
		"Another tool acts than the one that was asked for.", "a call", called},
	{"arguments", "The upstream gets the arguments as they are", "",
		"The tool is called with something else than was asked for.", "a call with arguments",
		changed(inArguments)},
	{"capabilities", "The upstream sees the capabilities that the client declares", "index.meta-capabilities",
		"", "a call", capabilities},
	{"questions", "The client gets every question as it is", "mrtr.requests-object", "",
		"a question", questions},
	{"new-id", "A retry has another id than the request before", "mrtr.new-id", "", "a retry", newIDs},
	{"keys", "The upstream gets its own keys back", "mrtr.responses-keys", "", "a retry with answers", keys},
	{"answers", "The upstream gets the answers as they are", "",
		"The tool goes on with something else than the user answered.", "a retry with answers",
		changed(inAnswers)},
	{"answers-dropped", "Answers are passed on", "mrtr.all-answers", "", "a retry with answers",
		answersDropped},
	{"state", "The upstream gets its own requestState back exactly", "mrtr.echo", "", "a retry with a state",
		state},
	{"state-dropped", "A requestState is passed on", "mrtr.echo", "", "a result with a state", stateDropped},
	{"message", "The client gets messages that can be read", "index.json-rpc", "", "a response", messages},
	{"response-id", "The client gets one response, with the id of its request", "index.result-id", "",
		"a response over HTTP", responseIDs},
	{"encoding", "A response has a content coding that the client accepts", "",
		"The client cannot read what it did not ask for (RFC 9110, section 12.5.3).",
		"a response over HTTP", codings},
	{"result-type", "resultType is passed on", "index.result-type", "", "a result", resultType},
	{"result", "The client gets the result as it is", "",
		"The client shows something else than the tool returned.", "a result", results},
	{"is-error", "isError is passed on", "", "A call that failed looks like one that worked.",
		"a result with isError", changed(inIsError)},
	{"result-meta", "_meta of a result is passed on", "",
		"Extensions that the two ends agreed on no longer work.", "a result with _meta", changed(inMeta)},
	{"sent-meta", "_meta of a request is passed on", "",
		"Extensions that the two ends agreed on no longer work.", "a request with _meta",
		changed(inSentMeta)},
	{"error", "An error is passed on with code, message and data", "",
		"The client cannot tell what to do about the error.", "an error", errors},
	{"error-status", "The HTTP status of an error is passed on", "index.capability-status",
		"", "an error over HTTP", errorStatus},
	{"progress", "The client gets every notification about a request before the result", "",
		"The user does not see that work goes on.", "a notification about a request", progress},
	{"progress-token", "A progress notification has the token of the client", "progress.own-token", "",
		"a progress notification", progressToken},
	{"streams", "A stream is passed on as it comes", "",
		"Progress arrives when it is of no use any more. The gateway buffers: let it pass on each part " +
			"as it comes.",
		"a result that waits for the client", streams},
	{Cancellation, "A closed connection is closed at the upstream too", "http.closed",
		"The upstream goes on working in vain.", "a call that the client stopped", cancellation},
	{"numbers", "Numbers keep their value", "",
		"Ids beyond 2^53, amounts and times become others.", "a number that a double cannot hold",
		ofClass(number, isNumber)},
	{"unicode", "Texts keep their letters", "", "Names and answers become unreadable, or others.",
		"a text outside ASCII", ofClass(letters, isForeign)},
	{"empties", "null and empty values stay", "",
		"A value that was cleared on purpose looks untouched.", "an empty value",
		ofClass(empty, isEmptyNamed)},
	{"unknown", "Unknown members are passed on", "",
		"What a later revision or an extension adds gets lost.", "an unknown member",
		ofClass(unknown, isUnknown)},
	{Large, "A large result is passed on whole", "", "Documents and images get lost.", "a large result",
		focused(Large)},
	{"header-method", "Mcp-Method is true to the body", "http.method-header",
		refused, "a request over HTTP",
		header("Mcp-Method", func(_ *recordings, _ *request, u playground.Round) string { return u.Method })},
	{"header-name", "Mcp-Name is true to the body", "http.name-header",
		refused, "a request over HTTP",
		header("Mcp-Name", nameInBody)},
	{"header-version", "MCP-Protocol-Version is true to the body", "http.version-equal",
		refused, "a request over HTTP", header("MCP-Protocol-Version", versionInBody)},
	{"header-accept", "Accept names JSON and event streams", "http.accept", "", "a request over HTTP",
		accepts},
	{"header-params", "Mcp-Param headers are true to the body", "http.param-mirrored",
		refused, "a call with an annotated argument", headerParams},
	{Mixed, "Two calls at once are not mixed", "mrtr.same-request", "", "two calls at once", focused(Mixed)},
	{Subscriptions, "A subscription brings its notifications, all and in order", "",
		"The client shows what is no longer true.", "a subscription", subscribed},
	{"subscription-id", "A notification has the id of the client's subscription", "subscriptions.ids", "",
		"a notification of a subscription", subscriptionIDs},
	{Tasks, "Polls and answers reach the same task", "", "The task goes on without its client.", "a task",
		tasks},
	{Challenge, "A challenge and the metadata that it names stay true", "", "The client cannot sign in.",
		"a challenge", challenge},
}

func callReaches(r *recordings, t *tally) {
	for _, q := range r.requests {
		if q.isCall() && !q.isRetry() {
			t.check(q, len(q.ups) > 0, "The call did not reach the upstream; "+came(q)+".")
		}
	}
}

func retryReaches(r *recordings, t *tally) {
	for _, q := range r.requests {
		if q.isCall() && q.isRetry() {
			t.check(q, len(q.ups) > 0, "The retry did not reach the upstream; "+came(q)+".")
		}
	}
}

// came returns in words what the client got.
func came(q *request) string {
	switch c := q.client; {
	case c.Error != nil:
		return fmt.Sprintf("the client got error %d: %s", c.Error.Code, text.Visible(c.Error.Message, 120))
	case c.Result != nil:
		return "the client got a result"
	case c.Head.Status > 0:
		return fmt.Sprintf("the client got status %d", c.Head.Status)
	}
	return "the client got " + cmp.Or(text.Visible(string(q.client.Class), 60), "nothing")
}

func once(r *recordings, t *tally) {
	for _, q := range r.requests {
		if n := len(q.ups) - q.continued(); n > 0 && q.isCall() {
			t.check(q, n == 1, fmt.Sprintf("The upstream got the request %d times.", n))
		}
	}
}

// called judges names.
func called(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		name, same := r.calledAs(q, u)
		if same && name != q.call.Tool && !r.lists(u.Method, name) {
			return // it may be another one: the upstream gave no list with it
		}
		t.check(q, same, fmt.Sprintf("The client called %s, and the upstream was asked for %s.",
			text.Visible(q.call.Tool, 80), visible(name, 80)), "params", wire.NameMember(u.Method))
	})
}

// calledAs returns the name that a request at the upstream has, and whether it is the name that was
// called. One that the user gave may be that at the gateway, unless the upstream lists it.
func (r *recordings) calledAs(q *request, u playground.Round) (name string, same bool) {
	name = playground.NameIn(u.Method, u.Sent.Get("params"))
	tool := q.call.Tool
	mapped := q.call.Mark == "" && !r.lists(u.Method, tool) &&
		(IsNameOf(tool, name) || IsNameOf(name, tool))
	return name, name == tool || mapped
}

// lists reports whether the upstream listed what a method calls by a name.
func (r *recordings) lists(method, name string) bool {
	list := map[string]string{
		playground.ToolsCall: playground.ToolsList, playground.PromptsGet: playground.PromptsList,
		playground.ResourcesRead: playground.ResourcesList,
	}[method]
	for _, l := range lists {
		for _, u := range r.ups {
			named := func(n *jsontree.Node) bool { return n.Get(l.name).Str() == name }
			if l.method == list && u.Method == list &&
				slices.ContainsFunc(result(u).Get(l.entries).Elements(), named) {
				return true
			}
		}
	}
	return false
}

// changed judges the changes of a part that no line about values counts.
func changed(p part) func(*recordings, *tally) {
	return func(r *recordings, t *tally) {
		for _, c := range r.compared {
			if c.part == p {
				c.judge(t, func(d change) bool { return d.class == other })
			}
		}
	}
}

// judge counts the first change that counts.
func (c comparison) judge(t *tally, counts func(change) bool) {
	i := slices.IndexFunc(c.changes, counts)
	if i < 0 {
		t.check(c.q, true, "")
		return
	}
	d := c.changes[i]
	path := slices.Concat(c.path, d.Path)
	where := strings.Join(path, ".")
	was, is := text.Visible(string(d.Before.Raw()), 80), text.Visible(string(d.After.Raw()), 80)
	sentence := fmt.Sprintf("%s was %s and became %s.", where, was, is)
	switch {
	case d.Before == nil:
		sentence = fmt.Sprintf("%s was added: %s.", where, is)
	case d.After == nil:
		sentence = fmt.Sprintf("%s was dropped: %s.", where, was)
	}
	t.check(c.q, false, sentence, path...)
}

func results(r *recordings, t *tally) {
	changed(inResult)(r, t)
	r.pairs(func(q *request, u playground.Round) {
		if result(u) != nil && !q.call.Stopped && result(q.client) == nil && !q.unreadable() {
			t.check(q, false, "The upstream returned a result; "+came(q)+".")
		}
	})
}

func errors(r *recordings, t *tally) {
	changed(inError)(r, t)
	r.pairs(func(q *request, u playground.Round) {
		was := response(u).Get("error")
		if was != nil && !response(q.client).Has("error") && !q.unreadable() {
			t.check(q, false, fmt.Sprintf("The upstream returned error %s; %s.",
				text.Visible(string(was.Get("code").Raw()), 20), came(q)))
		}
	})
}

func errorStatus(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		if response(u).Has("error") && !response(q.client).Has("error") {
			return // the line about errors has it
		}
		if was, is := u.Head.Status, q.client.Head.Status; was >= 400 && is > 0 {
			t.check(q, was == is, fmt.Sprintf("The upstream returned status %d, the client got %d.", was, is))
		}
	})
}

// focused judges nothing by itself: faults that show only in the calls of the line are counted
// there. It counts the requests of these calls that reached the upstream.
func focused(id string) func(*recordings, *tally) {
	return func(r *recordings, t *tally) {
		r.pairs(func(q *request, _ playground.Round) {
			if q.call.Focus == id {
				t.saw(q)
			}
		})
	}
}
