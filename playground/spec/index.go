package spec

// indexPage is basic/index: JSON-RPC, error codes, statelessness, JSON Schema, _meta and
// icons.
var indexPage = Page{
	Path: "basic/index", Name: "index", Title: "Base protocol",
	Sentences: indexSentences,
}

var indexSentences = []Sentence{
	{
		ID: "index.json-rpc", Anchor: "messages", Level: Must, Party: Both,
		Text:  "Every message is a JSON-RPC 2.0 message.",
		Rules: []string{"json-rpc", "client-envelope"}, Client: Kept, Samples: Kept,
		Lesson: "one-round",
	},
	{
		ID: "index.request-id", Anchor: "requests", Level: Must, Party: Client,
		Text:  "Every request has an id that is a string or an integer.",
		Rules: []string{"client-envelope"}, Client: Kept, Lesson: "one-round",
	},
	{
		ID: "index.request-id-null", Anchor: "requests", Level: MustNot, Party: Client,
		Text:  "The id of a request is never null.",
		Rules: []string{"client-envelope"}, Client: Kept,
	},
	{
		ID: "index.request-id-free", Anchor: "requests", Level: MustNot, Party: Client,
		Text:  "A request does not use the id of another request that still waits for its response.",
		Rules: []string{"C4"}, Experiments: []string{"reuse-id"}, Lesson: "one-round",
		Client: Kept,
	},
	{
		ID: "index.request-members", Anchor: "requests", Level: Must, Party: Client,
		Text:  "A request names its method, and its params are an object.",
		Rules: []string{"client-envelope"}, Client: Kept,
	},
	{
		ID: "index.result-id", Anchor: "result-responses", Level: Must, Party: Server,
		Text:  "A result has the id of its request.",
		Rules: []string{"response-id"}, Experiments: []string{"reuse-id"}, Samples: Kept,
		Lesson: "one-round",
	},
	{
		ID: "index.result-present", Anchor: "result-responses", Level: Must, Party: Server,
		Text:  "A response that is no error has the member result.",
		Rules: []string{"json-rpc"}, Samples: Kept,
	},
	{
		ID: "index.result-object", Anchor: "result-responses", Level: Must, Party: Server,
		Text:  "The result is a JSON object.",
		Rules: []string{"result-object"}, Lesson: "one-round", Samples: Kept,
	},
	{
		ID: "index.result-type", Anchor: "result-responses", Level: Must, Party: Server,
		Text:  "Every result has resultType.",
		Rules: []string{"S0"}, Samples: Kept, Lesson: "one-round",
	},
	{
		ID: "index.type-complete", Anchor: "resulttype", Level: Must, Party: Server,
		Text:  "A result of type complete is final: it has its content and asks for nothing.",
		Rules: []string{"questions-beside", "result-members"}, Samples: Kept, Lesson: "one-round",
	},
	{
		ID: "index.type-supported", Anchor: "resulttype", Level: Must, Party: Both,
		Text: "The values of resultType are those of the core protocol and of the extensions " +
			"that were declared.",
		Rules: []string{"result-type", "task-declared"}, Client: Kept, Samples: Kept,
		Lesson: "one-round",
	},
	{
		ID: "index.type-unknown", Anchor: "resulttype", Level: Must, Party: Client,
		Text:   "A client treats a result with an unknown resultType as invalid.",
		Client: Kept,
		Reason: "A client that drops such a result sends nothing more, just as one that is " +
			"finished.",
	},
	{
		ID: "index.type-absent", Anchor: "resulttype", Level: Must, Party: Client,
		Text:  "A client treats a result without resultType as complete.",
		Rules: []string{"C1"}, Client: Kept, Lesson: "one-round",
	},
	{
		ID: "index.error-id", Anchor: "error-responses", Level: Must, Party: Server,
		Text:  "An error has the id of its request, unless the server could not read it.",
		Rules: []string{"response-id"}, Samples: Kept,
	},
	{
		ID: "index.error-members", Anchor: "error-responses", Level: Must, Party: Server,
		Text:  "An error response has an error object with a code and a message.",
		Rules: []string{"error-shape"}, Lesson: "one-round", Samples: Kept,
	},
	{
		ID: "index.error-integer", Anchor: "error-responses", Level: Must, Party: Server,
		Text:  "The code of an error is an integer.",
		Rules: []string{"error-shape"}, Samples: Kept,
	},
	{
		ID: "index.legacy-new", Anchor: "error-codes", Level: MustNot, Party: Both,
		Text:  "No new error codes are defined from -32019 to -32000.",
		Rules: []string{"error-code"}, Client: Kept, Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "index.legacy-use", Anchor: "error-codes", Level: ShouldNot, Party: Both,
		Text:  "New implementations use no code from -32019 to -32000.",
		Rules: []string{"error-code"}, Client: Kept, Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "index.legacy-meaning", Anchor: "error-codes", Level: MustNot, Party: Client,
		Text:   "A client gives no meaning to codes from -32019 to -32000, except to -32002.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "index.reserved-undefined", Anchor: "error-codes", Level: MustNot, Party: Server,
		Text:  "No code from -32099 to -32020 is sent that the specification does not define.",
		Rules: []string{"error-code"}, Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "index.reserved-meaning", Anchor: "error-codes", Level: Must, Party: Server,
		Text:  "The codes -32020, -32021 and -32022 are sent only with their defined meaning.",
		Rules: []string{"error-code", "error-status", "error-data"}, Samples: Kept,
		Lesson: "legacy",
	},
	{
		ID: "index.removed-resource", Anchor: "error-codes", Level: MustNot, Party: Server,
		Text:  "The code -32002 of earlier revisions is no longer sent.",
		Rules: []string{"error-code"}, Samples: Kept,
	},
	{
		ID: "index.removed-url", Anchor: "error-codes", Level: MustNot, Party: Server,
		Text:  "The code -32042 of revision 2025-11-25 is no longer sent.",
		Rules: []string{"error-code"}, Samples: Kept,
	},
	{
		ID: "index.new-codes", Anchor: "error-codes", Level: Should, Party: Both,
		Text: "Error codes of an application are outside the range that JSON-RPC reserves, " +
			"-32768 to -32000.",
		Client: Kept, Samples: Kept, Rules: []string{"error-code"},
	},
	{
		ID: "index.notification-answer", Anchor: "notifications", Level: MustNot, Party: Both,
		Text:  "A notification gets no response.",
		Rules: []string{"client-envelope"}, Client: Kept, Samples: Kept,
	},
	{
		ID: "index.notification-id", Anchor: "notifications", Level: MustNot, Party: Both,
		Text:  "A notification has no id.",
		Rules: []string{"stream-requests"}, Client: Kept, Samples: Kept, Lesson: "why",
	},
	{
		ID: "index.notification-method", Anchor: "notifications", Level: Must, Party: Both,
		Text:   "A notification names its method, and its params are an object.",
		Rules:  []string{"json-rpc", "notification-params"},
		Lesson: "nothing-to-ask", Client: Kept, Samples: Kept,
	},
	{
		ID: "index.stateless", Anchor: "statelessness", Level: MustNot, Party: Server,
		Text: "A server takes version, identity and capabilities from each request, not from " +
			"earlier ones.",
		Rules:       []string{"meta-missing", "S3"},
		Experiments: []string{"no-meta", "no-meta-version", "no-meta-capabilities"}, Samples: Kept,
		Lesson: "why",
	},
	{
		ID: "index.interleaved", Anchor: "statelessness", Level: Should, Party: Server,
		Text:    "A server accepts requests of several tasks, threads or conversations at once.",
		Samples: Kept, Lesson: "why", Reason: overTime,
	},
	{
		ID: "index.connection", Anchor: "statelessness", Level: ShouldNot, Party: Server,
		Text:    "A server does not require that related requests share a connection or a process.",
		Samples: Kept, Lesson: "why",
		Reason: "Each request of this client has its own connection; a server that minds " +
			"fails for no visible reason.",
	},
	{
		ID: "index.identifier", Anchor: "statelessness", Level: Must, Party: Both,
		Text: "State that spans several requests is named by an identifier that the client " +
			"sends with each of them.",
		Rules: []string{"session-id", "C2"}, Client: Kept, Samples: Kept, Lesson: "why",
	},
	{
		ID: "index.authorization", Anchor: "auth", Level: Should, Party: Both,
		Text:   "Over HTTP, both sides follow the pages on authorization.",
		Client: Kept, Samples: "Only the sample Protected has an authorization server; the others need no " +
			"token.",
		Reason: "Of the pages on authorization, only that on access tokens is part of this table.",
	},
	{
		ID: "index.schema", Anchor: "schema", Level: Must, Party: Server,
		Text:  "The members of a message have the types of the schema.",
		Rules: []string{"member-types", "result-members", "content-shape"}, Samples: Kept,
	},
	{
		ID: "index.dialect-2020", Anchor: "schema-dialect", Level: Must, Party: Both,
		Text:   "JSON Schema 2020-12 is supported.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "index.dialect-documented", Anchor: "schema-dialect", Level: Should, Party: Both,
		Text:    "The documentation lists the other dialects of JSON Schema that are supported.",
		Client:  Kept,
		Samples: Kept,
		Reason:  "Documentation is no message.",
	},
	{
		ID: "index.dialect-recommended", Anchor: "schema-dialect", Level: Should, Party: Both,
		Text:   "Schemas are written in JSON Schema 2020-12.",
		Client: Kept, Samples: Kept,
		Reason: "A schema may name another dialect, so no schema breaks this advice for certain.",
	},
	{
		ID: "index.dialect-default", Anchor: "implementation-requirements", Level: Must, Party: Both,
		Text:   "A schema without a dialect is read as JSON Schema 2020-12.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "index.dialect-declared", Anchor: "implementation-requirements", Level: Must, Party: Both,
		Text:   "A schema is validated by the dialect that it declares.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "index.dialect-unsupported", Anchor: "implementation-requirements", Level: Must, Party: Both,
		Text:    "An unsupported dialect leads to an error that names the reason.",
		Samples: Kept, Reason: insideBoth,
		Client: Kept,
	},
	{
		ID: "index.schema-valid", Anchor: "schema-validation", Level: Must, Party: Server,
		Text:  "Every schema is valid in its dialect.",
		Rules: []string{"tool-schema", "schema-subset", "schema-satisfiable"}, Samples: Kept,
		Lesson: "build",
	},
	{
		ID: "index.ref-network", Anchor: "ref-resolution", Level: MustNot, Party: Both,
		Text:   "A reference to a network address is not followed automatically.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "index.ref-opt-in", Anchor: "ref-resolution", Level: Must, Party: Both,
		Text:   "Following references to other documents is off unless someone turns it on.",
		Client: Unused, Samples: Unused, Reason: insideBoth,
	},
	{
		ID: "index.ref-limits", Anchor: "ref-resolution", Level: Should, Party: Both,
		Text: "Where references are followed, hosts, time and size are limited and each " +
			"address is logged.",
		Client: Unused, Samples: Unused, Reason: insideBoth,
	},
	{
		ID: "index.ref-rejected", Anchor: "ref-resolution", Level: Should, Party: Both,
		Text: "A schema with a reference that cannot be resolved is rejected, not treated as " +
			"permissive.",
		Samples: Kept, Reason: insideBoth,
		Client: Kept,
	},
	{
		ID: "index.schema-bounds", Anchor: "composition-keyword-resource-use",
		Level: Should, Party: Both,
		Text:   "The depth, the number of subschemas or the time of a validation is bounded.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "index.meta-assumptions", Anchor: "meta", Level: MustNot, Party: Both,
		Text: "Neither side relies on values at reserved keys of _meta beyond what the " +
			"specification defines.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "index.meta-prefix", Anchor: "meta", Level: Must, Party: Both,
		Text: "The prefix of a _meta key is a series of labels with dots between them and a " +
			"slash at its end.",
		Rules: []string{"meta-keys"}, Lesson: "one-round", Client: Kept, Samples: Kept,
	},
	{
		ID: "index.meta-label", Anchor: "meta", Level: Must, Party: Both,
		Text:  "Each label begins with a letter and ends with a letter or digit.",
		Rules: []string{"meta-keys"}, Client: Kept, Samples: Kept,
	},
	{
		ID: "index.meta-domain", Anchor: "meta", Level: Should, Party: Both,
		Text:   "A prefix is a domain name in reverse order.",
		Client: Kept, Samples: Kept,
		Reason: "Whether labels are a reversed domain name cannot be told from their text.",
	},
	{
		ID: "index.meta-name", Anchor: "meta", Level: Must, Party: Both,
		Text:  "The name of a _meta key begins and ends with a letter or digit.",
		Rules: []string{"meta-keys"}, Client: Kept, Samples: Kept,
	},
	{
		ID: "index.meta-reserved", Anchor: "meta", Level: Must, Party: Both,
		Text: "Prefixes whose second label is mcp or modelcontextprotocol are used only as " +
			"specified.",
		Client: Kept, Samples: Kept,
		Reason: "Which keys an extension defines is in its own documentation.",
	},
	{
		ID: "index.meta-version", Anchor: "meta", Level: Must, Party: Client,
		Text:  "Every request has the protocol version in _meta.",
		Rules: []string{"client-meta"}, Client: Kept, Lesson: "legacy",
	},
	{
		ID: "index.meta-capabilities", Anchor: "meta", Level: Must, Party: Client,
		Text:  "Every request has the client's capabilities in _meta.",
		Rules: []string{"client-meta"}, Client: Kept, Lesson: "questions",
	},
	{
		ID: "index.meta-rejected", Anchor: "meta", Level: Must, Party: Server,
		Text:        "A request without a required member of _meta gets error -32602.",
		Rules:       []string{"meta-missing"},
		Experiments: []string{"no-meta", "no-meta-version", "no-meta-capabilities"}, Samples: Kept,
		Lesson: "legacy",
	},
	{
		ID: "index.meta-status", Anchor: "meta", Level: Must, Party: Server,
		Text:        "That error has HTTP status 400.",
		Rules:       []string{"meta-missing"},
		Experiments: []string{"no-meta", "no-meta-version", "no-meta-capabilities"}, Samples: Kept,
		Lesson: "legacy",
	},
	{
		ID: "index.client-info", Anchor: "meta", Level: Should, Party: Client,
		Text:  "Every request names the client and its version in _meta.",
		Rules: []string{"client-info"}, Lesson: "one-round", Client: Kept,
	},
	{
		ID: "index.only-declared", Anchor: "meta", Level: MustNot, Party: Server,
		Text:  "A server relies only on capabilities that the client declared in the request.",
		Rules: []string{"S3", "task-declared"}, Experiments: []string{"omit-capability"},
		Samples: Kept, Lesson: "questions",
	},
	{
		ID: "index.capability-error", Anchor: "meta", Level: Must, Party: Server,
		Text:  "A request that needs an undeclared capability gets error -32021.",
		Rules: []string{"S3", "error-status"}, Experiments: []string{"omit-capability"},
		Samples: Kept, Lesson: "questions",
	},
	{
		ID: "index.capability-data", Anchor: "meta", Level: Must, Party: Server,
		Text:  "Error -32021 lists the missing capabilities in data.requiredCapabilities.",
		Rules: []string{"error-data"}, Experiments: []string{"omit-capability"}, Samples: Kept,
		Lesson: "questions",
	},
	{
		ID: "index.capability-status", Anchor: "meta", Level: Must, Party: Server,
		Text:  "Error -32021 has HTTP status 400.",
		Rules: []string{"error-status"}, Experiments: []string{"omit-capability"}, Samples: Kept,
		Lesson: "questions",
	},
	{
		ID: "index.server-info", Anchor: "meta", Level: Should, Party: Server,
		Text:  "Every result names the server and its version in _meta.",
		Rules: []string{"server-info"}, Lesson: "one-round", Samples: Kept,
	},
	{
		ID: "index.info-behavior", Anchor: "meta", Level: ShouldNot, Party: Both,
		Text: "The names and versions of client and server do not change how the other side " +
			"behaves.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "index.info-security", Anchor: "meta", Level: ShouldNot, Party: Both,
		Text:   "No decision on security rests on the names and versions of client and server.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "index.subscription-id", Anchor: "meta", Level: Must, Party: Server,
		Text: "Notifications on a stream of subscriptions/listen have the id of the " +
			"subscription in _meta.",
		Rules: []string{"listen-id"}, Lesson: "tasks", Samples: Kept,
	},
	{
		ID: "index.trace-context", Anchor: "meta", Level: Must, Party: Both,
		Text:   "The values of traceparent, tracestate and baggage have the formats of W3C.",
		Client: Kept, Samples: Unused,
		Reason: "This client sends traceparent alone, only if the user asks for it, and the " +
			"samples send none.",
	},
	{
		ID: "index.icon-source", Anchor: "icons", Level: Must, Party: Server,
		Text:    "Every icon has the address of its image.",
		Samples: Kept, Reason: noIcons,
	},
	{
		ID: "index.icon-types", Anchor: "icons", Level: Must, Party: Client,
		Text:   "A client that shows icons supports PNG and JPEG.",
		Client: Unused, Reason: noIcons,
	},
	{
		ID: "index.icon-more-types", Anchor: "icons", Level: Should, Party: Client,
		Text:   "A client that shows icons also supports SVG and WebP.",
		Client: Unused, Reason: noIcons,
	},
	{
		ID: "index.icon-caution", Anchor: "icons", Level: Must, Party: Client,
		Text:   "A client treats icons as untrusted input.",
		Client: Unused, Reason: noIcons,
	},
	{
		ID: "index.icon-scheme", Anchor: "icons", Level: Must, Party: Client,
		Text:   "A client rejects icon addresses with unsafe schemes or redirects.",
		Client: Unused, Reason: noIcons,
	},
}
