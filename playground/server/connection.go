package server

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// What a Target's status can be.
const (
	Connecting    = "connecting"
	Connected     = "connected"
	ConnectFailed = "failed"
)

// Connection is what a server said of itself: server/discover, then its lists.
// Like an Exchange it is folded from a log, one connection of the log per
// request.
type Connection struct {
	Status       string
	Era          playground.Era   // empty until an answer tells
	Class        playground.Class // why it failed
	Detail       string           // one sentence for Class
	Versions     []string
	Name         string // for people; empty when the server gave none
	Version      string
	Instructions string
	Capabilities *jsontree.Node
	Tools        []Tool
	Prompts      []Prompt
	Resources    []Resource
	Templates    []Resource
	Truncated    []string           // methods of lists that go on beyond what is read
	Trips        []playground.Round // every request and its answer

	discovered     bool     // server/discover was answered
	lists          []string // methods still to be asked, the first of them now
	cursor         string   // where its next page begins
	pages, entries int      // of it, so far
}

// Tool finds a tool by its name on the wire; one that must be left out is not
// found.
func (c Connection) Tool(name string) (Tool, bool) {
	i := slices.IndexFunc(c.Tools, func(t Tool) bool { return t.Name == name && t.Excluded == "" })
	if i < 0 {
		return Tool{}, false
	}
	return c.Tools[i], true
}

// FoldConnection reads the log of connecting to a server.
func FoldConnection(log []playground.Event) Connection {
	c := Connection{Status: Connecting}
	for _, trip := range playground.Trips(log) {
		c.Trips = append(c.Trips, trip)
		c.read(trip)
	}
	return c
}

func (c *Connection) read(trip playground.Round) {
	switch {
	case trip.Kind == playground.OutcomePending:
	case trip.Kind == playground.OutcomeInterrupted:
		c.Status, c.Class, c.Detail = ConnectFailed, "interrupted", "The program ended while it was connecting."
	case c.Era == playground.Legacy:
		c.readLegacy(trip)
	case trip.Method == serverDiscover:
		c.readDiscover(trip)
	case trip.Kind == playground.OutcomeRPCError && trip.Class == playground.RPCFailed && c.discovered && trip.Method != toolsList:
		c.listDone() // it promised a list that it does not have; the rest may be fine
	case trip.Kind != playground.OutcomeComplete:
		c.fail(trip)
	case len(c.lists) > 0 && trip.Method == c.lists[0]:
		c.list(trip.Method, trip.Result)
	}
}

func (c *Connection) fail(trip playground.Round) {
	c.Status, c.Class, c.Detail = ConnectFailed, trip.Class, trip.Detail
}

// readDiscoverResult reads a DiscoverResult (server/discover). The identity may stand
// in the result or in its _meta.
func (c *Connection) readDiscoverResult(n *jsontree.Node) {
	c.Era, c.discovered = playground.Modern, true
	info := n.At("_meta", "io.modelcontextprotocol/serverInfo")
	if info == nil {
		info = n.Get("serverInfo")
	}
	c.setIdentity(n, info)
	if c.lists = declaredLists(c.Capabilities); len(c.lists) == 0 {
		c.Status = Connected
	}
}

// setIdentity keeps who the server says it is and what it offers.
func (c *Connection) setIdentity(n, info *jsontree.Node) {
	c.Name, c.Version = info.Get("title").Str(), info.Get("version").Str()
	if c.Name == "" {
		c.Name = info.Get("name").Str()
	}
	c.Instructions = n.Get("instructions").Str()
	c.Capabilities = n.Get("capabilities")
}

func versionList(versions []string) string {
	if len(versions) == 0 {
		return "no version that it names"
	}
	return fmt.Sprintf("%q", versions)
}

// toolTitle follows the display name precedence of server/tools.
func toolTitle(t *jsontree.Node) string {
	if title := t.Get("title").Str(); title != "" {
		return title
	}
	return t.At("annotations", "title").Str()
}

// NextConnect is the next request of connecting to t; false when there is none.
func NextConnect(t playground.Target, c Connection, me playground.Client) (wire.Request, bool) {
	if c.Status != Connecting || c.Era == playground.Legacy {
		return wire.Request{}, false
	}
	n := len(c.Trips) + 1
	req := wire.Request{URL: t.URL, Method: serverDiscover, ID: strconv.AppendInt(nil, int64(n), 10), Header: t.Header}
	pairs := []jsontree.Pair{{Key: "_meta", Value: playground.Meta(playground.Exchange{Target: t}, "round-"+strconv.Itoa(n), me)}}
	if len(c.lists) > 0 {
		req.Method = c.lists[0]
		if c.cursor != "" {
			pairs = append(pairs, jsontree.Pair{Key: "cursor", Value: jsontree.Quote(c.cursor)})
		}
	}
	params, err := jsontree.Set(nil, pairs...)
	if err != nil {
		return wire.Request{}, false
	}
	req.Params = params
	return req, true
}
