package spec

// resourcesPage is server/resources, as far as lists and reads go.
var resourcesPage = Page{
	Path: "server/resources", Name: "resources", Title: "Resources",
	Sentences: resourcesSentences,
}

var resourcesSentences = []Sentence{
	{
		ID: "resources.meta", Anchor: "resources", Level: Must, Party: Client,
		Text:  "Every request about resources has the required members of _meta.",
		Rules: []string{"client-meta"}, Client: Kept,
	},
	{
		ID: "resources.declared", Anchor: "capabilities", Level: Must, Party: Server,
		Text:    "A server with resources declares the capability resources.",
		Samples: Kept,
		Reason:  "A server that declares no resources is not asked for them.",
	},
	{
		ID: "resources.listed", Anchor: "capabilities", Level: Must, Party: Server,
		Text:  "A server that declares resources answers resources/list.",
		Rules: []string{"declared-lists", "result-members"}, Samples: Kept,
	},
	{
		ID: "resources.stable", Anchor: "capabilities", Level: MustNot, Party: Server,
		Text:    "The list does not depend on the connection or on earlier requests.",
		Samples: Kept, Reason: overTime,
	},
	{
		ID: "resources.list", Anchor: "listing-resources", Level: Must, Party: Server,
		Text:  "The result of resources/list has a list of resources.",
		Rules: []string{"result-members"}, Samples: Kept,
	},
	{
		ID: "resources.uri", Anchor: "reading-resources", Level: Must, Party: Client,
		Text:   "A request for a resource has its URI.",
		Client: Kept, Rules: []string{"client-params"},
	},
	{
		ID: "resources.contents", Anchor: "reading-resources", Level: Must, Party: Server,
		Text:  "The final result has a list of contents.",
		Rules: []string{"result-members"}, Samples: Kept,
	},
	{
		ID: "resources.templates", Anchor: "resource-templates", Level: Must, Party: Server,
		Text:  "The result of resources/templates/list has a list of templates.",
		Rules: []string{"result-members"}, Samples: Kept,
	},
	{
		ID: "resources.template-members", Anchor: "resource-templates", Level: Must, Party: Server,
		Text:    "Every template has a name and a URI template.",
		Samples: Kept, Rules: []string{"result-members"},
	},
	{
		ID: "resources.changes", Anchor: "list-changed-notification", Level: Should, Party: Server,
		Text:    "A server that declared listChanged notifies listeners when its resources change.",
		Samples: Unused, Reason: noListening,
	},
	{
		ID: "resources.members", Anchor: "resource", Level: Must, Party: Server,
		Text:    "Every resource in a list has a URI and a name.",
		Samples: Kept, Rules: []string{"result-members"},
	},
	{
		ID: "resources.content", Anchor: "resource-contents", Level: Must, Party: Server,
		Text:  "Every content has a URI and text or Base64 data.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "resources.audience", Anchor: "annotations", Level: Must, Party: Server,
		Text:    "The audience of an annotation lists user, assistant or both.",
		Samples: Kept, Rules: []string{"annotations"}, Lesson: "build",
	},
	{
		ID: "resources.priority", Anchor: "annotations", Level: Must, Party: Server,
		Text:    "The priority of an annotation is a number from 0 to 1.",
		Samples: Kept, Rules: []string{"annotations"},
	},
	{
		ID: "resources.last-modified", Anchor: "annotations", Level: Must, Party: Server,
		Text:    "The time in an annotation has the format of ISO 8601.",
		Samples: Kept, Rules: []string{"annotations"},
	},
	{
		ID: "resources.web", Anchor: "https%3A%2F%2F", Level: Should, Party: Server,
		Text:    "A URI with https names only what the client can fetch from the web itself.",
		Samples: Kept,
		Reason:  "Whether an address can be fetched is known only to those who try.",
	},
	{
		ID: "resources.web-else", Anchor: "https%3A%2F%2F", Level: Should, Party: Server,
		Text:    "Other resources have another scheme.",
		Samples: Kept,
		Reason:  "Whether an address can be fetched is known only to those who try.",
	},
	{
		ID: "resources.scheme", Anchor: "custom-uri-schemes", Level: Must, Party: Server,
		Text:    "The URI of a resource is valid by RFC 3986.",
		Samples: Kept, Rules: []string{"resource-uri"}, Lesson: "build",
	},
	{
		ID: "resources.unknown", Anchor: "error-handling", Level: Must, Party: Server,
		Text:  "A resource that does not exist gets error -32602.",
		Rules: []string{"error-code"}, Samples: Kept,
	},
	{
		ID: "resources.internal", Anchor: "error-handling", Level: Should, Party: Server,
		Text:    "An internal failure gets error -32603.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "resources.old-code", Anchor: "error-handling", Level: Should, Party: Client,
		Text:   "A client understands error -32002 of earlier revisions.",
		Reason: insideClient,
		Client: Kept,
	},
	{
		ID: "resources.empty", Anchor: "error-handling", Level: MustNot, Party: Server,
		Text:    "A resource that does not exist is not answered with an empty list.",
		Samples: Kept,
		Reason:  "Whether a resource exists is known to the server alone.",
	},
	{
		ID: "resources.uris", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "A server validates the URIs of resources.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "resources.access", Anchor: "security-considerations", Level: Should, Party: Server,
		Text:    "A server controls access to sensitive resources.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "resources.binary", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:  "Binary data is encoded in Base64.",
		Rules: []string{"content-shape"}, Samples: Kept,
	},
	{
		ID: "resources.permissions", Anchor: "security-considerations", Level: Should, Party: Server,
		Text:    "A server checks permissions before it reads a resource.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "resources.traversal", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "A server that serves files prevents path traversal.",
		Samples: Unused, Reason: insideServer,
	},
}
