package sampletools

import (
	"fmt"
	"net/http"
)

// errorReply returns a reply with an error of any shape. $ID is the request's
// id.
func errorReply(status int, body string) reply {
	return func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
		c.write(w, status, `{"jsonrpc":"2.0",`+idMember(c.id)+`"error":`+body+`}`)
	}
}

// faultsOfAnswers mishandle inputResponses (basic/patterns/mrtr, error
// handling).
func faultsOfAnswers() []fault {
	return naughtyList(
		fault{
			tool: "missing_is_error", title: "A missing answer is an error", rule: "S5",
			description: "A missing answer is an error; the server should ask again.",
			answer:      func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) { c.failOnMissing(w) },
		},
		fault{
			tool: "extra_is_error", title: "An extra answer is an error", rule: "S6",
			description: "An unexpected answer is an error; the server should ignore it.",
			answer:      func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) { c.failOnExtra(w) },
		},
		fault{
			tool: "malformed_is_fine", title: "Malformed answers are accepted", rule: "S7",
			description: "Accepts an answer of any shape.",
			answer:      func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) { c.acceptAnyShape(w) },
		},
		fault{
			tool: "decline_is_accepted", title: "Works although the user declined",
			description: "Does the work whatever the user's action was.",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				if c.answered("color") {
					c.writeText(w, "Painted.")
					return
				}
				c.result(w, asksColor)
			},
		},
	)
}

// failOnMissing rejects a retry that lacks the answer.
func (c *naughtyCall) failOnMissing(w http.ResponseWriter) {
	switch {
	case c.answered("color"):
		c.writeText(w, "Thank you.")
	case c.inputResponses != nil:
		refuse(c.id, -32602, "color is missing").write(w)
	default:
		c.result(w, asksColor)
	}
}

// failOnExtra rejects a retry with an answer that was not asked for.
func (c *naughtyCall) failOnExtra(w http.ResponseWriter) {
	switch {
	case len(c.inputResponses) > 1 || len(c.inputResponses) == 1 && !c.answered("color"):
		refuse(c.id, -32602, "unexpected answer").write(w)
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
	return naughtyList(
		fault{
			tool: "old_error_code", title: "Error code -32002", rule: "error-code",
			description: "Fails with -32002, which this revision removed.",
			answer:      errorReply(http.StatusOK, `{"code":-32002,"message":"resource not found"}`),
		},
		fault{
			tool: "url_error_code", title: "Error code -32042", rule: "error-code",
			description: "Fails with -32042, which this revision removed.",
			answer: errorReply(http.StatusOK, `{"code":-32042,"message":"open a link first",`+
				`"data":{"elicitations":[]}}`),
		},
		fault{
			tool: "undefined_error_code", title: "Undefined error code", rule: "error-code",
			description: "Fails with -32077, an undefined code of the reserved range.",
			answer:      errorReply(http.StatusOK, `{"code":-32077,"message":"undefined error"}`),
		},
		fault{
			tool: "error_code_text", title: "Error code is a string", rule: "error-shape",
			description: "The code of the error is a string.",
			answer:      errorReply(http.StatusOK, `{"code":"E_BUSY","message":"busy"}`),
		},
		fault{
			tool: "error_code_fraction", title: "Error code has a fraction", rule: "error-shape",
			description: "The code of the error is no integer.",
			answer:      errorReply(http.StatusOK, `{"code":-32603.5,"message":"internal error"}`),
		},
		fault{
			tool: "error_no_message", title: "Error without message", rule: "error-shape",
			description: "The error has no message.", answer: errorReply(http.StatusOK, `{"code":-32603}`),
		},
		fault{
			tool: "error_status_ok", title: "Missing capability with status 200", rule: "error-status",
			description: "Fails with -32021 and status 200; it must be 400.", declares: `{}`,
			answer: errorReply(http.StatusOK, `{"code":-32021,"message":"elicitation is required",`+
				`"data":{"requiredCapabilities":{"elicitation":{"form":{}}}}}`),
		},
		fault{
			tool: "error_no_data", title: "Missing capability without its name", rule: "error-data",
			description: "Fails with -32021 and does not say which capability is missing.", declares: `{}`,
			answer: errorReply(http.StatusBadRequest, `{"code":-32021,"message":"capability required"}`),
		},
	)
}
