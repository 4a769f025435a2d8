package expect

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Choice is a condition that a recorded call can be expected to meet again.
type Choice struct {
	ID      string
	Round   int    // in which it is met; 0 for the end of the call
	Words   string // the condition, in one sentence without its end
	Value   string // expected text or JSON; may be empty
	Usual   bool   // it is chosen unless the user decides otherwise
	Fixed   bool   // it is part of every expectation
	Refused string // why it cannot be chosen; empty if it can
	Note    string // why it is not Usual; may be empty
}

// mostValues is how many values, and how many texts, of a result can be chosen one by one.
const mostValues = 40

// maxValue is the longest value that a file keeps, in bytes.
const maxValue = 16 << 10

// refused returns why a value cannot be expected; empty if it can.
func refused(value string) string {
	switch {
	case text.HasMask([]byte(value)):
		return "A part of it is masked, so it cannot be compared."
	case len(value) > maxValue:
		return "It is too long for a file: " + text.Size(len(value)) + "."
	}
	return ""
}

// texts returns the texts of a result that can be chosen.
func texts(result *jsontree.Node) []string {
	list := textsOf(result)
	return list[:min(len(list), mostValues)]
}

// Choices returns what can be expected of a call like x. x is as others may see it: what is
// masked in it cannot be expected.
func Choices(x playground.Exchange) []Choice {
	f := x.Fold()
	var list []Choice
	add := func(c Choice) {
		if c.Refused = refused(c.Value); c.Refused != "" {
			c.Usual = false
		}
		list = append(list, c)
	}
	for i, r := range asking(f) {
		n := i + 1
		add(Choice{ID: fmt.Sprintf("%d", n), Round: n, Words: "It " + asks(asked(r)), Fixed: true})
		for k, q := range r.Questions {
			if message := q.Params.Get("message").Str(); message != "" {
				add(Choice{ID: fmt.Sprintf("%d.%d.message", n, k), Round: n, Value: message,
					Words: "The message of " + q.Label() + " is the same"})
			}
			if schema := schemaOf(q); schema != nil {
				add(Choice{ID: fmt.Sprintf("%d.%d.schema", n, k), Round: n, Value: string(schema.Raw()),
					Words: "The form of " + q.Label() + " is the same"})
			}
		}
	}
	last := f.Last()
	if last == nil || last.Open() {
		return list
	}
	add(Choice{ID: "end", Words: "It " + endWords(*last), Fixed: true})
	if last.Kind != playground.OutcomeComplete {
		return list
	}
	for i, s := range texts(last.Final) {
		c := Choice{ID: fmt.Sprintf("text.%d", i), Words: "The text of the result has this part", Value: s,
			Usual: strings.TrimSpace(s) != ""}
		if c.Usual && looksFresh(s) {
			c.Usual, c.Note = false, "It has a date, a time or an id, which may be another one each time."
		}
		if c.Usual || c.Note != "" {
			add(c)
		}
	}
	structured := last.Final.Get("structuredContent")
	for _, v := range leaves([]string{"structuredContent"}, structured, nil) {
		add(Choice{ID: "value." + v.path, Words: "The value at " + v.path + " is the same", Value: v.raw})
	}
	if schema := outputSchema(x.Call); schema != nil && structured != nil {
		add(Choice{ID: "schema", Words: "The structured content conforms to the tool's output schema",
			Value: string(schema)})
	}
	add(Choice{ID: "time", Words: "The rounds take at most this long together",
		Note: "Times differ from machine to machine."})
	return list
}

// endWords says how a recorded call ended.
func endWords(last playground.Round) string {
	if last.Kind == playground.OutcomeComplete {
		return ended(last)
	}
	return "ends with: " + ended(last)
}

// ends says how the call must end.
func (r Result) ends() string {
	if r.Outcome == playground.OutcomeComplete {
		return r.words()
	}
	return "ends with: " + r.words()
}

// fresh matches what differs in many responses: dates, times, UUIDs and long numbers.
var fresh = regexp.MustCompile(`\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|\b\d{6,}\b`)

// word matches what may be an id: letters and digits without a break.
var word = regexp.MustCompile(`[0-9A-Za-z]{8,}`)

// looksFresh reports whether a text has something that another response may have otherwise.
func looksFresh(s string) bool {
	if fresh.MatchString(s) {
		return true
	}
	return slices.ContainsFunc(word.FindAllString(s, -1), func(w string) bool {
		return strings.Count(strings.Map(digit, w), "0") > 1
	})
}

// digit maps each digit to 0, and everything else to x.
func digit(r rune) rune {
	if r >= '0' && r <= '9' {
		return '0'
	}
	return 'x'
}

type leaf struct{ path, raw string }

// leaves returns the scalar values of a document, with their paths.
func leaves(path []string, n *jsontree.Node, list []leaf) []leaf {
	switch {
	case n == nil || len(list) >= mostValues:
		return list
	case n.Kind == jsontree.Object:
		for _, m := range n.Entries() {
			list = leaves(append(path, m.Key), m.Value, list)
		}
		return list
	case n.Kind == jsontree.Array:
		for i, item := range n.Elements() {
			list = leaves(append(path, fmt.Sprint(i)), item, list)
		}
		return list
	}
	return append(list, leaf{jsontree.Pointer(path...), string(n.Raw())})
}

