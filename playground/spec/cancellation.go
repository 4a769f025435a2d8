package spec

// cancellationPage is basic/patterns/cancellation.
var cancellationPage = Page{
	Path: "basic/patterns/cancellation", Name: "cancellation", Title: "Cancellation",
	Sentences: cancellationSentences,
}

var cancellationSentences = []Sentence{
	{
		ID: "cancellation.signal", Anchor: "cancellation-flow", Level: Should, Party: Client,
		Text:   "A client signals that it no longer wants the response to a request.",
		Client: Kept,
		Reason: "Over HTTP the signal is a closed connection, which is no message.",
	},
	{
		ID: "cancellation.listen-ended", Anchor: "cancellation-flow", Level: Must, Party: Server,
		Text: "A server that ends a subscription sends notifications/cancelled with the id of " +
			"its request.",
		Samples: Kept,
		Reason: "The page on subscriptions asks for a final result instead; a rule would " +
			"blame servers that follow it.",
	},
	{
		ID: "cancellation.nothing-else", Anchor: "cancellation-flow", Level: MustNot, Party: Server,
		Text:  "A server sends notifications/cancelled for nothing else.",
		Rules: []string{"stream-notifications"}, Lesson: "why", Samples: Kept,
	},
	{
		ID: "cancellation.disconnect", Anchor: "transport-specific-cancellation",
		Level: Must, Party: Server,
		Text:    "Over HTTP a server treats a closed connection as cancellation of its request.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "cancellation.limit", Anchor: "timeouts", Level: Should, Party: Both,
		Text:   "Every request that is sent has a time limit.",
		Client: Kept, Samples: Kept,
		Reason: "A limit that is not reached leaves no trace.",
	},
	{
		ID: "cancellation.cancel", Anchor: "timeouts", Level: Should, Party: Client,
		Text:   "A request that reaches its limit is cancelled.",
		Client: Kept,
		Reason: "Over HTTP the signal is a closed connection, which is no message.",
	},
	{
		ID: "cancellation.configurable", Anchor: "timeouts", Level: Should, Party: Client,
		Text:   "The limit can be set for each request.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "cancellation.maximum", Anchor: "timeouts", Level: Should, Party: Both,
		Text:   "There is a largest time that progress notifications do not extend.",
		Client: Kept, Samples: Kept,
		Reason: "A limit that is not reached leaves no trace.",
	},
	{
		ID: "cancellation.own-request", Anchor: "behavior-requirements", Level: Must, Party: Client,
		Text:  "A client cancels only requests that it sent and that are in progress.",
		Rules: []string{"client-legacy-cancel"}, Client: Kept, Lesson: "legacy",
	},
	{
		ID: "cancellation.server-reference", Anchor: "behavior-requirements", Level: Must, Party: Server,
		Text:  "A server's cancellation names a request of subscriptions/listen.",
		Rules: []string{"stream-notifications"}, Samples: Kept,
	},
	{
		ID: "cancellation.stop", Anchor: "behavior-requirements", Level: Should, Party: Server,
		Text:    "A server stops work on a cancelled request.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "cancellation.free", Anchor: "behavior-requirements", Level: Should, Party: Server,
		Text:    "A server frees what a cancelled request held.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "cancellation.silent", Anchor: "behavior-requirements", Level: Should, Party: Server,
		Text:    "A server sends no response to a cancelled request.",
		Samples: Kept,
		Reason:  "Over HTTP the connection is closed, so nothing can arrive.",
	},
	{
		ID: "cancellation.late", Anchor: "behavior-requirements", Level: Should, Party: Client,
		Text:   "A client ignores a response that arrives after its cancellation.",
		Client: Kept,
		Reason: "Over HTTP the connection is closed, so nothing can arrive.",
	},
	{
		ID: "cancellation.races", Anchor: "timing-considerations", Level: Must, Party: Both,
		Text:   "Both sides accept that a cancellation and a response cross each other.",
		Client: Kept, Samples: Kept, Reason: overTime,
	},
	{
		ID: "cancellation.reasons", Anchor: "implementation-notes", Level: Should, Party: Both,
		Text:   "Both sides log the reason of a cancellation.",
		Client: Unused, Samples: Unused, Reason: insideBoth,
	},
	{
		ID: "cancellation.shown", Anchor: "implementation-notes", Level: Should, Party: Client,
		Text:   "The user sees that a cancellation was requested.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "cancellation.invalid", Anchor: "error-handling", Level: Should, Party: Both,
		Text:   "Cancellations that are unknown, late or malformed are ignored.",
		Client: Kept, Samples: Kept,
		Reason: "This client sends none, so it cannot show how a server takes them.",
	},
}
