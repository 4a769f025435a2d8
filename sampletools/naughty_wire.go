package sampletools

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// faultsOfMessages break JSON-RPC (basic/index, "Messages").
func faultsOfMessages() []fault {
	return []fault{
		{
			tool: "both_shapes",
			answer: raw("application/json", `{"jsonrpc":"2.0","id":$ID,"result":`+fine+
				`,"error":{"code":-32603,"message":"also failed"}}`),
		},
		{
			tool:   "wrong_id",
			answer: raw("application/json", `{"jsonrpc":"2.0","id":"another","result":`+fine+`}`),
		},
		{tool: "null_id", answer: raw("application/json", `{"jsonrpc":"2.0","id":null,"result":`+fine+`}`)},
		{
			tool:   "jsonrpc_one",
			answer: raw("application/json", `{"jsonrpc":"1.0","id":$ID,"result":`+fine+`}`),
		},
		{tool: "batch", answer: raw("application/json", `[{"jsonrpc":"2.0","id":$ID,"result":`+fine+`}]`)},
		{tool: "not_json", answer: raw("text/html", `<!doctype html><title>Log in</title>`)},
		{
			tool:   "cut_short",
			answer: raw("application/json", `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_`),
		},
	}
}

// faultsOfLongResults test a client's limits. They break no rule.
func faultsOfLongResults() []fault {
	return []fault{
		{
			tool: "state_huge",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				state := naughtyClaims{Tool: strings.Repeat("x", 50000),
					Expires: time.Now().Add(naughtyStateLife).Unix()}.sign()
				once(`{"resultType":"input_required","inputRequests":{"color":`+colorQuestion+
					`},"requestState":`+serve.Quote(state)+`}`)(c, w, r)
			},
		},
	}
}

// faultsOfHTTP break the transport (basic/transports/streamable-http).
func faultsOfHTTP() []fault {
	return []fault{
		{
			tool: "mints_session",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Mcp-Session-Id", "sticky-1")
				c.result(w, fine)
			},
		},
		{
			tool: "wrong_status",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.write(w, http.StatusInternalServerError, c.message(fine))
			},
		},
		{
			tool: "body_too_short",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				body := c.message(fine)
				w.Header().Set("Content-Length", strconv.Itoa(len(body)+10))
				c.write(w, http.StatusOK, body) // net/http then closes the connection
			},
		},
		{
			tool: "busy",
			answer: func(_ *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "3")
				http.Error(w, "too many requests", http.StatusTooManyRequests)
			},
		},
		{
			tool: "sign_in_first",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
				c.write(w, http.StatusUnauthorized, `{"error":"invalid_token",`+
					`"error_description":"Missing Authorization header"}`)
			},
		},
		{
			tool: "redirects",
			answer: func(_ *naughtyCall, w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://example.com/mcp", http.StatusTemporaryRedirect)
			},
		},
		{
			tool: "hangs_up",
			answer: func(*naughtyCall, http.ResponseWriter, *http.Request) {
				panic(http.ErrAbortHandler) // makes net/http close the connection
			},
		},
		{
			tool: "never_answers",
			answer: func(_ *naughtyCall, _ http.ResponseWriter, r *http.Request) {
				select {
				case <-r.Context().Done():
				case <-time.After(time.Minute): // ends the handler if the client never does
				}
			},
		},
	}
}

// faultsOfChecks leave out the checks of a request that a server must make. A
// client sees them when it sends a wrong request, as the Lab does.
func faultsOfChecks() []fault {
	return []fault{
		{
			tool: "ignores_headers",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				c.resultIfNot(w, c.CheckMeta(), c.checkVersion(r.Header))
			},
		},
		{
			tool: "ignores_meta",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				if c.Meta == nil || c.CheckMeta() != nil {
					c.result(w, fine)
					return
				}
				c.resultIfNot(w, c.CheckHeaders(r.Header), c.checkVersion(r.Header))
			},
		},
		{
			tool: "ignores_version",
			answer: func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
				c.resultIfNot(w, c.CheckMeta(), c.CheckHeaders(r.Header))
			},
		},
	}
}

// checkVersion checks the version as a right server does.
func (c *naughtyCall) checkVersion(h http.Header) *serve.Refusal {
	return c.Envelope.CheckVersion(h, Modern.Supported())
}

// resultIfNot answers well unless a check refuses the request.
func (c *naughtyCall) resultIfNot(w http.ResponseWriter, checks ...*serve.Refusal) {
	for _, f := range checks {
		if f != nil {
			f.Write(w)
			return
		}
	}
	c.result(w, fine)
}
