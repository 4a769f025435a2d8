package server

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const serverDiscover = "server/discover"

// readDiscover tells from the answer to server/discover which era the server is of
// (basic/versioning, "Protocol Version Negotiation"). Whatever says neither is
// a failure, and nothing else is sent.
func (c *Connection) readDiscover(trip playground.Round) {
	listed := trip.Result.Get("supportedVersions")
	if trip.Class == playground.ProtocolVersion && trip.Error != nil {
		listed = trip.Error.Data.Get("supported")
	}
	if versions := stringsIn(listed); len(versions) > 0 {
		c.Versions = versions
	}
	switch {
	case trip.Kind == playground.OutcomeComplete && slices.Contains(c.Versions, wire.ProtocolVersion):
		c.readDiscoverResult(trip.Result)
	case c.offersOurVersion(trip):
		c.Era = playground.Modern
	case onlyLegacy(c.Versions) || isLegacyAnswer(trip):
		c.Era = playground.Legacy
	case trip.Kind == playground.OutcomeComplete:
		c.Status, c.Class = ConnectFailed, playground.ProtocolVersion
		c.Detail = fmt.Sprintf("The server speaks %s; multi round-trip requests came with %s.", versionList(c.Versions), wire.ProtocolVersion)
	default:
		if isModern(trip) || trip.Head.Status == 404 && trip.Kind == playground.OutcomeRPCError {
			c.Era = playground.Modern
		}
		c.fail(trip)
	}
}

// offersOurVersion reports whether the server refused the version of the first request
// but lists it as supported; it is then asked once more.
func (c *Connection) offersOurVersion(trip playground.Round) bool {
	return trip.Class == playground.ProtocolVersion && len(c.Trips) == 1 && slices.Contains(c.Versions, wire.ProtocolVersion)
}

// onlyLegacy reports whether a server lists versions with a handshake alone.
func onlyLegacy(versions []string) bool {
	return slices.ContainsFunc(playground.LegacyVersions(), func(v string) bool { return slices.Contains(versions, v) }) &&
		!slices.Contains(versions, wire.ProtocolVersion)
}

// isLegacyAnswer reports whether the answer is one that a server from before
// server/discover gives: it does not know the method, or wants a session. The
// errors of 2026-07-28 say the contrary.
func isLegacyAnswer(trip playground.Round) bool {
	unknown := trip.Error != nil && trip.Error.Code == -32601
	switch trip.Head.Status {
	case 200:
		return unknown
	case 404:
		return trip.Kind == playground.OutcomeHTTPError || trip.Kind == playground.OutcomeRPCError && !unknown && !isModern(trip)
	case 400, 405:
		return trip.Kind == playground.OutcomeHTTPError || trip.Kind == playground.OutcomeRPCError && !isModern(trip) || trip.Kind == playground.OutcomeViolation
	}
	return false
}

// isModern reports whether an error has a code that came with 2026-07-28.
func isModern(trip playground.Round) bool {
	switch trip.Class {
	case playground.HeaderMismatch, playground.Capability, playground.ProtocolVersion:
		return true
	}
	return false
}

// readLegacy reads the session with a server of the older era.
func (c *Connection) readLegacy(trip playground.Round) {
	switch {
	case trip.Began.IsZero(), trip.Method == playground.Initialize && trip.Kind != playground.OutcomeComplete:
		c.fail(trip)
	case trip.Method == playground.Initialize:
		c.readInitializeResult(trip.Result)
	case len(c.lists) == 0 || trip.Method != c.lists[0]:
		// The rest of a session (notifications, the stream beside the calls, its end) says nothing here.
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
		c.Detail = fmt.Sprintf("The server chose %q in the handshake, which is not spoken here.", version)
		return
	}
	c.setIdentity(n, n.Get("serverInfo"))
	if c.lists = declaredLists(c.Capabilities); len(c.lists) == 0 {
		c.Status = Connected
	}
}

// NextList is the list to ask an older server for, from which cursor; false
// when there is none.
func NextList(c Connection) (method, cursor string, ok bool) {
	if c.Status != Connecting || len(c.lists) == 0 {
		return "", "", false
	}
	return c.lists[0], c.cursor, true
}

func stringsIn(n *jsontree.Node) []string {
	var list []string
	for _, v := range n.Elements() {
		list = append(list, v.Str())
	}
	return list
}
