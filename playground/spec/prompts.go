package spec

// promptsPage is server/prompts, as far as lists and calls go.
var promptsPage = Page{
	Path: "server/prompts", Name: "prompts", Title: "Prompts",
	Sentences: promptsSentences,
}

var promptsSentences = []Sentence{
	{
		ID: "prompts.meta", Anchor: "prompts", Level: Must, Party: Client,
		Text:  "Every request about prompts has the required members of _meta.",
		Rules: []string{"client-meta"}, Client: Kept,
	},
	{
		ID: "prompts.declared", Anchor: "capabilities", Level: Must, Party: Server,
		Text:    "A server with prompts declares the capability prompts.",
		Samples: Kept,
		Reason:  "A server that declares no prompts is not asked for them.",
	},
	{
		ID: "prompts.listed", Anchor: "capabilities", Level: Must, Party: Server,
		Text:  "A server that declares prompts answers prompts/list.",
		Rules: []string{"declared-lists", "result-members"}, Samples: Kept,
	},
	{
		ID: "prompts.stable", Anchor: "capabilities", Level: MustNot, Party: Server,
		Text:   "The list does not depend on the connection or on earlier requests.",
		Reason: overTime,
		Samples: "The conformance sample adds a prompt when a fixture is called, as the " +
			"official suite asks.",
	},
	{
		ID: "prompts.list", Anchor: "listing-prompts", Level: Must, Party: Server,
		Text:  "The result of prompts/list has a list of prompts.",
		Rules: []string{"result-members"}, Samples: Kept,
	},
	{
		ID: "prompts.name", Anchor: "getting-a-prompt", Level: Must, Party: Client,
		Text:   "A request for a prompt names it.",
		Client: Kept, Rules: []string{"client-params"},
	},
	{
		ID: "prompts.messages", Anchor: "getting-a-prompt", Level: Must, Party: Server,
		Text:  "The final result has a list of messages.",
		Rules: []string{"result-members"}, Samples: Kept,
	},
	{
		ID: "prompts.changes", Anchor: "list-changed-notification", Level: Should, Party: Server,
		Text:    "A server that declared listChanged notifies listeners when its prompts change.",
		Samples: Kept, Reason: noListening,
	},
	{
		ID: "prompts.members", Anchor: "prompt", Level: Must, Party: Server,
		Text:    "Every prompt in the list has a name.",
		Samples: Kept, Rules: []string{"result-members"},
	},
	{
		ID: "prompts.arguments", Anchor: "prompt", Level: Must, Party: Server,
		Text:    "Every argument of a prompt has a name.",
		Samples: Kept, Rules: []string{"result-members"},
	},
	{
		ID: "prompts.message", Anchor: "promptmessage", Level: Must, Party: Server,
		Text:  "Every message of a prompt has the role user or assistant, and content.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "prompts.image", Anchor: "image-content", Level: Must, Party: Server,
		Text:  "The data of an image is Base64.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "prompts.image-type", Anchor: "image-content", Level: Must, Party: Server,
		Text:  "An image has a valid MIME type.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "prompts.audio", Anchor: "audio-content", Level: Must, Party: Server,
		Text:  "The data of a sound is Base64.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "prompts.audio-type", Anchor: "audio-content", Level: Must, Party: Server,
		Text:  "A sound has a valid MIME type.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "prompts.embedded-uri", Anchor: "embedded-resources", Level: Must, Party: Server,
		Text:  "An embedded resource has a valid URI.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "prompts.embedded-type", Anchor: "embedded-resources", Level: Must, Party: Server,
		Text:    "An embedded resource has a MIME type.",
		Samples: Kept, Rules: []string{"content-shape"},
	},
	{
		ID: "prompts.embedded-content", Anchor: "embedded-resources", Level: Must, Party: Server,
		Text:  "An embedded resource has text or Base64 data.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "prompts.unknown", Anchor: "error-handling", Level: Should, Party: Server,
		Text:    "An unknown prompt gets error -32602.",
		Samples: Kept,
		Reason: "This client asks only for prompts that exist, unless the user enters another " +
			"name.",
	},
	{
		ID: "prompts.arguments-missing", Anchor: "error-handling", Level: Should, Party: Server,
		Text:    "A missing required argument of a prompt gets error -32602.",
		Samples: Kept,
		Reason:  "The form of a prompt asks for every required argument.",
	},
	{
		ID: "prompts.internal", Anchor: "error-handling", Level: Should, Party: Server,
		Text:    "An internal failure gets error -32603.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "prompts.validated", Anchor: "implementation-considerations", Level: Should, Party: Server,
		Text:    "A server validates the arguments of a prompt.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "prompts.pages", Anchor: "implementation-considerations", Level: Should, Party: Client,
		Text:   "A client reads long lists page by page.",
		Client: Kept, Reason: elsewhere,
	},
	{
		ID: "prompts.capabilities-respected", Anchor: "implementation-considerations",
		Level: Should, Party: Both,
		Text:  "Both sides keep to the capabilities that were declared.",
		Rules: []string{"declared-lists"}, Client: Kept, Samples: Kept,
	},
	{
		ID: "prompts.injection", Anchor: "security", Level: Must, Party: Both,
		Text:   "Both sides validate what goes into prompts and what comes out.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
}
