package spec

// tasksPage is the tasks extension.
var tasksPage = Page{
	Path: tasksPath, Name: "tasks", Title: "Tasks extension",
	Sentences: tasksSentences,
}

var tasksSentences = []Sentence{
	{
		ID: "tasks.declared", Anchor: "capability-negotiation", Level: MustNot, Party: Server,
		Text: "A server returns a task only to a client that declared the extension in the " +
			"same request.",
		Rules: []string{"task-declared"}, Experiments: []string{"omit-capability",
			"task-undeclared"}, Samples: Kept,
		Lesson: "tasks",
	},
	{
		ID: "tasks.either", Anchor: "capability-negotiation", Level: Must, Party: Client,
		Text: "A client that declared the extension accepts a result or a task in answer to " +
			"tools/call.",
		Client: Kept, Lesson: "tasks", Reason: insideClient,
	},
	{
		ID: "tasks.other-method", Anchor: "capability-negotiation", Level: Must, Party: Client,
		Text:   "A client treats a task in answer to another method as an invalid response.",
		Client: Kept, Lesson: "tasks",
		Reason: "A client that drops such a result sends nothing more, just as one that is " +
			"finished.",
	},
	{
		ID: "tasks.needed", Anchor: "capability-negotiation", Level: Must, Party: Server,
		Text: "A call that is possible only as a task gets error -32021 if the client did not " +
			"declare the extension.",
		Rules: []string{"task-declared", "error-data"}, Experiments: []string{"omit-capability",
			"task-undeclared"},
		Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.where", Anchor: "supported-methods", Level: Must, Party: Server,
		Text:  "Only tools/call is answered with a task.",
		Rules: []string{"task-where"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.extensible", Anchor: "supported-methods", Level: Should, Party: Both,
		Text:   "Implementations leave room for tasks of other methods.",
		Client: Kept, Samples: Kept, Reason: insideBoth,
	},
	{
		ID: "tasks.type-task", Anchor: "polymorphic-results", Level: Must, Party: Server,
		Text:  "A new task has resultType task.",
		Rules: []string{"result-members"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.type-only", Anchor: "polymorphic-results", Level: MustNot, Party: Server,
		Text:  "Nothing else has resultType task.",
		Rules: []string{"task-result-type", "task-where"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.members", Anchor: "tasks", Level: Must, Party: Server,
		Text:  "A task has taskId, status, createdAt, lastUpdatedAt and ttlMs.",
		Rules: []string{"task-shape"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.timestamps", Anchor: "tasks", Level: Must, Party: Server,
		Text:  "createdAt and lastUpdatedAt are timestamps of ISO 8601.",
		Rules: []string{"task-shape"}, Samples: Kept,
	},
	{
		ID: "tasks.ttl", Anchor: "tasks", Level: Must, Party: Server,
		Text:  "ttlMs is an integer, or null for no limit.",
		Rules: []string{"task-shape"}, Samples: Kept,
	},
	{
		ID: "tasks.poll-interval", Anchor: "tasks", Level: Must, Party: Server,
		Text:  "pollIntervalMs, if there is one, is an integer.",
		Rules: []string{"task-shape"}, Samples: Kept,
	},
	{
		ID: "tasks.no-state", Anchor: "tasks", Level: Must, Party: Server,
		Text:  "A task has no requestState: its id is all that a client needs.",
		Rules: []string{"task-no-state"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.status", Anchor: "task-status", Level: Must, Party: Server,
		Text:  "The status is working, input_required, completed, failed or cancelled.",
		Rules: []string{"task-status"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.failed-only", Anchor: "task-status", Level: MustNot, Party: Server,
		Text:  "The status failed stands only for a JSON-RPC error.",
		Rules: []string{"task-members"}, Samples: Kept,
	},
	{
		ID: "tasks.input-member", Anchor: "task-status", Level: Must, Party: Server,
		Text:  "A task with the status input_required has inputRequests.",
		Rules: []string{"task-members"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.terminal", Anchor: "task-status", Level: Must, Party: Server,
		Text:    "A task that is completed, failed or cancelled stays so.",
		Samples: Kept, Lesson: "tasks", Rules: []string{"task-terminal"},
	},
	{
		ID: "tasks.durable", Anchor: "task-creation", Level: MustNot, Party: Server,
		Text:    "A task is returned only once tasks/get finds it.",
		Samples: Kept, Lesson: "tasks", Rules: []string{"task-unknown"},
	},
	{
		ID: "tasks.consistent", Anchor: "task-creation", Level: Must, Party: Server,
		Text:    "A server with delayed storage waits until the task can be found.",
		Samples: Kept, Rules: []string{"task-unknown"},
	},
	{
		ID: "tasks.rounds-first", Anchor: "task-creation", Level: Should, Party: Server,
		Text:    "All rounds of the call are finished before the task is created.",
		Samples: Kept, Lesson: "tasks", Reason: insideServer,
	},
	{
		ID: "tasks.interval", Anchor: "task-polling", Level: Should, Party: Client,
		Text:  "A client polls no more often than pollIntervalMs says.",
		Rules: []string{"client-task-interval"}, Lesson: "tasks",
		Client: Kept,
	},
	{
		ID: "tasks.continues", Anchor: "task-polling", Level: Should, Party: Client,
		Text:   "A client polls until the task ends or it cancels the task.",
		Client: Kept, Lesson: "tasks",
		Reason: "A recording that ends earlier may have been cut.",
	},
	{
		ID: "tasks.persisted", Anchor: "task-polling", Level: Should, Party: Client,
		Text:   "A client stores the ids of its tasks, so that it can go on after a crash.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "tasks.get-members", Anchor: "request", Level: Must, Party: Client,
		Text:   "tasks/get has the id of the task.",
		Client: Kept, Lesson: "tasks", Rules: []string{"client-params"},
	},
	{
		ID: "tasks.working", Anchor: "response", Level: Must, Party: Server,
		Text:  "tasks/get of a running task returns the status working.",
		Rules: []string{"task-members", "task-status"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.asking", Anchor: "response", Level: Must, Party: Server,
		Text:  "tasks/get of a task that asks returns the status input_required and inputRequests.",
		Rules: []string{"task-members", "requests-known"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.all-questions", Anchor: "response", Level: Must, Party: Server,
		Text:    "inputRequests has every question that is open.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "tasks.completed", Anchor: "response", Level: Must, Party: Server,
		Text:  "tasks/get of a completed task returns its result.",
		Rules: []string{"task-members"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.cancelled", Anchor: "response", Level: Must, Party: Server,
		Text:  "tasks/get of a cancelled task returns the status cancelled.",
		Rules: []string{"task-status"}, Samples: Kept,
	},
	{
		ID: "tasks.failed", Anchor: "response", Level: Must, Party: Server,
		Text:  "tasks/get of a failed task returns its error.",
		Rules: []string{"task-members"}, Samples: Kept,
	},
	{
		ID: "tasks.get-type", Anchor: "response", Level: Must, Party: Server,
		Text:  "The result of tasks/get has resultType complete.",
		Rules: []string{"task-result-type"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.identity", Anchor: "response", Level: Must, Party: Server,
		Text:  "The result of tasks/get is about the task that was asked for.",
		Rules: []string{"task-identity"}, Lesson: "tasks", Samples: Kept,
	},
	{
		ID: "tasks.fulfilled", Anchor: "task-update-requests", Level: Should, Party: Client,
		Text:   "A client answers the questions of a task with tasks/update.",
		Client: Kept, Lesson: "tasks",
		Reason: "A client may wait for its user.",
	},
	{
		ID: "tasks.observed", Anchor: "task-update-requests", Level: Should, Party: Client,
		Text:   "After an update the client goes on to observe the task.",
		Client: Kept, Lesson: "tasks",
		Reason: "A recording that ends earlier may have been cut.",
	},
	{
		ID: "tasks.trust", Anchor: "task-update-requests", Level: Must, Party: Client,
		Text:   "A client treats the questions of a task as those of a call.",
		Client: Kept, Lesson: "tasks", Reason: onScreen,
	},
	{
		ID: "tasks.deduplicated", Anchor: "task-update-requests", Level: Should, Party: Client,
		Text:   "A question that is repeated in several polls is shown once.",
		Client: Kept, Lesson: "tasks", Reason: onScreen,
	},
	{
		ID: "tasks.key-unique", Anchor: "task-update-requests", Level: Must, Party: Server,
		Text:  "Each key of a question is unique over the life of the task.",
		Rules: []string{"task-keys", "unique-keys"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.key-reused", Anchor: "task-update-requests", Level: MustNot, Party: Server,
		Text:  "A key is not used again after it was answered.",
		Rules: []string{"task-keys"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.key-distinct", Anchor: "task-update-requests", Level: MustNot, Party: Server,
		Text:  "A key never stands for two different questions.",
		Rules: []string{"task-keys"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.update-keys", Anchor: "request-1", Level: Must, Party: Client,
		Text:  "The answers in tasks/update are to questions that are open.",
		Rules: []string{"client-task-keys"}, Client: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.update-members", Anchor: "request-1", Level: Must, Party: Client,
		Text:   "tasks/update has the id of the task and inputResponses.",
		Client: Kept, Lesson: "tasks", Rules: []string{"client-params"},
	},
	{
		ID: "tasks.update-state", Anchor: "request-1", Level: Must, Party: Client,
		Text:   "tasks/update has no requestState, which a task does not have either.",
		Client: Kept, Rules: []string{"C5"},
	},
	{
		ID: "tasks.update-ack", Anchor: "response-1", Level: Must, Party: Server,
		Text:  "A successful update is acknowledged with an empty result.",
		Rules: []string{"task-ack"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.update-unknown", Anchor: "response-1", Level: Should, Party: Server,
		Text:  "An update of an unknown task gets an error.",
		Rules: []string{"task-unknown"}, Samples: Kept,
	},
	{
		ID: "tasks.answered-once", Anchor: "response-1", Level: Should, Party: Client,
		Text:  "A client does not answer the same question twice.",
		Rules: []string{"client-task-keys"}, Client: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.update-ignored", Anchor: "response-1", Level: Should, Party: Server,
		Experiments: []string{"task-unknown-key", "task-answered-key"},
		Text:        "Answers to questions that are not open are ignored.",
		Samples:     Kept, Lesson: "tasks",
		Reason: "This client answers only questions that are open.",
	},
	{
		ID: "tasks.update-type", Anchor: "response-1", Level: Must, Party: Server,
		Text:  "The result of tasks/update has resultType complete.",
		Rules: []string{"task-result-type"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.notification", Anchor: "task-cancellation", Level: MustNot, Party: Client,
		Text:   "A task is not cancelled with notifications/cancelled.",
		Client: Kept, Lesson: "tasks", Reason: noNotify,
	},
	{
		ID: "tasks.cancel-members", Anchor: "request-2", Level: Must, Party: Client,
		Text:   "tasks/cancel has the id of the task.",
		Client: Kept, Lesson: "tasks", Rules: []string{"client-params"},
	},
	{
		ID: "tasks.cancel-ack", Anchor: "response-2", Level: Must, Party: Server,
		Experiments: []string{"task-cancel"},
		Text:        "A successful cancellation is acknowledged with an empty result.",
		Rules:       []string{"task-ack"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.cancel-unknown", Anchor: "response-2", Level: Should, Party: Server,
		Text:  "Cancelling an unknown task gets an error.",
		Rules: []string{"task-unknown"}, Samples: Kept,
	},
	{
		ID: "tasks.cancel-type", Anchor: "response-2", Level: Must, Party: Server,
		Text:  "The result of tasks/cancel has resultType complete.",
		Rules: []string{"task-result-type"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.listen-undeclared", Anchor: "task-status-notifications", Level: Must, Party: Server,
		Text:    "Listening to tasks without the declared extension gets error -32021.",
		Samples: Kept, Reason: noListening,
	},
	{
		ID: "tasks.listen-subset", Anchor: "task-status-notifications", Level: Must, Party: Server,
		Text:    "The acknowledgment lists only tasks that the client asked for.",
		Samples: Kept, Reason: noListening,
	},
	{
		ID: "tasks.listen-whole", Anchor: "task-status-notifications", Level: Must, Party: Server,
		Text:    "A notification about a task has all that tasks/get would return.",
		Samples: Kept, Reason: noListening,
	},
	{
		ID: "tasks.listen-progress", Anchor: "task-status-notifications", Level: MustNot, Party: Server,
		Text:  "Progress of a task is not sent on a stream of subscriptions/listen.",
		Rules: []string{"listen-tasks"}, Samples: Kept,
	},
	{
		ID: "tasks.listen-log", Anchor: "task-status-notifications", Level: MustNot, Party: Server,
		Text:  "Log messages of a task are not sent on a stream of subscriptions/listen.",
		Rules: []string{"listen-tasks"}, Samples: Kept,
	},
	{
		ID: "tasks.name-header", Anchor: "streamable-http-routing-headers", Level: Must, Party: Client,
		Text:  "Requests about a task have its id in the header Mcp-Name.",
		Rules: []string{"client-headers"}, Experiments: []string{"wrong-name-header"},
		Client: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.method-header", Anchor: "streamable-http-routing-headers", Level: Must, Party: Client,
		Text:  "Requests about a task have their method in the header Mcp-Method.",
		Rules: []string{"client-headers"}, Experiments: []string{"wrong-method-header"},
		Client: Kept,
	},
	{
		ID: "tasks.get-unknown", Anchor: "protocol-errors", Level: Must, Party: Server,
		Experiments: []string{"task-unknown-id"},
		Text:        "tasks/get of an unknown task gets error -32602.",
		Rules:       []string{"task-unknown"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.change-unknown", Anchor: "protocol-errors", Level: Should, Party: Server,
		Text:  "tasks/update and tasks/cancel of an unknown task get error -32602.",
		Rules: []string{"task-unknown"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.internal", Anchor: "protocol-errors", Level: Must, Party: Server,
		Text:    "An internal failure gets error -32603.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "tasks.notify-undeclared", Anchor: "protocol-errors", Level: Must, Party: Server,
		Text: "Listening to tasks is refused with error -32021 to a client that did not " +
			"declare the extension.",
		Samples: Kept, Reason: noListening,
	},
	{
		ID: "tasks.methods-undeclared", Anchor: "protocol-errors", Level: Must, Party: Server,
		Text: "tasks/get, tasks/update and tasks/cancel get error -32021 without the declared " +
			"extension.",
		Samples: Kept, Lesson: "tasks",
		Reason: "This client declares the extension in every request about a task.",
	},
	{
		ID: "tasks.informative", Anchor: "protocol-errors", Level: Should, Party: Server,
		Text:    "The messages of errors say what is wrong.",
		Samples: Kept, Reason: onlyText,
	},
	{
		ID: "tasks.failed-message", Anchor: "task-execution-errors", Level: Should, Party: Server,
		Text:    "A failed task has a statusMessage that says what happened.",
		Rules:   []string{"task-members"},
		Samples: Kept,
	},
	{
		ID: "tasks.failed-error", Anchor: "task-execution-errors", Level: Must, Party: Server,
		Text:  "A failed task has its JSON-RPC error.",
		Rules: []string{"task-members"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.failed-tool", Anchor: "task-execution-errors", Level: MustNot, Party: Server,
		Text:  "A tool result with isError does not make a task failed.",
		Rules: []string{"task-members"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.completed-error", Anchor: "task-execution-errors", Level: Must, Party: Server,
		Text:  "A task whose result has isError is completed.",
		Rules: []string{"task-members"}, Samples: Kept, Lesson: "tasks",
	},
	{
		ID: "tasks.exact-error", Anchor: "task-execution-errors", Level: Must, Party: Server,
		Text:  "The error of a failed task is the error that the call would have got.",
		Rules: []string{"task-members"}, Samples: Kept,
	},
	{
		ID: "tasks.exact-result", Anchor: "task-execution-errors", Level: Must, Party: Server,
		Text:  "The result of a completed task is the result that the call would have got.",
		Rules: []string{"task-members", "content-shape"}, Samples: Kept,
	},
	{
		ID: "tasks.guessable", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "The id of a task cannot be guessed.",
		Samples: Kept,
		Reason:  "How an id was made cannot be told from a few of them.",
	},
	{
		ID: "tasks.authorized", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "A server checks for every request that the caller may use the task.",
		Samples: Kept, Lesson: "tasks", Reason: insideServer,
	},
	{
		ID: "tasks.hosts", Anchor: "security-considerations", Level: Must, Party: Client,
		Text:   "A client trusts questions of a task no more than those of a call.",
		Client: Kept, Lesson: "tasks", Reason: onScreen,
	},
}
