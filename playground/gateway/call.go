package gateway

import (
	"encoding/json"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Call is one call through a gateway as its client recorded it. As JSON it has no Log: that is
// the log of its exchange.
type Call struct {
	Exchange string `json:"exchange,omitempty"` // id; empty if Fetched has all
	// Mark is in the arguments of every request of the call and in those of no other call, but
	// for a call that is made twice. It is empty for a call without a mark, which no other call
	// overlaps in time.
	Mark   string          `json:"mark,omitempty"`
	Method string          `json:"method"`
	Tool   string          `json:"tool"`          // or prompt or URI, as the upstream names it
	Name   string          `json:"name"`          // as the gateway lists it
	Def    json.RawMessage `json:"def,omitempty"` // the tool as the gateway lists it; nil if it does not
	// Focus is the id of the line that the call was made for: a fault that shows in no other
	// call is counted there. It is empty for a call that many lines judge.
	Focus string `json:"focus,omitempty"`
	// Stopped says that the client closed the connection on purpose, once the upstream had the
	// request.
	Stopped bool `json:"stopped,omitempty"`
	// Metadata is set for the request for the metadata of a challenge at the gateway: the
	// resource that these must be about, which is the address that the client calls, without its
	// secrets.
	Metadata string `json:"metadata,omitempty"`
	// Token is the bearer token that the client sent after a challenge.
	Token string `json:"token,omitempty"`
	// Fetched is the log of what is no exchange, such as the request for metadata.
	Fetched []playground.Event `json:"fetched,omitempty"`
	Log     []playground.Event `json:"-"`
}

// events returns the log of the call.
func (c Call) events() []playground.Event {
	if c.Exchange == "" {
		return c.Fetched
	}
	return c.Log
}

// Recording has both ends of a test.
type Recording struct {
	Gateway  string // its address or command, for people
	Calls    []Call
	Upstream []playground.Event // the log of the upstream
	Gap      string             // why no call was made; else empty
	// Interrupted says that calls were not made because the user ended the test.
	Interrupted bool
	// Clocks says that the two ends may have different clocks: times that differ a little say
	// nothing then.
	Clocks bool
}

// MarkMember is the member of the arguments that has the mark of a call. A call without
// arguments has it in HopMeta, a member of its _meta.
const (
	MarkMember = "mark"
	HopMeta    = "dev.mrtr-playground/hop"
)

// ReleaseSuffix ends the mark of the call that releases the result of another one.
const ReleaseSuffix = "-release"
