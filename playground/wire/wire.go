// Package wire speaks one JSON-RPC message over MCP's Streamable HTTP
// transport (revision 2026-07-28) and keeps the exact bytes of both sides.
//
// Every part of a request can be overridden, because a tool for testing has to
// be able to send the wrong thing. What a server does wrong is data here: a
// Part or a Failure with its Class, never a panic and never unbounded memory.
// The package knows nothing of Rounds or Exchanges, follows no redirect, keeps
// no connection, unzips nothing and uses no proxy.
package wire

import (
	"encoding/json"
	"slices"
	"time"
)

// ProtocolVersion is the MCP revision this package speaks.
const ProtocolVersion = "2026-07-28"

// Field is one HTTP header field as it stands on the connection.
type Field struct {
	Name, Value string
}

// Request is what a Frame is made from. Method, ID and Params make the
// JSON-RPC message; the standard headers follow from them (basic/transports/
// streamable-http, "Standard Request Headers").
type Request struct {
	URL    string          // absolute http or https URL of the MCP endpoint
	Method string          // JSON-RPC method
	ID     json.RawMessage // JSON text of the id; empty sends a notification
	Params json.RawMessage // JSON text of the params, sent as it is; empty leaves params out
	Header []Field         // replaces standard fields of the same name (case-insensitive), else appended, in order
	Drop   []string        // names of standard header fields to leave out
	Body   []byte          // replaces the whole JSON-RPC message when not nil
}

// Frame is the exact bytes of one side of a connection: Head is the start line
// and the header fields up to and including the empty line, Body the content
// after HTTP's own chunk lines are taken away. Nothing else is changed.
type Frame struct {
	Head, Body []byte
}

// Bytes returns Head and Body as they stand on a connection without chunks,
// in memory of their own. Split is the way back.
func (f Frame) Bytes() []byte { return slices.Concat(f.Head, f.Body) }

// PartKind tells what a Part of an answer is.
type PartKind string

// The parts of an answer, in the order in which they can come: one Received
// (head and body; for a stream the head alone), then any number of Message,
// then at most one Failed or Cancelled.
const (
	Received  PartKind = "received"
	Message   PartKind = "message"
	Failed    PartKind = "failed"
	Cancelled PartKind = "cancelled"
)

// Part is one piece of an answer, handed over as soon as it is there. A
// Message part holds the exact bytes of one server-sent event including the
// empty line that ends it (and comments before it), so that the bodies of a
// stream's parts, joined, are the body.
type Part struct {
	Kind    PartKind
	At      time.Time
	Bytes   []byte
	Failure *Failure // of Failed
	Timing  Timing   // the steps so far, of every part but Message
}

// Class names what went wrong. It is stable: pages, links and exit codes use it.
type Class string

// Failures of the connection. What the bytes of an answer mean (redirect,
// not_json, content_type, http_401 ...) is judged from the record by package
// playground, with the remaining classes.
const (
	BadURL           Class = "bad_url"
	BlockedAddress   Class = "blocked_address"
	DNS              Class = "dns"
	Refused          Class = "refused"
	Unreachable      Class = "unreachable"
	TLS              Class = "tls"
	TimeoutConnect   Class = "timeout_connect"
	TimeoutFirstByte Class = "timeout_first_byte"
	TimeoutIdle      Class = "timeout_idle"
	TimeoutTotal     Class = "timeout_total"
	TooLarge         Class = "too_large"
	Reset            Class = "reset"    // the connection broke before the answer ended
	NotHTTP          Class = "not_http" // bytes came that are no HTTP/1.1 answer
)

// Failure is why an answer ended early. Detail is for people and logs; it
// quotes control characters and holds no secret of the user.
type Failure struct {
	Class  Class  `json:"class"`
	Detail string `json:"detail"`
}

func (f *Failure) Error() string { return string(f.Class) + ": " + f.Detail }

// Timing is how long each step of the connection took; zero when it did not happen.
type Timing struct {
	DNS, Connect, TLS, FirstByte, Total time.Duration
}