// outputSchema returns the output schema of the called tool, or nil.
func outputSchema(c playground.Call) json.RawMessage {
	tool, err := jsontree.Parse(c.Tool, jsontree.Limits{})
	if err != nil || tool.Get("outputSchema") == nil {
		return nil
	}
	return tool.Get("outputSchema").Raw()
}

// Usual returns the ids of the choices that are chosen unless the user decides otherwise.
func Usual(list []Choice) []string {
	var ids []string
	for _, c := range list {
		if c.Usual {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// Possible returns why no expectation can be made from x, in one sentence; empty if one can.
func Possible(x playground.Exchange) string {
	f := x.Fold()
	switch {
	case f.Foreign():
		return "The call is one of a foreign client. Only a call of this client can be made again."
	case f.Last() == nil || !f.Status.Ended():
		return "The call has not ended yet."
	case slices.ContainsFunc(f.Rounds, func(r playground.Round) bool {
		return r.Decision.Experiment != "" || r.Decision.Changed
	}):
		return "An experiment changed a request of the call, so it cannot be made again like this."
	case len(asking(f)) == 0 && f.Last().Kind != playground.OutcomeComplete &&
		f.Last().Kind != playground.OutcomeRPCError && f.Last().Kind != playground.OutcomeHTTPError:
		return "The server sent no response that can be expected again."
	}
	return ""
}

// Of returns the expectation that a call like x meets the chosen conditions. most is the time
// of the choice "time". Where a value is masked in the call or an answer, the file has the
// variable ${NAME} in its place, and the names are returned.
func Of(x playground.Exchange, chosen []string, most time.Duration) (e Expectation, variables []string) {
	f := x.Fold()
	has := func(id string) bool { return slices.Contains(chosen, id) }
	v := &variable{}
	e = Expectation{
		Name: x.Call.Name(), URL: x.Target.URL, Era: eraOf(f), Capabilities: x.Target.Capabilities,
		Call: playground.Call{Method: x.Call.Method, Params: v.json(x.Call.Params)},
	}
	if text.HasMask([]byte(e.URL)) {
		e.URL = ""
	}
	if n, err := jsontree.Parse(x.Call.Tool, jsontree.Limits{}); err == nil && mirrors(n.Get("inputSchema")) {
		e.Call.Tool = x.Call.Tool
	}
	e.Rounds = rounds(f)
	for i, r := range asking(f) {
		e.Rounds[i].Instance = "" // another run has others
		for k, q := range r.Questions {
			a := &e.Rounds[i].Asks[k]
			a.Answer = v.json(a.Answer)
			message, schema := q.Params.Get("message").Str(), schemaOf(q).Raw()
			if has(fmt.Sprintf("%d.%d.message", i+1, k)) && refused(message) == "" {
				a.Message = &message
			}
			if has(fmt.Sprintf("%d.%d.schema", i+1, k)) && refused(string(schema)) == "" {
				a.Schema = schema
			}
		}
	}
	if last := f.Last(); last != nil && !last.Open() {
		e.Result = resultOf(x, *last, chosen, most)
	}
	return e, v.names
}

// mirrors reports whether a schema has arguments that are repeated in headers.
func mirrors(schema *jsontree.Node) bool {
	list, _ := playground.HeaderAnnotations(schema)
	return len(list) > 0
}

// resultOf returns the chosen conditions on the end of a call.
func resultOf(x playground.Exchange, last playground.Round, chosen []string, most time.Duration) *Result {
	r := &Result{Outcome: last.Kind}
	if last.Error != nil {
		r.Code = &last.Error.Code
	}
	if last.Kind != playground.OutcomeComplete {
		return r
	}
	if x.Call.Method == playground.ToolsCall {
		r.IsError = &last.IsError
	}
	for i, s := range texts(last.Final) {
		if slices.Contains(chosen, fmt.Sprintf("text.%d", i)) && refused(s) == "" {
			r.Must = append(r.Must, Condition{Contains: s})
		}
	}
	structured := last.Final.Get("structuredContent")
	for _, v := range leaves([]string{"structuredContent"}, structured, nil) {
		if slices.Contains(chosen, "value."+v.path) && refused(v.raw) == "" {
			path := v.path
			r.Must = append(r.Must, Condition{Path: &path, Equals: json.RawMessage(v.raw)})
		}
	}
	if schema := outputSchema(x.Call); slices.Contains(chosen, "schema") && schema != nil &&
		refused(string(schema)) == "" {
		path := "/structuredContent"
		r.Must = append(r.Must, Condition{Path: &path, Schema: schema})
	}
	if slices.Contains(chosen, "time") {
		r.Most = most
	}
	return r
}

// OfValue reports whether the choice is about one value of the structured content.
func (c Choice) OfValue() bool { return strings.HasPrefix(c.ID, "value.") }

// Took returns how long the rounds of a call took together, without the time between them.
func Took(f playground.Transcript) time.Duration {
	took := time.Duration(0)
	for _, r := range f.Rounds {
		took += r.Took()
	}
	return took
}
