package lab

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// badContent judges a value that the question's own schema refuses.
func badContent(s trial) judgement {
	if s.reaction() == Accepted {
		return hint("The server went on with a value that its own schema refuses.")
	}
	return pass("%s", s.description())
}

// undeclared judges what a server does for a client that declared nothing
// (basic/index, "Per-request protocol fields"). Whether it needs a capability
// shows in what it asked of a client that had them.
func undeclared(s trial) judgement {
	e := s.round.Error
	switch {
	case len(s.round.Questions) > 0:
		return fail("The server asks for %q, though the client declared no capability.", s.round.Questions[0].Key)
	case s.round.Kind == playground.OutcomeTask:
		return fail("The server answered with a task, though the client declared no capability.")
	case e == nil && s.reaction() != Rejected:
		return pass("The server asks for nothing.")
	case e == nil:
		return unknown("The tool reports an error of its own; whether a capability is missing cannot be known.")
	case len(s.right.Questions) == 0:
		return unknown("The call asks for nothing in any case. %s", s.description())
	case e.Code != -32021:
		return fail("The server needs a capability that was not declared, and answered with error %d instead of -32021.", e.Code)
	case s.round.Head.Status != 400:
		return fail("Error -32021 came with HTTP status %d; it must come with 400.", s.round.Head.Status)
	}
	return pass("%s", s.description())
}

// versionMissing judges a request without the version header: a server that also serves the oldest clients may take a request
// without the header for one of theirs (streamable-http, "Protocol Version
// Header").
func versionMissing(s trial) judgement {
	switch {
	case s.round.Error != nil && s.round.Error.Code == -32020 && s.round.Head.Status == 400:
		return pass("%s", s.description())
	case s.reaction() == Rejected:
		return unknown("%s A server may take the request for one of a client from before 2025-06-18.", s.description())
	}
	return hint("The server took a request without the header. Only one that also serves clients from before 2025-06-18 may, and then as one of theirs.")
}

func methodUnknown(s trial) judgement {
	e := s.round.Error
	switch {
	case e == nil:
		return fail("The server did not say so. %s", s.description())
	case e.Code != -32601:
		return fail("The server answered with error %d instead of -32601.", e.Code)
	case s.round.Head.Status != 404:
		return fail("Error -32601 came with HTTP status %d; it must come with 404.", s.round.Head.Status)
	}
	return pass("%s", s.description())
}

// reusedID: whatever the server makes of it, its response has the id.
func reusedID(s trial) judgement {
	switch {
	case s.round.Error != nil:
		return hint("The server refused the id. It can know it only if it keeps something between requests, and this protocol is stateless.")
	case !jsontree.Equal(s.round.Sent.Get("id"), answerID(s.round)):
		return fail("The response has another id than its request.")
	}
	return pass("%s", s.description())
}

func answerID(r playground.Round) *jsontree.Node {
	for _, m := range r.Messages {
		if m.IsResponse() {
			return m.Node.Get("id")
		}
	}
	return nil
}
