package playground

import (
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const serverDiscover = "server/discover"

// LegacyVersions are the revisions with a handshake that are spoken here, the
// newest first.
func LegacyVersions() []string { return []string{"2025-11-25", "2025-06-18", "2025-03-26"} }

// EraOf tells by which rules the server of a log was spoken to; empty when
// nothing was sent yet.
func EraOf(log []Event) Era {
	for _, e := range log {
		if e.Kind == Sent {
			var r Round
			if r.send(e); r.Method == initialize {
				return Legacy
			}
			return Modern
		}
	}
	return ""
}

// probed tells from the answer to server/discover which era the server is of
// (basic/versioning, "Protocol Version Negotiation"). Whatever says neither is
// a failure, and nothing else is sent.
func (c *Connection) probed(trip Round) {
	listed := trip.Result.Get("supportedVersions")
	if trip.Class == ProtocolVersion && trip.Error != nil {
		listed = trip.Error.Data.Get("supported")
	}
	if versions := texts(listed); len(versions) > 0 {
		c.Versions = versions
	}
	switch {
	case trip.Outcome == OutcomeComplete && slices.Contains(c.Versions, wire.ProtocolVersion):
		c.discovered(trip.Result)
	case c.offersUs(trip):
		c.Era = Modern
	case onlyOlder(c.Versions) || isOlderAnswer(trip):
		c.Era = Legacy
	case trip.Outcome == OutcomeComplete:
		c.Status, c.Class = ConnectFailed, ProtocolVersion
		c.Detail = fmt.Sprintf("The server speaks %s; multi round-trip requests came with %s.", versionList(c.Versions), wire.ProtocolVersion)
	default:
		if isModern(trip) || trip.Head.Status == 404 && trip.Outcome == OutcomeRPCError {
			c.Era = Modern
		}
		c.fail(trip)
	}
}

// offersUs reports whether the server refused the version of the first request
// but lists it as supported; it is then asked once more.
func (c *Connection) offersUs(trip Round) bool {
	return trip.Class == ProtocolVersion && len(c.Trips) == 1 && slices.Contains(c.Versions, wire.ProtocolVersion)
}

// onlyOlder reports whether a server lists versions with a handshake alone.
func onlyOlder(versions []string) bool {
	return slices.ContainsFunc(LegacyVersions(), func(v string) bool { return slices.Contains(versions, v) }) &&
		!slices.Contains(versions, wire.ProtocolVersion)
}

// isOlderAnswer reports whether the answer is one that a server from before
// server/discover gives: it does not know the method, or wants a session. The
// errors of 2026-07-28 say the contrary.
func isOlderAnswer(trip Round) bool {
	unknown := trip.Error != nil && trip.Error.Code == -32601
	switch trip.Head.Status {
	case 200:
		return unknown
	case 404:
		return trip.Outcome == OutcomeHTTPError || trip.Outcome == OutcomeRPCError && !unknown && !isModern(trip)
	case 400, 405:
		return trip.Outcome == OutcomeHTTPError || trip.Outcome == OutcomeRPCError && !isModern(trip) || trip.Outcome == OutcomeViolation
	}
	return false
}

// isModern reports whether an error has a code that came with 2026-07-28.
func isModern(trip Round) bool {
	switch trip.Class {
	case HeaderMismatch, Capability, ProtocolVersion:
		return true
	}
	return false
}

// takeOlder reads the session with a server of the older era.
func (c *Connection) takeOlder(trip Round) {
	switch {
	case trip.Started.IsZero(), trip.Method == initialize && trip.Outcome != OutcomeComplete:
		c.fail(trip)
	case trip.Method == initialize:
		c.initialized(trip.Result)
	case len(c.lists) == 0 || trip.Method != c.lists[0]:
		// The rest of a session (notifications, the stream beside the calls, its end) says nothing here.
	case trip.Outcome == OutcomeComplete:
		c.list(trip.Method, trip.Result)
	case trip.Outcome == OutcomeRPCError && trip.Method != toolsList:
		c.listDone()
	default:
		c.fail(trip)
	}
}

// initialized reads an InitializeResult (2025-11-25, basic/lifecycle).
func (c *Connection) initialized(n *jsontree.Node) {
	version := n.Get("protocolVersion").Str()
	if !slices.Contains(c.Versions, version) {
		c.Versions = append(c.Versions, version)
	}
	if !slices.Contains(LegacyVersions(), version) {
		c.Status, c.Class = ConnectFailed, ProtocolVersion
		c.Detail = fmt.Sprintf("The server chose %q in the handshake, which is not spoken here.", version)
		return
	}
	c.introduced(n, n.Get("serverInfo"))
	if c.lists = promised(c.Capabilities); len(c.lists) == 0 {
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

func texts(n *jsontree.Node) []string {
	var list []string
	for _, v := range n.Elements() {
		list = append(list, v.Str())
	}
	return list
}
