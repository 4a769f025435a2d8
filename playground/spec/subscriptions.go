package spec

// subscriptionsPage is basic/patterns/subscriptions.
var subscriptionsPage = Page{
	Path: "basic/patterns/subscriptions", Name: "subscriptions", Title: "Subscriptions",
	Sentences: subscriptionsSentences,
}

var subscriptionsSentences = []Sentence{
	{
		ID: "subscriptions.filter", Anchor: "opening-a-stream", Level: Must, Party: Client,
		Text: "The params of subscriptions/listen have a filter of the notifications that the " +
			"client wants.",
		Client: Unused, Reason: noListening,
	},
	{
		ID: "subscriptions.requested-only", Anchor: "opening-a-stream", Level: MustNot, Party: Server,
		Text:  "A server sends only the types of notifications that the client requested.",
		Rules: []string{"listen-requested"}, Lesson: "tasks", Samples: Kept,
	},
	{
		ID: "subscriptions.first", Anchor: "acknowledgment", Level: Must, Party: Server,
		Text:  "The first message on the stream is notifications/subscriptions/acknowledged.",
		Rules: []string{"listen-acknowledged"}, Lesson: "tasks", Samples: Kept,
	},
	{
		ID: "subscriptions.nothing-before", Anchor: "acknowledgment", Level: MustNot, Party: Server,
		Text:  "No notification of the subscription precedes the acknowledgment.",
		Rules: []string{"listen-acknowledged"}, Samples: Kept,
	},
	{
		ID: "subscriptions.acknowledged-id", Anchor: "acknowledgment", Level: Must, Party: Server,
		Text:  "The acknowledgment has the id of the subscription in _meta.",
		Rules: []string{"listen-id"}, Samples: Kept,
	},
	{
		ID: "subscriptions.subset", Anchor: "acknowledgment", Level: Must, Party: Server,
		Text:    "The acknowledgment lists those of the requested types that the server will send.",
		Samples: Kept, Rules: []string{"listen-acknowledged"},
	},
	{
		ID: "subscriptions.acknowledged-members", Anchor: "acknowledgment", Level: Must, Party: Server,
		Text:    "The acknowledgment has a filter as notifications.",
		Samples: Kept, Rules: []string{"listen-acknowledged"},
	},
	{
		ID: "subscriptions.checked", Anchor: "acknowledgment", Level: Should, Party: Client,
		Text:   "A client compares the acknowledgment with what it requested.",
		Client: Unused, Reason: insideClient,
	},
	{
		ID: "subscriptions.ids", Anchor: "receiving-notifications", Level: Must, Party: Server,
		Text: "Every notification on the stream has the JSON-RPC id of the listen request as " +
			"its subscription id.",
		Rules: []string{"listen-id"}, Samples: Kept,
	},
	{
		ID: "subscriptions.updated-uri", Anchor: "receiving-notifications", Level: Must, Party: Server,
		Text:    "A notification that a resource changed has the URI of the resource.",
		Samples: Kept, Rules: []string{"notification-params"},
	},
	{
		ID: "subscriptions.result", Anchor: "graceful-closure", Level: Should, Party: Server,
		Text:    "A server that ends a subscription sends a final result and then closes the stream.",
		Samples: Kept,
		Reason:  "A stream without a result may also have been cut by the network.",
	},
	{
		ID: "subscriptions.result-id", Anchor: "graceful-closure", Level: Must, Party: Server,
		Text:    "That result has the id of the subscription in _meta.",
		Samples: Kept, Rules: []string{"listen-id"},
	},
}
