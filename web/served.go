package web

import "time"

// Served is a request of a visitor that was answered. It has nothing that the
// visitor chose.
type Served struct {
	ID     string // of the request, also in the header X-Request-Id of the response
	Method string // or "other"
	Route  string // pattern, such as /x/:id; "none" where no page is
	Status int
	Bytes  int64 // of the body of the response
	Took   time.Duration
	Stream bool // the response stayed open, so that Took says nothing of its speed
}
