package session

import "time"

// AgentToken is a token with which agents put their findings into the history
// of its workspace. It has only the parts that are known later, without the
// token itself.
type AgentToken struct {
	ID      string // random; opens nothing
	Title   string // given by the user
	Created time.Time
	Expires time.Time
	Used    time.Time // to the hour; zero if it never was
}
