package spec

// versioningPage is basic/versioning: versions, extensions and eras.
var versioningPage = Page{
	Path: "basic/versioning", Name: "versioning", Title: "Versioning",
	Sentences: versioningSentences,
}

var versioningSentences = []Sentence{
	{
		ID: "versioning.declared", Anchor: "protocol-version-negotiation", Level: Must, Party: Client,
		Text:  "Every request names its protocol version in _meta and, over HTTP, in a header.",
		Rules: []string{"client-meta", "client-headers"}, Client: Kept, Lesson: "legacy",
	},
	{
		ID: "versioning.unsupported", Anchor: "protocol-version-negotiation", Level: Must, Party: Server,
		Text:  "A request for a version that the server does not implement gets error -32022.",
		Rules: []string{"version-unknown"}, Experiments: []string{"old-version"}, Samples: Kept,
		Lesson: "legacy",
	},
	{
		ID: "versioning.supported-list", Anchor: "protocol-version-negotiation",
		Level: Must, Party: Server,
		Text:  "Error -32022 lists the versions that the server supports.",
		Rules: []string{"error-data"}, Experiments: []string{"old-version"}, Samples: Kept,
		Lesson: "legacy",
	},
	{
		ID: "versioning.requested", Anchor: "protocol-version-negotiation", Level: Must, Party: Server,
		Text:        "Error -32022 repeats the version that was requested.",
		Experiments: []string{"old-version"}, Samples: Kept, Lesson: "legacy", Rules: []string{"error-data"},
	},
	{
		ID: "versioning.retry", Anchor: "protocol-version-negotiation", Level: Should, Party: Client,
		Text: "After error -32022 the client retries with a version of the list, or tells the " +
			"user that there is none.",
		Client: Kept, Lesson: "legacy",
		Reason: "An exchange that ends after the error does not show what the user was told.",
	},
	{
		ID: "versioning.discover", Anchor: "protocol-version-negotiation", Level: Must, Party: Server,
		Text:    "Every server implements server/discover.",
		Samples: Kept, Lesson: "legacy",
		Reason: "A server without it counts as one of an earlier revision.",
	},
	{
		ID: "versioning.extension-names", Anchor: "extension-negotiation", Level: Must, Party: Both,
		Text:   "The identifier of an extension is a _meta key with a prefix.",
		Client: Kept, Samples: Kept, Lesson: "tasks", Rules: []string{"extension-names"},
	},
	{
		ID: "versioning.extension-fallback", Anchor: "extension-negotiation", Level: Must, Party: Both,
		Text: "If only one side supports an extension, the other falls back to the core " +
			"protocol or returns an error.",
		Rules: []string{"task-declared"}, Experiments: []string{"omit-capability"}, Client: Kept,
		Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "versioning.modern-error", Anchor: "backward-compatibility-with-initialization-based-versions",
		Level: Must, Party: Client,
		Text: "An error of this revision shows a modern server: the client retries and does " +
			"not fall back.",
		Client: Kept, Lesson: "legacy", Reason: overTime,
	},
	{
		ID: "versioning.era-kept", Anchor: "backward-compatibility-with-initialization-based-versions",
		Level: Should, Party: Client,
		Text:   "The client remembers the era of a server.",
		Client: Kept, Lesson: "legacy", Reason: overTime,
	},
	{
		ID:     "versioning.initialize-error",
		Anchor: "backward-compatibility-with-initialization-based-versions",
		Level:  Should, Party: Server,
		Text: "A server without earlier revisions names its versions in the error to an " +
			"initialize request.",
		Samples: Kept, Lesson: "legacy",
		Reason: "This client sends initialize only to servers that showed that they expect it.",
	},
	{
		ID: "versioning.dual-modern", Anchor: "compatibility-matrix", Level: Must, Party: Server,
		Text: "A server of both eras serves a request with the _meta of this revision without " +
			"a session.",
		Rules: []string{"session-id"}, Samples: Kept, Lesson: "legacy",
	},
	{
		ID: "versioning.dual-legacy", Anchor: "compatibility-matrix", Level: Must, Party: Server,
		Text: "A server of both eras answers initialize and then follows the revision that " +
			"was negotiated.",
		Rules: []string{"legacy-envelope", "legacy-session", "legacy-result", "legacy-input"}, Samples: Kept,
		Lesson: "legacy",
	},
}
