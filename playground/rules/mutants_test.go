package rules_test

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// mutant is a single fault that is put into good exchanges.
type mutant struct {
	name string
	// want are the findings that it must have, as "rule verdict", and no
	// others.
	want []string
	// change puts the fault into a trip. It reports whether the trip has the
	// part that it changes.
	change func(t *trip) bool
}

const metaPrefix = "io.modelcontextprotocol/"

// mutants are the single faults, in the order of the rules' table.
var mutants = []mutant{
	// The client.
	{"retry without requestState", []string{"C2 fail"}, editsRetry(func(p object) bool {
		return remove(p, "requestState")
	})},
	{"retry with another requestState", []string{"C2 fail", "S4 fail"}, func(t *trip) bool {
		return completes(t) && editsRetry(func(p object) bool {
			_, has := p["requestState"]
			return has && set(p, "requestState", "another")
		})(t)
	}},
	{"requestState that was not given", []string{"C3 fail"}, func(t *trip) bool {
		return t.round.N > 1 && editsRequest(func(m object) bool {
			p := at(m, "params")
			_, has := p["requestState"]
			_, answers := p["inputResponses"]
			return answers && !has && m["method"] == playground.ToolsCall && set(p, "requestState", "made up")
		})(t)
	}},
	{"first request with a requestState", []string{"C3 fail", "C5 fail"}, func(t *trip) bool {
		return t.round.N == 1 && editsRequest(func(m object) bool {
			return playground.IsCall(str(m["method"])) && set(at(m, "params"), "requestState", "made up")
		})(t)
	}},
	{"retry with the id of the first request", []string{"C4 fail"}, func(t *trip) bool {
		return t.round.N == 2 && editsRetry(func(object) bool { return true })(t) &&
			t.editRequest(func(m object) bool { return set(m, "id", 1) }) &&
			t.editResponse(func(m object) bool { return set(m, "id", 1) })
	}},
	{"retry with other arguments", []string{"C5 fail"}, func(t *trip) bool {
		return t.round.State == nil && editsRetry(func(p object) bool {
			_, state := p["requestState"]
			return !state && set(at(p, "arguments"), "other", true)
		})(t)
	}},
	{"retry with other arguments and a state", []string{"C5 fail", "state-bound hint"}, func(t *trip) bool {
		return !t.round.IsError && editsRetry(func(p object) bool {
			_, state := p["requestState"]
			return state && set(at(p, "arguments"), "other", true)
		})(t)
	}},
	{"retry without an answer", []string{"C6 fail"}, func(t *trip) bool {
		return completes(t) && editsRetry(func(p object) bool {
			answers := at(p, "inputResponses")
			for name := range answers {
				return remove(answers, name)
			}
			return false
		})(t)
	}},
	{"a member of _meta in snake case", []string{"client-look-alike hint"},
		editsRequest(func(m object) bool { return set(at(m, "params", "_meta"), "progress_token", 1) })},
	{"retry with an answer that was not asked", []string{"client-keys fail"}, func(t *trip) bool {
		return completes(t) && editsRetry(func(p object) bool {
			answers := at(p, "inputResponses")
			return len(answers) > 0 && set(answers, "not-asked", map[string]any{"action": "decline"})
		})(t)
	}},
	{"null id in the request", []string{"client-envelope fail"}, editsRequest(func(m object) bool {
		return set(m, "id", nil)
	})},
	{"fractional id in the request", []string{"client-envelope fail"}, editsRequest(func(m object) bool {
		return set(m, "id", json.RawMessage("1.5"))
	})},
	{"request of JSON-RPC 1.0", []string{"client-envelope fail"}, editsRequest(func(m object) bool {
		return set(m, "jsonrpc", "1.0")
	})},
	{"Accept without event streams", []string{"client-accept fail"}, setsHead("Accept", "application/json")},
	{"Accept without JSON", []string{"client-accept fail"}, setsHead("Accept", "text/event-stream")},
	{"no Accept", []string{"client-accept fail"}, setsHead("Accept", "")},
	{"no Mcp-Method", []string{"client-headers fail", "header-mismatch fail"}, setsHead("Mcp-Method", "")},
	{"other Mcp-Method", []string{"client-headers fail", "header-mismatch fail"},
		setsHead("Mcp-Method", "tools/other")},
	{"no Mcp-Name", []string{"client-headers fail", "header-mismatch fail"}, setsHead("Mcp-Name", "")},
	{"other Mcp-Name", []string{"client-headers fail", "header-mismatch fail"},
		setsHead("Mcp-Name", "other")},
	{"no version header", []string{"client-headers fail", "header-mismatch fail"},
		setsHead("MCP-Protocol-Version", "")},
	{"other version header", []string{"client-headers fail", "header-mismatch fail"},
		setsHead("MCP-Protocol-Version", "2025-11-25")},
	{"no version in _meta", []string{"client-meta fail", "meta-missing fail"},
		editsMeta(func(meta object) bool { return remove(meta, metaPrefix+"protocolVersion") })},
	{"no capabilities in _meta", []string{"client-meta fail", "meta-missing fail"},
		editsMeta(func(meta object) bool { return remove(meta, metaPrefix+"clientCapabilities") })},
	{"no clientInfo", []string{"client-info hint"},
		editsMeta(func(meta object) bool { return remove(meta, metaPrefix+"clientInfo") })},
	{"clientInfo without a version", []string{"client-info hint"},
		editsMeta(func(meta object) bool { return remove(at(meta, metaPrefix+"clientInfo"), "version") })},
	{"capabilities that are an array", []string{"client-meta fail"}, func(t *trip) bool {
		return len(t.round.Questions) == 0 && t.round.Kind != playground.OutcomeTask && !isTasks(t) &&
			editsMeta(func(meta object) bool {
				return set(meta, metaPrefix+"clientCapabilities", []any{})
			})(t)
	}},
	{"key of _meta with two slashes", []string{"client-meta fail"},
		editsMeta(func(meta object) bool { return set(meta, "com.example/a/b", 1) })},
	{"progressToken that is an object", []string{"client-progress-token fail"}, func(t *trip) bool {
		return !bytes.Contains(t.allResponses(), []byte("notifications/progress")) &&
			editsMeta(func(meta object) bool { return set(meta, "progressToken", object{}) })(t)
	}},
	{"log level that does not exist", []string{"client-log-level hint"},
		editsMeta(func(meta object) bool { return set(meta, metaPrefix+"logLevel", "verbose") })},
	{"tracestate that is no list", []string{"client-trace fail"},
		editsMeta(func(meta object) bool { return set(meta, "tracestate", "vendor") })},
	{"answer of a model with a block without text", []string{"client-content fail"},
		editsAnswer(func(a object) bool {
			block, _ := a["content"].(object)
			return block["type"] == "text" && remove(block, "text")
		})},
	{"root that is no file", []string{"client-roots fail"}, editsAnswer(func(a object) bool {
		list, _ := a["roots"].([]any)
		if len(list) == 0 {
			return false
		}
		root, _ := list[0].(object)
		return set(root, "uri", "https://example.com/")
	})},
	{"answer of a model without its name", []string{"client-answers fail"}, editsAnswer(func(a object) bool {
		return remove(a, "model")
	})},
	{"elicitation answer without action", []string{"client-answers fail", "S7 hint"}, func(t *trip) bool {
		return t.method != playground.TasksUpdate && editsAnswer(func(a object) bool {
			return remove(a, "action")
		})(t)
	}},
	{"access token in the URL", []string{"client-secret fail"}, func(t *trip) bool {
		return !t.round.Legacy && t.editHead(func(head string) string {
			target := strings.Fields(head)[1]
			with := target + "?access_token=abc"
			if strings.Contains(target, "?") {
				with = target + "&access_token=abc"
			}
			return strings.Replace(head, target, with, 1)
		})
	}},
	{"retry to another path", []string{"client-endpoint fail"}, func(t *trip) bool {
		return t.round.N > 1 && !t.round.Legacy && t.editHead(func(head string) string {
			return strings.Replace(head, "POST /mcp/", "POST /elsewhere/", 1)
		})
	}},
	{"update with a requestState", []string{"C5 fail"}, func(t *trip) bool {
		return t.method == playground.TasksUpdate && t.editRequest(func(m object) bool {
			return set(at(m, "params"), "requestState", "x")
		})
	}},
	{"update of a question that was not asked", []string{"client-task-keys fail"}, func(t *trip) bool {
		return t.method == playground.TasksUpdate && t.editRequest(func(m object) bool {
			return set(at(m, "params", "inputResponses"), "unasked", object{"action": "decline"})
		})
	}},

	// The result.
	{"no resultType", []string{"S0 fail"},
		editsResult(func(r object) bool { return remove(r, "resultType") })},
	{"unknown resultType", []string{"result-type fail"}, func(t *trip) bool {
		return !isTasks(t) &&
			editsResult(func(r object) bool { return set(r, "resultType", "later") })(t)
	}},
	{"result that is an array", []string{"result-object fail"}, func(t *trip) bool {
		return !t.round.Legacy && t.editResponse(func(m object) bool {
			_, ok := m["result"]
			return ok && set(m, "result", []any{})
		})
	}},
	{"tool result without content", []string{"result-members fail"},
		editsFinal(playground.ToolsCall, func(r object) bool { return remove(r, "content") })},
	{"structured content without a text block", []string{"structured-text hint"},
		editsFinal(playground.ToolsCall, func(r object) bool {
			_, structured := r["structuredContent"]
			return structured && set(r, "content", []any{})
		})},
	{"prompt without messages", []string{"result-members fail"},
		editsFinal(playground.PromptsGet, func(r object) bool { return remove(r, "messages") })},
	{"resource without contents", []string{"result-members fail"},
		editsFinal(playground.ResourcesRead, func(r object) bool { return remove(r, "contents") })},
	{"isError that is a string", []string{"member-types fail"},
		editsFinal(playground.ToolsCall, func(r object) bool { return set(r, "isError", "false") })},
	{"later result that does not name the server", []string{"server-info hint"}, func(t *trip) bool {
		return t.round.N > 1 && editsResult(func(r object) bool {
			return remove(at(r, "_meta"), metaPrefix+"serverInfo")
		})(t)
	}},
	{"content block without text", []string{"content-shape fail"},
		editsFinal(playground.ToolsCall, func(r object) bool { return editsBlock(r, "text") })},
	{"content block of an unknown type", []string{"content-shape fail"},
		editsFinal(playground.ToolsCall, func(r object) bool { return setsBlock(r, "type", "video") })},
	{"caching hints left out", []string{"cache-hints fail"},
		editsFinal(playground.ResourcesRead, func(r object) bool { return remove(r, "ttlMs") })},
	{"unknown cacheScope", []string{"cache-hints fail"},
		editsFinal(playground.ResourcesRead, func(r object) bool { return set(r, "cacheScope", "shared") })},
	{"negative ttlMs", []string{"cache-hints fail"},
		editsFinal(playground.ResourcesRead, func(r object) bool { return set(r, "ttlMs", -1) })},
	{"requestState beside complete", []string{"questions-beside hint"},
		editsFinal(playground.ToolsCall, func(r object) bool { return set(r, "requestState", "x") })},
	{"is_error", []string{"look-alike hint"},
		editsFinal(playground.ToolsCall, func(r object) bool { return set(r, "is_error", false) })},
	{"input_requests", []string{"look-alike hint", "S2 fail"}, editsAsking(func(r object) bool {
		asks := r["inputRequests"]
		_, state := r["requestState"]
		return !state && asks != nil && set(r, "input_requests", asks) && remove(r, "inputRequests")
	})},
	{"invalid name in _meta", []string{"meta-keys fail"}, editsResult(func(r object) bool {
		return set(at(r, "_meta"), "-x/name", 1)
	})},

	// Questions and state.
	{"neither questions nor state", []string{"S2 fail"}, editsAsking(func(r object) bool {
		remove(r, "requestState")
		return remove(r, "inputRequests")
	})},
	{"inputRequests that is an array", []string{"requests-object fail"}, editsAsking(func(r object) bool {
		return r["inputRequests"] != nil && set(r, "inputRequests", []any{})
	})},
	{"requestState that is a number", []string{"state-string fail"}, editsAsking(func(r object) bool {
		return set(r, "requestState", 42)
	})},
	{"empty requestState", []string{"state-content hint"}, editsAsking(func(r object) bool {
		return r["inputRequests"] != nil && set(r, "requestState", "")
	})},
	{"readable requestState", []string{"state-protected hint"}, editsAsking(func(r object) bool {
		return set(r, "requestState", `{"step":2}`)
	})},
	{"requestState with a card number", []string{"state-protected hint", "state-secret hint"},
		editsAsking(func(r object) bool {
			return set(r, "requestState", `{"step":2,"payment":[{"cardNumber":4111111111111111}]}`)
		})},
	{"signed requestState without expiry", []string{"state-expires hint"}, editsAsking(func(r object) bool {
		return set(r, "requestState",
			"v1.eyJwIjp7InN0ZXAiOjJ9fQ.fV2_j_WdP1se8Xh6Nap7Ar6CBJIv7AoRi815mn-7Ev4")
	})},
	{"unknown request in inputRequests", []string{"requests-known fail"}, editsAsking(func(r object) bool {
		return set(at(r, "inputRequests"), "ping", object{"method": "ping"})
	})},
	{"question for an undeclared capability", []string{"S3 fail"}, func(t *trip) bool {
		return len(t.round.Questions) > 0 && !isTasks(t) &&
			editsMeta(func(meta object) bool {
				return set(meta, metaPrefix+"clientCapabilities",
					object{})
			})(t)
	}},
	{"content beside input_required", []string{"result-beside hint"}, editsAsking(func(r object) bool {
		return set(r, "content", []any{})
	})},
	{"caching hints beside input_required", []string{"cache-beside hint"}, editsAsking(func(r object) bool {
		return set(r, "ttlMs", 1000)
	})},
	{"elicitation without message", []string{"elicitation-params fail"},
		editsQuestion("elicitation/create", func(p object) bool { return remove(p, "message") })},
	{"elicitation without schema", []string{"elicitation-params fail"},
		editsForm(func(p object) bool { return remove(p, "requestedSchema") })},
	{"elicitation of an unknown mode", []string{"elicitation-params fail"},
		editsForm(func(p object) bool { return set(p, "mode", "voice") })},
	{"property that is an object", []string{"schema-subset fail"}, editsProperty(func(p object) bool {
		for name := range p {
			delete(p, name)
		}
		return set(p, "type", "object")
	})},
	{"unknown keyword in a property", []string{"schema-subset hint"}, editsProperty(func(p object) bool {
		return set(p, "pattern", "^a")
	})},
	{"required property that is not there", []string{"schema-satisfiable hint"},
		editsForm(func(p object) bool {
			return set(at(p, "requestedSchema"), "required", []any{"elsewhere"})
		})},
	{"form that asks for a password", []string{"form-secret hint"}, editsForm(func(p object) bool {
		return set(at(p, "requestedSchema", "properties"), "password", object{"type": "string"})
	})},
	{"form with a link", []string{"form-links hint"}, editsForm(func(p object) bool {
		return set(p, "message", "See https://example.com/")
	})},
	{"link that is not https", []string{"url-https hint"}, editsLink("http://login.example/start")},
	{"link that is not a URL", []string{"elicitation-params fail"}, editsLink("not a link")},
	{"link with an email address", []string{"url-personal hint"},
		editsLink("https://login.example/start?for=ada@example.com")},
	{"sampling without maxTokens", []string{"sampling-params fail"},
		editsQuestion("sampling/createMessage", func(p object) bool { return remove(p, "maxTokens") })},
	{"sampling without messages", []string{"sampling-params fail"},
		editsQuestion("sampling/createMessage", func(p object) bool { return remove(p, "messages") })},

	// The message and the transport.
	{"response of JSON-RPC 1.0", []string{"json-rpc fail"}, editsMessage(func(m object) bool {
		return set(m, "jsonrpc", "1.0")
	})},
	{"result and error", []string{"json-rpc fail"}, editsMessage(func(m object) bool {
		return set(m, "error", object{"code": -32603, "message": "no"})
	})},
	{"response that is cut off", []string{"json-rpc fail"}, func(t *trip) bool {
		_, data := t.last()
		if t.round.Legacy || len(data) == 0 {
			return false
		}
		t.setResponse(data[:len(data)-1])
		return true
	}},
	{"response in Latin-1", []string{"utf-8 fail"}, func(t *trip) bool {
		_, data := t.last()
		latin := bytes.Replace(data, []byte(`"jsonrpc"`), []byte("\"x\":\"\xe9\",\"jsonrpc\""), 1)
		if t.round.Legacy || bytes.Equal(latin, data) {
			return false
		}
		t.setResponse(latin)
		return true
	}},
	{"result with the status of a failure", []string{"result-status hint"}, func(t *trip) bool {
		_, data := t.last()
		return !t.round.Legacy && !t.streams() && decode(data)["result"] != nil &&
			t.setStatus("500 Internal Server Error")
	}},
	{"response that is a batch", []string{"json-rpc fail"}, func(t *trip) bool {
		_, data := t.last()
		if t.round.Legacy || len(data) == 0 {
			return false
		}
		t.setResponse([]byte("[" + string(data) + "]"))
		return true
	}},
	{"other id in the response", []string{"response-id fail"}, editsMessage(func(m object) bool {
		return set(m, "id", "another")
	})},
	{"null id in the response", []string{"response-id fail"}, editsMessage(func(m object) bool {
		return set(m, "id", nil)
	})},
	{"error whose code is a string", []string{"error-shape fail"},
		replacesResult("200", `{"code":"-32602","message":"no"}`)},
	{"error without message", []string{"error-shape fail"}, replacesResult("200", `{"code":-32602}`)},
	{"error of an earlier revision", []string{"error-code fail"},
		replacesResult("200", `{"code":-32002,"message":"no"}`)},
	{"undefined error of the reserved range", []string{"error-code fail"},
		replacesResult("200", `{"code":-32077,"message":"no"}`)},
	{"error of the legacy range", []string{"error-code hint"},
		replacesResult("200", `{"code":-32005,"message":"no"}`)},
	{"unknown method with status 200", []string{"error-status fail"},
		replacesResult("200", `{"code":-32601,"message":"no"}`)},
	{"missing capability without data", []string{"error-data fail"},
		replacesResult("400 Bad Request", `{"code":-32021,"message":"no"}`)},
	{"request on the stream", []string{"stream-requests fail"}, func(t *trip) bool {
		return !t.round.Legacy && t.insert(`{"jsonrpc":"2.0","id":9,"method":"ping"}`)
	}},
	{"notification with an id", []string{"stream-requests fail"}, func(t *trip) bool {
		return !t.round.Legacy &&
			t.insert(`{"jsonrpc":"2.0","id":9,"method":"notifications/example"}`)
	}},
	{"response that is sent twice", []string{"stream-ends hint"}, func(t *trip) bool {
		_, data := t.last()
		return !t.round.Legacy && t.append(string(data))
	}},
	{"notification of a subscription on the stream", []string{"stream-notifications fail"},
		func(t *trip) bool {
			return !t.round.Legacy &&
				t.insert(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}},
	{"log message that was not asked for", []string{"log-level fail"}, func(t *trip) bool {
		return !t.round.Legacy && !isTasks(t) &&
			t.insert(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`)
	}},
	{"log message about a task", []string{"listen-tasks fail"}, func(t *trip) bool {
		return isTasks(t) &&
			t.insert(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`)
	}},
	{"progress without its token", []string{"progress-token fail"}, func(t *trip) bool {
		return !t.round.Legacy && !isTasks(t) && t.insert(
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"x",`+
				`"progress":1e9}}`)
	}},
	{"progress that does not increase", []string{"progress-rises fail"}, func(t *trip) bool {
		token, ok := at(decode(t.request().Body), "params", "_meta")["progressToken"]
		message := encode(object{"jsonrpc": "2.0", "method": "notifications/progress",
			"params": object{"progressToken": token, "progress": json.RawMessage("1e9")}})
		return ok && !t.round.Legacy && !isTasks(t) && t.insert(string(message)) && t.insert(string(message))
	}},
	{"progress without a number", []string{"notification-params fail"},
		func(t *trip) bool {
			token, ok := at(decode(t.request().Body), "params", "_meta")["progressToken"]
			return ok && !t.round.Legacy && !isTasks(t) && t.insert(string(encode(object{"jsonrpc": "2.0",
				"method": "notifications/progress", "params": object{"progressToken": token}})))
		}},
	{"message after the response", []string{"stream-ends hint"}, func(t *trip) bool {
		return !t.round.Legacy && t.append(`{"jsonrpc":"2.0","method":"notifications/example"}`)
	}},
	{"stream that a proxy may hold back", []string{"buffering hint"}, func(t *trip) bool {
		return t.streams() && setsResponseHead("X-Accel-Buffering", "")(t)
	}},
	{"session id", []string{"session-id hint"}, setsResponseHead("Mcp-Session-Id", "s-1")},
	{"response of another media type", []string{"media-type fail"}, func(t *trip) bool {
		return !t.streams() && setsResponseHead("Content-Type", "text/plain")(t)
	}},
	{"media type that is refused", []string{"request-media hint"}, func(t *trip) bool {
		if t.round.N > 1 || t.round.Legacy || t.streams() || len(t.responses) == 0 {
			return false
		}
		t.setResponse([]byte("no"))
		return t.setStatus("415 Unsupported Media Type") && setsResponseHead("Content-Type", "text/plain")(t)
	}},
	{"body shorter than Content-Length", []string{"body-length fail"}, func(t *trip) bool {
		return !t.streams() && setsResponseHead("Content-Length", "99999")(t)
	}},

	// Tasks.
	{"task that was not declared", []string{"task-declared fail"}, func(t *trip) bool {
		return t.round.Kind == playground.OutcomeTask && editsMeta(func(meta object) bool {
			return remove(at(meta, metaPrefix+"clientCapabilities"), "extensions")
		})(t)
	}},
	{"task without createdAt", []string{"task-shape fail"}, editsTask("", func(r object) bool {
		return remove(r, "createdAt")
	})},
	{"task without ttlMs", []string{"task-shape fail"}, editsTask("", func(r object) bool {
		return remove(r, "ttlMs")
	})},
	{"task with a fractional interval", []string{"task-shape fail"}, editsTask("", func(r object) bool {
		return set(r, "pollIntervalMs", json.RawMessage("0.5"))
	})},
	{"task with an unknown status", []string{"task-status fail"}, editsTask("working", func(r object) bool {
		return set(r, "status", "running")
	})},
	{"poll of resultType task", []string{"task-result-type fail"}, editsTask("", func(r object) bool {
		return set(r, "resultType", "task")
	})},
	{"completed task without result", []string{"task-members fail"},
		editsTask("completed", func(r object) bool {
			return remove(r, "result")
		})},
	{"completed task whose result has no content", []string{"result-members fail"},
		editsTask("completed", func(r object) bool { return remove(at(r, "result"), "content") })},
	{"task that requires input without questions", []string{"task-members fail"},
		editsTask("input_required", func(r object) bool { return remove(r, "inputRequests") })},
	{"failed task without error", []string{"task-members fail"}, editsTask("working", func(r object) bool {
		return set(r, "status", "failed")
	})},
	{"poll that returns another task", []string{"task-identity fail"},
		editsTask("working", func(r object) bool {
			return set(r, "taskId", "another")
		})},
	{"task with a requestState", []string{"task-no-state fail"}, editsTask("working", func(r object) bool {
		return set(r, "requestState", "x")
	})},
	{"acknowledgement with members", []string{"task-ack fail"}, func(t *trip) bool {
		return (t.method == playground.TasksUpdate || t.method == playground.TasksCancel) &&
			t.editResult(func(r object) bool { return set(r, "status", "working") })
	}},

	// Earlier revisions.
	{"legacy: result without content", []string{"legacy-result fail"}, editsLegacyResult(func(r object) bool {
		return remove(r, "content")
	})},
	{"legacy: result that is input_required", []string{"legacy-input fail"},
		editsLegacyResult(func(r object) bool { return set(r, "resultType", "input_required") })},
	{"legacy: session id with a space", []string{"legacy-session fail"}, func(t *trip) bool {
		return t.round.Legacy && t.method == playground.Initialize &&
			t.editResponseHead(func(h string) string {
				return strings.Replace(h, "\r\nMcp-Session-Id: ", "\r\nMcp-Session-Id: a b", 1)
			})
	}},
	{"legacy: response of JSON-RPC 1.0", []string{"legacy-envelope fail"}, func(t *trip) bool {
		return t.round.Legacy && t.method == playground.ToolsCall &&
			t.editResponse(func(m object) bool { return set(m, "jsonrpc", "1.0") })
	}},
	{"legacy: question for an undeclared capability", []string{"legacy-declared fail"}, func(t *trip) bool {
		if !t.round.Legacy || len(t.round.Questions) == 0 {
			return false
		}
		changed := false
		for i, e := range t.log {
			if e.Kind == playground.Sent && bytes.Contains(e.Data, []byte(`"initialize"`)) {
				other := trip{log: t.log, sent: i}
				changed = other.editRequest(func(m object) bool {
					return set(at(m, "params"), "capabilities", object{})
				})
			}
		}
		return changed
	}},
}
