package server

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// MaxAway is how often a server that went away is connected to again by itself.
const MaxAway = 8

// AwayPause returns how long to wait before an attempt to connect again, the first being 1.
// All pauses together are two minutes.
func AwayPause(attempt int) time.Duration {
	pauses := []time.Duration{1, 2, 4, 8, 15, 30, 30, 30}
	return pauses[min(max(attempt, 1), len(pauses))-1] * time.Second
}

// Away returns how many attempts to connect have failed since the server was last connected
// because nothing answered at its address, as while it restarts; at most MaxAway+1. It
// is 0 if the newest attempt did not fail for that, or none before it succeeded.
func Away(log []playground.Event) int {
	failed := 0
	for end := len(log); end > 0 && failed <= MaxAway; {
		start := end - 1
		for start > 0 && log[start].Kind != playground.Decided {
			start--
		}
		switch c := FoldConnection(log[start:end]); {
		case c.Status == Connected:
			return failed
		case c.Status != ConnectFailed || !isAway(c.Class):
			return 0
		}
		failed++
		end = start
	}
	if failed > MaxAway {
		return failed
	}
	return 0
}

// isAway reports whether a failure is one that a server has while it restarts.
func isAway(c playground.Class) bool {
	switch c {
	case wire.Refused, wire.Reset, wire.NotHTTP, wire.TimeoutConnect, playground.NoResponse,
		playground.HTTP5xx:
		return true
	}
	return false
}
