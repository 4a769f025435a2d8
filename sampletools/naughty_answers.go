package sampletools

import (
	"fmt"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// errorReply returns a reply with an error of any shape. $ID is the request's
// id.
func errorReply(status int, body string) reply {
	return func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
		c.write(w, status, `{"jsonrpc":"2.0",`+serve.IDMember(c.ID)+`"error":`+body+`}`)
	}
}

// faultsOfAnswers mishandle inputResponses (basic/patterns/mrtr, error
// handling).
func faultsOfAnswers() []fault {
	return []fault{
		{
			tool:   "missing_is_error",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) { c.failOnMissing(w) },
		},
		{
			tool:   "extra_is_error",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) { c.failOnExtra(w) },
		},
		{
			tool:   "malformed_is_fine",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) { c.acceptAnyShape(w) },
		},
		{
			tool: "decline_is_accepted",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				if c.answered("color") {
					c.writeText(w, "Painted.")
					return
				}
				c.result(w, asksColor)
			},
		},
	}
}

// failOnMissing rejects a retry that lacks the answer.
func (c *naughtyCall) failOnMissing(w http.ResponseWriter) {
	switch {
	case c.answered("color"):
		c.writeText(w, "Thank you.")
	case c.inputResponses != nil:
		serve.Refuse(c.ID, -32602, "color is missing").Write(w)
	default:
		c.result(w, asksColor)
	}
}

// failOnExtra rejects a retry with an answer that was not asked for.
func (c *naughtyCall) failOnExtra(w http.ResponseWriter) {
	switch {
	case len(c.inputResponses) > 1 || len(c.inputResponses) == 1 && !c.answered("color"):
		serve.Refuse(c.ID, -32602, "unexpected answer").Write(w)
	case c.answered("color"):
		c.writeText(w, "Thank you.")
	default:
		c.result(w, asksColor)
	}
}

// acceptAnyShape does not look at the answer.
func (c *naughtyCall) acceptAnyShape(w http.ResponseWriter) {
	if raw, ok := c.inputResponses["color"]; ok {
		c.writeText(w, fmt.Sprintf("Accepted %s.", raw))
		return
	}
	c.result(w, asksColor)
}

// faultsOfErrors break error responses (basic/index, "Error Responses" and
// "Error Codes").
func faultsOfErrors() []fault {
	return nil
}
