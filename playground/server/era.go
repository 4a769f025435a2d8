package server

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const serverDiscover = playground.Discover

// readDiscover reads the response to server/discover, which shows the era of
// the server (basic/versioning, "Protocol Version Negotiation"). A response
// that shows no era ends the connection as failed.
func (c *Connection) readDiscover(trip playground.Round) {
	listed := trip.Result.Get("supportedVersions")
	if trip.Class == playground.ProtocolVersion && trip.Error != nil {
		listed = trip.Error.Data.Get("supported")
	}
	if versions := stringsIn(listed); len(versions) > 0 {
		c.Versions, c.Listed = versions, true
	}
	switch {
	case trip.Kind == playground.OutcomeComplete && slices.Contains(c.Versions, wire.ProtocolVersion):
		c.readDiscoverResult(trip.Result)
	case c.offersOurVersion(trip):
		c.Era = playground.Modern
	case c.Chosen == playground.Modern &&
		(onlyLegacy(c.Versions) || isLegacyAnswer(trip) || unknownMethod(trip)):
		c.Era, c.lists = playground.Modern, []string{toolsList} // it says otherwise, so ask it
	case onlyLegacy(c.Versions) || isLegacyAnswer(trip):
		c.Era = playground.Legacy
	case trip.Kind == playground.OutcomeComplete:
		c.Status, c.Class = ConnectFailed, playground.ProtocolVersion
		c.Detail = versionsDetail(trip.Result, c.Versions)
	default:
		if isModern(trip) || trip.Head.Status == 404 && trip.Kind == playground.OutcomeRPCError {
			c.Era = playground.Modern
		}
		c.fail(trip)
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

// isLegacyAnswer reports whether the response is typical of a server without
// server/discover: the method is unknown, or a session is required. An error
// code of 2026-07-28 shows the opposite.
func isLegacyAnswer(trip playground.Round) bool {
	unknown := unknownMethod(trip)
	if trip.OnLine() {
		return isLegacyLine(trip)
	}
	switch trip.Head.Status {
	case 200:
		return unknown || isEmpty(trip.Result)
	case 404:
		return trip.Kind == playground.OutcomeHTTPError || trip.Kind == playground.OutcomeRPCError &&
			!unknown && !isModern(trip)
	case 400, 405:
		return trip.Kind == playground.OutcomeHTTPError || trip.Kind == playground.OutcomeRPCError &&
			!isModern(trip) || trip.Kind == playground.OutcomeViolation
	}
	return false
}

// isLegacyLine is isLegacyAnswer for a server on standard input: any error that is none of
// 2026-07-28, an answer that is none, or no answer in time (basic/transports/stdio,
// "Backward Compatibility"). Some older servers end at a first message that is not
// initialize.
func isLegacyLine(trip playground.Round) bool {
	switch trip.Kind {
	case playground.OutcomeRPCError:
		return !isModern(trip)
	case playground.OutcomeComplete:
		return isEmpty(trip.Result)
	case playground.OutcomeViolation:
		return true
	case playground.OutcomeTransportError:
		switch trip.Class {
		case wire.TimeoutFirstByte, wire.TimeoutIdle, wire.TimeoutTotal, wire.CommandEnded:
			return true
		}
	}
	return false
}

// unknownMethod reports whether the server does not know the method.
func unknownMethod(trip playground.Round) bool { return trip.Error != nil && trip.Error.Code == -32601 }

// isEmpty reports whether a result has no member but _meta, as that of a server
// that answers methods it does not know with an empty result.
func isEmpty(result *jsontree.Node) bool {
	return result != nil && result.Kind == jsontree.Object &&
		(result.Len() == 0 || result.Len() == 1 && result.Has("_meta"))
}

// isModern reports whether an error has a code that was added in 2026-07-28.
func isModern(trip playground.Round) bool {
	switch trip.Class {
	case playground.HeaderMismatch, playground.Capability, playground.ProtocolVersion:
		return true
	}
	return false
}

// readLegacy reads one request of a session with a legacy server.
func (c *Connection) readLegacy(trip playground.Round) {
	switch {
	case trip.Began.IsZero(), trip.Method == playground.Initialize && trip.Kind != playground.OutcomeComplete:
		c.fail(trip)
		if trip.Class == wire.CommandEnded && len(c.Versions) == 0 {
			c.Era = "" // a command that ends whatever it gets shows none
		}
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
