package spec

// elicitationPage is client/elicitation: forms and links.
var elicitationPage = Page{
	Path: "client/elicitation", Name: "elicitation", Title: "Elicitation",
	Sentences: elicitationSentences,
}

var elicitationSentences = []Sentence{
	{
		ID: "elicitation.secret-form", Anchor: "user-interaction-model", Level: MustNot, Party: Server,
		Text:  "A form does not ask for passwords, keys, tokens or payment data.",
		Rules: []string{"form-secret"}, Samples: Kept, Lesson: "saying-no",
	},
	{
		ID: "elicitation.secret-url", Anchor: "user-interaction-model", Level: Must, Party: Server,
		Text:  "Such secrets are asked for in URL mode.",
		Rules: []string{"form-secret"}, Samples: Kept, Lesson: "url-mode",
	},
	{
		ID: "elicitation.which-server", Anchor: "user-interaction-model", Level: Must, Party: Client,
		Text:   "The user sees which server asks.",
		Client: Kept, Lesson: "saying-no", Reason: onScreen,
	},
	{
		ID: "elicitation.ways-out", Anchor: "user-interaction-model", Level: Must, Party: Client,
		Text:   "The user can always decline or cancel.",
		Client: Kept, Lesson: "saying-no", Reason: onScreen,
	},
	{
		ID: "elicitation.review", Anchor: "user-interaction-model", Level: Must, Party: Client,
		Text:   "The user can review and change the answers to a form before they are sent.",
		Client: Kept, Lesson: "saying-no", Reason: onScreen,
	},
	{
		ID: "elicitation.url-consent", Anchor: "user-interaction-model", Level: Must, Party: Client,
		Text:   "The user sees the host of a link and agrees before it is opened.",
		Lesson: "url-mode", Reason: onScreen,
		Client: Kept,
	},
	{
		ID: "elicitation.declared", Anchor: "capabilities", Level: Must, Party: Client,
		Text:   "A client that supports elicitation declares it in every request.",
		Client: Kept, Lesson: "questions",
		Reason: "What a client supports shows only in what it declares.",
	},
	{
		ID: "elicitation.one-mode", Anchor: "capabilities", Level: Must, Party: Client,
		Text:   "A client that declares elicitation supports forms or links.",
		Client: Kept, Lesson: "questions",
		Reason: "What a client supports shows only in what it declares.",
	},
	{
		ID: "elicitation.modes", Anchor: "capabilities", Level: MustNot, Party: Server,
		Text:  "A server uses only modes that the client supports.",
		Rules: []string{"S3"}, Experiments: []string{"omit-capability"}, Samples: Kept,
		Lesson: "questions",
	},
	{
		ID: "elicitation.mode", Anchor: "elicitation-requests", Level: Must, Party: Server,
		Text:  "The mode of an elicitation is form or url.",
		Rules: []string{"elicitation-params"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "elicitation.message", Anchor: "elicitation-requests", Level: Must, Party: Server,
		Text:  "Every elicitation has a message.",
		Rules: []string{"elicitation-params"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "elicitation.mode-absent", Anchor: "elicitation-requests", Level: Must, Party: Client,
		Text:   "An elicitation without a mode is a form.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "elicitation.form-mode", Anchor: "form-mode-elicitation-requests",
		Level: Must, Party: Server,
		Text:  "A form has the mode form or none.",
		Rules: []string{"elicitation-params"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "elicitation.form-schema", Anchor: "form-mode-elicitation-requests",
		Level: Must, Party: Server,
		Text:  "A form has a requestedSchema.",
		Rules: []string{"elicitation-params"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "elicitation.flat", Anchor: "requested-schema", Level: Must, Party: Server,
		Text:  "The schema of a form is an object with simple properties only.",
		Rules: []string{"schema-subset"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "elicitation.types", Anchor: "requested-schema", Level: Must, Party: Server,
		Text:  "A property is a string, a number, an integer, a boolean or a choice from a list.",
		Rules: []string{"schema-subset"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "elicitation.formats", Anchor: "requested-schema", Level: Must, Party: Server,
		Text:  "The format of a string is email, uri, date or date-time.",
		Rules: []string{"schema-subset"}, Samples: Kept,
	},
	{
		ID: "elicitation.schema-answerable", Anchor: "requested-schema", Level: Must, Party: Server,
		Text:  "There is an answer that the schema of a form accepts.",
		Rules: []string{"schema-satisfiable"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "elicitation.defaults", Anchor: "requested-schema", Level: Should, Party: Client,
		Text:   "A client fills in the defaults of a form.",
		Client: Kept, Reason: onScreen,
	},
	{
		ID: "elicitation.url-mode", Anchor: "url-mode-elicitation-requests", Level: Must, Party: Server,
		Text:  "A link has the mode url and a message.",
		Rules: []string{"elicitation-params"}, Samples: Kept, Lesson: "url-mode",
	},
	{
		ID: "elicitation.url-param", Anchor: "url-mode-elicitation-requests", Level: Must, Party: Server,
		Text:  "A link has the parameter url.",
		Rules: []string{"elicitation-params"}, Samples: Kept, Lesson: "url-mode",
	},
	{
		ID: "elicitation.url-valid", Anchor: "url-mode-elicitation-requests", Level: Must, Party: Server,
		Text:  "The url is a valid URL.",
		Rules: []string{"elicitation-params"}, Samples: Kept, Lesson: "url-mode",
	},
	{
		ID: "elicitation.url-controls", Anchor: "example-request-sensitive-data",
		Level: Should, Party: Client,
		Text:   "After a link the user can retry or cancel the call by hand.",
		Client: Kept, Lesson: "url-mode", Reason: onScreen,
	},
	{
		ID: "elicitation.actions", Anchor: "response-actions", Level: Must, Party: Client,
		Text:  "The action of an answer is accept, decline or cancel.",
		Rules: []string{"client-answers"}, Client: Kept, Lesson: "saying-no",
	},
	{
		ID: "elicitation.accept-form", Anchor: "response-actions", Level: Must, Party: Client,
		Text:  "An accepted form has content that matches its schema.",
		Rules: []string{"client-answers"}, Client: Kept, Lesson: "saying-no",
	},
	{
		ID: "elicitation.accept-url", Anchor: "response-actions", Level: Must, Party: Client,
		Text:   "An accepted link has no content.",
		Client: Kept, Lesson: "url-mode", Rules: []string{"client-answers"},
	},
	{
		ID: "elicitation.state-user", Anchor: "statefulness", Level: Must, Party: Server,
		Text:    "State that a server keeps about an elicitation belongs to one user.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "elicitation.state-storage", Anchor: "statefulness", Level: Must, Party: Server,
		Text:    "Such state is protected against access by others.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "elicitation.state-identity", Anchor: "statefulness", Level: Must, Party: Server,
		Text:    "A remote server identifies the user by the credentials of the request.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "elicitation.not-own-sign-in", Anchor: "url-mode-elicitation-for-oauth-flows",
		Level: MustNot, Party: Server,
		Text:    "A server does not use links to authorize users for itself.",
		Samples: Kept, Lesson: "url-mode", Reason: insideServer,
	},
	{
		ID: "elicitation.credentials-passed", Anchor: "understanding-the-distinction",
		Level: MustNot, Party: Server,
		Text:  "Credentials for a third party do not pass through the client.",
		Rules: []string{"form-secret"}, Samples: Kept, Lesson: "url-mode",
	},
	{
		ID: "elicitation.passthrough", Anchor: "understanding-the-distinction",
		Level: MustNot, Party: Server,
		Text:    "A server does not use the client's credentials for a third party.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "elicitation.direct", Anchor: "understanding-the-distinction", Level: Must, Party: Server,
		Text:    "The user authorizes the server at the third party directly.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "elicitation.credentials-sent", Anchor: "understanding-the-distinction",
		Level: MustNot, Party: Server,
		Text:    "A server does not send credentials that it obtained by a link to the client.",
		Samples: Kept, Lesson: "url-mode", Reason: onlyText,
	},
	{
		ID: "elicitation.succeeds", Anchor: "error-handling", Level: ShouldNot, Party: Server,
		Text:    "A server does not assume that an elicitation succeeds.",
		Samples: Kept, Lesson: "saying-no", Reason: insideServer,
	},
	{
		ID: "elicitation.refusals", Anchor: "error-handling", Level: Must, Party: Server,
		Experiments: []string{"decline-answer", "cancel-answer"},
		Text:        "A server handles a decline or a cancel.",
		Samples:     Kept, Lesson: "saying-no",
		Reason: "What the right reaction to a refusal is depends on the tool.",
	},
	{
		ID: "elicitation.failures", Anchor: "error-handling", Level: Must, Party: Server,
		Text:    "A server handles a client that cannot process an elicitation.",
		Samples: Kept, Lesson: "saying-no",
		Reason: "A client that stops sends nothing.",
	},
	{
		ID: "elicitation.bound", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:  "A server binds an elicitation to the client and its user.",
		Rules: []string{"state-personal"}, Experiments: []string{"state-of-another-person"},
		Samples: Kept, Lesson: "attacks",
	},
	{
		ID: "elicitation.server-shown", Anchor: "security-considerations", Level: Must, Party: Client,
		Text:   "A client shows which server asks.",
		Client: Kept, Lesson: "saying-no", Reason: onScreen,
	},
	{
		ID: "elicitation.approval", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "The user approves what is sent.",
		Client: Kept, Lesson: "saying-no", Reason: onScreen,
	},
	{
		ID: "elicitation.any-time", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "The user can decline at any time.",
		Client: Kept, Lesson: "saying-no", Reason: onScreen,
	},
	{
		ID: "elicitation.clear", Anchor: "security-considerations", Level: Should, Party: Client,
		Text:   "The user sees what is asked for, and why.",
		Client: Kept, Lesson: "saying-no", Reason: onScreen,
	},
	{
		ID: "elicitation.url-sensitive", Anchor: "safe-url-handling", Level: MustNot, Party: Server,
		Text:  "A link has no credentials or personal data of the user.",
		Rules: []string{"url-personal"}, Samples: Kept, Lesson: "url-mode",
	},
	{
		ID: "elicitation.url-preauthenticated", Anchor: "safe-url-handling",
		Level: MustNot, Party: Server,
		Text:  "A link does not give access to a protected resource by itself.",
		Rules: []string{"url-personal"}, Samples: Kept, Lesson: "url-mode",
	},
	{
		ID: "elicitation.form-links", Anchor: "safe-url-handling", Level: ShouldNot, Party: Server,
		Text:  "No text of a form has a link that is meant to be clicked.",
		Rules: []string{"form-links"}, Samples: Kept, Lesson: "url-mode",
	},
	{
		ID: "elicitation.url-https", Anchor: "safe-url-handling", Level: Should, Party: Server,
		Text:  "Links use https outside of development.",
		Rules: []string{"url-https"}, Samples: Kept, Lesson: "url-mode",
	},
	{
		ID: "elicitation.url-careful", Anchor: "safe-url-handling", Level: Must, Party: Client,
		Text:   "A client protects the user from malicious links.",
		Client: Kept, Lesson: "url-mode", Reason: onScreen,
	},
	{
		ID: "elicitation.no-prefetch", Anchor: "safe-url-handling", Level: MustNot, Party: Client,
		Text:   "A client does not fetch the link or anything about it.",
		Client: Kept, Lesson: "url-mode",
		Reason: "A fetch would be a connection outside of the recording.",
	},
	{
		ID: "elicitation.no-open", Anchor: "safe-url-handling", Level: MustNot, Party: Client,
		Text:   "A client opens a link only after the user agreed.",
		Client: Kept, Lesson: "url-mode", Reason: onScreen,
	},
	{
		ID: "elicitation.full-url", Anchor: "safe-url-handling", Level: Must, Party: Client,
		Text:   "The user sees the whole URL before agreeing.",
		Lesson: "url-mode", Reason: onScreen,
		Client: Kept,
	},
	{
		ID: "elicitation.secure-open", Anchor: "safe-url-handling", Level: Must, Party: Client,
		Text:   "The page opens where the client and its model cannot look into it.",
		Client: Kept, Lesson: "url-mode", Reason: onScreen,
	},
	{
		ID: "elicitation.highlight", Anchor: "safe-url-handling", Level: Should, Party: Client,
		Text:   "The host of the URL stands out.",
		Client: Kept, Lesson: "url-mode", Reason: onScreen,
	},
	{
		ID: "elicitation.warnings", Anchor: "safe-url-handling", Level: Should, Party: Client,
		Text:   "A client warns of suspicious URLs, such as those with Punycode.",
		Client: Kept, Lesson: "url-mode", Reason: onScreen,
	},
	{
		ID: "elicitation.not-clickable", Anchor: "safe-url-handling", Level: ShouldNot, Party: Client,
		Text:   "Nothing but the url of a link can be clicked.",
		Client: Kept, Lesson: "url-mode", Reason: onScreen,
	},
	{
		ID: "elicitation.user-claims", Anchor: "identifying-the-user", Level: MustNot, Party: Server,
		Text:    "A server does not believe what the client says about the user.",
		Samples: Kept, Lesson: "attacks", Reason: insideServer,
	},
	{
		ID: "elicitation.user-verified", Anchor: "identifying-the-user", Level: Should, Party: Server,
		Text:   "A server identifies the user by verified credentials.",
		Lesson: "attacks", Reason: insideServer,
		Samples: "Only the sample Protected does; in the others, two demo tokens stand for users.",
	},
	{
		ID: "elicitation.form-sensitive", Anchor: "form-mode-security", Level: MustNot, Party: Server,
		Text:  "A form does not ask for sensitive information.",
		Rules: []string{"form-secret"}, Samples: Kept, Lesson: "saying-no",
	},
	{
		ID: "elicitation.client-validates", Anchor: "form-mode-security", Level: Should, Party: Client,
		Text:  "A client validates its answers against the schema.",
		Rules: []string{"client-answers"}, Experiments: []string{"wrong-type", "out-of-range"},
		Client: Kept, Lesson: "questions",
	},
	{
		ID: "elicitation.server-validates", Anchor: "form-mode-security", Level: Should, Party: Server,
		Text:        "A server validates the answers against the schema.",
		Experiments: []string{"wrong-type", "out-of-range"}, Samples: Kept, Lesson: "questions",
		Reason: bySending,
	},
	{
		ID: "elicitation.opener", Anchor: "phishing", Level: Must, Party: Server,
		Text:    "A server verifies who opens a link before it accepts anything there.",
		Samples: Kept, Lesson: "attacks", Reason: insideServer,
	},
	{
		ID: "elicitation.same-user", Anchor: "phishing", Level: Must, Party: Server,
		Text:    "The user who finishes the page is the user who made the call.",
		Samples: Kept, Lesson: "url-mode", Reason: insideServer,
	},
	{
		ID: "elicitation.changed-url", Anchor: "phishing", Level: Must, Party: Server,
		Text:    "A changed link does not deceive a server about its user.",
		Samples: Kept, Lesson: "url-mode", Reason: insideServer,
	},
}
