package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Part is a part of a request that can be edited.
type Part string

// Parts, in the order of Changes. PartBody has everything that belongs to no
// other part.
const (
	PartHeader  Part = "header"
	PartMethod  Part = "method"
	PartID      Part = "id"
	PartParams  Part = "params"
	PartAnswers Part = "answers"
	PartMeta    Part = "meta"
	PartState   Part = "state"
	PartClaims  Part = "claims" // of a state that the sample can open
	PartBody    Part = "body"
)

// Parts returns all parts in their order.
func Parts() []Part {
	return []Part{PartHeader, PartMethod, PartID, PartParams, PartAnswers, PartMeta, PartState, PartClaims,
		PartBody}
}

// ownParts are the members of params that are parts of their own.
var ownParts = map[string]Part{
	"inputResponses": PartAnswers, "_meta": PartMeta, "requestState": PartState,
}

// Change is one difference between a request and the right one.
type Change struct {
	Part Part
	Text string // "Mcp-Name left out", "params.arguments.id 4522 → 1"; no hidden characters
}

// Bounds of a list of changes.
const (
	mostChanges = 100
	maxPath     = 120 // characters
	maxValue    = 80
)

// Changes returns the differences between the right request and the edited one,
// by parts. White space and the order of members do not count.
func Changes(right, edited Edit) []Change {
	list := headerChanges(right, edited)
	list = append(list, bodyChanges(right, edited)...)
	order := Parts()
	slices.SortStableFunc(list, func(a, b Change) int {
		return slices.Index(order, a.Part) - slices.Index(order, b.Part)
	})
	if more := len(list) - mostChanges; more > 0 {
		list = append(list[:mostChanges:mostChanges],
			Change{PartBody, text.Plural(more, "more change")})
	}
	return list
}

// headerChanges compares the header fields by name. The order of fields with
// different names has no meaning (RFC 9110, section 5.3).
func headerChanges(right, edited Edit) []Change {
	var list []Change
	add := func(format string, args ...any) {
		list = append(list, Change{PartHeader, fmt.Sprintf(format, args...)})
	}
	var seen []string
	for _, f := range slices.Concat(right.Header, edited.Header) {
		name := strings.ToLower(f.Name)
		if slices.Contains(seen, name) {
			continue
		}
		seen = append(seen, name)
		before, after := right.values(name), edited.values(name)
		label := text.Visible(f.Name, maxPath)
		switch {
		case slices.Equal(before, after):
		case len(after) == 0:
			add("%s left out", label)
		case len(before) == 0:
			add("%s added: %s", label, shown(strings.Join(after, " and ")))
		default:
			add("%s: %s → %s", label, shown(strings.Join(before, " and ")),
				shown(strings.Join(after, " and ")))
		}
	}
	for _, f := range right.Header {
		spelled := func(other wire.Field) bool { return other.Name == f.Name }
		same := func(other wire.Field) bool { return strings.EqualFold(other.Name, f.Name) }
		at := slices.IndexFunc(edited.Header, same)
		if at >= 0 && !slices.ContainsFunc(edited.Header, spelled) {
			add("%s written as %s", text.Visible(f.Name, maxPath),
				text.Visible(edited.Header[at].Name, maxPath))
		}
	}
	return list
}

// shown returns a value as a change shows it.
func shown(s string) string {
	if s == "" {
		return "(empty)"
	}
	return text.Visible(s, maxValue)
}

// bodyChanges compares the bodies value by value.
func bodyChanges(right, edited Edit) []Change {
	if bytes.Equal(right.Body, edited.Body) {
		return nil
	}
	before := right.tree()
	after, err := jsontree.Parse(edited.Body, jsontree.Limits{})
	switch {
	case len(bytes.TrimSpace(edited.Body)) == 0:
		return []Change{{PartBody, "the body is empty"}}
	case err != nil && json.Valid(edited.Body):
		return []Change{{PartBody, "too large to compare: " + text.Visible(err.Error(), maxPath)}}
	case err != nil:
		return []Change{{PartBody, "not JSON: " + text.Visible(err.Error(), maxPath)}}
	}
	var list []Change
	for _, c := range jsontree.Diff(before, after) {
		list = append(list, changeAt(c))
	}
	for _, name := range after.Duplicates() {
		if !slices.Contains(before.Duplicates(), name) {
			list = append(list, Change{PartBody, text.Visible(name, maxPath) + " is there twice"})
		}
	}
	if len(list) == 0 && !bytes.Equal(jsontree.Compact(right.Body), jsontree.Compact(edited.Body)) {
		list = append(list, Change{PartBody, "the same values in another order or spelling"})
	}
	return list
}

