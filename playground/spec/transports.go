package spec

// transportsPage is basic/transports/index: what every transport provides.
var transportsPage = Page{
	Path: "basic/transports/index", Name: "transports", Title: "Transports",
	Sentences: transportsSentences,
}

var transportsSentences = []Sentence{
	{
		ID: "transports.utf8", Anchor: "messages", Level: Must, Party: Both,
		Text:  "Every message is encoded in UTF-8.",
		Rules: []string{"utf-8", "client-envelope"}, Client: Kept, Samples: Kept, Lesson: "http",
	},
	{
		ID: "transports.directions", Anchor: "messages", Level: MustNot, Party: Both,
		Text:  "Servers send no requests, and clients send no responses.",
		Rules: []string{"stream-requests", "client-envelope"}, Client: Kept, Samples: Kept,
		Lesson: "why",
	},
}
