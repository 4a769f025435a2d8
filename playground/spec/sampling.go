package spec

// samplingPage is client/sampling.
var samplingPage = Page{
	Path: "client/sampling", Name: "sampling", Title: "Sampling",
	Sentences: samplingSentences,
}

var samplingSentences = []Sentence{
	{
		ID: "sampling.adopted", Anchor: "sampling", Level: ShouldNot, Party: Both,
		Text:    "New implementations do not adopt sampling, which is deprecated.",
		Client:  "Testers need it for servers that still use it.",
		Samples: "Some samples show it.",
		Reason:  "A deprecated feature may still be used.",
	},
	{
		ID: "sampling.human", Anchor: "user-interaction-model", Level: Should, Party: Client,
		Text:   "A person can deny sampling requests.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "sampling.review", Anchor: "user-interaction-model", Level: Should, Party: Client,
		Text:   "A person can review sampling requests.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "sampling.edit", Anchor: "user-interaction-model", Level: Should, Party: Client,
		Text:   "A person can view and edit the messages before a model sees them.",
		Reason: onScreen,
		Client: "The messages can be read but not edited; the person writes the answer in the " +
			"model's place.",
	},
	{
		ID: "sampling.result", Anchor: "user-interaction-model", Level: Should, Party: Client,
		Text:   "A person sees the answer before it is sent.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "sampling.tools-declared", Anchor: "tools-in-sampling", Level: Must, Party: Client,
		Text:   "A client that wants sampling with tools declares sampling.tools.",
		Client: Kept,
		Reason: "What a client supports shows only in what it declares.",
	},
	{
		ID: "sampling.tools-undeclared", Anchor: "tools-in-sampling", Level: MustNot, Party: Server,
		Text:  "A server sends tools only to a client that declared sampling.tools.",
		Rules: []string{"S3"}, Experiments: []string{"omit-capability"}, Samples: Kept,
		Lesson: "questions",
	},
	{
		ID: "sampling.declared", Anchor: "capabilities", Level: Must, Party: Client,
		Text:   "A client that supports sampling declares it in every request.",
		Client: Kept,
		Reason: "What a client supports shows only in what it declares.",
	},
	{
		ID: "sampling.context-avoided", Anchor: "capabilities", Level: Should, Party: Server,
		Text:    "A server leaves out the deprecated values of includeContext.",
		Samples: Kept, Rules: []string{"sampling-context"}, Lesson: "questions",
	},
	{
		ID: "sampling.context-undeclared", Anchor: "capabilities", Level: ShouldNot, Party: Server,
		Text:    "A server uses those values only if the client declared sampling.context.",
		Samples: Kept, Rules: []string{"sampling-context"},
	},
	{
		ID: "sampling.messages", Anchor: "creating-messages", Level: Must, Party: Server,
		Text:  "A sampling request has a list of messages.",
		Rules: []string{"sampling-params"}, Samples: Kept, Lesson: "questions",
	},
	{
		ID: "sampling.max-tokens", Anchor: "creating-messages", Level: Must, Party: Server,
		Text:  "A sampling request has maxTokens.",
		Rules: []string{"sampling-params"}, Samples: Kept, Lesson: "questions",
	},
	{
		ID: "sampling.result-members", Anchor: "creating-messages", Level: Must, Party: Client,
		Text:  "The answer has a role, content and the name of the model.",
		Rules: []string{"client-answers"}, Client: Kept, Lesson: "questions",
	},
	{
		ID: "sampling.tool-members", Anchor: "sampling-with-tools", Level: Must, Party: Server,
		Text:    "Each tool in a sampling request has a name and an inputSchema.",
		Samples: Kept, Rules: []string{"sampling-params"},
	},
	{
		ID: "sampling.only-results", Anchor: "tool-result-messages", Level: Must, Party: Server,
		Text:  "A message with tool results has nothing else.",
		Rules: []string{"sampling-params"}, Samples: Kept,
	},
	{
		ID: "sampling.balance", Anchor: "tool-use-and-result-balance", Level: Must, Party: Server,
		Text:  "A message that uses tools is followed by one with the result of every use.",
		Rules: []string{"sampling-params"}, Samples: Kept,
	},
	{
		ID: "sampling.choice-required", Anchor: "tool-choice-modes", Level: Must, Party: Client,
		Text:   "With the tool choice required, the model uses a tool.",
		Reason: noModel,
		Client: Kept,
	},
	{
		ID: "sampling.choice-none", Anchor: "tool-choice-modes", Level: MustNot, Party: Client,
		Text:   "With the tool choice none, the model uses no tool.",
		Reason: noModel,
		Client: Kept,
	},
	{
		ID: "sampling.role", Anchor: "messages", Level: Must, Party: Server,
		Text:  "Each message has the role user or assistant, and content.",
		Rules: []string{"sampling-params"}, Samples: Kept,
	},
	{
		ID: "sampling.retained", Anchor: "messages", Level: ShouldNot, Party: Server,
		Text:    "The list of messages is not kept between requests.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "sampling.content-blocks", Anchor: "messages", Level: Must, Party: Both,
		Text:  "Each content block has the members of its type.",
		Rules: []string{"sampling-params", "client-answers"}, Client: Kept, Samples: Kept,
	},
	{
		ID: "sampling.priorities", Anchor: "capability-priorities", Level: Must, Party: Server,
		Text:    "The priorities are numbers from 0 to 1.",
		Samples: Kept, Rules: []string{"sampling-params"},
	},
	{
		ID: "sampling.hints-order", Anchor: "model-hints", Level: Must, Party: Client,
		Text:   "A client evaluates the hints in their order.",
		Client: Unused, Reason: noModel,
	},
	{
		ID: "sampling.hints-first", Anchor: "model-hints", Level: Should, Party: Client,
		Text:   "Hints weigh more than priorities.",
		Client: Unused, Reason: noModel,
	},
	{
		ID: "sampling.max-respected", Anchor: "sampling-parameters", Level: Must, Party: Client,
		Text:   "The answer is no longer than maxTokens.",
		Client: Kept,
		Reason: "Tokens are counted differently by every model.",
	},
	{
		ID: "sampling.approval", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "A person approves sampling.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "sampling.validated", Anchor: "security-considerations", Level: Should, Party: Both,
		Text:  "Both sides validate the content of messages.",
		Rules: []string{"client-answers", "sampling-params"}, Client: Kept, Samples: Kept,
	},
	{
		ID: "sampling.hints", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "A client respects the server's hints about models.",
		Client: Unused, Reason: noModel,
	},
	{
		ID: "sampling.rate", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "A client limits the rate of sampling.",
		Client: Kept,
		Reason: "The specification gives no number that a rule could compare.",
	},
	{
		ID: "sampling.sensitive", Anchor: "security-considerations", Level: Must, Party: Both,
		Text:   "Both sides handle sensitive data with care.",
		Client: Kept, Samples: Kept, Reason: onlyText,
	},
	{
		ID: "sampling.tool-results", Anchor: "security-considerations", Level: Must, Party: Server,
		Text: "A server answers every tool use with a result of the same id, in a message of " +
			"its own.",
		Rules: []string{"sampling-params"}, Samples: Kept,
	},
	{
		ID: "sampling.iterations", Anchor: "security-considerations", Level: Should, Party: Both,
		Text:   "Both sides limit how often a model may use tools in turn.",
		Client: Kept, Samples: Kept,
		Reason: "The specification gives no number that a rule could compare.",
	},
}
