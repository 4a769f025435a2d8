package lab

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Lost reports whether the server died of the changed request of an exchange, closed
// its connection, or never responded, as far as one request can show that. One such
// failure can have any cause, so the check makes the experiment a second time.
func Lost(x playground.Exchange) bool {
	r, ok := changed(x)
	return ok && isLost(r)
}

// Hung is Lost for a request that nothing came back for.
func Hung(x playground.Exchange) bool {
	r, ok := changed(x)
	return ok && isLost(r) && isTimeout(r.Class)
}

// isLost reports whether a request was sent and got no response, or only that of a
// framework whose handler crashed. Errors of gateways are none of the server.
func isLost(r playground.Round) bool {
	switch r.Kind {
	case playground.OutcomeTransportError:
		switch r.Class {
		case wire.Reset, wire.CommandEnded, playground.NoResponse:
			return true
		}
		return isTimeout(r.Class) && r.Class != wire.TimeoutConnect
	case playground.OutcomeHTTPError:
		return r.Head.Status == 500
	}
	return false
}

// lossWords describe the reaction of the server in place of a response.
func lossWords(r playground.Round) string {
	asks := slices.IndexFunc(r.Messages, func(m playground.RPC) bool { return playground.IsRequest(m.Node) })
	switch {
	case asks >= 0:
		return "sent a request of its own (" + text.Visible(r.Messages[asks].Method(), 60) +
			"), as servers of earlier revisions do, and no response"
	case r.Kind == playground.OutcomeHTTPError:
		return "failed with HTTP status 500"
	case isTimeout(r.Class):
		return "sent no response in time"
	case r.Class == wire.CommandEnded:
		return "ended"
	}
	return "closed the connection without a response"
}

// mustRespond is the requirement that a lost request is judged by
// (basic/patterns/mrtr, "Error Handling").
const mustRespond = "A server should respond to a request that it cannot use with an error."

// lost returns the judgement on an exchange whose changed request was lost and, if it
// was made, on the second try after it. It returns false if they show nothing.
func (k evidence) lost(first playground.Round, second *playground.Round) (judgement, bool) {
	switch {
	case second == nil && k.goneAfter(first):
		return hint("The server %s in round %d, and did not respond to right requests after that either. %s",
			lossWords(first), first.N, mustRespond), true
	case second == nil || !isLost(*second) || k.losesRight() || !k.answersBetween(first, *second):
		return judgement{}, false
	}
	return hint("The server %s in round %d, both times that this was sent. "+
		"It responded to the right requests between. %s", lossWords(first), first.N, mustRespond), true
}

// losesRight reports whether right requests were lost, too, although the server
// responded to others after that.
func (k evidence) losesRight() bool {
	for _, list := range k.rights {
		for _, r := range list {
			if isLost(r) {
				return true
			}
		}
	}
	return false
}

// answersBetween reports whether a right request was answered between two others.
func (k evidence) answersBetween(first, second playground.Round) bool {
	for _, list := range k.rights {
		if slices.ContainsFunc(list, func(r playground.Round) bool {
			return !r.Began.Before(first.Ended) && !r.Ended.After(second.Began) && responded(r)
		}) {
			return true
		}
	}
	return false
}

// goneAfter reports whether right requests were sent after another and none of them
// was answered.
func (k evidence) goneAfter(lost playground.Round) bool {
	sent := false
	for _, list := range k.rights {
		for _, r := range list {
			switch {
			case !r.Began.After(lost.Ended):
			case responded(r):
				return false
			default:
				sent = true
			}
		}
	}
	return sent
}

// responded reports whether anything came back for a request.
func responded(r playground.Round) bool { return r.Kind != playground.OutcomeTransportError }
