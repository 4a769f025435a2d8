package spec

// paginationPage is server/utilities/pagination: lists in pages.
var paginationPage = Page{
	Path: "server/utilities/pagination", Name: "pagination", Title: "Pagination",
	Sentences: paginationSentences,
}

var paginationSentences = []Sentence{
	{
		ID: "pagination.page-size", Anchor: "pagination-model", Level: MustNot, Party: Client,
		Text:   "A client expects no certain number of entries on a page.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "pagination.cursor", Anchor: "response-format", Level: Must, Party: Server,
		Text:  "nextCursor, if there is one, is a string.",
		Rules: []string{"member-types"}, Samples: Kept,
	},
	{
		ID: "pagination.stable", Anchor: "implementation-guidelines", Level: Should, Party: Server,
		Text:  "Cursors are stable, so that following them leads to the end of the list.",
		Rules: []string{"list-pages"}, Samples: Kept,
	},
	{
		ID: "pagination.graceful", Anchor: "implementation-guidelines", Level: Should, Party: Server,
		Text:    "A server copes with invalid cursors.",
		Samples: Kept, Reason: "This client sends only cursors that it received.",
	},
	{
		ID: "pagination.end", Anchor: "implementation-guidelines", Level: Should, Party: Client,
		Text: "A client takes a list without nextCursor for complete, and reads lists with and without " +
			"pages.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "pagination.opaque", Anchor: "implementation-guidelines", Level: Must, Party: Client,
		Text:   "A client assumes nothing about a cursor: the empty one goes on, too.",
		Client: Kept, Reason: insideClient,
	},
	{
		ID: "pagination.invalid", Anchor: "error-handling", Level: Should, Party: Server,
		Text:    "An invalid cursor gets error -32602.",
		Samples: Kept, Reason: "This client sends only cursors that it received.",
	},
}
