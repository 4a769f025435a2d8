package spec

// mrtrPage is basic/patterns/mrtr: questions in results, retries and requestState.
var mrtrPage = Page{
	Path: "basic/patterns/mrtr", Name: "mrtr", Title: "Multi round-trip requests",
	Sentences: mrtrSentences,
}

var mrtrSentences = []Sentence{
	{
		ID: "mrtr.only-pattern", Anchor: "multi-round-trip-requests", Level: Must, Party: Server,
		Text: "A server asks for roots, sampling or elicitation only in a result, never with " +
			"a request of its own.",
		Rules: []string{"stream-requests"}, Samples: Kept, Lesson: "why",
	},
	{
		ID: "mrtr.meta", Anchor: "multi-round-trip-requests", Level: Must, Party: Client,
		Text:  "Every request has the required members of _meta, retries included.",
		Rules: []string{"client-meta"}, Client: Kept, Lesson: "one-round",
	},
	{
		ID: "mrtr.requests-object", Anchor: "inputrequests", Level: Must, Party: Server,
		Text:  "inputRequests is an object that maps keys to requests.",
		Rules: []string{"requests-object"}, Samples: Kept, Lesson: "questions",
	},
	{
		ID: "mrtr.responses-keys", Anchor: "inputresponses", Level: Must, Party: Client,
		Text:  "inputResponses is an object whose keys are those of inputRequests.",
		Rules: []string{"C6", "client-answers"}, Client: Kept, Lesson: "questions",
	},
	{
		ID: "mrtr.responses-values", Anchor: "inputresponses", Level: Must, Party: Client,
		Text:  "Each answer is a result of the kind that its question asks for.",
		Rules: []string{"client-answers"}, Client: Kept, Lesson: "questions",
	},
	{
		ID: "mrtr.state-string", Anchor: "inputrequiredresult", Level: Must, Party: Server,
		Text:  "requestState is a string.",
		Rules: []string{"state-string", "state-content"}, Samples: Kept, Lesson: "rounds",
	},
	{
		ID: "mrtr.state-opaque", Anchor: "inputrequiredresult", Level: MustNot, Party: Client,
		Text: "A client does not inspect, parse or change requestState, and assumes nothing " +
			"about it.",
		Rules: []string{"C2"}, Lesson: "rounds",
		Client: "What is sent never depends on it, but the State panel and some rules name " +
			"its format for testers.",
	},
	{
		ID: "mrtr.own-members", Anchor: "inputrequiredresult", Level: Must, Party: Server,
		Text:  "An InputRequiredResult has its own members, spelled as the schema spells them.",
		Rules: []string{"look-alike", "result-beside"}, Samples: Kept, Lesson: "one-round",
	},
	{
		ID: "mrtr.own-place", Anchor: "inputrequiredresult", Level: Should, Party: Server,
		Text:  "inputRequests and requestState stand in no result of another type.",
		Rules: []string{"questions-beside"}, Samples: Kept, Lesson: "one-round",
	},
	{
		ID: "mrtr.supported", Anchor: "supported-requests", Level: MustNot, Party: Server,
		Text: "Only tools/call, prompts/get and resources/read are answered with an " +
			"InputRequiredResult.",
		Rules: []string{"S1"}, Samples: Kept, Lesson: "one-round",
	},
	{
		ID: "mrtr.keys-unique", Anchor: "server-requirements-basic-workflow", Level: Must, Party: Server,
		Text:  "No two entries of inputRequests have the same key.",
		Rules: []string{"unique-keys"}, Samples: Kept, Lesson: "questions",
	},
	{
		ID: "mrtr.requests-known", Anchor: "server-requirements-basic-workflow",
		Level: Must, Party: Server,
		Text:  "Each entry of inputRequests is an elicitation, a sampling or a roots request.",
		Rules: []string{"requests-known"}, Samples: Kept, Lesson: "questions",
	},
	{
		ID: "mrtr.state-untrusted", Anchor: "server-requirements-basic-workflow",
		Level: Must, Party: Server,
		Text:  "A server treats a requestState that it receives as input from an attacker.",
		Rules: []string{"S4"}, Experiments: []string{"flip-state", "truncate-state", "drop-state"},
		Samples: Kept, Lesson: "attacks",
	},
	{
		ID: "mrtr.state-integrity", Anchor: "server-requirements-basic-workflow",
		Level: Must, Party: Server,
		Text:  "A requestState that anything depends on is protected against changes.",
		Rules: []string{"state-protected", "S4"}, Experiments: []string{"flip-state"},
		Samples: Kept, Lesson: "sealed-state",
	},
	{
		ID: "mrtr.state-rejected", Anchor: "server-requirements-basic-workflow",
		Level: Must, Party: Server,
		Text:  "A requestState that fails verification is rejected.",
		Rules: []string{"S4"}, Experiments: []string{"flip-state", "truncate-state", "spare-bits"},
		Samples: Kept, Lesson: "attacks",
	},
	{
		ID: "mrtr.state-principal", Anchor: "server-requirements-basic-workflow",
		Level: Should, Party: Server,
		Text:  "A requestState names its principal, and is rejected from another one.",
		Rules: []string{"state-personal"}, Experiments: []string{"state-of-another-person"},
		Samples: Kept, Lesson: "attacks",
	},
	{
		ID: "mrtr.state-expiry", Anchor: "server-requirements-basic-workflow",
		Level: Should, Party: Server,
		Text:  "A requestState expires soon, and is rejected after that.",
		Rules: []string{"state-expires"}, Experiments: []string{"expired-state", "late-state"}, Samples: Kept,
		Lesson: "attacks",
	},
	{
		ID: "mrtr.state-request", Anchor: "server-requirements-basic-workflow",
		Level: Should, Party: Server,
		Text:        "A requestState names the request it belongs to, and is rejected with another one.",
		Rules:       []string{"state-bound"},
		Experiments: []string{"state-of-another-call", "state-of-another-tool"}, Samples: Kept,
		Lesson: "attacks",
	},
	{
		ID: "mrtr.state-once", Anchor: "server-requirements-basic-workflow", Level: Must, Party: Server,
		Text:        "A server that may use a requestState only once counts that itself.",
		Experiments: []string{"replay"}, Samples: Kept, Lesson: "attacks",
		Reason: "Whether a second use does harm is known to the server alone; the experiment " +
			"shows what happens.",
	},
	{
		ID: "mrtr.requests-or-state", Anchor: "server-requirements-basic-workflow",
		Level: Must, Party: Server,
		Text:  "An InputRequiredResult has inputRequests or requestState, or both.",
		Rules: []string{"S2"}, Samples: Kept, Lesson: "nothing-to-ask",
	},
	{
		ID: "mrtr.only-declared", Anchor: "server-requirements-basic-workflow",
		Level: MustNot, Party: Server,
		Text:  "A server asks only for what the client declared.",
		Rules: []string{"S3"}, Experiments: []string{"omit-capability"}, Samples: Kept,
		Lesson: "questions",
	},
	{
		ID: "mrtr.no-assumption", Anchor: "server-requirements-basic-workflow",
		Level: MustNot, Party: Server,
		Text:    "A server does not assume that the client answers or retries.",
		Samples: Kept, Lesson: "saying-no", Reason: insideServer,
	},
	{
		ID: "mrtr.all-answers", Anchor: "client-requirements-basic-workflow", Level: Must, Party: Client,
		Text:  "A client has the answers to all questions before it retries.",
		Rules: []string{"C6"}, Experiments: []string{"skip-answer"}, Client: Kept,
		Lesson: "questions",
	},
	{
		ID: "mrtr.echo", Anchor: "client-requirements-basic-workflow", Level: Must, Party: Client,
		Text:  "A retry has exactly the requestState of the result.",
		Rules: []string{"C2"}, Experiments: []string{"drop-state"}, Client: Kept, Lesson: "rounds",
	},
	{
		ID: "mrtr.no-state", Anchor: "client-requirements-basic-workflow", Level: MustNot, Party: Client,
		Text:  "A retry has no requestState if the result had none.",
		Rules: []string{"C3"}, Client: Kept, Lesson: "one-round",
	},
	{
		ID: "mrtr.new-id", Anchor: "client-requirements-basic-workflow", Level: Must, Party: Client,
		Text:  "A retry has another JSON-RPC id than the request before it.",
		Rules: []string{"C4"}, Experiments: []string{"reuse-id"}, Client: Kept,
		Lesson: "one-round",
	},
	{
		ID: "mrtr.same-request", Anchor: "client-requirements-basic-workflow",
		Level: MustNot, Party: Client,
		Text: "Answers and requestState are used only for the retry of the request that they " +
			"belong to.",
		Rules: []string{"C5"}, Client: Kept, Lesson: "rounds",
	},
	{
		ID: "mrtr.answers-validated", Anchor: "error-handling", Level: Should, Party: Server,
		Text:        "A server checks that the answers are well-formed and can be read.",
		Rules:       []string{"S7"},
		Experiments: []string{"malformed-answer", "wrong-type", "out-of-range"}, Samples: Kept,
		Lesson: "questions",
	},
	{
		ID: "mrtr.protocol-errors", Anchor: "error-handling", Level: Should, Party: Server,
		Text:  "Malformed JSON, wrong structures and internal failures get a JSON-RPC error.",
		Rules: []string{"S7"}, Experiments: []string{"malformed-answer", "malformed-json"},
		Samples: Kept, Lesson: "questions",
	},
	{
		ID: "mrtr.extra-ignored", Anchor: "error-handling", Level: Should, Party: Server,
		Text:        "Answers that the server does not know or need are ignored.",
		Rules:       []string{"S6"},
		Experiments: []string{"extra-key", "wrong-key", "early-answer", "early-after-gap"}, Samples: Kept,
		Lesson: "rolling-upgrade",
	},
	{
		ID: "mrtr.asked-again", Anchor: "error-handling", Level: Should, Party: Server,
		Text:        "If a needed answer is missing, the server asks for it again.",
		Rules:       []string{"S5", "same-question", "state-moves"},
		Experiments: []string{"skip-answer", "wrong-key"}, Samples: Kept, Lesson: "questions",
	},
	{
		ID: "mrtr.state-validated", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:  "Servers validate requestState, because it passes through the client.",
		Rules: []string{"S4"}, Experiments: []string{"flip-state", "truncate-state"},
		Samples: Kept, Lesson: "attacks",
	},
}
