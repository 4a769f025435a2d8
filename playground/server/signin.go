package server

import (
	"encoding/json"
	"time"
)

// SignIn is a sign-in to a protected server as it is stored.
type SignIn struct {
	ID       string
	Target   string          // slug of the sample, or id of the server
	Exchange string          // whose Round goes on after it; empty for none
	Stage    string          // an auth.Stage
	Record   json.RawMessage // an auth.SignIn, which has no secrets
	Sealed   []byte          // its encrypted secrets; empty when it has ended
	Created  time.Time
}

// SealedToken is an access token as it is stored.
type SealedToken struct {
	Target string // slug of the sample, or id of the server
	URL    string // of the server that it is for, without a query
	SignIn string // id of the sign-in that it came from
	Sealed []byte // the encrypted auth.Token
	Added  time.Time
}
