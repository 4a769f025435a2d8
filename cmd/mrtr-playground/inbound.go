package main

import (
	"net/http"
	"time"
)

// requestLimits bound how slowly a request may come and its answer be taken, and
// how large its head may be. What its body may be is up to the pages.
type requestLimits struct {
	headTime, time, idle, stall time.Duration
	head                        int
}

func defaultRequestLimits() requestLimits {
	return requestLimits{
		headTime: 5 * time.Second, time: 15 * time.Second, idle: 60 * time.Second, stall: 30 * time.Second,
		head: 32 << 10,
	}
}

// headSlop is how much more than MaxHeaderBytes net/http reads.
const headSlop = 4 << 10

// newServer is a server that slow clients cannot hold up. The time for a request
// ends with its body, so answers may take longer, and streams stay open.
func newServer(h http.Handler, l requestLimits) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: l.headTime, ReadTimeout: l.time, IdleTimeout: l.idle,
		MaxHeaderBytes: max(1, l.head-headSlop),
	}
}
