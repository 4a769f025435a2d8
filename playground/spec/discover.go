package spec

// discoverPage is server/discover.
var discoverPage = Page{
	Path: "server/discover", Name: "discover", Title: "Discovery",
	Sentences: discoverSentences,
}

var discoverSentences = []Sentence{
	{
		ID: "discover.implemented", Anchor: "request", Level: Must, Party: Server,
		Text:    "Every server answers server/discover with its versions and capabilities.",
		Samples: Kept, Lesson: "legacy",
		Reason: "A server without it counts as one of an earlier revision.",
	},
	{
		ID: "discover.versions", Anchor: "discoverresult", Level: Must, Party: Server,
		Text:  "The result lists the supported versions.",
		Rules: []string{"result-members"}, Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "discover.capabilities", Anchor: "discoverresult", Level: Must, Party: Server,
		Text:  "The result has the capabilities of the server as an object.",
		Rules: []string{"result-members"}, Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "discover.server-info", Anchor: "discoverresult", Level: Should, Party: Server,
		Text:  "The result names the server and its version in _meta.",
		Rules: []string{"server-info"}, Samples: Kept,
	},
	{
		ID: "discover.info-behavior", Anchor: "discoverresult", Level: ShouldNot, Party: Client,
		Text:   "A client does not change its behavior by the name or version of a server.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "discover.info-security", Anchor: "discoverresult", Level: ShouldNot, Party: Client,
		Text:   "A client makes no decision on security by the name or version of a server.",
		Client: Kept, Reason: insideClient,
	},
}
