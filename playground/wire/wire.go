// Package wire sends one JSON-RPC message over MCP's Streamable HTTP transport
// (revision 2026-07-28) and keeps the exact bytes of both sides.
//
// Every part of a request can be overridden, because a test tool must be able
// to send invalid requests. The package knows nothing of Rounds or Exchanges.
// It does not follow redirects, keep connections, decompress recorded bodies or
// use a proxy.
//
// # Contract
//
// A fault of a server is data: a Part, or a Failure with its Class. It never
// causes a panic or unbounded memory, and no limit can be switched off. Bytes
// that came before a failure are recorded.
//
// Send passes the Parts to its record function one after another, in the order
// that PartKind documents, and reads on when the function has returned. So a
// recorder that waits for its storage slows the server down, and nothing piles
// up in memory. After an error of the function nothing more is passed to it.
// When Send returns, its connection is closed and none of its goroutines is
// left. A Client may be used from several goroutines.
//
// Every address is checked after its name was resolved, and again on the socket
// that connects to it: a name may resolve differently the second time. Samples
// are reached in memory (InMemory), without these checks.
//
// # Design
//
// The package reads and writes HTTP/1.1 by itself. The client of net/http
// changes the spelling and the order of header fields, refuses some of the
// requests that a test must be able to send, and does not give out the bytes
// that it has read. Reading does not wait for writing, because a server may
// respond and close before it has read the whole request.
package wire

import (
	"encoding/json"
	"slices"
	"time"
)

// ProtocolVersion is the MCP revision that this package implements.
const ProtocolVersion = "2026-07-28"

// Field is one HTTP header field as it is sent.
type Field struct {
	Name, Value string
}

// Request describes a request for Encode. Method, ID and Params make the
// JSON-RPC message; the standard headers are derived from them
// (basic/transports/streamable-http, "Standard Request Headers").
type Request struct {
	URL    string          // absolute http or https URL of the MCP endpoint, or that of a command
	Method string          // JSON-RPC method
	ID     json.RawMessage // JSON text of the id; empty sends a notification
	Params json.RawMessage // JSON text of the params, sent unchanged; empty leaves params out
	Header []Field         // replace the standard fields of the same name, or are appended, in order
	Drop   []string        // names of standard header fields to leave out
	Body   []byte          // if not nil, replaces the whole JSON-RPC message
}

// Frame is the exact bytes of one side of a connection. Head is the start line
// and the header fields up to and including the empty line. Body is the content
// without HTTP's chunk lines; nothing else is changed. See Line for a message
// without a head.
type Frame struct {
	Head, Body []byte
}

// Bytes returns a new slice with Head and Body joined. Split is its inverse.
func (f Frame) Bytes() []byte { return slices.Concat(f.Head, f.Body) }

// PartKind is the kind of a Part.
type PartKind string

// The kinds of the parts of a response, in the order in which they can occur:
// one Received (head and body; for a stream the head alone), then any number of
// Message, then at most one Failed or Cancelled.
const (
	Received  PartKind = "received"
	Message   PartKind = "message"
	Failed    PartKind = "failed"
	Cancelled PartKind = "cancelled"
)

// Part is one piece of a response. A Message part has the exact bytes of one
// server-sent event, including comments before it and the empty line that ends
// it, so that the Message parts of a stream joined are its body.
type Part struct {
	Kind  PartKind
	At    time.Time
	Bytes []byte
	// of Received, with a Tee: the whole response, if Bytes is a part of it and a TooLarge
	// follows because the rest decompresses to too much. Else nil.
	Whole   []byte
	Failure *Failure // of Failed
	Timing  Timing   // the steps so far; not of Message
}

// Class is the kind of a failure. The values are stable: pages, links and exit
// codes use them.
type Class string

// Failures of the connection. The remaining classes (redirect, not_json,
// content_type, http_401 ...) are derived from the record by package
// playground.
const (
	BadURL           Class = "bad_url"
	BlockedAddress   Class = "blocked_address"
	DNS              Class = "dns"
	Refused          Class = "refused"
	Unreachable      Class = "unreachable"
	TLS              Class = "tls"           // the handshake failed, for another reason than the next four
	TLSUntrusted     Class = "tls_untrusted" // no known authority signed the certificate
	TLSExpired       Class = "tls_expired"   // the certificate has expired or is not yet valid
	TLSName          Class = "tls_name"      // the certificate is for another host
	TLSChanged       Class = "tls_changed"   // the certificate is not the trusted one, see Trust
	NoTLS            Class = "no_tls"        // the server did not answer the handshake with TLS
	TimeoutConnect   Class = "timeout_connect"
	TimeoutFirstByte Class = "timeout_first_byte"
	TimeoutIdle      Class = "timeout_idle"
	TimeoutTotal     Class = "timeout_total"
	TooLarge         Class = "too_large"
	Reset            Class = "reset"         // the connection ended before the response
	NotHTTP          Class = "not_http"      // the bytes received are not an HTTP/1.1 response
	NotStarted       Class = "not_started"   // the command of the server could not be started
	CommandEnded     Class = "command_ended" // the command of the server ended before the response
	BadLine          Class = "bad_line"      // its output is no line with one message
	NoCommand        Class = "no_command"    // this program was not started with the command
)

// Unsent reports whether such a failure comes before the request is sent.
func (c Class) Unsent() bool {
	switch c {
	case BadURL, BlockedAddress, DNS, Refused, Unreachable, TLS, TLSUntrusted, TLSExpired, TLSName,
		TLSChanged, NoTLS, TimeoutConnect, NotStarted, NoCommand:
		return true
	}
	return false
}

// Failure reports why there is no complete response. Detail is one sentence for
// people and logs, without hidden characters and without secrets of the user.
type Failure struct {
	Class  Class  `json:"class"`
	Detail string `json:"detail"`
	// of TLSUntrusted and TLSChanged: the server's own certificate in DER form;
	// nil if it is very large
	Certificate []byte `json:"certificate,omitempty"`
}

func (f *Failure) Error() string { return string(f.Class) + ": " + f.Detail }

// Timing is how long each step of the connection took, and what it reached; zero for a step
// that did not happen.
type Timing struct {
	DNS, Connect, TLS, FirstByte, Total time.Duration

	Peer Peer `json:"peer,omitzero"`
}

// Peer is the other end of a connection. A limited reach leaves its addresses out: they would
// let a user map our network. Peers are not part of an export.
type Peer struct {
	Addresses   string `json:"addresses,omitempty"`   // that the name resolved to, as in "::1, 127.0.0.1"
	Address     string `json:"address,omitempty"`     // IP address and port of the connection
	TLS         string `json:"tls,omitempty"`         // version, as in "TLS 1.3"
	Certificate string `json:"certificate,omitempty"` // issuer and end of the server's certificate, in words
}
