// Package server describes an MCP server from the outside: the Connection with
// its era and its offers, the forms for those, warnings, and suggestions for an
// address that cannot be used. It does no I/O: a Connection is read from its
// log as a Transcript is, and NextConnect returns the request that follows.
//
// The number of pages and of entries that are read of a list is limited;
// Truncated names the lists that go on, so that a page does not call a tool
// unknown that was not read.
package server

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Statuses of a Connection.
const (
	Connecting    = "connecting"
	Connected     = "connected"
	ConnectFailed = "failed"
)

// ConnectCancelled is the class of a Connection that the user stopped.
const ConnectCancelled playground.Class = "connect_cancelled"

// Connection is the declaration of a server: the result of server/discover and
// its lists. Like an Exchange it is read from a log, with one connection of the
// log for each request.
type Connection struct {
	Status       string
	Era          playground.Era   // empty until a response shows it
	Chosen       playground.Era   // era that the user chose in place of detection; else empty
	Class        playground.Class // why it failed; else empty
	Detail       string           // one sentence for Class
	failed       *playground.Round
	Certificate  []byte // of the server, in DER form, if it is why connecting failed; else nil
	Versions     []string
	Listed       bool   // the server listed Versions; else they are those that were negotiated
	Name         string // for people; empty if the server has none
	Version      string
	Instructions string
	Capabilities *jsontree.Node
	Tools        []Tool
	Prompts      []Prompt
	Resources    []Resource
	Templates    []Resource
	Truncated    []string           // methods of lists that were not read to their end
	Trips        []playground.Round // every request and its response

	probe          *playground.Round // the response to server/discover that was not a modern one; else nil
	discovered     bool              // server/discover returned a result
	initialized    bool              // so did initialize
	lists          []string          // methods still to be requested, the current one first
	cursor         string            // of the next page of the current list; the empty one is one too
	more           bool              // the current list has a next page
	pages, entries int               // of the current list that were read
}

// Tool returns the tool of that name, and whether there is one that clients may
// offer.
func (c Connection) Tool(name string) (Tool, bool) {
	i := slices.IndexFunc(c.Tools, func(t Tool) bool { return t.Name == name && t.Excluded == "" })
	if i < 0 {
		return Tool{}, false
	}
	return c.Tools[i], true
}

// mostNames is how many names of tools NoTool lists.
const mostNames = 30

// NoTool returns the sentences that the server has no tool with a name, and which ones it
// has. Those that clients must not offer are left out.
func (c Connection) NoTool(name string) string {
	var names []string
	for _, t := range c.Tools {
		if t.Excluded == "" {
			names = append(names, text.Visible(t.Name, 80))
		}
	}
	has := "It lists none."
	if len(names) > mostNames {
		names = append(names[:mostNames], "…")
	}
	if len(names) > 0 {
		has = "It has: " + strings.Join(names, ", ") + "."
	}
	return fmt.Sprintf("The server has no tool %q. %s", text.Visible(name, 80), has)
}

// Excluded returns why clients must not offer a tool that the server lists, or "".
func (c Connection) Excluded(name string) string {
	i := slices.IndexFunc(c.Tools, func(t Tool) bool { return t.Name == name && t.Excluded != "" })
	if i < 0 {
		return ""
	}
	return c.Tools[i].Excluded
}

// FoldConnection reads the log of connecting to a server and returns the
// Connection.
func FoldConnection(log []playground.Event) Connection {
	c := Connection{Status: Connecting, Chosen: playground.ChosenEra(log)}
	if c.Chosen == playground.Legacy {
		c.Era = playground.Legacy
	}
	for _, trip := range playground.Trips(log) {
		c.Trips = append(c.Trips, trip)
		c.read(trip)
	}
	return c
}

