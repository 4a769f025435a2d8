package prose

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// StatusWords returns the words for a status.
func StatusWords(s playground.Status) string {
	switch s {
	case playground.StatusReady:
		return "not sent yet"
	case playground.StatusRunning:
		return "running"
	case playground.StatusWaiting:
		return "waiting for you"
	case playground.StatusCapped:
		return fmt.Sprintf("hit the %d-round limit", playground.MaxRounds)
	}
	return string(s)
}

// TargetWords returns the words for the status of a target.
func TargetWords(status string) string {
	if status == server.ConnectFailed {
		return "not connected"
	}
	return status
}

// OutcomeWords returns the words for the outcome of a Round.
func OutcomeWords(k playground.OutcomeKind) string {
	switch k {
	case playground.OutcomeRPCError:
		return "JSON-RPC error"
	case playground.OutcomeHTTPError:
		return "HTTP error"
	}
	return strings.ReplaceAll(string(k), "_", " ")
}
