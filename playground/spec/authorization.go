package spec

// authorizationPage is basic/authorization/index, as far as messages to servers go.
var authorizationPage = Page{
	Path: "basic/authorization/index", Name: "authorization", Title: "Access tokens",
	Sentences: authorizationSentences,
}

var authorizationSentences = []Sentence{
	{
		ID: "authorization.header", Anchor: "token-requirements", Level: Must, Party: Client,
		Text:   "An access token is sent in the header Authorization.",
		Client: Kept,
		Reason: "A recording hides the header's value, which may have another kind of secret.",
	},
	{
		ID: "authorization.every-request", Anchor: "token-requirements", Level: Must, Party: Client,
		Text:   "The header is in every request.",
		Client: Kept,
		Reason: "Whether a server needs a token shows only in its answers.",
	},
	{
		ID: "authorization.query", Anchor: "token-requirements", Level: MustNot, Party: Client,
		Text:  "No access token is in the query of a URL.",
		Rules: []string{"client-secret"}, Lesson: "saying-no", Client: Kept,
	},
	{
		ID: "authorization.validated", Anchor: "token-handling", Level: Must, Party: Server,
		Text:        "A server validates access tokens.",
		Experiments: []string{"made-up-token"},
		Samples:     Kept, Reason: insideServer,
	},
	{
		ID: "authorization.audience", Anchor: "token-handling", Level: Must, Party: Server,
		Text:        "A server accepts only tokens that were issued for it.",
		Experiments: []string{"other-audience"},
		Samples:     Kept, Reason: insideServer,
	},
	{
		ID: "authorization.refused", Anchor: "token-handling", Level: Must, Party: Server,
		Text:        "An invalid or expired token gets HTTP status 401.",
		Experiments: []string{"made-up-token", "expired-token"},
		Samples:     Kept,
		Reason:      "Whether a token is valid is known to the server alone.",
	},
	{
		ID: "authorization.own-tokens", Anchor: "token-handling", Level: MustNot, Party: Client,
		Text:   "A client sends a server only tokens that were issued for it.",
		Client: Kept,
		Reason: "A token does not show who issued it.",
	},
	{
		ID: "authorization.status", Anchor: "error-handling", Level: Must, Party: Server,
		Text:        "A request that needs a token and has none gets HTTP status 401.",
		Experiments: []string{"no-token"},
		Samples:     Kept,
		Reason:      "Whether a request needs a token is known to the server alone.",
	},
	{
		ID: "authorization.scopes", Anchor: "runtime-insufficient-scope-errors", Level: Should, Party: Server,
		Text: "A token with too few scopes gets HTTP status 403, error=\"insufficient_scope\" and the " +
			"scopes that are missing.",
		Experiments: []string{"narrow-token"},
		Samples:     Kept,
		Reason:      "Which scopes a token has is known to the server alone.",
	},
}
