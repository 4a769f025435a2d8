package gateway

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Lines that calls are made for: see Call.Focus.
const (
	Large        = "large"
	Tasks        = "tasks"
	Mixed        = "mixed"
	Challenge    = "challenge"
	Cancellation = "cancellation"
	Surrogates   = "surrogates" // named only
)

// line is one thing that is judged.
type line struct {
	id          string
	title       string
	requirement string // id in package spec; empty if none binds
	breaks      string // the damage, if no requirement binds
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
}

// check counts a comparison, and the fault if it does not hold.
func (t *tally) check(q *request, holds bool, sentence string, path ...string) {
	t.saw(q)
	if !holds {
		t.found = append(t.found, found{q: q, sentence: sentence, path: path})
	}
}

// lines are all lines, in the order of the report.
var lines = []line{
	{"call-reaches", "Every call reaches the upstream", "",
		"A tool that acts would not act: the gateway answered by itself.", "a call", callReaches},
	{"retry-reaches", "Every retry reaches the upstream", "",
		"The upstream never gets the answers: the gateway answered by itself.", "a retry", retryReaches},
	{"once", "Every request reaches the upstream once", "",
		"A tool that acts would act twice.", "a request", once},
	{"arguments", "The upstream gets the arguments as they are", "",
		"The tool is called with something else than was asked for.", "a call with arguments",
		changed(inArguments)},
	{"capabilities", "The upstream sees the capabilities that the client declares", "index.meta-capabilities",
		"", "a call", capabilities},
	{"questions", "The client gets every question as it is", "mrtr.requests-object", "",
		"a question", questions},
	{"keys", "The upstream gets its own keys back", "mrtr.responses-keys", "", "a retry with answers", keys},
	{"answers", "The upstream gets the answers as they are", "",
		"The tool goes on with something else than the user answered.", "a retry with answers",
		changed(inAnswers)},
	{"answers-dropped", "Answers are passed on", "mrtr.all-answers", "", "a retry with answers",
		answersDropped},
	{"state", "The upstream gets its own requestState back exactly", "mrtr.echo", "", "a retry with a state",
		state},
	{"state-dropped", "A requestState is passed on", "mrtr.echo", "", "a result with a state", stateDropped},
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
	{"progress", "The client gets every progress notification before the result", "",
		"The user does not see that work goes on.", "a progress notification", progress},
	{"progress-token", "A progress notification has the token of the client", "progress.own-token", "",
		"a progress notification", progressToken},
	{"streams", "A stream is passed on as it comes", "",
		"Progress arrives when it is of no use any more.", "a result that waits for the client", streams},
	{Cancellation, "A closed connection is closed at the upstream too", "http.closed", "",
		"a call that the client stopped", cancellation},
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
	{"header-method", "Mcp-Method is true to the body", "http.method-header", "", "a request over HTTP",
		header("Mcp-Method", func(_ *recordings, u playground.Round) string { return u.Method })},
	{"header-name", "Mcp-Name is true to the body", "http.name-header", "", "a request over HTTP",
		header("Mcp-Name", nameInBody)},
	{"header-version", "MCP-Protocol-Version is true to the body", "http.version-equal", "",
		"a request over HTTP", header("MCP-Protocol-Version", versionInBody)},
	{"header-params", "Mcp-Param headers are true to the body", "http.param-mirrored", "",
		"a call with an annotated argument", headerParams},
	{Mixed, "Two calls at once are not mixed", "mrtr.same-request", "", "two calls at once", focused(Mixed)},
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
		if n := len(q.ups); n > 0 && q.isCall() {
			t.check(q, n == 1, fmt.Sprintf("The upstream got the request %d times.", n))
		}
	}
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

func capabilities(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		path := []string{"params", "_meta", "io.modelcontextprotocol/clientCapabilities"}
		was, is := q.client.Sent.At(path...), u.Sent.At(path...)
		t.check(q, jsontree.Equal(was, is), fmt.Sprintf(
			"The client declared %s, the upstream saw %s.",
			text.Visible(
				string(was.Raw()),
				120,
			),
			cmp.Or(text.Visible(string(is.Raw()), 120), "nothing"),
		), path...)
	})
}

