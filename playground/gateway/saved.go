package gateway

import "time"

// Saved is a test of a gateway as it is stored: a Session has the calls of its client, and that
// of a capture what reached the upstream.
type Saved struct {
	ID        string // of the Session
	Workspace string // its owner
	Capture   string // id of the capture at which the gateway is to be pointed
	Server    string // id of the gateway among the owner's servers; empty until the test begins
	Name      string // of the gateway, for people; empty until then
	Gap       string // why no call was made; else empty
	Calls     []Call // without their logs
	Created   time.Time
	Began     time.Time // zero until the test begins
	Ended     time.Time // zero while it runs, and if it was interrupted
}
