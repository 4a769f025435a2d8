package session

import "time"

// AgentToken is a token with which agents put what they find into the history of its
// workspace. It has only what is known of it later, which is not the token.
type AgentToken struct {
	ID      string // random; opens nothing
	Title   string // given by the user
	Created time.Time
	Expires time.Time
	Used    time.Time // to the hour; zero if it never was
}
