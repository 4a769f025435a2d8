package spec

// loggingPage is server/utilities/logging.
var loggingPage = Page{
	Path: "server/utilities/logging", Name: "logging", Title: "Logging",
	Sentences: loggingSentences,
}

var loggingSentences = []Sentence{
	{
		ID: "logging.adopted", Anchor: "logging", Level: ShouldNot, Party: Server,
		Text:    "New servers do not adopt logging, which is deprecated.",
		Samples: "Only the conformance sample logs, because the official suite asks for it.",
		Reason:  "A deprecated feature may still be used.",
	},
	{
		ID: "logging.declared", Anchor: "capabilities", Level: Must, Party: Server,
		Text:    "A server that sends log messages declares the capability logging.",
		Samples: Kept, Reason: elsewhere,
	},
	{
		ID: "logging.requested", Anchor: "per-request-log-level", Level: MustNot, Party: Server,
		Text:  "A server sends log messages only for a request that names a log level.",
		Rules: []string{"log-level"}, Lesson: "nothing-to-ask", Samples: Kept,
	},
	{
		ID: "logging.at-level", Anchor: "per-request-log-level", Level: Must, Party: Server,
		Text:  "Log messages have the requested level or a more severe one.",
		Rules: []string{"log-level"}, Lesson: "nothing-to-ask", Samples: Kept,
	},
	{
		ID: "logging.before-response", Anchor: "per-request-log-level", Level: Must, Party: Server,
		Text:  "Log messages come before the response.",
		Rules: []string{"log-level", "stream-ends"}, Samples: Kept,
	},
	{
		ID: "logging.no-listen", Anchor: "per-request-log-level", Level: MustNot, Party: Server,
		Text:  "Log messages are not sent on a stream of subscriptions/listen.",
		Rules: []string{"log-level"}, Samples: Kept,
	},
	{
		ID: "logging.own-stream", Anchor: "per-request-log-level", Level: MustNot, Party: Server,
		Text:  "Log messages are sent only on the stream of the request that asked for them.",
		Rules: []string{"log-level"}, Samples: Kept,
	},
	{
		ID: "logging.members", Anchor: "log-message-notifications", Level: Must, Party: Server,
		Text:  "A log message has a known level and data.",
		Rules: []string{"notification-params"}, Samples: Kept,
	},
	{
		ID: "logging.level-unknown", Anchor: "error-handling", Level: Should, Party: Server,
		Text:    "A request with an unknown log level gets error -32602.",
		Samples: Kept,
		Reason:  "The pages offer only levels that exist.",
	},
	{
		ID: "logging.rate", Anchor: "implementation-considerations", Level: Should, Party: Server,
		Text:    "A server limits the rate of log messages.",
		Samples: Kept,
		Reason:  "The specification gives no number that a rule could compare.",
	},
	{
		ID: "logging.context", Anchor: "implementation-considerations", Level: Should, Party: Server,
		Text:    "The data of a log message has the relevant context.",
		Samples: Kept, Reason: onlyText,
	},
	{
		ID: "logging.names", Anchor: "implementation-considerations", Level: Should, Party: Server,
		Text:    "The names of loggers are consistent.",
		Samples: Kept, Reason: onlyText,
	},
	{
		ID: "logging.cleaned", Anchor: "implementation-considerations", Level: Should, Party: Server,
		Text:    "Sensitive information is removed from log messages.",
		Samples: Kept, Reason: onlyText,
	},
	{
		ID: "logging.secrets", Anchor: "security", Level: MustNot, Party: Server,
		Text:    "Log messages have no credentials or secrets.",
		Samples: Kept, Reason: onlyText,
	},
	{
		ID: "logging.personal", Anchor: "security", Level: MustNot, Party: Server,
		Text:    "Log messages do not identify persons.",
		Samples: Kept, Reason: onlyText,
	},
	{
		ID: "logging.internals", Anchor: "security", Level: MustNot, Party: Server,
		Text:    "Log messages have no internals of the system that help an attacker.",
		Samples: Kept, Reason: onlyText,
	},
	{
		ID: "logging.rate-limit", Anchor: "security", Level: Should, Party: Both,
		Text:   "Log messages are limited in number.",
		Client: Kept, Samples: Kept,
		Reason: "The specification gives no number that a rule could compare.",
	},
	{
		ID: "logging.fields", Anchor: "security", Level: Should, Party: Both,
		Text:   "All fields of log messages are validated.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "logging.access", Anchor: "security", Level: Should, Party: Both,
		Text:   "Access to logs is controlled.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "logging.monitored", Anchor: "security", Level: Should, Party: Both,
		Text:   "Logs are watched for sensitive content.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
}
