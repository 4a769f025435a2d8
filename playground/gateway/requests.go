package gateway

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Request is one request of the client, with both ends.
type Request struct {
	N        int  // the number that places of lines name
	Call     Call // that it belongs to
	Client   playground.Round
	Upstream []playground.Round // what the upstream got for it, oldest first; may be empty
	// There is what differs in the request, between the client and the newest of Upstream, and
	// Back what differs in the response, between the upstream and the client.
	There, Back []Difference
}

// Difference is one value that is not the same at both ends.
type Difference struct {
	Where         string // the status, a header field, or a path in the body
	Before, After string // JSON, of a part of a body; empty if there is none
}

// Requests returns the requests of a recording in the order in which the client sent them.
func Requests(rec Recording) []Request {
	r := pair(rec)
	list := make([]Request, len(r.requests))
	for i, q := range r.requests {
		list[i] = Request{N: q.n, Call: q.call.Call, Client: q.client, Upstream: q.ups}
		u, ok := q.up()
		if !ok {
			continue
		}
		lines := u.Request.IsLine() || q.client.Request.IsLine()
		if !lines {
			list[i].There = fields(head(q.client), head(u))
			list[i].Back = append(statuses(u.Head, q.client.Head), fields(u.Head, q.client.Head)...)
		}
		list[i].There = append(list[i].There, values(q.client.Sent, u.Sent)...)
		list[i].Back = append(list[i].Back, values(response(u), response(q.client))...)
	}
	return list
}

// compared are header fields that have a meaning for MCP, beside those that begin with Mcp-.
var compared = []string{"Accept", "Authorization", "Content-Encoding", "Content-Type", wwwAuthenticate}

// fields returns the header fields with a meaning for MCP that are not the same.
func fields(before, after wire.Head) []Difference {
	names := slices.Clone(compared)
	for _, f := range slices.Concat(before.Fields, after.Fields) {
		name := http.CanonicalHeaderKey(f.Name)
		if strings.HasPrefix(name, "Mcp-") && !slices.Contains(names, name) && !slices.Contains(own, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var list []Difference
	for _, name := range names {
		was, is := strings.Join(before.Values(name), ", "), strings.Join(after.Values(name), ", ")
		if was != is && !isMasked(was) && !isMasked(is) {
			list = append(list, Difference{name, was, is})
		}
	}
	return list
}

// own are fields that the record of an upstream, and no server, has.
var own = []string{"Mcp-Recorded-By", "Mcp-Sample-Instance"}

func statuses(before, after wire.Head) []Difference {
	if before.Status == after.Status || before.Status == 0 || after.Status == 0 {
		return nil
	}
	return []Difference{{"status", fmt.Sprint(before.Status), fmt.Sprint(after.Status)}}
}

// values returns the differences between two messages, of which one may be missing.
func values(before, after *jsontree.Node) []Difference {
	if before == nil || after == nil {
		return nil
	}
	var list []Difference
	for _, c := range jsontree.Diff(before, after) {
		list = append(list, Difference{
			cmp.Or(strings.Join(c.Path, "."), "the message"), string(c.Before.Raw()), string(c.After.Raw()),
		})
	}
	return list
}
