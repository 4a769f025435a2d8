package spec

// httpPage is basic/transports/streamable-http: messages, headers and eras over
// HTTP.
var httpPage = Page{
	Path: "basic/transports/streamable-http", Name: "http", Title: "Streamable HTTP",
	Sentences: httpSentences,
}

var httpSentences = []Sentence{
	{
		ID: "http.endpoint", Anchor: "streamable-http", Level: Must, Party: Server,
		Text:    "A server has one endpoint path that accepts POST.",
		Samples: Kept,
		Reason:  "A recording knows only the address that the user entered.",
	},
	{
		ID: "http.origin", Anchor: "security-%26-endpoint", Level: Must, Party: Server,
		Text:    "A server checks the Origin header of every connection.",
		Samples: Kept, Reason: noOrigin,
	},
	{
		ID: "http.origin-refused", Anchor: "security-%26-endpoint", Level: Must, Party: Server,
		Text:    "A request with a forbidden Origin gets HTTP status 403.",
		Samples: Kept, Reason: noOrigin,
	},
	{
		ID: "http.loopback", Anchor: "security-%26-endpoint", Level: Should, Party: Server,
		Text:    "A server on the user's own machine listens on the loopback address only.",
		Samples: Kept,
		Reason:  "The address that a server listens on is not in its messages.",
	},
	{
		ID: "http.authentication", Anchor: "security-%26-endpoint", Level: Should, Party: Server,
		Text:    "A server authenticates its callers.",
		Samples: "Only the sample Protected does; everyone may call the others.",
		Reason:  "A server may be meant for everyone.",
	},
	{
		ID: "http.new-post", Anchor: "sending-messages", Level: Must, Party: Client,
		Text:  "Each message of the client is an HTTP request of its own.",
		Rules: []string{"client-envelope"}, Client: Kept, Lesson: "http",
	},
	{
		ID: "http.to-endpoint", Anchor: "sending-messages", Level: Must, Party: Client,
		Text:   "Each message goes to the one endpoint of the server.",
		Client: Kept, Rules: []string{"client-endpoint"},
	},
	{
		ID: "http.post", Anchor: "sending-messages", Level: Must, Party: Client,
		Text:   "Messages are sent with POST.",
		Client: Kept, Rules: []string{"client-envelope"},
	},
	{
		ID: "http.accept", Anchor: "sending-messages", Level: Must, Party: Client,
		Text:  "The Accept header lists application/json and text/event-stream.",
		Rules: []string{"client-accept"}, Lesson: "http", Client: Kept,
	},
	{
		ID: "http.metadata", Anchor: "sending-messages", Level: Must, Party: Client,
		Text:        "Each POST has the headers that repeat parts of the body.",
		Rules:       []string{"client-headers"},
		Experiments: []string{"no-method-header", "no-name-header"}, Client: Kept,
		Lesson: "http",
	},
	{
		ID: "http.one-message", Anchor: "sending-messages", Level: Must, Party: Client,
		Text:  "The body is one request or one notification, never a batch.",
		Rules: []string{"client-envelope"}, Client: Kept,
	},
	{
		ID: "http.no-responses", Anchor: "sending-messages", Level: MustNot, Party: Client,
		Text:  "A client sends no JSON-RPC responses.",
		Rules: []string{"client-envelope"}, Client: Kept, Lesson: "why",
	},
	{
		ID: "http.notification-accepted", Anchor: "sending-messages", Level: Must, Party: Server,
		Text:    "An accepted notification gets HTTP status 202 without a body.",
		Samples: Kept, Reason: noNotify,
	},
	{
		ID: "http.notification-refused", Anchor: "sending-messages", Level: Must, Party: Server,
		Text:    "A notification that is not accepted gets an HTTP error status.",
		Samples: Kept, Reason: noNotify,
	},
	{
		ID: "http.media-type", Anchor: "sending-messages", Level: Must, Party: Server,
		Text:  "The response to a request is JSON or an event stream.",
		Rules: []string{"media-type"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "http.one-object", Anchor: "sending-messages", Level: Must, Party: Server,
		Text:  "A JSON response is one complete object.",
		Rules: []string{"json-rpc", "body-length"}, Lesson: "http", Samples: Kept,
	},
	{
		ID: "http.both-types", Anchor: "sending-messages", Level: Must, Party: Client,
		Text:   "A client reads both kinds of responses.",
		Client: Kept, Lesson: "http", Reason: insideClient,
	},
	{
		ID: "http.own-notifications", Anchor: "receiving-messages", Level: Must, Party: Server,
		Text:  "Notifications on a stream belong to the request that it answers.",
		Rules: []string{"stream-notifications"}, Samples: Kept,
	},
	{
		ID: "http.no-requests", Anchor: "receiving-messages", Level: MustNot, Party: Server,
		Text:  "A server sends no requests on a stream.",
		Rules: []string{"stream-requests"}, Samples: Kept, Lesson: "why",
	},
	{
		ID: "http.response-last", Anchor: "receiving-messages", Level: Should, Party: Server,
		Text:  "The response ends the stream.",
		Rules: []string{"stream-ends"}, Samples: Kept, Lesson: "http",
	},
	{
		ID: "http.listen-scope", Anchor: "receiving-messages", Level: MustNot, Party: Server,
		Text: "Progress and log messages of other requests are not sent on a stream of " +
			"subscriptions/listen.",
		Rules: []string{"log-level", "progress-token", "listen-tasks"}, Lesson: "tasks", Samples: Kept,
	},
	{
		ID: "http.buffering", Anchor: "receiving-messages", Level: Should, Party: Server,
		Text:  "A response that is a stream has the header X-Accel-Buffering: no.",
		Rules: []string{"buffering"}, Lesson: "why", Samples: Kept,
	},
	{
		ID: "http.comments", Anchor: "receiving-messages", Level: Must, Party: Client,
		Text:   "A client ignores comment lines of a stream.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "http.result-status", Anchor: "message-flow", Level: Should, Party: Server,
		Text:    "A result comes with an HTTP status of success, such as 200.",
		Samples: Kept, Rules: []string{"result-status"},
	},
	{
		ID: "http.closed", Anchor: "cancellation", Level: Must, Party: Server,
		Text:    "A server treats a closed stream as cancellation of its request.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "http.closed-stops", Anchor: "cancellation", Level: Should, Party: Server,
		Text:    "A server stops work on such a request soon.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "http.closed-silent", Anchor: "cancellation", Level: MustNot, Party: Server,
		Text:    "A server sends no more messages for such a request.",
		Samples: Kept,
		Reason:  "The connection is closed, so nothing can arrive.",
	},
	{
		ID: "http.version-header", Anchor: "protocol-version-header", Level: Must, Party: Client,
		Text:  "Every POST has the header MCP-Protocol-Version.",
		Rules: []string{"client-headers"}, Client: Kept, Lesson: "legacy",
	},
	{
		ID: "http.version-equal", Anchor: "protocol-version-header", Level: Must, Party: Client,
		Text:  "The header has the version that is in _meta.",
		Rules: []string{"client-headers"}, Client: Kept, Lesson: "http",
	},
	{
		ID: "http.version-mismatch", Anchor: "protocol-version-header", Level: Must, Party: Server,
		Text:  "A header that differs from _meta gets HTTP status 400 and error -32020.",
		Rules: []string{"header-mismatch"}, Experiments: []string{"wrong-version-header"},
		Samples: Kept, Lesson: "http",
	},
	{
		ID: "http.version-unsupported", Anchor: "protocol-version-header", Level: Must, Party: Server,
		Text:  "A version that the server does not implement gets HTTP status 400 and error -32022.",
		Rules: []string{"version-unknown", "error-status"}, Experiments: []string{"old-version"},
		Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "http.method-unknown", Anchor: "protocol-version-header", Level: Must, Party: Server,
		Text:  "A method that the server does not implement gets HTTP status 404 and error -32601.",
		Rules: []string{"error-status"}, Experiments: []string{"unknown-method"}, Samples: Kept,
		Lesson: "http",
	},
	{
		ID: "http.version-missing", Anchor: "protocol-version-header", Level: Must, Party: Server,
		Text: "A server without clients from before 2025-06-18 rejects a request that has no " +
			"version header.",
		Rules: []string{"header-mismatch"}, Experiments: []string{"no-version-header"},
		Samples: Kept, Lesson: "http",
	},
	{
		ID: "http.method-header", Anchor: "standard-request-headers", Level: Must, Party: Client,
		Text:  "Every request has its method in the header Mcp-Method.",
		Rules: []string{"client-headers"}, Experiments: []string{"no-method-header"}, Client: Kept,
		Lesson: "http",
	},
	{
		ID: "http.name-header", Anchor: "standard-request-headers", Level: Must, Party: Client,
		Text:  "Calls of tools, prompts and resources have the name or URI in the header Mcp-Name.",
		Rules: []string{"client-headers"}, Experiments: []string{"no-name-header"}, Client: Kept,
		Lesson: "http",
	},
	{
		ID: "http.name-encoded", Anchor: "standard-request-headers", Level: Must, Party: Client,
		Text:  "A name that is not plain ASCII is sent in the Base64 form.",
		Rules: []string{"client-headers"}, Client: Kept,
	},
	{
		ID: "http.param-support", Anchor: "custom-headers-from-tool-parameters",
		Level: Must, Party: Client,
		Text:  "A client supports x-mcp-header.",
		Rules: []string{"client-param-headers"}, Client: Kept, Lesson: "http",
	},
	{
		ID: "http.param-mirrored", Anchor: "custom-headers-from-tool-parameters",
		Level: Must, Party: Client,
		Text:  "A client repeats the value of each annotated parameter in its header.",
		Rules: []string{"client-param-headers"}, Client: Kept, Lesson: "build",
	},
	{
		ID: "http.annotation-empty", Anchor: "schema-extension", Level: MustNot, Party: Server,
		Text:  "The value of x-mcp-header is not empty.",
		Rules: []string{"x-mcp-header"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "http.annotation-token", Anchor: "schema-extension", Level: Must, Party: Server,
		Text:  "The value of x-mcp-header is a token of HTTP.",
		Rules: []string{"x-mcp-header"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "http.annotation-control", Anchor: "schema-extension", Level: MustNot, Party: Server,
		Text:  "The value of x-mcp-header has no control characters.",
		Rules: []string{"x-mcp-header"}, Samples: Kept,
	},
	{
		ID: "http.annotation-unique", Anchor: "schema-extension", Level: Must, Party: Server,
		Text:  "No two annotations of a tool differ only in upper and lower case.",
		Rules: []string{"x-mcp-header"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "http.annotation-type", Anchor: "schema-extension", Level: Must, Party: Server,
		Text:  "Only parameters of type string, integer or boolean are annotated.",
		Rules: []string{"x-mcp-header"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "http.annotation-range", Anchor: "schema-extension", Level: Must, Party: Both,
		Text:    "Annotated integers are within the range that JavaScript represents exactly.",
		Samples: Kept, Rules: []string{"client-param-headers"},
		Client: Kept,
	},
	{
		ID: "http.annotation-reachable", Anchor: "schema-extension", Level: Must, Party: Server,
		Text:  "Annotated properties are reached from the root through properties alone.",
		Rules: []string{"x-mcp-header"}, Samples: Kept,
	},
	{
		ID: "http.annotation-path", Anchor: "schema-extension", Level: MustNot, Party: Server,
		Text: "No array, composition, condition or reference is on the way to an annotated " +
			"property.",
		Rules: []string{"x-mcp-header"}, Samples: Kept,
	},
	{
		ID: "http.header-omitted", Anchor: "schema-extension", Level: Must, Party: Client,
		Text:   "A parameter without a value has no header.",
		Client: Kept, Rules: []string{"client-param-headers"},
	},
	{
		ID: "http.tool-rejected", Anchor: "schema-extension", Level: Must, Party: Client,
		Text:   "A client rejects a tool with an invalid annotation.",
		Client: Kept, Lesson: "build",
		Reason: "Which tools a client offers to its user is in no message.",
	},
	{
		ID: "http.tool-excluded", Anchor: "schema-extension", Level: Must, Party: Client,
		Text:   "A rejected tool is left out of the list, and the others stay.",
		Client: Kept, Lesson: "build",
		Reason: "Which tools a client offers to its user is in no message.",
	},
	{
		ID: "http.tool-logged", Anchor: "schema-extension", Level: Should, Party: Client,
		Text:   "A client says which tool it rejected and why.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "http.encoded", Anchor: "value-encoding", Level: Must, Party: Client,
		Text:  "Values are encoded before they become headers.",
		Rules: []string{"client-param-headers"}, Client: Kept,
	},
	{
		ID: "http.encoded-type", Anchor: "value-encoding", Level: Must, Party: Client,
		Text: "Strings stay as they are, integers become decimal numbers, booleans become " +
			"true or false.",
		Rules:  []string{"client-param-headers"},
		Client: Kept,
	},
	{
		ID: "http.encoded-base64", Anchor: "value-encoding", Level: Must, Party: Client,
		Text:  "A value that is not plain ASCII is sent in the Base64 form.",
		Rules: []string{"client-param-headers", "client-headers"}, Client: Kept,
	},
	{
		ID: "http.sentinel", Anchor: "value-encoding", Level: Must, Party: Client,
		Text:  "The markers of the Base64 form are written exactly as specified.",
		Rules: []string{"client-param-headers", "client-headers"}, Client: Kept,
	},
	{
		ID: "http.decoded", Anchor: "value-encoding", Level: Must, Party: Server,
		Text:  "A server decodes the Base64 form before it compares a header with the body.",
		Rules: []string{"header-mismatch"}, Samples: Kept,
	},
	{
		ID: "http.sentinel-escaped", Anchor: "value-encoding", Level: Must, Party: Client,
		Text:  "A value that looks like the Base64 form is encoded too.",
		Rules: []string{"client-param-headers", "client-headers"}, Client: Kept,
	},
	{
		ID: "http.call-read", Anchor: "client-behavior", Level: Must, Party: Client,
		Text:  "For a call the client takes the standard headers from the body.",
		Rules: []string{"client-headers"}, Client: Kept,
	},
	{
		ID: "http.call-standard", Anchor: "client-behavior", Level: Must, Party: Client,
		Text:        "For a call the client adds Mcp-Method and Mcp-Name.",
		Rules:       []string{"client-headers"},
		Experiments: []string{"no-method-header", "no-name-header"}, Client: Kept,
	},
	{
		ID: "http.call-annotated", Anchor: "client-behavior", Level: Must, Party: Client,
		Text:  "For a call the client finds the annotated parameters of the tool and their values.",
		Rules: []string{"client-param-headers"}, Client: Kept,
	},
	{
		ID: "http.call-encoded", Anchor: "client-behavior", Level: Must, Party: Client,
		Text:  "For a call the client encodes those values.",
		Rules: []string{"client-param-headers"}, Client: Kept,
	},
	{
		ID: "http.call-added", Anchor: "client-behavior", Level: Must, Party: Client,
		Text:  "For a call the client adds a header Mcp-Param-{Name} for each of them.",
		Rules: []string{"client-param-headers"}, Client: Kept,
	},
	{
		ID: "http.list-again", Anchor: "client-behavior", Level: Should, Party: Client,
		Text: "After a header mismatch the client lists the tools again and retries with the " +
			"right headers.",
		Client: Kept,
		Reason: "The list belongs to the connection, the call to an exchange of its own.",
	},
	{
		ID: "http.param-invalid", Anchor: "server-behavior-for-custom-headers",
		Level: Must, Party: Server,
		Text:  "A server rejects a parameter header with invalid characters.",
		Rules: []string{"header-mismatch"}, Samples: Kept,
	},
	{
		ID: "http.param-equal", Anchor: "server-behavior-for-custom-headers", Level: Must, Party: Server,
		Text:  "A server that reads the body checks that parameter headers match it.",
		Rules: []string{"header-mismatch"}, Samples: Kept,
	},
	{
		ID: "http.param-status", Anchor: "server-behavior-for-custom-headers",
		Level: Must, Party: Server,
		Text:  "A parameter header that fails this check gets HTTP status 400 and error -32020.",
		Rules: []string{"header-mismatch"}, Samples: Kept,
	},
	{
		ID: "http.param-null", Anchor: "server-behavior-for-custom-headers", Level: Must, Party: Client,
		Text:   "A parameter that is null has no header.",
		Client: Kept, Rules: []string{"client-param-headers"},
	},
	{
		ID: "http.param-null-expected", Anchor: "server-behavior-for-custom-headers",
		Level: MustNot, Party: Server,
		Text:    "A server does not expect a header for a parameter that is null.",
		Samples: Kept, Rules: []string{"header-mismatch"},
	},
	{
		ID: "http.param-absent", Anchor: "server-behavior-for-custom-headers",
		Level: Must, Party: Client,
		Text:   "A parameter that is not in the arguments has no header.",
		Client: Kept, Rules: []string{"client-param-headers"},
	},
	{
		ID: "http.param-absent-expected", Anchor: "server-behavior-for-custom-headers",
		Level: MustNot, Party: Server,
		Text:    "A server does not expect a header for a parameter that is not in the arguments.",
		Samples: Kept, Rules: []string{"header-mismatch"},
	},
	{
		ID: "http.param-required", Anchor: "server-behavior-for-custom-headers",
		Level: Must, Party: Server,
		Text:  "A server rejects a call whose annotated argument has no header.",
		Rules: []string{"header-mismatch"}, Samples: Kept,
	},
	{
		ID: "http.case-names", Anchor: "case-sensitivity", Level: Must, Party: Both,
		Text:   "Names of headers are compared without regard to case.",
		Client: Kept, Samples: Kept,
		Reason: "This client writes each header in one way.",
	},
	{
		ID: "http.case-values", Anchor: "case-sensitivity", Level: Must, Party: Server,
		Text:  "Values of headers are compared with regard to case.",
		Rules: []string{"header-mismatch"}, Experiments: []string{"wrong-method-header"},
		Samples: Kept,
	},
	{
		ID: "http.compared", Anchor: "server-validation", Level: Must, Party: Server,
		Text:  "A server that reads the body rejects headers that differ from it.",
		Rules: []string{"header-mismatch"},
		Experiments: []string{"wrong-name-header", "wrong-method-header", "wrong-version-header",
			"task-wrong-name"},
		Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "http.compared-numbers", Anchor: "server-validation", Level: Should, Party: Server,
		Text:    "Integers are compared as numbers: 42.0 equals 42.",
		Samples: Unused,
		Reason:  "This client writes the header and the body alike.",
	},
	{
		ID: "http.mismatch-status", Anchor: "server-validation", Level: Must, Party: Server,
		Text:        "A rejected header gets HTTP status 400.",
		Rules:       []string{"header-mismatch", "error-status"},
		Experiments: []string{"wrong-name-header", "wrong-method-header"}, Samples: Kept,
		Lesson: "http",
	},
	{
		ID: "http.mismatch-code", Anchor: "server-validation", Level: Must, Party: Server,
		Text:        "A rejected header gets error -32020.",
		Rules:       []string{"header-mismatch"},
		Experiments: []string{"wrong-name-header", "wrong-method-header"}, Samples: Kept,
		Lesson: "http",
	},
	{
		ID: "http.missing", Anchor: "server-validation", Level: Must, Party: Server,
		Text:        "A missing required header is rejected in the same way.",
		Rules:       []string{"header-mismatch"},
		Experiments: []string{"no-name-header", "no-method-header"}, Samples: Kept,
		Lesson: "http",
	},
	{
		ID: "http.compared-decoded", Anchor: "server-validation", Level: Must, Party: Server,
		Text:  "Mcp-Name and parameter headers are decoded before they are compared.",
		Rules: []string{"header-mismatch"}, Samples: Kept,
	},
	{
		ID: "http.inspected", Anchor: "backward-compatibility", Level: Should, Party: Client,
		Text: "After HTTP status 400 a client reads the body before it falls back to an " +
			"earlier revision.",
		Client: Kept, Lesson: "http", Reason: overTime,
	},
	{
		ID: "http.modern-kept", Anchor: "backward-compatibility", Level: Must, Party: Client,
		Text: "An error of this revision in that body means a modern server, and the client " +
			"does not fall back.",
		Client: Kept, Lesson: "legacy", Reason: overTime,
	},
	{
		ID: "http.falls-back", Anchor: "backward-compatibility", Level: Must, Party: Client,
		Text:   "Without such an error the client falls back to initialize.",
		Client: Kept, Lesson: "legacy", Reason: overTime,
	},
	{
		ID: "http.get-delete", Anchor: "earlier-streamable-http-revisions", Level: Should, Party: Server,
		Text:    "A server of this revision answers GET and DELETE with HTTP status 405.",
		Samples: Kept, Lesson: "legacy",
		Reason: "This client sends neither to a modern server.",
	},
	{
		ID: "http.session-ignored", Anchor: "earlier-streamable-http-revisions",
		Level: Should, Party: Server,
		Text:    "A server of this revision ignores a session id.",
		Samples: Kept, Lesson: "why",
		Reason: "This client sends none to a modern server.",
	},
	{
		ID: "http.session-minted", Anchor: "earlier-streamable-http-revisions",
		Level: Should, Party: Server,
		Text:  "A server of this revision issues no session id.",
		Rules: []string{"session-id"}, Samples: Kept, Lesson: "why",
	},
	{
		ID: "http.event-id-ignored", Anchor: "earlier-streamable-http-revisions",
		Level: Should, Party: Server,
		Text:    "A server of this revision ignores Last-Event-ID.",
		Samples: Kept, Lesson: "why",
		Reason: "This client sends none to a modern server.",
	},
	{
		ID: "http.legacy-revision", Anchor: "earlier-streamable-http-revisions",
		Level: Must, Party: Both,
		Text:  "With a peer of an earlier revision, both sides follow that revision.",
		Rules: []string{"legacy-envelope", "legacy-session", "legacy-result", "legacy-input"}, Client: Kept,
		Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "http.legacy-session", Anchor: "earlier-streamable-http-revisions", Level: Must, Party: Both,
		Text: "The session id of an earlier revision is issued with the answer to initialize " +
			"and then sent with every request.",
		Client: Kept, Samples: Kept, Lesson: "legacy",
		Reason: "The pages of earlier revisions are not part of this table.",
	},
	{
		ID: "http.legacy-questions", Anchor: "earlier-streamable-http-revisions",
		Level: Must, Party: Server,
		Text: "A server of an earlier revision asks only for what the client declared in " +
			"initialize.",
		Rules: []string{"legacy-declared"}, Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "http.legacy-progress", Anchor: "earlier-streamable-http-revisions",
		Level: Must, Party: Server,
		Text:  "Progress of an earlier revision has the token of its request and increases.",
		Rules: []string{"legacy-progress"}, Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "http.legacy-answers", Anchor: "earlier-streamable-http-revisions",
		Level: Must, Party: Client,
		Text: "A question of an earlier revision is answered with a response that has its id " +
			"and its shape.",
		Rules: []string{"client-legacy-answers"}, Client: Kept, Lesson: "legacy",
	},
	{
		ID: "http.legacy-cancel", Anchor: "earlier-streamable-http-revisions",
		Level: Must, Party: Client,
		Text:  "A request of an earlier revision is cancelled only while it is in progress.",
		Rules: []string{"client-legacy-cancel"}, Client: Kept, Lesson: "legacy",
	},
	{
		ID: "http.sse-adopted", Anchor: "http%2Bsse-transport-2024-11-05", Level: ShouldNot, Party: Both,
		Text:   "New implementations do not adopt the transport of revision 2024-11-05.",
		Client: Kept, Samples: Kept, Lesson: "legacy",
		Reason: "A client that speaks only this transport never meets the other one.",
	},
}