func questions(r *recordings, t *tally) {
	changed(inQuestions)(r, t)
	r.pairs(func(q *request, u playground.Round) {
		was, is := result(u).Get("inputRequests"), result(q.client).Get("inputRequests")
		if was != nil && result(q.client) != nil {
			t.check(q, was.Len() == is.Len(), fmt.Sprintf(
				"The upstream asked %s, the client got %s.",
				text.Plural(
					was.Len(),
					"question",
				),
				text.Plural(is.Len(), "question"),
			), "result", "inputRequests")
		}
	})
}

func keys(r *recordings, t *tally) {
	r.retries(func(q *request, u playground.Round, asked *request, by playground.Round) {
		got := u.Sent.At("params", "inputResponses")
		if got == nil {
			return
		}
		own := result(by).Get("inputRequests")
		for _, m := range got.Entries() {
			t.check(q, own.Has(m.Key), "The upstream got an answer to a key that it did not ask: "+
				text.Visible(m.Key, 80)+".", "params", "inputResponses", m.Key)
		}
		sent := q.client.Sent.At("params", "inputResponses")
		for _, k := range keysOf(result(asked.client), result(by)) {
			if sent.Has(k.client.Key) && got.Len() < sent.Len() {
				t.check(q, got.Has(k.upstream.Key), "The upstream got no answer to its key "+
					text.Visible(k.upstream.Key, 80)+".", "params", "inputResponses")
			}
		}
	})
}

func answersDropped(r *recordings, t *tally) {
	r.retries(func(q *request, u playground.Round, _ *request, _ playground.Round) {
		if sent := q.client.Sent.At("params", "inputResponses"); sent.Len() > 0 {
			t.check(q, u.Sent.Get("params").Has("inputResponses"), "The upstream got no inputResponses.",
				"params", "inputResponses")
		}
	})
}

func state(r *recordings, t *tally) {
	r.retries(func(q *request, u playground.Round, _ *request, by playground.Round) {
		own, got := result(by).Get("requestState"), u.Sent.At("params", "requestState")
		if got == nil {
			return // the line about dropped states has it
		}
		sentence := "The upstream had given no requestState and got one."
		if own != nil {
			sentence = fmt.Sprintf("The upstream gave the requestState %s and got %s.",
				text.Visible(string(own.Raw()), 60), text.Visible(string(got.Raw()), 60))
		}
		t.check(q, jsontree.Equal(own, got), sentence, "params", "requestState")
	})
}

func stateDropped(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		if result(u).Has("requestState") && result(q.client) != nil {
			t.check(q, result(q.client).Has("requestState"), "The result reached the client without its "+
				"requestState.", "result", "requestState")
		}
	})
	r.retries(func(q *request, u playground.Round, _ *request, by playground.Round) {
		if result(by).Has("requestState") && q.client.Sent.Get("params").Has("requestState") {
			t.check(q, u.Sent.Get("params").Has("requestState"),
				"The retry reached the upstream without the requestState.", "params", "requestState")
		}
	})
}

func resultType(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		a, b := result(u), result(q.client)
		if a != nil && b != nil && a.Has("resultType") {
			was, is := a.Get("resultType"), b.Get("resultType")
			t.check(q, jsontree.Equal(was, is), fmt.Sprintf("resultType was %s and became %s.",
				text.Visible(string(was.Raw()), 60), cmp.Or(text.Visible(string(is.Raw()), 60), "nothing")),
				"result", "resultType")
		}
	})
}

func results(r *recordings, t *tally) {
	changed(inResult)(r, t)
	r.pairs(func(q *request, u playground.Round) {
		if result(u) != nil && !q.call.Stopped && result(q.client) == nil {
			t.check(q, false, "The upstream returned a result; "+came(q)+".")
		}
	})
}

func errors(r *recordings, t *tally) {
	changed(inError)(r, t)
	r.pairs(func(q *request, u playground.Round) {
		if was := response(u).Get("error"); was != nil && !response(q.client).Has("error") {
			t.check(q, false, fmt.Sprintf("The upstream returned error %s; %s.",
				text.Visible(string(was.Get("code").Raw()), 20), came(q)))
		}
	})
}

func errorStatus(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		if was, is := u.Head.Status, q.client.Head.Status; was >= 400 && is > 0 {
			t.check(q, was == is, fmt.Sprintf("The upstream returned status %d, the client got %d.", was, is))
		}
	})
}

// notes returns the progress notifications of a Round, and whether all are before the response.
func notes(r playground.Round) (list []*jsontree.Node, first bool) {
	first = true
	answered := false
	for _, m := range r.Messages {
		answered = answered || m.IsResponse()
		if m.Method() == playground.ProgressNotified {
			list = append(list, m.Node.Get("params"))
			first = first && !answered
		}
	}
	return list, first
}

