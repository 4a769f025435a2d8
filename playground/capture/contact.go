package capture

import "github.com/mrtr-playground/mrtr-playground/playground"

// Contact is one request of the client and everything that came back on its connection.
type Contact struct {
	playground.Trip
	Kind playground.OutcomeKind // how it ended; OutcomeCancelled if the client closed first
}
