package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const serverDiscover = playground.Discover

// readDiscover reads the response to server/discover, which shows the era of the server
// (basic/versioning): a list of versions or an error of 2026-07-28 shows a modern one, and
// everything else a legacy one, unless the response comes from before the server or there
// is none. An unknown method shows neither yet: server/discover alone may be missing, so
// tools/list decides, as it does where the user chose the era.
func (c *Connection) readDiscover(trip playground.Round) {
	listed := trip.Result.Get("supportedVersions")
	if trip.Class == playground.ProtocolVersion && trip.Error != nil {
		listed = trip.Error.Data.Get("supported")
	}
	if versions := stringsIn(listed); len(versions) > 0 {
		c.Versions, c.Listed = versions, true
	}
	complete := trip.Kind == playground.OutcomeComplete
	switch {
	case complete && slices.Contains(c.Versions, wire.ProtocolVersion):
		c.readDiscoverResult(trip.Result)
	case c.offersOurVersion(trip):
		c.Era = playground.Modern
	case onlyLegacy(c.Versions):
		c.fallBack(trip)
	case complete && c.Listed:
		c.Era, c.Status, c.Class = playground.Modern, ConnectFailed, playground.ProtocolVersion
		c.Detail = versionsDetail(trip.Result, c.Versions)
	case trip.Error.IsModern():
		c.Era = playground.Modern
		c.fail(trip)
	case showsNoEra(trip):
		c.fail(trip)
	case unknownMethod(trip):
		c.lists, c.probe = []string{toolsList}, &trip
	default:
		c.fallBack(trip)
	}
	if c.Chosen == playground.Modern && c.probe != nil {
		c.Era, c.lists = playground.Modern, []string{toolsList} // it says otherwise, so ask it
	}
}

// fallBack takes the server for a legacy one. What it answered to the request of
// 2026-07-28 is reported if it refuses the handshake, too.
func (c *Connection) fallBack(trip playground.Round) { c.Era, c.probe = playground.Legacy, &trip }

// readToolsProbe reads the response to a tools/list that decides about the era, because
// the server does not know server/discover.
func (c *Connection) readToolsProbe(trip playground.Round) {
	switch {
	case trip.Error.IsModern():
		c.Era = playground.Modern
		c.fail(trip)
	case trip.Kind == playground.OutcomeComplete && trip.Result.Has("resultType"):
		c.Era = playground.Modern
		c.list(trip.Method, trip.Result)
	case showsNoEra(trip):
		c.fail(trip)
	default:
		c.Era, c.lists = playground.Legacy, nil
	}
}

// offersOurVersion reports whether the server rejected the version of the first
// request but lists it as supported. The request is then sent once more.
func (c *Connection) offersOurVersion(trip playground.Round) bool {
	return trip.Class == playground.ProtocolVersion && len(c.Trips) == 1 &&
		slices.Contains(c.Versions, wire.ProtocolVersion)
}

// onlyLegacy reports whether versions contains a legacy version and not ours.
func onlyLegacy(versions []string) bool {
	return slices.ContainsFunc(playground.LegacyVersions(),
		func(v string) bool { return slices.Contains(versions, v) }) &&
		!slices.Contains(versions, wire.ProtocolVersion)
}

// showsNoEra reports whether a response shows no era, because it is about who asks, how
// often, or where, or because there is none that was read. On standard input an end and
// silence are responses, too: some legacy servers end at a first message that is not
// initialize, and some ignore it (basic/transports/stdio, "Backward Compatibility").
func showsNoEra(trip playground.Round) bool {
	switch trip.Class {
	case wire.TooLarge, playground.TooDeep, playground.Redirect:
		return true
	case wire.TimeoutFirstByte, wire.TimeoutIdle, wire.TimeoutTotal, wire.CommandEnded:
		return !trip.OnLine()
	case playground.NoResponse: // the stream ended without one
		return trip.OnLine()
	}
	switch trip.Head.Status {
	case 401, 403, 407, 429:
		return true
	}
	return trip.Kind == playground.OutcomeTransportError || trip.Kind == playground.OutcomeCancelled
}

