package playground

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// What a Target's status can be.
const (
	Connecting    = "connecting"
	Connected     = "connected"
	ConnectFailed = "failed"
)

// Bounds of a listing (limits: tools over pages).
const (
	maxTools     = 500
	maxListPages = 10
)

// Connection is what a server said of itself: server/discover, then its lists.
// Like an Exchange it is folded from a log, one connection of the log per
// request.
type Connection struct {
	Status       string
	Class        Class  // why it failed
	Detail       string // one sentence for Class
	Versions     []string
	Name         string // for people; empty when the server gave none
	Version      string
	Instructions string
	Capabilities *jsontree.Node
	Tools        []Tool
	Cut          bool    // the list of tools goes on beyond what is read
	Trips        []Round // every request and its answer
	cursor       string
	discover     bool // server/discover was answered
	listed       bool // and so was tools/list, to its end
}

// Tool is one entry of tools/list.
type Tool struct {
	Name, Title, Description string
	InputSchema              json.RawMessage
}

// Label is what to call the tool.
func (t Tool) Label() string {
	if t.Title != "" {
		return t.Title
	}
	return t.Name
}

// Tool finds a tool by its name on the wire.
func (c Connection) Tool(name string) (Tool, bool) {
	i := slices.IndexFunc(c.Tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return c.Tools[i], true
}

// FoldConnection reads the log of connecting to a server.
func FoldConnection(log []Event) Connection {
	c := Connection{Status: Connecting}
	for _, trip := range trips(log) {
		c.Trips = append(c.Trips, trip)
		c.take(trip)
	}
	return c
}

// trips groups the newest attempt of a log by connection.
func trips(log []Event) []Round {
	byConn := map[int][]Event{}
	var order []int
	for _, e := range newest(log) {
		if _, seen := byConn[e.Conn]; !seen {
			order = append(order, e.Conn)
		}
		byConn[e.Conn] = append(byConn[e.Conn], e)
	}
	var list []Round
	for _, conn := range order {
		list = append(list, foldRound(Decision{Round: conn}, byConn[conn]))
	}
	return list
}

// newest is what follows the last decision.
func newest(log []Event) []Event {
	for i := len(log) - 1; i >= 0; i-- {
		if log[i].Kind == Decided {
			return log[i+1:]
		}
	}
	return log
}

// Pending reports whether connection conn of a log still waits for its response.
func Pending(log []Event, conn int) bool {
	var events []Event
	for _, e := range log {
		if e.Conn == conn {
			events = append(events, e)
		}
	}
	return len(events) > 0 && foldRound(Decision{}, events).Outcome == OutcomePending
}

func (c *Connection) take(trip Round) {
	switch {
	case trip.Outcome == OutcomePending:
	case trip.Outcome == OutcomeInterrupted:
		c.Status, c.Class, c.Detail = ConnectFailed, "interrupted", "The program ended while it was connecting."
	case c.offersUs(trip):
	case trip.Outcome != OutcomeComplete:
		c.Status, c.Class, c.Detail = ConnectFailed, trip.Class, trip.Detail
	case trip.Method == "server/discover":
		c.discovered(trip.Result)
	case trip.Method == "tools/list":
		c.list(trip.Result)
	}
}

// offersUs reports whether the server refused the version of the first request
// but lists it as supported; it is then asked once more (basic/versioning,
// "Protocol Version Negotiation").
func (c *Connection) offersUs(trip Round) bool {
	if trip.Class != ProtocolVersion || trip.Error == nil || len(c.Trips) > 1 {
		return false
	}
	return slices.ContainsFunc(items(trip.Error.Data.Get("supported")), func(v *jsontree.Node) bool {
		return v.Str() == wire.ProtocolVersion
	})
}

// discovered reads a DiscoverResult (server/discover). The identity may stand
// in the result or in its _meta.
func (c *Connection) discovered(n *jsontree.Node) {
	c.discover = true
	for _, v := range items(n.Get("supportedVersions")) {
		c.Versions = append(c.Versions, v.Str())
	}
	info := n.At("_meta", "io.modelcontextprotocol/serverInfo")
	if info == nil {
		info = n.Get("serverInfo")
	}
	c.Name, c.Version = info.Get("title").Str(), info.Get("version").Str()
	if c.Name == "" {
		c.Name = info.Get("name").Str()
	}
	c.Instructions = n.Get("instructions").Str()
	c.Capabilities = n.Get("capabilities")
	if !slices.Contains(c.Versions, wire.ProtocolVersion) {
		c.Status, c.Class = ConnectFailed, ProtocolVersion
		c.Detail = fmt.Sprintf("The server speaks %s; multi round-trip requests came with %s.", versionList(c.Versions), wire.ProtocolVersion)
		return
	}
	if !c.Capabilities.Has("tools") {
		c.Status, c.listed = Connected, true
	}
}

func versionList(versions []string) string {
	if len(versions) == 0 {
		return "no version that it names"
	}
	return fmt.Sprintf("%q", versions)
}

// list reads one page of tools.
func (c *Connection) list(n *jsontree.Node) {
	for _, t := range items(n.Get("tools")) {
		if len(c.Tools) == maxTools {
			c.Cut = true
			break
		}
		c.Tools = append(c.Tools, Tool{
			Name: t.Get("name").Str(), Title: toolTitle(t), Description: t.Get("description").Str(),
			InputSchema: t.Get("inputSchema").Raw(),
		})
	}
	c.cursor = n.Get("nextCursor").Str()
	if c.cursor != "" && (c.Cut || len(c.Trips) > maxListPages) {
		c.Cut, c.cursor = true, ""
	}
	if c.cursor == "" {
		c.Status, c.listed = Connected, true
	}
}

// toolTitle follows the display name precedence of server/tools.
func toolTitle(t *jsontree.Node) string {
	if title := t.Get("title").Str(); title != "" {
		return title
	}
	return t.At("annotations", "title").Str()
}

func items(n *jsontree.Node) []*jsontree.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// NextConnect is the next request of connecting to t; false when there is none.
func NextConnect(t Target, c Connection, me Client) (wire.Request, bool) {
	if c.Status != Connecting || c.listed {
		return wire.Request{}, false
	}
	n := len(c.Trips) + 1
	req := wire.Request{URL: t.URL, Method: "server/discover", ID: strconv.AppendInt(nil, int64(n), 10), Header: t.Header}
	pairs := []jsontree.Pair{{Key: "_meta", Value: meta(Exchange{Target: t}, n, me)}}
	if c.discover {
		req.Method = "tools/list"
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
