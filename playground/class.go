package playground

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Class names why a Round has no usable answer. The classes of broken
// connections are wire's; these are judged from the recorded bytes.
type Class = wire.Class

// Classes judged from the bytes.
const (
	Redirect        Class = "redirect"
	NotJSON         Class = "not_json"
	TooDeep         Class = "too_deep"
	ContentType     Class = "content_type"
	HTTP401         Class = "http_401"
	HTTP403         Class = "http_403"
	HTTP404         Class = "http_404"
	HTTP405         Class = "http_405"
	HTTP429         Class = "http_429"
	HTTP4xx         Class = "http_4xx"
	HTTP5xx         Class = "http_5xx"
	HTTPStatus      Class = "http_status" // any other status that carries no answer
	NoResponse      Class = "no_response" // the stream ended without one
	RPCFailed       Class = "rpc"
	Violation       Class = "violation"
	ProtocolVersion Class = "protocol_version"
	Capability      Class = "capability"
	HeaderMismatch  Class = "header_mismatch"
	URLRequired     Class = "url_required" // an earlier revision's request to open a URL first
	TaskUnknown     Class = "task_unknown" // the server does not know the task
	TaskExpired     Class = "task_expired" // and its time to live is over
	CallLost        Class = "call_lost"    // an older server's call ended with its connection
)

// statusClass returns the class of an HTTP status without a JSON-RPC response.
func statusClass(status int) Class {
	switch status {
	case 401, 403, 404, 405, 429:
		return Class(fmt.Sprintf("http_%d", status))
	}
	switch status / 100 {
	case 3:
		return Redirect
	case 4:
		return HTTP4xx
	case 5:
		return HTTP5xx
	}
	return HTTPStatus
}

// codeURLRequired is the error code with which a server of 2025-11-25 asks the
// user to open a URL before the call can be repeated.
const codeURLRequired = -32042

// codeNotFound is the error code with which servers of earlier revisions say
// that a resource does not exist (server/resources, "Error Handling").
const codeNotFound = -32002

// codeClass returns the class of a JSON-RPC error code (basic/index, "Error
// Codes").
func codeClass(code int64) Class {
	switch code {
	case -32020:
		return HeaderMismatch
	case -32021:
		return Capability
	case -32022:
		return ProtocolVersion
	case codeURLRequired:
		return URLRequired
	}
	return RPCFailed
}