// unknownMethod reports whether the server does not know the method.
func unknownMethod(trip playground.Round) bool { return trip.Error != nil && trip.Error.Code == -32601 }

// readLegacy reads one request of a session with a legacy server.
func (c *Connection) readLegacy(trip playground.Round) {
	switch {
	case trip.Began.IsZero() && c.initialized:
		c.fail(trip)
	case trip.Began.IsZero(), trip.Method == playground.Initialize && !chosen(trip):
		c.refuse(trip)
	case trip.Method == playground.Initialize:
		c.readInitializeResult(trip.Result)
	case len(c.lists) == 0 || trip.Method != c.lists[0]:
		// notifications, the GET stream and the end of the session do not
		// matter here
	case trip.Kind == playground.OutcomeComplete:
		c.list(trip.Method, trip.Result)
	case trip.Kind == playground.OutcomeRPCError && trip.Method != toolsList:
		c.listDone()
	default:
		c.fail(trip)
	}
}

// chosen reports whether a response to initialize is the result of one: it chooses a
// version (2025-11-25, basic/lifecycle, "Version Negotiation").
func chosen(trip playground.Round) bool {
	return trip.Kind == playground.OutcomeComplete && trip.Result.Get("protocolVersion").Str() != ""
}

// refuse ends the connection to a server that refuses the handshake. If it refused
// server/discover before, that is why, unless the second response has advice
// for the user. A server that refuses both shows no era.
func (c *Connection) refuse(trip playground.Round) {
	c.fail(trip)
	if trip.Kind == playground.OutcomeComplete {
		c.Class, c.Detail = playground.ProtocolVersion, "The result of initialize has no protocolVersion."
	}
	if c.probe == nil {
		return
	}
	if !c.Listed {
		c.Era = ""
	}
	if trip.Class == wire.BadLine || trip.Kind != playground.OutcomeTransportError && showsNoEra(trip) {
		return
	}
	c.fail(*c.probe)
	if c.Class == "" {
		c.Class, c.Detail = playground.ProtocolVersion, versionsDetail(c.probe.Result, nil)
	}
	c.Detail = strings.TrimRight(c.Detail, ".") + ". "
	if trip.Class == c.probe.Class && trip.Detail == c.probe.Detail {
		c.Detail += "Two requests were tried, server/discover of MCP 2026-07-28 and initialize of earlier " +
			"revisions. The server answered both in the same way."
		return
	}
	c.Detail += "The handshake of earlier revisions failed, too: " + trip.Detail
}

// readInitializeResult reads an InitializeResult (2025-11-25, basic/lifecycle).
func (c *Connection) readInitializeResult(n *jsontree.Node) {
	version := n.Get("protocolVersion").Str()
	if !slices.Contains(c.Versions, version) {
		c.Versions = append(c.Versions, version)
	}
	if !slices.Contains(playground.LegacyVersions(), version) {
		c.Status, c.Class = ConnectFailed, playground.ProtocolVersion
		c.Detail = fmt.Sprintf("The server chose version %q, which this client does not support.", version)
		return
	}
	c.initialized = true
	c.setIdentity(n, n.Get("serverInfo"))
	if c.lists = declaredLists(c.Capabilities); len(c.lists) == 0 {
		c.Status = Connected
	}
}

// NextList returns the method and the cursor of the list to request next from a
// legacy server. It returns false if there is none.
func NextList(c Connection) (method, cursor string, ok bool) {
	if c.Status != Connecting || len(c.lists) == 0 {
		return "", "", false
	}
	return c.lists[0], c.cursor, true
}

// stringsIn returns the strings in an array.
func stringsIn(n *jsontree.Node) []string {
	var list []string
	for _, v := range n.Elements() {
		list = append(list, v.Str())
	}
	return list
}
