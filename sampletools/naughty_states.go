package sampletools

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// faultsOfState misuse requestState (basic/patterns/mrtr, server requirements 3
// to 5).
func faultsOfState() []fault {
	withState := func(state string) string {
		return `{"resultType":"input_required",` +
			`"inputRequests":{"color":` + colorQuestion + `},"requestState":` + state + `}`
	}
	return []fault{
		{name: "state_number", description: "requestState is a number.", answer: withState("42")},
		{name: "state_null", description: "requestState is null.", answer: withState("null")},
		{name: "state_empty", description: "requestState is an empty string.", answer: withState(`""`)},
		{
			name: "state_huge", description: "requestState is one byte over 64 KiB.",
			answer: withState(`"` + strings.Repeat("x", 64<<10+1) + `"`),
		},
		{
			name: "state_readable", description: "requestState is unsigned JSON, and the server " +
				"trusts whatever comes back.",
			reply: (naughtyCall).trustState,
		},
		{
			name: "state_unchanged", description: "requestState does not change after an answer.",
			reply: (naughtyCall).repeatState,
		},
		{
			name: "state_only_forever", description: "Returns a requestState without questions " +
				"forever, and makes no progress.",
			answer: `{"resultType":"input_required","requestState":"still-busy"}`,
		},
	}
}

// trustState accepts any state: it has no signature, expiry, principal or
// digest.
func (c naughtyCall) trustState(w http.ResponseWriter, _ *http.Request) {
	var text string
	if json.Unmarshal(c.Params.RequestState, &text) != nil || text == "" {
		state := base64.RawURLEncoding.EncodeToString([]byte(`{"price":900,"step":1}`))
		c.result(w, `{"resultType":"input_required","inputRequests":{"color":`+colorQuestion+`},`+
			`"requestState":"`+state+`"}`)
		return
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		b = []byte(text)
	}
	c.writeText(w, fmt.Sprintf("The state says %q, and the server trusts it.", b))
}

// repeatState asks a second question with the state of the first.
func (c naughtyCall) repeatState(w http.ResponseWriter, _ *http.Request) {
	question := `"color":` + colorQuestion
	if _, ok := c.Params.InputResponses["size"]; ok {
		c.writeText(w, "Done, but the color was lost.")
		return
	}
	if _, ok := c.Params.InputResponses["color"]; ok {
		question = `"size":` + strings.ReplaceAll(colorQuestion, "color", "size")
	}
	c.result(w, `{"resultType":"input_required",`+
		`"inputRequests":{`+question+`},"requestState":"always-the-same"}`)
}

func (c naughtyCall) writeText(w http.ResponseWriter, message string) {
	b, err := json.Marshal(message)
	if err != nil { // a string always marshals
		return
	}
	c.result(w, `{"resultType":"complete","content":[{"type":"text","text":`+string(b)+`}]}`)
}

// faultsOfAnswers mishandle inputResponses or use invalid error codes
// (basic/patterns/mrtr, error handling).
func faultsOfAnswers() []fault {
	return []fault{
		{
			name: "missing_is_error", description: "A missing answer is an error; the server " +
				"should ask again.",
			reply: (naughtyCall).failOnMissing,
		},
		{
			name: "extra_is_error", description: "An unexpected answer is an error; the server " +
				"should ignore it.",
			reply: (naughtyCall).failOnExtra,
		},
		{
			name: "malformed_is_fine", description: "Accepts an answer of any shape.",
			reply: (naughtyCall).acceptAnyShape,
		},
		{
			name: "old_error_code", description: "Fails with -32002, which this revision removed.",
			reply: func(c naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.fail(w, http.StatusOK, -32002, "resource not found", "")
			},
		},
		{
			name: "url_error_code", description: "Fails with -32042, which this revision removed.",
			reply: func(c naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.fail(w, http.StatusOK, -32042, "open a link first", `{"elicitations":[]}`)
			},
		},
		{
			name: "undefined_error_code", description: "Fails with -32077, an undefined code of the " +
				"reserved range.",
			reply: func(c naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.fail(w, http.StatusOK, -32077, "undefined error", "")
			},
		},
	}
}

// failOnMissing rejects a retry that lacks the answer.
func (c naughtyCall) failOnMissing(w http.ResponseWriter, _ *http.Request) {
	switch _, answered := c.Params.InputResponses["color"]; {
	case answered:
		c.writeText(w, "Thank you.")
	case c.Params.InputResponses != nil:
		c.fail(w, http.StatusBadRequest, -32602, "color is missing", "")
	default:
		c.result(w, asksColor)
	}
}

// failOnExtra rejects a retry with an answer that was not asked for.
func (c naughtyCall) failOnExtra(w http.ResponseWriter, _ *http.Request) {
	switch _, answered := c.Params.InputResponses["color"]; {
	case len(c.Params.InputResponses) > 1 || len(c.Params.InputResponses) == 1 && !answered:
		c.fail(w, http.StatusBadRequest, -32602, "unexpected answer", "")
	case answered:
		c.writeText(w, "Thank you.")
	default:
		c.result(w, asksColor)
	}
}

// acceptAnyShape does not look at the answer.
func (c naughtyCall) acceptAnyShape(w http.ResponseWriter, _ *http.Request) {
	if raw, ok := c.Params.InputResponses["color"]; ok {
		c.writeText(w, fmt.Sprintf("Accepted %s.", raw))
		return
	}
	c.result(w, asksColor)
}
