package spec

// progressPage is basic/patterns/progress.
var progressPage = Page{
	Path: "basic/patterns/progress", Name: "progress", Title: "Progress",
	Sentences: progressSentences,
}

var progressSentences = []Sentence{
	{
		ID: "progress.token-type", Anchor: "progress-flow", Level: Must, Party: Client,
		Text:  "A progress token is a string or an integer.",
		Rules: []string{"client-progress-token"}, Client: Kept, Lesson: "nothing-to-ask",
	},
	{
		ID: "progress.token-unique", Anchor: "progress-flow", Level: Must, Party: Client,
		Text:   "A progress token differs from those of all other requests in progress.",
		Reason: overTime,
		Client: Kept,
	},
	{
		ID: "progress.members", Anchor: "progress-flow", Level: Must, Party: Server,
		Text:  "A progress notification has the token and a number as progress.",
		Rules: []string{"notification-params"}, Samples: Kept,
	},
	{
		ID: "progress.rises", Anchor: "progress-flow", Level: Must, Party: Server,
		Text:  "Progress increases with each notification.",
		Rules: []string{"progress-rises"}, Samples: Kept, Lesson: "nothing-to-ask",
	},
	{
		ID: "progress.message", Anchor: "progress-flow", Level: Should, Party: Server,
		Text:    "The message of a notification is useful to people.",
		Samples: Kept,
		Reason:  "No rule can tell whether a text is useful.",
	},
	{
		ID: "progress.own-token", Anchor: "behavior-requirements", Level: Must, Party: Server,
		Text:  "A progress notification has the token of a request.",
		Rules: []string{"progress-token"}, Samples: Kept, Lesson: "nothing-to-ask",
	},
	{
		ID: "progress.in-progress", Anchor: "behavior-requirements", Level: Must, Party: Server,
		Text:  "A progress notification belongs to work that is still in progress.",
		Rules: []string{"progress-token", "stream-ends"}, Samples: Kept,
	},
	{
		ID: "progress.tracked", Anchor: "implementation-notes", Level: Should, Party: Both,
		Text:   "Both sides keep track of the tokens in use.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "progress.rate", Anchor: "implementation-notes", Level: Should, Party: Both,
		Text:   "Both sides limit the rate of notifications.",
		Client: Kept, Samples: Kept,
		Reason: "The specification gives no number that a rule could compare.",
	},
	{
		ID: "progress.stops", Anchor: "implementation-notes", Level: Must, Party: Server,
		Text:  "Progress notifications stop when the request is complete.",
		Rules: []string{"stream-ends"}, Samples: Kept, Lesson: "nothing-to-ask",
	},
}
