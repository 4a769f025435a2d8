package gateway

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// comparison is one part of a message at both ends of the gateway.
type comparison struct {
	q             *request
	part          part
	path          []string // of the part in the message
	before, after *jsontree.Node
	changes       []change
	reserialised  bool // other bytes with the same meaning
}

// part is a part of a message.
type part string

// Parts.
const (
	inArguments part = "arguments"
	inAnswers   part = "answers"
	inSentMeta  part = "_meta of the request"
	inQuestions part = "questions"
	inResult    part = "result"
	inIsError   part = "isError"
	inMeta      part = "_meta of the result"
	inError     part = "error"
	inDefs      part = "definition"
	inState     part = "requestState"
	inCursor    part = "cursor"
)

// class is the kind of a change: those that a re-encoding makes are judged by lines of their
// own, wherever they are.
type class int

const (
	other class = iota
	number
	letters
	surrogate
	empty
	unknown
	added
	annotation // of a parameter that a header repeats
	mapped     // a URI with a prefix, which is a name of the gateway's own
	texts      // for people and models, of a definition
)

// change is one change of a part.
type change struct {
	jsontree.Change
	class class
}

// compare compares the parts of all messages.
func (r *recordings) compare() {
	r.pairs(func(q *request, u playground.Round) {
		client, upstream := q.client.Sent.Get("params"), u.Sent.Get("params")
		r.add(q, inArguments, client.Get("arguments"), upstream.Get("arguments"), "params", "arguments")
		r.members(q, inSentMeta, client.Get("_meta"), upstream.Get("_meta"), ownMeta, "params", "_meta")
		r.response(q, u)
	})
	r.retries(func(q *request, u playground.Round, asked *request, by playground.Round) {
		own, got := result(by).Get("requestState"), u.Sent.At("params", "requestState")
		if own != nil && got != nil {
			r.add(q, inState, own, got, "params", "requestState")
		}
		client := q.client.Sent.At("params", "inputResponses")
		upstream := u.Sent.At("params", "inputResponses")
		for _, k := range keysOf(result(asked.client), result(by)) {
			if a, b := client.Get(k.client.Key), upstream.Get(k.upstream.Key); a != nil && b != nil {
				r.add(q, inAnswers, a, b, "params", "inputResponses", k.upstream.Key)
			}
		}
	})
}

// compareTasks compares the questions of tasks, where both ends saw the same status, and the
// answers.
func (r *recordings) compareTasks() {
	for _, q := range r.requests {
		u, reached := q.up()
		if !reached {
			continue
		}
		switch a, b := result(u), result(q.client); {
		case q.client.Method == playground.TasksGet && jsontree.Equal(a.Get("status"), b.Get("status")):
			for _, k := range keysOf(b, a) {
				r.add(q, inQuestions, k.upstream.Value, k.client.Value, "result", "inputRequests",
					k.client.Key)
			}
		case q.client.Method == playground.TasksUpdate:
			got := u.Sent.At("params", "inputResponses")
			for _, m := range q.client.Sent.At("params", "inputResponses").Entries() {
				if b := got.Get(m.Key); b != nil {
					r.add(q, inAnswers, m.Value, b, "params", "inputResponses", m.Key)
				}
			}
		}
	}
}

// Members that a gateway, which is a server and a client, has of its own.
var (
	ownMeta = []string{
		"progressToken", "traceparent", "tracestate", "baggage", "io.modelcontextprotocol/clientInfo",
		"io.modelcontextprotocol/clientCapabilities", "io.modelcontextprotocol/protocolVersion",
		"io.modelcontextprotocol/logLevel",
	}
	ownResult = []string{"resultType", "requestState", "inputRequests", "isError", "_meta", "taskId"}
	ownReply  = []string{"io.modelcontextprotocol/serverInfo"}
)

// response compares the responses of a pair.
func (r *recordings) response(q *request, u playground.Round) {
	client, upstream := response(q.client), response(u)
	if upstream.Has("error") && client.Has("error") {
		r.add(q, inError, upstream.Get("error"), client.Get("error"), "error")
	}
	a, b := upstream.Get("result"), client.Get("result")
	if a == nil || b == nil {
		return
	}
	r.members(q, inResult, a, b, ownResult, "result")
	if a.Has("isError") {
		r.add(q, inIsError, a.Get("isError"), b.Get("isError"), "result", "isError")
	}
	r.members(q, inMeta, a.Get("_meta"), b.Get("_meta"), ownReply, "result", "_meta")
	for _, k := range keysOf(b, a) {
		r.add(q, inQuestions, k.upstream.Value, k.client.Value, "result", "inputRequests", k.client.Key)
	}
}

// members compares the members of two objects but those that a gateway has of its own.
func (r *recordings) members(q *request, p part, a, b *jsontree.Node, own []string, path ...string) {
	if a == nil && b == nil {
		return
	}
	for _, m := range a.Entries() {
		if !m.Duplicate && !slices.Contains(own, m.Key) {
			r.add(q, p, a.Get(m.Key), b.Get(m.Key), append(slices.Clone(path), m.Key)...)
		}
	}
	for _, m := range b.Entries() {
		if !a.Has(m.Key) && !slices.Contains(own, m.Key) {
			c := comparison{q: q, part: p, path: append(slices.Clone(path), m.Key), after: m.Value}
			c.changes = []change{{jsontree.Change{Kind: jsontree.Added, After: m.Value}, added}}
			r.compared = append(r.compared, c)
		}
	}
}

