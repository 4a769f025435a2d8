package playground

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// maxRelistPages bounds how many pages of tools/list are read for one tool.
const maxRelistPages = 10

// relisting is the tools/list before a call is sent again whose headers the
// server rejected: the definition of the tool may have changed
// (basic/transports/streamable-http, "Client Behavior").
type relisting struct {
	trips   []Trip
	waiting bool            // the last response has not ended
	tool    json.RawMessage // as it is listed now; nil if it was not found
	cursor  string          // of the next page; empty if there is none to read
}

// HeadersRejected reports whether the server rejected the header fields of a
// tool call. The tools are listed again before the call is sent again.
func (r Round) HeadersRejected() bool {
	return r.Kind == OutcomeRPCError && r.Class == HeaderMismatch && r.Method == ToolsCall &&
		r.Decision.Experiment == ""
}

// relisted reads a Round that lists the tools before it sends the call again.
// Until the call is sent the Round has no request of its own.
func (k *foldState) relisted(d Decision, conns [][]Event) Round {
	name := k.rounds[len(k.rounds)-1].Sent.At("params", "name").Str()
	l := &relisting{}
	var r Round
	for _, events := range conns {
		r = foldRound(d, events)
		if r.Method != ToolsList {
			break
		}
		l.read(r, name)
	}
	if r.Method == ToolsList {
		if r.Kind != OutcomeCancelled && r.Kind != OutcomeInterrupted {
			r.Outcome = Outcome{Kind: OutcomePending}
		}
		r.Trip = Trip{Conn: r.Conn, Started: r.Started}
	}
	if conns[0][0].Kind == Decided {
		r.Decided = conns[0][0].At
	}
	r.Others, r.relist = l.trips, l
	return r
}

// read reads one page of the list.
func (l *relisting) read(r Round, name string) {
	l.trips = append(l.trips, r.Trip)
	l.waiting, l.cursor = r.Kind == OutcomePending, ""
	for _, tool := range r.Result.Get("tools").Elements() {
		if tool.Get("name").Str() == name {
			l.tool = json.RawMessage(tool.Raw())
		}
	}
	if l.tool == nil && len(l.trips) < maxRelistPages {
		l.cursor = r.Result.Get("nextCursor").Str()
	}
}

// listTools returns the tools/list that precedes Round n.
func listTools(x Exchange, n, page int, cursor string, c Client) (wire.Request, error) {
	name := "list-" + strconv.Itoa(n) + "-" + strconv.Itoa(page)
	meta, err := jsontree.Set(Meta(Exchange{ID: x.ID, Target: x.Target}, name, c), spanOf(x, name)...)
	if err != nil {
		return wire.Request{}, err
	}
	pairs := []jsontree.Pair{{Key: "_meta", Value: meta}}
	if cursor != "" {
		pairs = append(pairs, jsontree.Pair{Key: "cursor", Value: jsontree.Quote(cursor)})
	}
	return wire.Request{URL: x.Target.URL, Method: ToolsList, ID: jsontree.Quote(x.OnChannel(name)),
		Params: jsontree.ObjectOf(pairs...), Header: x.Target.Header}, nil
}

// NextListed returns the request that follows once tools were listed again: the
// next page, or the call with the headers of the new definition. It returns
// false if there is none.
func NextListed(x Exchange, f Transcript, c Client) (wire.Request, bool) {
	last := f.Last()
	if last == nil || last.relist == nil || last.Sent != nil || last.relist.waiting ||
		last.Kind != OutcomePending {
		return wire.Request{}, false
	}
	if last.relist.cursor != "" {
		req, err := listTools(x, last.N, len(last.relist.trips)+1, last.relist.cursor, c)
		return req, err == nil
	}
	x.Call.Tool = f.tool(x.Call)
	f.Rounds = f.Rounds[:len(f.Rounds)-1]
	req, err := f.request(x, last.Decision, c)
	return req, err == nil
}

// RelistedTool returns the definition of the called tool in the list that was read before the
// Round's own request, or nil.
func (r Round) RelistedTool() json.RawMessage {
	if r.relist == nil {
		return nil
	}
	return r.relist.tool
}

// tool returns the newest known definition of the called tool.
func (f Transcript) tool(call Call) json.RawMessage {
	for _, r := range slices.Backward(f.Rounds) {
		if r.relist != nil && r.relist.tool != nil {
			return r.relist.tool
		}
	}
	return call.Tool
}