func progress(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		path := []string{"params", "_meta", "progressToken"}
		if q.client.Sent.At(path...) != nil && u.Sent.At(path...) == nil {
			t.check(q, false, "The request reached the upstream without a progress token.", path...)
		}
		was, _ := notes(u)
		if len(was) == 0 || q.call.Stopped {
			return
		}
		is, first := notes(q.client)
		t.check(q, first, "A progress notification came after the result.")
		t.check(q, len(is) == len(was), fmt.Sprintf("The upstream sent %s, the client got %d.",
			text.Plural(len(was), "progress notification"), len(is)))
		for i := range min(len(was), len(is)) {
			for _, name := range []string{"progress", "total", "message"} {
				t.check(q, jsontree.Equal(was[i].Get(name), is[i].Get(name)), fmt.Sprintf(
					"%s of notification %d was changed.", name, i+1))
			}
		}
	})
}

func progressToken(r *recordings, t *tally) {
	r.pairs(func(q *request, _ playground.Round) {
		own := q.client.Sent.At("params", "_meta", "progressToken")
		list, _ := notes(q.client)
		for _, n := range list {
			t.check(q, jsontree.Equal(own, n.Get("progressToken")), fmt.Sprintf(
				"The client sent the token %s and got a notification with %s.",
				text.Visible(string(own.Raw()), 60), text.Visible(string(n.Get("progressToken").Raw()), 60)))
		}
	})
}

func streams(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		if q.call.Tool != waiting || len(u.Messages) < 2 || len(q.client.Messages) < 2 {
			return
		}
		last := u.Messages[len(u.Messages)-1]
		t.check(q, q.client.Messages[0].At.Before(last.At),
			"The first event came to the client when the upstream had sent its result.")
	})
}

// waiting is the tool whose result waits until its first event has arrived.
const waiting = "hop_stream"

func cancellation(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		if q.call.Stopped {
			t.check(q, u.Kind == playground.OutcomeCancelled,
				"The client closed its connection; that to the upstream stayed open.")
		}
	})
}

// ofClass judges the changes of a class in every part, and counts the parts that have such
// values.
func ofClass(k class, is func(*jsontree.Node, string) bool) func(*recordings, *tally) {
	return func(r *recordings, t *tally) {
		for _, c := range r.compared {
			if has(c.before, c.path[len(c.path)-1], is) {
				c.judge(t, func(d change) bool { return d.class == k })
			}
		}
	}
}

func isNumber(n *jsontree.Node, _ string) bool { return isInexact(n) }

func isForeign(n *jsontree.Node, _ string) bool {
	return !n.Broken && strings.ContainsFunc(n.Str(), func(r rune) bool { return r > unicode.MaxASCII })
}

func isEmptyNamed(n *jsontree.Node, _ string) bool { return isEmpty(n) }

func isUnknown(_ *jsontree.Node, name string) bool {
	return strings.HasPrefix(name, "x-")
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

// decoded returns the value of a header field without its encoding ("Value Encoding").
func decoded(value string) string {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value
	}
	b, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
	if err != nil {
		return value
	}
	return string(b)
}

// header judges a field of the requests at the upstream. body returns its value by the body,
// or "" if it has none.
func header(name string, body func(*recordings, playground.Round) string) func(*recordings, *tally) {
	return func(r *recordings, t *tally) {
		for _, q := range r.requests {
			for _, u := range q.ups {
				if want := body(r, u); want != "" && !u.Request.IsLine() {
					t.field(q, u, name, want)
				}
			}
		}
	}
}

// field judges one field of a request at the upstream.
func (t *tally) field(q *request, u playground.Round, name, want string) {
	t.saw(q)
	values := head(u).Values(name)
	sentence := fmt.Sprintf("The body has %s, and %s is missing.", text.Visible(want, 60), name)
	if len(values) > 0 {
		sentence = fmt.Sprintf("The body has %s, %s has %s.", text.Visible(want, 60), name,
			text.Visible(strings.Join(values, ", "), 60))
	}
	if len(values) != 1 || decoded(values[0]) != want {
		t.found = append(t.found, found{q: q, sentence: sentence, header: name})
	}
}

func nameInBody(_ *recordings, u playground.Round) string {
	member := wire.NameMember(u.Method)
	if member == "" {
		return ""
	}
	return u.Sent.At("params", member).Str()
}