// changeAt returns a difference between two bodies as a Change.
func changeAt(c jsontree.Change) Change {
	path, part := c.Path, PartBody
	switch {
	case len(path) == 1 && (path[0] == "method" || path[0] == "id"):
		part = Part(path[0])
	case len(path) > 0 && path[0] == "params":
		part = PartParams
		if len(path) > 1 && ownParts[path[1]] != "" {
			part, path = ownParts[path[1]], path[1:]
		}
	}
	if part == PartState && len(path) == 1 && c.Kind == jsontree.Changed {
		before, was := c.Before.Text()
		after, is := c.After.Text()
		if was && is {
			return Change{part, "requestState: " + bytesDiffer(before, after)}
		}
	}
	return changeOf(part, path, c)
}

// changeOf returns the difference of the value at a path.
func changeOf(part Part, path []string, c jsontree.Change) Change {
	name := text.Visible(strings.Join(path, "."), maxPath)
	if name == "" {
		name = "the body"
	}
	switch c.Kind {
	case jsontree.Added:
		return Change{part, fmt.Sprintf("%s added: %s", name, shownJSON(c.After))}
	case jsontree.Removed:
		return Change{part, name + " left out"}
	}
	return Change{part, fmt.Sprintf("%s %s → %s", name, shownJSON(c.Before), shownJSON(c.After))}
}

// shownJSON returns a value on one line.
func shownJSON(n *jsontree.Node) string {
	return text.Visible(string(jsontree.Compact(n.Raw())), maxValue)
}

// bytesDiffer says how two texts differ: "3 bytes differ" if they are equally
// long, else their lengths.
func bytesDiffer(before, after string) string {
	if len(before) != len(after) {
		return text.Plural(len(before), "byte") + " → " + text.Plural(len(after), "byte")
	}
	n := 0
	for i := range before {
		if before[i] != after[i] {
			n++
		}
	}
	if n == 1 {
		return "1 byte differs"
	}
	return fmt.Sprintf("%d bytes differ", n)
}

// ClaimChanges returns the differences between the claims of a state and the
// edited ones, which need not be JSON.
func ClaimChanges(before, after []byte) []Change {
	was, err := jsontree.Parse(before, jsontree.Limits{})
	if err != nil {
		return nil
	}
	is, err := jsontree.Parse(after, jsontree.Limits{})
	if err != nil {
		return []Change{{PartClaims, "the claims are not JSON: " + text.Visible(err.Error(), maxPath)}}
	}
	var list []Change
	for _, c := range jsontree.Diff(was, is) {
		list = append(list, changeOf(PartClaims, append([]string{"claims"}, c.Path...), c))
	}
	return list[:min(len(list), mostChanges)]
}

// EditedChanges returns the changes in the request that x was made for. It
// builds the right request again from the record, with the exchanges of the
// session of x. It returns false if x was made for no edited request, or if
// that was not sent.
func EditedChanges(x playground.Exchange, session []playground.Exchange) ([]Change, bool) {
	f := x.Fold()
	i := slices.IndexFunc(f.Rounds, func(r playground.Round) bool {
		return !x.Inherits(r.N) && isEdited(r)
	})
	if i < 0 {
		return nil, false
	}
	r := f.Rounds[i]
	before := playground.Transcript{Status: playground.StatusWaiting, Rounds: f.Rounds[:i:i]}
	recorded := unchanged(before, session)
	right, err := playground.Next(x, before, r.Decision, clientOf(append(recorded, r)))
	if err != nil {
		return nil, false
	}
	parts, err := EditOf(right)
	if err != nil {
		return nil, false
	}
	if len(recorded) > 0 {
		parts.Header = asRecorded(parts.Header, editOfFrame(recorded[0].Request).Header)
	}
	return Changes(parts.withSpanOf(r), editOfFrame(r.Request)), true
}

