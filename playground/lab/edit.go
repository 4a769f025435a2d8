package lab

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// EditedID is the id of the experiment of a request that was edited by hand.
// Nothing is expected of the server, so its result is described and not judged.
const EditedID = "edited"

// edited has the members that all requests edited by hand have in common.
var edited = Experiment{
	ID: EditedID, Title: "Edited by hand", Sends: "The request was edited by hand.",
	Group: GroupRequest, byHand: true,
}

// MaxEditBody is the size of the largest body that can be edited, in bytes.
const MaxEditBody = 512 << 10

// Edit is a request as it can be edited: its header fields in their order, but
// for those that the connection needs, and its whole body. The body need not be
// JSON.
type Edit struct {
	Header []wire.Field
	Body   []byte
}

// EditOf returns the parts of a request. Its body is laid out for reading: only
// white space differs. The error is that of wire.Encode.
func EditOf(req wire.Request) (Edit, error) {
	frame, err := wire.Encode(req)
	if err != nil {
		return Edit{}, err
	}
	return editOfFrame(frame), nil
}

// editOfFrame returns the parts of a recorded request, as EditOf does.
func editOfFrame(frame wire.Frame) Edit {
	head, _ := wire.ParseHead(frame.Head)
	e := Edit{Body: jsontree.Indent(frame.Body)}
	for _, f := range head.Fields {
		switch f.Name {
		case "Host", "Content-Length", "Connection":
		default:
			e.Header = append(e.Header, f)
		}
	}
	return e
}

// Request returns the request with the parts of e, to the address of the right
// one. Standard header fields that e does not have are left out; the others come
// first, in their usual order.
func (e Edit) Request(right wire.Request) wire.Request {
	right.Header, right.Drop, right.Body = slices.Clone(e.Header), nil, append([]byte{}, e.Body...)
	for _, name := range standardFields {
		if len(e.values(name)) == 0 {
			right.Drop = append(right.Drop, name)
		}
	}
	return right
}

// standardFields are the fields that wire.Encode adds unless they are dropped.
var standardFields = []string{
	"Content-Type", "Accept", "Accept-Encoding", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name",
	"User-Agent",
}

// values returns the values of a header field.
func (e Edit) values(name string) []string { return wire.Head{Fields: e.Header}.Values(name) }

// tree returns the body as JSON, or nil if it is none.
func (e Edit) tree() *jsontree.Node {
	n, err := jsontree.Parse(e.Body, jsontree.Limits{})
	if err != nil {
		return nil
	}
	return n
}

// State returns the requestState, and false if there is none that is a string.
func (e Edit) State() (string, bool) { return e.tree().At("params", "requestState").Text() }

// WithState returns e with another requestState in the place of its own. It
// returns e if it has none.
func (e Edit) WithState(state string) Edit {
	if n := e.tree().At("params", "requestState"); n != nil {
		e.Body = splice(e.Body, []splicing{{n.Start, n.End, jsontree.Quote(state)}})
	}
	return e
}

// Rebase returns e, which was made from the request from, as if it was made from
// to: every header field and every scalar value of the body that is the same as
// at the same place in from gets the value that it has in to. What was edited
// stays. A body that is not JSON changes only if it is the one of from.
//
// It puts back the masked values, and takes over the state and the task of a
// call that was made again.
func (e Edit) Rebase(from, to Edit) Edit {
	header := slices.Clone(e.Header)
	for i, f := range header {
		if at := slices.Index(from.Header, f); at >= 0 && at < len(to.Header) &&
			strings.EqualFold(to.Header[at].Name, f.Name) {
			header[i] = to.Header[at]
		}
	}
	e.Header = header
	if bytes.Equal(e.Body, from.Body) {
		e.Body = to.Body
		return e
	}
	var list []splicing
	rebase(e.tree(), from.tree(), to.tree(), &list)
	e.Body = splice(e.Body, list)
	return e
}

// rebase adds what replaces the values of n that are those of from.
func rebase(n, from, to *jsontree.Node, list *[]splicing) {
	switch {
	case n == nil || from == nil || to == nil:
	case n.Len() == 0 && from.Len() == 0 && to.Len() == 0:
		if bytes.Equal(n.Raw(), from.Raw()) && !bytes.Equal(n.Raw(), to.Raw()) {
			*list = append(*list, splicing{n.Start, n.End, to.Raw()})
		}
	default:
		for _, m := range n.Members {
			rebase(m.Value, from.Get(m.Key), to.Get(m.Key), list)
		}
		for i, item := range n.Items {
			at := strconv.Itoa(i)
			if from.Kind == jsontree.Array && to.Kind == jsontree.Array {
				rebase(item, from.At(at), to.At(at), list)
			}
		}
	}
}