func versionInBody(_ *recordings, u playground.Round) string {
	return u.Sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion").Str()
}

func headerParams(r *recordings, t *tally) {
	for _, q := range r.requests {
		for _, u := range q.ups {
			tool := r.tool(u.Sent.At("params", "name").Str())
			if tool == nil || u.Request.IsLine() {
				continue
			}
			for _, m := range playground.MirroredArguments(tool, u.Sent.Get("params")) {
				t.field(q, u, m.Header, m.Text)
			}
		}
	}
}

// tool returns a tool as the upstream listed it, or nil.
func (r *recordings) tool(name string) *jsontree.Node {
	for _, u := range r.ups {
		for _, n := range u.Result.Get("tools").Elements() {
			if n.Get("name").Str() == name {
				return n
			}
		}
	}
	return nil
}

func tasks(r *recordings, t *tally) {
	for _, c := range r.calls {
		if len(c.requests) == 0 {
			continue
		}
		first, last := c.requests[0], c.requests[len(c.requests)-1]
		u, _ := first.up()
		id := result(u).Get("taskId")
		if id == nil || result(first.client).Get("resultType").Str() != "task" {
			continue // the lines about results have it
		}
		polled, answered := 0, false
		var end *jsontree.Node
		for _, q := range c.requests {
			for _, u := range q.ups {
				if isCall(u.Method) {
					continue
				}
				polled++
				answered = answered || u.Method == playground.TasksUpdate &&
					u.Sent.At("params", "inputResponses").Len() > 0
				t.check(q, jsontree.Equal(id, u.Sent.At("params", "taskId")), fmt.Sprintf(
					"The upstream made the task %s and was asked about %s.", text.Visible(id.Str(), 60),
					text.Visible(u.Sent.At("params", "taskId").Str(), 60)), "params", "taskId")
				if x := result(u).Get("result"); x != nil {
					end = x
				}
			}
		}
		t.check(first, polled > 0, "No poll reached the upstream.")
		if polled > 0 {
			t.check(last, answered, "No answer reached the task.")
			t.check(
				last,
				jsontree.Equal(end, last.client.Final),
				"The result of the task is not that of the "+
					"upstream; "+came(last)+".",
			)
		}
	}
}

func challenge(r *recordings, t *tally) {
	r.pairs(func(q *request, u playground.Round) {
		was := challengeOf(u)
		if was == nil || q.client.Head.Status == 0 {
			return
		}
		is := challengeOf(q.client)
		t.check(q, is != nil, "The challenge of the upstream, "+wwwAuthenticate+", did not reach the client.")
		for _, name := range []string{"error", "scope"} {
			t.check(
				q,
				is == nil || is[name] == was[name],
				fmt.Sprintf("%s of the challenge was %s and became %s.",
					name, was[name], text.Visible(cmp.Or(is[name], "nothing"), 80)),
			)
		}
		t.check(q, is == nil || was["resource_metadata"] == "" || is["resource_metadata"] != "",
			"The challenge lost the address of the metadata.")
	})
	for _, c := range r.calls {
		for _, q := range c.requests {
			if c.Metadata == "" {
				continue
			}
			n, err := jsontree.Parse(q.client.Response.Body, jsontree.Limits{})
			good := err == nil && q.client.Head.Status == 200
			t.check(q, good, "The metadata that the challenge names are not served.")
			if good {
				t.check(q, n.Get("resource").Str() == c.Metadata, fmt.Sprintf(
					"The metadata are about %s, and the client calls %s.",
					text.Visible(n.Get("resource").Str(), 80), text.Visible(c.Metadata, 80)))
			}
		}
	}
}

// MetadataOf returns the address of the metadata that the challenge of a call names, or "".
func MetadataOf(c Call) string {
	for _, r := range playground.Connections(c.events()) {
		if m := challengeOf(r); m != nil {
			return m["resource_metadata"]
		}
	}
	return ""
}

const wwwAuthenticate = "WWW-Authenticate"

// challengeOf returns the parameters of the Bearer challenge of a response, or nil.
func challengeOf(r playground.Round) map[string]string {
	for _, c := range wire.Challenges(r.Head.Values(wwwAuthenticate)) {
		if strings.EqualFold(c.Scheme, "Bearer") {
			list := map[string]string{}
			for _, p := range c.Params {
				list[p.Name] = p.Value
			}
			return list
		}
	}
	return nil
}
