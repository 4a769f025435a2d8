package demo

import "time"

// Saved is a story that a user has written. Its text may have mistakes: drafts are
// kept.
type Saved struct {
	ID, Title, Text string
	Created, Used   time.Time
}
