package gateway

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Call is one call through a gateway as its client recorded it.
type Call struct {
	// Mark is in the arguments of every request of the call and in those of no other call, but
	// for a call that is made twice.
	Mark string
	Tool string          // as the upstream names it
	Name string          // as the gateway lists it
	Def  json.RawMessage // the tool as the gateway lists it; nil if it does not
	// Focus is the id of the line that the call was made for: a fault that shows in no other
	// call is counted there. It is empty for a call that many lines judge.
	Focus string
	// Stopped says that the client closed the connection on purpose, once the upstream had the
	// request.
	Stopped bool
	// Metadata is set for the request for the metadata of a challenge at the gateway: the
	// resource that these must be about, which is the address that the client calls.
	Metadata string
	Log      []playground.Event
}

// Recording has both ends of a test.
type Recording struct {
	Gateway  string // its address or command, for people
	Calls    []Call
	Upstream []playground.Event // the log of the upstream
	Gap      string             // why no call was made; else empty
}

// MarkMember is the member of the arguments that has the mark of a call.
const MarkMember = "mark"
