package sampletools

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// faultsOfMessages break JSON-RPC (basic/index, "Messages").
func faultsOfMessages() []fault {
	return naughtyList(
		fault{
			tool: "both_shapes", title: "Result and error", rule: "json-rpc",
			description: "The message has a result and an error.",
			answer: raw("application/json", `{"jsonrpc":"2.0","id":$ID,"result":`+fine+
				`,"error":{"code":-32603,"message":"also failed"}}`),
		},
		fault{
			tool: "wrong_id", title: "Wrong id", rule: "response-id",
			description: "The response has the wrong id.",
			answer:      raw("application/json", `{"jsonrpc":"2.0","id":"another","result":`+fine+`}`),
		},
		fault{
			tool: "null_id", title: "Id is null", rule: "response-id",
			description: "The id of the response is null.",
			answer:      raw("application/json", `{"jsonrpc":"2.0","id":null,"result":`+fine+`}`),
		},
		fault{
			tool: "jsonrpc_one", title: "JSON-RPC 1.0", rule: "json-rpc",
			description: "The message says that it is JSON-RPC 1.0.",
			answer:      raw("application/json", `{"jsonrpc":"1.0","id":$ID,"result":`+fine+`}`),
		},
		fault{
			tool: "batch", title: "Batch", rule: "json-rpc", description: "The response is a batch.",
			answer: raw("application/json", `[{"jsonrpc":"2.0","id":$ID,"result":`+fine+`}]`),
		},
		fault{
			tool: "not_json", title: "Login page", rule: "media-type", description: "An HTML login page.",
			answer: raw("text/html", `<!doctype html><title>Log in</title>`),
		},
		fault{
			tool: "cut_short", title: "Half an answer", rule: "json-rpc",
			description: "The JSON ends in the middle.",
			answer:      raw("application/json", `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_`),
		},
	)
}

// faultsOfLongResults test a client's limits. They break no rule.
func faultsOfLongResults() []fault {
	return naughtyList(
		fault{
			tool: "state_huge", title: "Huge state", description: "requestState is longer than 64 KiB.",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				state := naughtyClaims{Tool: strings.Repeat("x", 50000),
					Expires: time.Now().Add(naughtyStateLife).Unix()}.sign()
				once(`{"resultType":"input_required","inputRequests":{"color":`+colorQuestion+
					`},"requestState":`+quote(state)+`}`)(c, w, r)
			},
		},
		fault{
			tool: "odd_numbers", title: "Odd numbers", description: "Numbers that a double cannot represent.",
			answer: fixed(`{"resultType":"complete","content":[],` +
				`"structuredContent":{"big":9223372036854775808,"huge":1e400,` +
				`"long":1234567890123456789012345678901234567890}}`),
		},
		fault{
			tool: "deep", title: "Deep nesting", description: "JSON nested a thousand levels deep.",
			answer: fixed(`{"resultType":"complete","content":[],` +
				`"structuredContent":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`),
		},
	)
}

// faultsOfHTTP break the transport (basic/transports/streamable-http).
func faultsOfHTTP() []fault {
	return naughtyList(
		fault{
			tool: "mints_session", title: "Session id", rule: "session-id",
			description: "Sends a session id, which this revision does not have.",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Mcp-Session-Id", "sticky-1")
				c.result(w, fine)
			},
		},
		fault{
			tool: "wrong_status", title: "Result with status 500",
			description: "A valid result with status 500.",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.write(w, http.StatusInternalServerError, c.message(fine))
			},
		},
		fault{
			tool: "body_too_short", title: "Shorter than announced", rule: "body-length",
			description: "The body is shorter than its Content-Length.",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				body := c.message(fine)
				w.Header().Set("Content-Length", strconv.Itoa(len(body)+10))
				c.write(w, http.StatusOK, body) // net/http then closes the connection
			},
		},
		fault{
			tool: "busy", title: "Too many requests", description: "Status 429 with Retry-After.",
			answer: func(_ *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "3")
				http.Error(w, "too many requests", http.StatusTooManyRequests)
			},
		},
		fault{
			tool: "sign_in_first", title: "OAuth error",
			description: "Status 401 with the JSON of OAuth, which is no JSON-RPC.",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
				c.write(w, http.StatusUnauthorized, `{"error":"invalid_token",`+
					`"error_description":"Missing Authorization header"}`)
			},
		},
		fault{
			tool: "redirects", title: "Redirect", description: "Redirects to another host.",
			answer: func(_ *naughtyCall, w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://example.com/mcp", http.StatusTemporaryRedirect)
			},
		},
		fault{
			tool: "hangs_up", title: "Hangs up", description: "Closes the connection without a response.",
			answer: func(*naughtyCall, http.ResponseWriter, *http.Request) {
				panic(http.ErrAbortHandler) // makes net/http close the connection
			},
		},
		fault{
			tool: "never_answers", title: "Never answers",
			description: "Does not respond until the client gives up.",
			answer: func(_ *naughtyCall, _ http.ResponseWriter, r *http.Request) {
				select {
				case <-r.Context().Done():
				case <-time.After(time.Minute): // ends the handler if the client never does
				}
			},
		},
	)
}

// faultsOfChecks leave out the checks of a request that a server must make. A
// client sees them when it sends a wrong request, as the Lab does.
func faultsOfChecks() []fault {
	return naughtyList(
		fault{
			tool: "ignores_headers", title: "Headers are not compared", rule: "header-mismatch",
			lenient:     true,
			description: "Answers whatever Mcp-Method and Mcp-Name say.",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				c.resultIfNot(w, c.checkMeta(), c.checkVersion(r.Header))
			},
		},
		fault{
			tool: "ignores_meta", title: "Missing _meta is accepted", rule: "meta-missing", lenient: true,
			description: "Answers requests without _meta.",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				if c.meta == nil || c.checkMeta() != nil {
					c.result(w, fine)
					return
				}
				c.resultIfNot(w, c.checkHeaders(r.Header), c.checkVersion(r.Header))
			},
		},
		fault{
			tool: "ignores_version", title: "Any version is accepted", rule: "version-unknown", lenient: true,
			description: "Answers requests of unknown versions.",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				c.resultIfNot(w, c.checkMeta(), c.checkHeaders(r.Header))
			},
		},
	)
}

// checkVersion checks the version as a right server does.
func (c *naughtyCall) checkVersion(h http.Header) *refusal {
	return (&host{scenario: scenario{Sample: Sample{Era: Modern}}}).checkVersion(c.envelope, h)
}

// resultIfNot answers well unless a check refuses the request.
func (c *naughtyCall) resultIfNot(w http.ResponseWriter, checks ...*refusal) {
	for _, f := range checks {
		if f != nil {
			f.write(w)
			return
		}
	}
	c.result(w, fine)
}