func (c *Connection) read(trip playground.Round) {
	switch {
	case trip.Kind == playground.OutcomePending, trip.Kind == playground.OutcomeAck:
	case trip.Kind == playground.OutcomeInterrupted:
		c.Status, c.Class, c.Detail = ConnectFailed, "interrupted",
			"The playground stopped while it was connecting."
	case trip.Kind == playground.OutcomeCancelled:
		c.Status, c.Class, c.Detail = ConnectFailed, ConnectCancelled, ""
	case c.Era == "" && trip.Method == playground.Initialize: // of an older program, which asked at once
		c.Era, c.lists = playground.Legacy, nil
		c.readLegacy(trip)
	case c.Era == playground.Legacy:
		c.readLegacy(trip)
	case trip.Method == serverDiscover:
		c.readDiscover(trip)
	case c.Era == "" && c.probe != nil:
		c.readToolsProbe(trip)
	case trip.Kind == playground.OutcomeRPCError && trip.Class == playground.RPCFailed && c.discovered &&
		trip.Method != toolsList:
		c.listDone() // the server declares a list that it does not have; the others may work
	case trip.Kind != playground.OutcomeComplete:
		c.fail(trip)
	case len(c.lists) > 0 && trip.Method == c.lists[0]:
		c.list(trip.Method, trip.Result)
	}
}

func (c *Connection) fail(trip playground.Round) {
	c.Status, c.Class, c.Detail, c.failed = ConnectFailed, trip.Class, trip.Detail, &trip
	c.Certificate = trip.Certificate
}

// Failed returns the request whose response is why connecting failed, and false if none
// was sent.
func (c Connection) Failed() (trip playground.Round, ok bool) {
	switch {
	case c.failed != nil:
		return *c.failed, true
	case len(c.Trips) > 0:
		return c.Trips[len(c.Trips)-1], true
	}
	return trip, false
}

// OddProbe returns the response to server/discover of a server that was connected to by the
// handshake of earlier revisions, and whether it is another one than such a server should
// send: an HTTP status of 4xx, or a JSON-RPC error.
func (c Connection) OddProbe() (trip playground.Round, odd bool) {
	if c.probe == nil || c.Status != Connected || c.probe.Error != nil || c.probe.OnLine() ||
		c.probe.Head.Status/100 == 4 || c.probe.Class == "" {
		return trip, false
	}
	return *c.probe, true
}

// readDiscoverResult reads a DiscoverResult (server/discover). The identity is
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

// setIdentity sets the name, version and capabilities of the server.
func (c *Connection) setIdentity(n, info *jsontree.Node) {
	c.Name, c.Version = info.Get("title").Str(), info.Get("version").Str()
	if c.Name == "" {
		c.Name = info.Get("name").Str()
	}
	c.Instructions = n.Get("instructions").Str()
	c.Capabilities = n.Get("capabilities")
}

// versionsDetail says which versions a result of server/discover lists, none of which is
// ours.
func versionsDetail(result *jsontree.Node, versions []string) string {
	switch {
	case !result.Has("supportedVersions"):
		return "The result of server/discover has no supportedVersions."
	case len(versions) == 0:
		return "The supportedVersions of server/discover list no version."
	}
	return fmt.Sprintf("The server supports %q.", versions)
}

// toolTitle returns the display name by the precedence of server/tools.
func toolTitle(t *jsontree.Node) string {
	if title := t.Get("title").Str(); title != "" {
		return title
	}
	return t.At("annotations", "title").Str()
}

// NextConnect returns the next request of connecting to t, and false if there
// is none.
func NextConnect(t playground.Target, c Connection, me playground.Client) (wire.Request, bool) {
	if c.Status != Connecting || c.Era == playground.Legacy {
		return wire.Request{}, false
	}
	n := len(c.Trips) + 1
	req := wire.Request{URL: t.URL, Method: serverDiscover, ID: strconv.AppendInt(nil, int64(n), 10),
		Header: t.Header}
	x := playground.Exchange{ID: t.ID, Target: t}
	if t.IsCommand() {
		req.ID = jsontree.Quote(x.OnChannel(strconv.Itoa(n)))
	}
	meta := playground.Meta(x, "round-"+strconv.Itoa(n), me)
	pairs := []jsontree.Pair{{Key: "_meta", Value: meta}}
	if len(c.lists) > 0 {
		req.Method = c.lists[0]
		if c.more {
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

// Row is one of the user's servers in a list.
type Row struct {
	ID, Name, URL, Status string
	ReportedName          string    // in its server/discover result; empty if it has none
	Created               time.Time // when the user added it
}
