package clienttest

import (
	"net/http"
	"strings"
)

// results are unusual results.
func results() []scenario {
	kind := func(c *call, resultType string) {
		state := "state-" + c.mark(1)
		c.result(strings.Replace(asking(&state, c.anything("answer")), `"resultType":"input_required",`,
			resultType, 1))
	}
	return []scenario{
		tool("unknown_result_type", "An unknown resultType", "Returns a result of an unknown type.",
			"resultType is perhaps, beside questions and a state.", once(func(c *call) {
				kind(c, `"resultType":"perhaps",`)
			})),
		tool("absent_result_type", "No resultType", "Returns a result without a type, which is complete.",
			"resultType is absent, beside questions and a state.", once(func(c *call) {
				kind(c, `"content":[{"type":"text","text":"This call is complete."}],`)
			})),
		tool("extra_members", "Unknown members of a result", "Asks with members that no client knows.",
			"The result and every object in it have members that the specification does not define.",
			once(func(c *call) { c.askOddly(`"x-extra":{"a":[null,1]},"requeststate":"no",`, "") })),
		tool("extra_envelope", "Unknown members of a message", "Asks in a message with unknown members.",
			"The JSON-RPC message has members that the specification does not define.",
			once(func(c *call) { c.askOddly("", `"x-extra":1,"extra":null,`) })),
	}
}

// askOddly asks for anything with further members of the objects of the result and of the
// message.
func (c *call) askOddly(extra, envelope string) {
	q := c.anything("answer")
	if need := c.undeclared(q); need != "" {
		c.lacks(need)
		return
	}
	c.send(http.StatusOK, `{"jsonrpc":"2.0",`+envelope+`"id":`+string(c.id)+`,"result":{`+extra+
		`"resultType":"input_required","inputRequests":{`+quote(q.key)+`:{`+extra+
		`"method":"elicitation/create","params":{`+extra+`"mode":"form","message":"Answer with anything.",`+
		`"requestedSchema":{`+extra+`"type":"object","properties":{"text":{`+extra+`"type":"string"}}}}}},`+
		`"requestState":`+quote("state-"+c.mark(1))+`,"_meta":{`+extra+serverInfo+`}}}`)
}

// failures are errors of HTTP and JSON-RPC.
func failures() []scenario {
	plain := func(name string, status int, title, description string, header ...string) scenario {
		return tool(name, title, description, "Every call is refused.", func(c *call) {
			for i := 0; i+1 < len(header); i += 2 {
				c.w.Header().Set(header[i], header[i+1])
			}
			http.Error(c.w, "refused on purpose", status)
		})
	}
	rpc := func(name string, status, code int, title, data string) scenario {
		return tool(name, title, "Is refused with error "+title[len("Error "):]+".", "Every call is refused.",
			func(c *call) { c.fail(status, code, "refused on purpose", data) })
	}
	return []scenario{
		plain("http_401", 401, "Status 401", "Is refused for want of a token.",
			"WWW-Authenticate", `Bearer realm="client-test", error="invalid_token"`),
		plain("http_403", 403, "Status 403", "Is refused for want of rights.",
			"WWW-Authenticate", `Bearer error="insufficient_scope", scope="test:call"`),
		plain("http_404", 404, "Status 404", "Is refused with status 404 and no JSON."),
		plain("http_429", 429, "Status 429", "Is refused for 2 seconds.", "Retry-After", "2"),
		plain("http_503", 503, "Status 503", "Is refused for 2 seconds.", "Retry-After", "2"),
		rpc("error_headers", 400, -32020, "Error -32020", ""),
		rpc("error_capability", 400, -32021, "Error -32021",
			`{"requiredCapabilities":{"extensions":{"dev.mrtr-playground/nothing":{}}}}`),
		rpc("error_version", 400, -32022, "Error -32022",
			`{"supported":["2026-07-28"],"requested":"2026-07-28"}`),
		rpc("error_legacy", 200, -32001, "Error -32001", ""),
		rpc("error_params", 200, -32602, "Error -32602", ""),
	}
}

// streams are answers as server-sent events, or none.
func streams() []scenario {
	return []scenario{
		tool("stream", "An event stream", "Asks through a stream with comments, progress and split chunks.",
			"Comments hold a false answer, lines end with CRLF, a message has several data lines, and "+
				"chunks end in the middle of a character.", once(func(c *call) {
				q := c.anything("answer")
				if need := c.undeclared(q); need != "" {
					c.lacks(need)
					return
				}
				decoy := "false-" + c.mark(1)
				state := "st\u00e4te-" + c.mark(1)
				c.stream(
					": a comment before everything\r\n\r\n",
					": data: "+c.message(asking(&decoy, c.anything("false")))+"\r\n\r\n",
					c.progress(1), c.progress(2),
					event(c.message(asking(&state, q))),
				)
			})),
		tool("cut_stream", "A stream that is cut off", "Ends a stream before its result.",
			"The connection closes after a notification.", func(c *call) {
				c.stream(": begins\r\n\r\n", c.progress(1))
				panic(http.ErrAbortHandler) // makes net/http close the connection
			}),
		tool("never_answers", "No answer", "Does not answer. Cancel the call.",
			"No answer comes for 30 seconds.",
			func(c *call) {
				c.stream(": waiting\r\n\r\n")
				c.wait()
				_, _ = c.w.Write([]byte(event(c.message(c.final("The server gave up waiting.")))))
			}),
	}
}
