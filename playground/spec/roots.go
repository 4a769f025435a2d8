package spec

// rootsPage is client/roots.
var rootsPage = Page{
	Path: "client/roots", Name: "roots", Title: "Roots",
	Sentences: rootsSentences,
}

var rootsSentences = []Sentence{
	{
		ID: "roots.adopted", Anchor: "roots", Level: ShouldNot, Party: Both,
		Text:    "New implementations do not adopt roots, which are deprecated.",
		Client:  "Testers need them for servers that still use them.",
		Samples: "Some samples show them.",
		Reason:  "A deprecated feature may still be used.",
	},
	{
		ID: "roots.declared", Anchor: "capabilities", Level: Must, Party: Client,
		Text:   "A client that supports roots declares them in every request.",
		Client: Kept,
		Reason: "What a client supports shows only in what it declares.",
	},
	{
		ID: "roots.request", Anchor: "listing-roots", Level: Must, Party: Server,
		Text:  "A request for roots has the method roots/list and no parameters of its own.",
		Rules: []string{"roots-params"}, Samples: Kept, Lesson: "questions",
	},
	{
		ID: "roots.result", Anchor: "listing-roots", Level: Must, Party: Client,
		Text:  "The answer has a list of roots, each with a URI.",
		Rules: []string{"client-roots"}, Client: Kept, Lesson: "questions",
	},
	{
		ID: "roots.file", Anchor: "root", Level: Must, Party: Client,
		Text:  "The URI of a root begins with file://.",
		Rules: []string{"client-roots"}, Client: Kept, Lesson: "questions",
	},
	{
		ID: "roots.permissions", Anchor: "security-considerations", Level: Must, Party: Client,
		Text:   "A client exposes only roots that the server may know.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "roots.traversal", Anchor: "security-considerations", Level: Must, Party: Client,
		Text:   "A client checks the URIs of roots for path traversal.",
		Reason: insideClient,
		Client: Kept,
	},
	{
		ID: "roots.access", Anchor: "security-considerations", Level: Must, Party: Client,
		Text:   "A client controls access to roots.",
		Client: Unused, Reason: insideClient,
	},
	{
		ID: "roots.monitored", Anchor: "security-considerations", Level: Must, Party: Client,
		Text:   "A client watches whether its roots can be read.",
		Reason: insideClient,
		Client: "Roots are texts that the user enters; this client never looks for the folders.",
	},
	{
		ID: "roots.unavailable", Anchor: "security-considerations", Level: Should, Party: Server,
		Text:    "A server copes with roots that become unavailable.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "roots.boundaries", Anchor: "security-considerations", Level: Should, Party: Server,
		Text:    "A server stays within the roots.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "roots.paths", Anchor: "security-considerations", Level: Should, Party: Server,
		Text:    "A server checks paths against the roots.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "roots.consent", Anchor: "implementation-guidelines", Level: Should, Party: Client,
		Text:   "The user agrees before roots are exposed.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "roots.managed", Anchor: "implementation-guidelines", Level: Should, Party: Client,
		Text:   "The user can manage the roots.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "roots.accessible", Anchor: "implementation-guidelines", Level: Should, Party: Client,
		Text:   "A client checks that a root can be read before it exposes it.",
		Reason: insideClient,
		Client: "Roots are texts that the user enters; this client never looks for the folders.",
	},
	{
		ID: "roots.changes", Anchor: "implementation-guidelines", Level: Should, Party: Client,
		Text:   "A client notices when roots change.",
		Client: Unused, Reason: insideClient,
	},
	{
		ID: "roots.declared-first", Anchor: "implementation-guidelines", Level: Should, Party: Server,
		Text:  "A server asks for roots only if the client declared them.",
		Rules: []string{"S3"}, Experiments: []string{"omit-capability"}, Samples: Kept,
		Lesson: "questions",
	},
	{
		ID: "roots.respected", Anchor: "implementation-guidelines", Level: Should, Party: Server,
		Text:    "A server respects the roots in what it does.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "roots.cached", Anchor: "implementation-guidelines", Level: Should, Party: Server,
		Text:    "A server caches roots sensibly.",
		Samples: Kept, Reason: insideServer,
	},
}