// add compares a value.
func (r *recordings) add(q *request, p part, before, after *jsontree.Node, path ...string) {
	c := comparison{q: q, part: p, path: path, before: before, after: after}
	changes := jsontree.Diff(before, after)
	if rearranged(before, after) {
		changes = []jsontree.Change{{Kind: jsontree.Changed, Before: before, After: after}}
	}
	for _, d := range changes {
		if k := classOf(d, path); !meansNothing(d, slices.Concat(path, d.Path)) {
			c.changes = append(c.changes, change{d, k})
		}
	}
	c.reserialised = c.changes == nil && string(before.Raw()) != string(after.Raw())
	r.compared = append(r.compared, c)
}

// rearranged reports whether two arrays have other items, or the same in another order. Their
// items are not compared one by one then, because the wrong ones would be.
func rearranged(a, b *jsontree.Node) bool {
	if a == nil || b == nil || a.Kind != jsontree.Array || b.Kind != jsontree.Array || jsontree.Equal(a, b) {
		return false
	}
	if len(a.Items) != len(b.Items) {
		return true
	}
	texts := make([]string, len(b.Items))
	has := map[string]bool{}
	for i, n := range b.Items {
		texts[i] = string(jsontree.Canonical(n))
		has[texts[i]] = true
	}
	for i, n := range a.Items {
		if was := string(jsontree.Canonical(n)); was != texts[i] && has[was] {
			return true
		}
	}
	return false
}

// classOf returns the class of a change in a part with a path.
func classOf(c jsontree.Change, path []string) class {
	a, b := c.Before, c.After
	name := path[len(path)-1]
	if len(c.Path) > 0 {
		name = c.Path[len(c.Path)-1]
	}
	isText := a != nil && b != nil && a.Kind == jsontree.String && b.Kind == jsontree.String
	switch {
	case name == annotationMember:
		return annotation
	case a == nil:
		return other
	case isText && name == "uri" && IsNameOf(b.Str(), a.Str()):
		return mapped
	case b == nil && strings.HasPrefix(name, "x-"):
		return unknown
	case isEmpty(a) && (b == nil || isEmpty(b)):
		return empty
	case b == nil:
		return other
	case isInexact(a) && sameDouble(a, b), isQuoted(a, b):
		return number
	case a.Kind == jsontree.String && a.Broken:
		return surrogate
	case isText && lettersDiffer(a.Str(), b.Str()):
		return letters
	}
	return other
}

// annotationMember is the member of a schema whose values header fields repeat.
const annotationMember = "x-mcp-header"

// isQuoted reports whether a number became its text.
func isQuoted(a, b *jsontree.Node) bool {
	was, isNumber := a.Decimal()
	text, isText := b.Text()
	is, isToo := jsontree.ParseDecimal(text)
	return isNumber && isText && isToo && was.Cmp(is) == 0
}

// isInexact reports whether a value is a number that a double does not hold.
func isInexact(n *jsontree.Node) bool {
	exact, ok := n.Decimal()
	if !ok {
		return false
	}
	double, err := strconv.ParseFloat(string(n.Raw()), 64)
	if err != nil {
		return true
	}
	rounded, _ := jsontree.ParseDecimal(strconv.FormatFloat(double, 'g', -1, 64))
	return exact.Cmp(rounded) != 0
}

// sameDouble reports whether two values are the same double: what a reader of doubles makes of
// a number, or its text.
func sameDouble(a, b *jsontree.Node) bool {
	of := func(n *jsontree.Node) (float64, bool) {
		text, isText := n.Text()
		if !isText {
			text = string(n.Raw())
		}
		double, err := strconv.ParseFloat(text, 64)
		return double, (isText || n.Kind == jsontree.Number) && (err == nil || math.IsInf(double, 0))
	}
	x, isNumber := of(a)
	y, isToo := of(b)
	return isNumber && (isToo && x == y || math.IsInf(x, 0) && b.Kind == jsontree.Null)
}

// isEmpty reports whether a value is null, or an empty text, list or object.
func isEmpty(n *jsontree.Node) bool {
	text, isText := n.Text()
	return n.Kind == jsontree.Null || isText && text == "" ||
		(n.Kind == jsontree.Array || n.Kind == jsontree.Object) && n.Len() == 0
}

// lettersDiffer reports whether a text with letters outside ASCII differs from another in
// these alone.
func lettersDiffer(a, b string) bool {
	ascii := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= unicode.MaxASCII || r == '?' {
				return -1
			}
			return r
		}, s)
	}
	foreign := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII {
				return r
			}
			return -1
		}, s)
	}
	x, y := ascii(a), ascii(b)
	return len(x) < len(a) && foreign(a) != foreign(b) && (isPartOf(x, y) || isPartOf(y, x))
}

// isPartOf reports whether the letters of a are in b, in the same order.
func isPartOf(a, b string) bool {
	for _, r := range b {
		if a != "" && rune(a[0]) == r {
			a = a[1:]
		}
	}
	return a == ""
}

// has reports whether a value or one in it meets a condition.
func has(n *jsontree.Node, name string, is func(*jsontree.Node, string) bool) bool {
	if n == nil {
		return false
	}
	return is(n, name) ||
		slices.ContainsFunc(n.Elements(), func(x *jsontree.Node) bool { return has(x, "", is) }) ||
		slices.ContainsFunc(n.Entries(), func(m jsontree.Member) bool { return has(m.Value, m.Key, is) })
}