// withSpanOf returns e with the span of a recorded request in the same trace.
// Spans are derived from the id of the exchange, and a copy of it, such as an
// imported one, has another id. A span that was edited thus looks like a
// derived one.
func (e Edit) withSpanOf(r playground.Round) Edit {
	n := e.tree().At("params", "_meta", "traceparent")
	right, ok := playground.ParseTrace(n.Str())
	sent, traced := r.Trace()
	right.Span = sent.Span
	if !ok || !traced || right != sent {
		return e
	}
	e.Body = splice(e.Body, []splicing{{n.Start, n.End, jsontree.Quote(sent.String())}})
	return e
}

// unchanged returns the Rounds of a call, and then those of the exchanges of its
// session, whose requests were not changed.
func unchanged(f playground.Transcript, session []playground.Exchange) []playground.Round {
	list := slices.Clone(f.Rounds)
	for _, x := range session {
		list = append(list, x.FoldOwn().Rounds...)
	}
	return slices.DeleteFunc(list, func(r playground.Round) bool {
		return r.Decision.Changed || r.Legacy || len(r.Request.Head) == 0
	})
}

// asRecorded returns the header fields of a request as the record would have
// them, going by those of another request: a share may leave fields out, and
// then a target does not know those of its user.
func asRecorded(fields, other []wire.Field) []wire.Field {
	has := func(list []wire.Field, name string) bool {
		return slices.ContainsFunc(list, func(f wire.Field) bool { return strings.EqualFold(f.Name, name) })
	}
	var list []wire.Field
	for _, f := range fields {
		if has(other, f.Name) || strings.HasPrefix(strings.ToLower(f.Name), "mcp-") {
			list = append(list, f)
		}
	}
	for _, f := range other {
		if !has(fields, f.Name) && !strings.HasPrefix(strings.ToLower(f.Name), "mcp-") {
			list = append(list, f)
		}
	}
	return list
}

// clientOf returns the client that the first of the requests with one names.
func clientOf(rounds []playground.Round) playground.Client {
	for _, other := range rounds {
		info := other.Sent.At("params", "_meta", "io.modelcontextprotocol/clientInfo")
		if info != nil {
			return playground.Client{Name: info.Get("name").Str(), Version: info.Get("version").Str()}
		}
	}
	return playground.Client{}
}

// SendsForeignState reports whether a request of x, or of one that it continues,
// was edited so that it carries a requestState of unknown origin. What a server
// returns for it may be about a call of another user. states that anyone can
// read are no concern: readable reports them.
func SendsForeignState(x playground.Exchange, readable func(state string) bool) bool {
	if !slices.ContainsFunc(x.Lineage(), mayHaveEdit) {
		return false
	}
	f := x.Fold()
	return slices.ContainsFunc(f.Rounds, func(r playground.Round) bool {
		if !isEdited(r) {
			return false
		}
		if r.Sent == nil || ambiguous(r.Sent, "params") || ambiguous(r.Sent.Get("params"), "requestState") {
			return true
		}
		sent, ok := r.Sent.At("params", "requestState").Text()
		if !ok || readable(sent) {
			return false
		}
		return !slices.ContainsFunc(f.Rounds, func(from playground.Round) bool {
			return from.N < r.N && from.State != nil && from.StateText() == sent
		})
	})
}

// mayHaveEdit reports whether x itself may hold a request that was edited. It
// is cheap, for the many exchanges that hold none.
func mayHaveEdit(x playground.Exchange) bool {
	return slices.ContainsFunc(x.Log, func(e playground.Event) bool {
		return e.Kind == playground.Decided && bytes.Contains(e.Data, []byte(EditedID))
	})
}

// ambiguous reports whether a server may read the member name of n differently
// than this program: it is there twice, or also in another case.
func ambiguous(n *jsontree.Node, name string) bool {
	return slices.ContainsFunc(n.Entries(), func(m jsontree.Member) bool {
		return strings.EqualFold(m.Key, name) && (m.Key != name || m.Duplicate)
	})
}

// SecretFields returns the header fields of an edited request whose values must
// not be stored: all but those that the transport defines and those that the
// right request has too.
func SecretFields(right, edited Edit) []wire.Field {
	return slices.DeleteFunc(slices.Clone(edited.Header), func(f wire.Field) bool {
		same := func(name string) bool { return strings.EqualFold(name, f.Name) }
		return slices.Contains(right.Header, f) || isHeaderParam(f) ||
			slices.ContainsFunc(standardFields, same)
	})
}
