package spec

// cachingPage is server/utilities/caching.
var cachingPage = Page{
	Path: "server/utilities/caching", Name: "caching", Title: "Caching",
	Sentences: cachingSentences,
}

var cachingSentences = []Sentence{
	{
		ID: "caching.discover", Anchor: "cacheable-results", Level: Must, Party: Server,
		Text:  "The result of server/discover has ttlMs and cacheScope.",
		Rules: []string{"cache-hints"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.tools", Anchor: "cacheable-results", Level: Must, Party: Server,
		Text:  "The result of tools/list has ttlMs and cacheScope.",
		Rules: []string{"cache-hints"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.prompts", Anchor: "cacheable-results", Level: Must, Party: Server,
		Text:  "The result of prompts/list has ttlMs and cacheScope.",
		Rules: []string{"cache-hints"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.resources", Anchor: "cacheable-results", Level: Must, Party: Server,
		Text:  "The result of resources/list has ttlMs and cacheScope.",
		Rules: []string{"cache-hints"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.templates", Anchor: "cacheable-results", Level: Must, Party: Server,
		Text:  "The result of resources/templates/list has ttlMs and cacheScope.",
		Rules: []string{"cache-hints"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.read", Anchor: "cacheable-results", Level: Must, Party: Server,
		Text:  "The result of resources/read has ttlMs and cacheScope.",
		Rules: []string{"cache-hints"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.interim", Anchor: "cacheable-results", Level: MustNot, Party: Server,
		Text:  "An InputRequiredResult has no caching hints.",
		Rules: []string{"cache-beside"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.same-request", Anchor: "cache-key", Level: MustNot, Party: Client,
		Text:   "A cached result is used only for a request with the same method and parameters.",
		Client: Kept, Reason: inCache,
	},
	{
		ID: "caching.retries", Anchor: "cache-key", Level: MustNot, Party: Client,
		Text:   "The result of a retry with answers or requestState is not cached.",
		Client: Kept, Reason: inCache,
	},
	{
		ID: "caching.zero", Anchor: "time-to-live-ttl-field", Level: Should, Party: Client,
		Text:   "A result whose ttlMs is 0 is stale at once.",
		Reason: inCache,
		Client: "The lists of a server are shown until the user connects again.",
	},
	{
		ID: "caching.positive", Anchor: "time-to-live-ttl-field", Level: Should, Party: Client,
		Text:   "A result with a positive ttlMs is fresh for that time.",
		Reason: inCache,
		Client: "ttlMs is not read; the lists of a server are shown until the user connects again.",
	},
	{
		ID: "caching.absent", Anchor: "time-to-live-ttl-field", Level: Should, Party: Client,
		Text:   "A missing ttlMs counts as 0.",
		Reason: inCache,
		Client: "ttlMs is not read.",
	},
	{
		ID: "caching.negative", Anchor: "time-to-live-ttl-field", Level: Should, Party: Client,
		Text:   "A negative ttlMs counts as 0.",
		Reason: inCache,
		Client: "ttlMs is not read.",
	},
	{
		ID: "caching.not-negative", Anchor: "time-to-live-ttl-field", Level: Must, Party: Server,
		Text:  "ttlMs is 0 or more.",
		Rules: []string{"cache-hints"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.integer", Anchor: "time-to-live-ttl-field", Level: Must, Party: Server,
		Text:  "ttlMs is an integer.",
		Rules: []string{"cache-hints"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.stale", Anchor: "freshness-calculation", Level: Should, Party: Client,
		Text:   "A stale result is fetched again when it is needed next.",
		Reason: inCache,
		Client: "ttlMs is not read; the lists of a server are fetched again when the user " +
			"connects again.",
	},
	{
		ID: "caching.no-polling", Anchor: "freshness-calculation", Level: ShouldNot, Party: Client,
		Text: "A client does not fetch results again in the background only because ttlMs has " +
			"passed.",
		Client: Kept, Reason: inCache,
	},
	{
		ID: "caching.jitter", Anchor: "freshness-calculation", Level: Must, Party: Client,
		Text:   "A client that polls varies its intervals and backs off.",
		Client: Unused, Reason: inCache,
	},
	{
		ID: "caching.scope", Anchor: "cache-scope-field", Level: Must, Party: Server,
		Text:  "cacheScope is public or private.",
		Rules: []string{"cache-hints"}, Samples: Kept, Lesson: "build",
	},
	{
		ID: "caching.private", Anchor: "cache-scope-field", Level: MustNot, Party: Client,
		Text:   "A private result is not shared with another authorization.",
		Client: Kept, Reason: inCache,
	},
	{
		ID: "caching.page-again", Anchor: "interaction-with-pagination", Level: Should, Party: Client,
		Text:   "A page that is stale is fetched again with its cursor.",
		Client: Unused, Reason: inCache,
	},
	{
		ID: "caching.snapshot", Anchor: "interaction-with-pagination", Level: Should, Party: Client,
		Text:   "A client that needs a consistent list fetches it from the beginning.",
		Client: Kept, Reason: inCache,
	},
	{
		ID: "caching.cursor", Anchor: "interaction-with-pagination", Level: Should, Party: Client,
		Text:   "If a cursor is no longer valid, the client drops all pages and starts again.",
		Reason: inCache,
		Client: "The list is shown as failed until the user connects again.",
	},
	{
		ID: "caching.page-scope", Anchor: "interaction-with-pagination", Level: Must, Party: Server,
		Text:    "All pages of a list have the same cacheScope.",
		Samples: Kept, Rules: []string{"cache-hints"},
	},
	{
		ID: "caching.aware", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "A server expects that a public result may be shared between callers.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "caching.access", Anchor: "security-considerations", Level: Must, Party: Server,
		Text:    "A server controls access to what it offers.",
		Samples: Kept, Reason: insideServer,
	},
	{
		ID: "caching.scope-alone", Anchor: "security-considerations", Level: MustNot, Party: Server,
		Text:    "Access control does not rest on cacheScope alone.",
		Samples: Kept, Reason: insideServer,
	},
}
