package spec

// toolsPage is server/tools, as far as lists and calls go.
var toolsPage = Page{
	Path: "server/tools", Name: "tools", Title: "Tools",
	Sentences: toolsSentences,
}

var toolsSentences = []Sentence{
	{
		ID: "tools.meta", Anchor: "tools", Level: Must, Party: Client,
		Text:  "Every request about tools has the required members of _meta.",
		Rules: []string{"client-meta"}, Client: Kept,
	},
	{
		ID: "tools.human", Anchor: "user-interaction-model", Level: Should, Party: Client,
		Text:   "A person can deny calls of tools.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "tools.exposed", Anchor: "user-interaction-model", Level: Should, Party: Client,
		Text:   "The user sees which tools a model may use.",
		Client: Unused, Reason: onScreen,
	},
	{
		ID: "tools.invoked", Anchor: "user-interaction-model", Level: Should, Party: Client,
		Text:   "The user sees when a tool is called.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "tools.confirmed", Anchor: "user-interaction-model", Level: Should, Party: Client,
		Text:   "The user confirms what a tool is going to do.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "tools.declared", Anchor: "capabilities", Level: Must, Party: Server,
		Text:    "A server with tools declares the capability tools.",
		Samples: Kept,
		Reason:  "A server that declares no tools is not asked for them.",
	},
	{
		ID: "tools.listed", Anchor: "capabilities", Level: Must, Party: Server,
		Text:  "A server that declares tools answers tools/list.",
		Rules: []string{"declared-lists", "result-members"}, Lesson: "build", Samples: Kept,
	},
	{
		ID: "tools.stable", Anchor: "capabilities", Level: MustNot, Party: Server,
		Text:   "The list does not depend on the connection or on earlier requests.",
		Reason: overTime,
		Samples: "The conformance sample adds a tool when a fixture is called, as the " +
			"official suite asks.",
	},
	{
		ID: "tools.ordered", Anchor: "capabilities", Level: Should, Party: Server,
		Text:    "The order of the tools is always the same.",
		Samples: Kept, Reason: overTime,
	},
	{
		ID: "tools.list", Anchor: "listing-tools", Level: Must, Party: Server,
		Text:  "The result of tools/list has a list of tools.",
		Rules: []string{"result-members"}, Samples: Kept,
	},
	{
		ID: "tools.name", Anchor: "calling-tools", Level: Must, Party: Client,
		Text:   "A call names the tool.",
		Client: Kept, Lesson: "one-round", Rules: []string{"client-params"},
	},
	{
		ID: "tools.content", Anchor: "calling-tools", Level: Must, Party: Server,
		Text:  "The final result of a call has a list of content.",
		Rules: []string{"result-members"}, Samples: Kept, Lesson: "one-round",
	},
	{
		ID: "tools.new-id", Anchor: "input-required-tool-results", Level: Must, Party: Client,
		Text:  "A retry of a call has a new JSON-RPC id.",
		Rules: []string{"C4"}, Experiments: []string{"reuse-id"}, Client: Kept,
		Lesson: "one-round",
	},
	{
		ID: "tools.changes", Anchor: "list-changed-notification", Level: Should, Party: Server,
		Text:    "A server that declared listChanged notifies listeners when its tools change.",
		Samples: Kept, Reason: noListening,
	},
	{
		ID: "tools.members", Anchor: "tool", Level: Must, Party: Server,
		Text:  "Every tool has a name and an inputSchema.",
		Rules: []string{"tool-schema", "tool-name"}, Lesson: "build", Samples: Kept,
	},
	{
		ID: "tools.schema", Anchor: "tool", Level: Must, Party: Server,
		Text:  "The inputSchema is a JSON Schema object of type object.",
		Rules: []string{"tool-schema"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "tools.output-schema", Anchor: "tool", Level: Must, Party: Server,
		Text:  "The outputSchema, if there is one, is a JSON Schema object.",
		Rules: []string{"tool-schema"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "tools.annotations", Anchor: "tool", Level: Must, Party: Client,
		Text:   "A client does not trust the annotations of a tool.",
		Reason: insideClient,
		Client: "The Lab calls another tool by itself only if the server declares it read-only.",
	},
	{
		ID: "tools.length", Anchor: "tool-names", Level: Should, Party: Server,
		Text:  "The name of a tool has 1 to 128 characters.",
		Rules: []string{"tool-name"}, Samples: Kept,
	},
	{
		ID: "tools.case", Anchor: "tool-names", Level: Should, Party: Both,
		Text:   "Names of tools are compared with regard to case.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "tools.characters", Anchor: "tool-names", Level: Should, Party: Server,
		Text:  "The name of a tool has only letters, digits, underscores, hyphens and dots.",
		Rules: []string{"tool-name"}, Samples: Kept,
	},
	{
		ID: "tools.special", Anchor: "tool-names", Level: ShouldNot, Party: Server,
		Text:  "The name of a tool has no spaces, commas or other special characters.",
		Rules: []string{"tool-name"}, Samples: Kept,
	},
	{
		ID: "tools.unique", Anchor: "tool-names", Level: Should, Party: Server,
		Text:  "No two tools of a server have the same name.",
		Rules: []string{"tool-name"}, Samples: Kept,
	},
	{
		ID: "tools.aggregated", Anchor: "tool-names", Level: Should, Party: Client,
		Text:   "A client with tools of several servers tells equal names apart.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "tools.server-name", Anchor: "tool-names", Level: ShouldNot, Party: Client,
		Text:   "A client does not use the name of a server to tell equal names apart.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "tools.annotation-empty", Anchor: "x-mcp-header", Level: MustNot, Party: Server,
		Text:  "The value of x-mcp-header is not empty.",
		Rules: []string{"x-mcp-header"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "tools.annotation-token", Anchor: "x-mcp-header", Level: Must, Party: Server,
		Text:  "The value of x-mcp-header is a token of HTTP.",
		Rules: []string{"x-mcp-header"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "tools.annotation-control", Anchor: "x-mcp-header", Level: MustNot, Party: Server,
		Text:  "The value of x-mcp-header has no control characters.",
		Rules: []string{"x-mcp-header"}, Samples: Kept,
	},
	{
		ID: "tools.annotation-unique", Anchor: "x-mcp-header", Level: Must, Party: Server,
		Text:  "No two annotations of a tool differ only in upper and lower case.",
		Rules: []string{"x-mcp-header"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "tools.annotation-type", Anchor: "x-mcp-header", Level: Must, Party: Server,
		Text:  "Only parameters of type string, integer or boolean are annotated.",
		Rules: []string{"x-mcp-header"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "tools.annotation-range", Anchor: "x-mcp-header", Level: Must, Party: Both,
		Text:    "Annotated integers are within the range that doubles represent exactly.",
		Samples: Kept, Rules: []string{"client-param-headers"},
		Client: Kept,
	},
	{
		ID: "tools.annotation-reachable", Anchor: "x-mcp-header", Level: Must, Party: Server,
		Text:  "Annotated properties are reached from the root through properties alone.",
		Rules: []string{"x-mcp-header"}, Samples: Kept,
	},
	{
		ID: "tools.rejected", Anchor: "x-mcp-header", Level: Must, Party: Client,
		Text:   "A client rejects a tool with an invalid annotation.",
		Client: Kept, Lesson: "build",
		Reason: "Which tools a client offers to its user is in no message.",
	},
	{
		ID: "tools.excluded", Anchor: "x-mcp-header", Level: Must, Party: Client,
		Text:   "A rejected tool is left out of the list, and the others stay.",
		Client: Kept, Lesson: "build",
		Reason: "Which tools a client offers to its user is in no message.",
	},
	{
		ID: "tools.logged", Anchor: "x-mcp-header", Level: Should, Party: Client,
		Text:   "A client says which tool it rejected and why.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "tools.annotation-sensitive", Anchor: "x-mcp-header", Level: ShouldNot, Party: Server,
		Text:    "Sensitive parameters are not annotated.",
		Samples: Kept,
		Reason:  "Whether a parameter is sensitive cannot be told from its schema.",
	},
	{
		ID: "tools.text", Anchor: "text-content", Level: Must, Party: Server,
		Text:  "A text block has its text.",
		Rules: []string{"content-shape"}, Lesson: "build", Samples: Kept,
	},
	{
		ID: "tools.image", Anchor: "image-content", Level: Must, Party: Server,
		Text:  "An image block has Base64 data and a MIME type.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "tools.audio", Anchor: "audio-content", Level: Must, Party: Server,
		Text:  "An audio block has Base64 data and a MIME type.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "tools.link", Anchor: "resource-links", Level: Must, Party: Server,
		Text:  "A link to a resource has a URI and a name.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "tools.embedded", Anchor: "embedded-resources", Level: Must, Party: Server,
		Text:  "An embedded resource has a URI and text or Base64 data.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "tools.embedded-capability", Anchor: "embedded-resources", Level: Should, Party: Server,
		Text:    "A server with embedded resources declares the capability resources.",
		Samples: Kept, Reason: elsewhere,
	},
	{
		ID: "tools.structured-text", Anchor: "structured-content", Level: Should, Party: Server,
		Text:    "A result with structured content has the same as a text block.",
		Samples: Kept, Rules: []string{"structured-content"}, Lesson: "build",
	},
	{
		ID: "tools.conforms", Anchor: "output-schema", Level: Must, Party: Server,
		Text:  "Structured content conforms to the outputSchema of its tool.",
		Rules: []string{"structured-content"}, Samples: Kept,
	},
	{
		ID: "tools.validated", Anchor: "output-schema", Level: Should, Party: Client,
		Text:   "A client validates structured content against the outputSchema.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "tools.protocol-errors", Anchor: "error-handling", Level: Must, Party: Server,
		Text:    "An unknown tool or a malformed call gets a JSON-RPC error.",
		Samples: Kept,
		Reason:  "This client calls only tools that exist, unless the user enters another name.",
	},
	{
		ID: "tools.execution-errors", Anchor: "error-handling", Level: Must, Party: Server,
		Text:    "A tool that fails reports it in a result with isError.",
		Samples: Kept,
		Reason:  "Whether a text reports a failure cannot be told by a rule.",
	},
	{
		ID: "tools.to-model", Anchor: "error-handling", Level: Should, Party: Client,
		Text:   "A client gives errors of tools to its model.",
		Client: Unused, Reason: noModel,
	},
	{
		ID: "tools.inputs", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "A server validates the arguments of a call.",
		Reason:  insideServer,
		Samples: "The fixtures of the conformance sample accept any arguments.",
	},
	{
		ID: "tools.access", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "A server controls who may call its tools.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "tools.rate", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "A server limits the rate of calls.",
		Samples: Kept,
		Reason:  "The specification gives no number that a rule could compare.",
	},
	{
		ID: "tools.outputs", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "A server sanitizes the output of its tools.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "tools.confirm", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "The user confirms sensitive operations.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "tools.show-inputs", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "The user sees the arguments before they are sent.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "tools.validate-results", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "A client validates results before a model sees them.",
		Client: Kept, Reason: noModel,
	},
	{
		ID: "tools.references", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "A client follows the rules for references when it validates with schemas of tools.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "tools.timeouts", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "A call has a time limit.",
		Client: Kept,
		Reason: "A limit that is not reached leaves no trace.",
	},
	{
		ID: "tools.audit", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "A client logs the calls of tools.",
		Client: Kept, Reason: insideClient,
	},
}