// splicing is a text in place of the bytes start to end.
type splicing struct {
	start, end int
	text       []byte
}

// splice returns b with the replacements made.
func splice(b []byte, list []splicing) []byte {
	slices.SortFunc(list, func(a, b splicing) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	at := 0
	for _, s := range list {
		out = append(append(out, b[at:s.start]...), s.text...)
		at = s.end
	}
	return append(out, b[at:]...)
}

// Reset returns e with one part as it is in right. In a body that is not JSON
// that is the whole body.
func (e Edit) Reset(part Part, right Edit) Edit {
	if part == PartHeader {
		e.Header = right.Header
		return e
	}
	body, err := e.reset(part, right.tree())
	if err != nil || part == PartBody {
		e.Body = right.Body
		return e
	}
	e.Body = jsontree.Indent(body)
	if jsontree.Equal(e.tree(), right.tree()) {
		e.Body = right.Body
	}
	return e
}

// reset returns the body with one part as it is in right. It fails for a body
// without such a part.
func (e Edit) reset(part Part, right *jsontree.Node) ([]byte, error) {
	switch part {
	case PartMethod, PartID:
		name := string(part)
		return jsontree.Set(e.Body, jsontree.Pair{Key: name, Value: right.Get(name).Raw()})
	}
	params, of := right.Get("params").Raw(), e.tree().Get("params")
	if part != PartParams && of != nil && of.Kind == jsontree.Object {
		params = of.Raw()
		of = right.Get("params")
	}
	var pairs []jsontree.Pair
	for member, owner := range ownParts {
		if part == PartParams || part == owner {
			pairs = append(pairs, jsontree.Pair{Key: member, Value: of.Get(member).Raw()})
		}
	}
	params, err := jsontree.Set(params, pairs...)
	if err != nil {
		return nil, err
	}
	return jsontree.Set(e.Body, jsontree.Pair{Key: "params", Value: params})
}

// ByHand returns the experiment of a request that was edited by hand. edit gets
// the right request as it is when it is due, with the exact bytes of its body,
// and its result is sent exactly. ofTask says that the request answers a
// question of a task, for which the call is made again.
func ByHand(ofTask bool, edit func(right Edit) (Edit, error)) Experiment {
	e := edited
	if ofTask {
		e.Group, e.Needs = GroupTask, NeedsUpdate
	}
	e.change = func(right wire.Request, _ Material) (wire.Request, error) {
		frame, err := wire.Encode(right)
		if err != nil {
			return right, err
		}
		parts := editOfFrame(frame)
		parts.Body = frame.Body
		if parts, err = edit(parts); err != nil {
			return right, err
		}
		changed := parts.Request(right)
		_, err = wire.Encode(changed)
		return changed, err
	}
	return e
}

// EditFrom returns the Round whose successor can be edited: the newest one up to
// Round n that waits for an answer, or the zero Round for the first request of
// the call. It returns false for a call that has no requests of its own: one of
// a legacy server, or one that was not sent.
func EditFrom(f playground.Transcript, n int) (playground.Round, bool) {
	if len(f.Rounds) == 0 || f.Rounds[0].Legacy {
		return playground.Round{}, false
	}
	for _, r := range slices.Backward(f.Rounds) {
		if r.N <= n && r.Open() {
			return r, true
		}
	}
	return playground.Round{}, true
}

// EditedRequest returns the request of Round n as it was edited by hand. It
// returns false if the Round's request was not.
func EditedRequest(f playground.Transcript, n int) (Edit, bool) {
	r := f.Round(n)
	if r == nil || !isEdited(*r) {
		return Edit{}, false
	}
	return editOfFrame(r.Request), true
}

// isEdited reports whether the request of a Round was edited by hand.
func isEdited(r playground.Round) bool {
	return r.Decision.Changed && r.Decision.Experiment == EditedID
}

// described is the judgement on a request that was edited by hand: the
// response, without a verdict.
func (s trial) described() judgement {
	if s.reaction() == NoAnswer {
		return unknown("The server sent no usable response. %s", s.round.Detail)
	}
	return unknown("%s", s.description())
}
