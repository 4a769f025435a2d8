package lab

// Clauses that the experiments are about.
const (
	specification  = "https://modelcontextprotocol.io/specification/2026-07-28/"
	clauseErrors   = specification + "basic/patterns/mrtr#error-handling"
	clauseServer   = specification + "basic/patterns/mrtr#server-requirements-basic-workflow"
	clauseClient   = specification + "basic/patterns/mrtr#client-requirements-basic-workflow"
	clauseMeta     = specification + "basic/index#meta"
	clauseHeaders  = specification + "basic/transports/streamable-http#server-validation"
	clauseVersion  = specification + "basic/transports/streamable-http#protocol-version-header"
	clauseMessages = specification + "basic/index#messages"
)

func answerExperiments() []Experiment {
	again := "The server asks again for what is missing instead of failing."
	validates := "The server validates what it is given: an error, or the same question once more."
	return []Experiment{
		{ID: "skip-answer", Title: "Skip an answer", Sends: "The retry leaves out the answer to the first question.",
			Expects: again, Level: Should, Clause: clauseErrors, Rule: "S5", Needs: NeedsQuestion, outcome: always(AskedAgain), change: skipAnswer},
		{ID: "extra-key", Title: "Add an answer nobody asked for", Sends: "The retry has one more answer, under a key that was not asked.",
			Expects: "The server ignores what it does not recognise.", Level: Should, Clause: clauseErrors, Rule: "S6", Needs: NeedsQuestion, outcome: always(Accepted), change: extraKey},
		{ID: "wrong-key", Title: "Answer under a wrong key", Sends: "The first answer comes under another key.",
			Expects: again, Level: Should, Clause: clauseErrors, Rule: "S5", Needs: NeedsQuestion, outcome: always(AskedAgain), change: wrongKey},
		{ID: "wrong-type", Title: "Answer with a wrong type", Sends: "One value of the first answer has another JSON type than was asked for.",
			Expects: validates, Level: Should, Clause: clauseErrors, Needs: NeedsQuestion, outcome: always(AskedAgain), change: wrongType},
		{ID: "out-of-range", Title: "Answer out of range", Sends: "One value is beyond what its schema allows: a limit, a length, or a choice that is not offered.",
			Expects: validates, Level: Should, Clause: clauseErrors, Needs: NeedsQuestion, outcome: always(AskedAgain), change: outOfRange},
		{ID: "malformed-answer", Title: "Answer with a bare string", Sends: "The first answer is a string where an object must be.",
			Expects: "The server answers with a JSON-RPC error.", Level: Should, Clause: clauseErrors, Rule: "S7", Needs: NeedsQuestion, outcome: always(Rejected), change: malformedAnswer},
	}
}

func stateExperiments() []Experiment {
	verify := "Where anything depends on the state, the server rejects one that fails verification."
	bound := "The server rejects a state on a request that it was not given for."
	return []Experiment{
		{ID: "flip-state", Title: "Flip one byte of the state", Sends: "One byte of the requestState is changed. A readable state stays readable: only a value in it differs.",
			Expects: verify, Level: Must, Clause: clauseServer, Rule: "S4", Needs: NeedsState, outcome: unlessPlain(Rejected), change: flipState},
		{ID: "truncate-state", Title: "Cut the state short", Sends: "The second half of the requestState is cut off.",
			Expects: verify, Level: Must, Clause: clauseServer, Rule: "S4", Needs: NeedsState, outcome: always(Rejected), change: truncateState},
		{ID: "drop-state", Title: "Drop the state", Sends: "The retry leaves the requestState out.",
			Expects: "The client must echo the state; a server that needs it cannot go on without.", Level: May, Clause: clauseClient, Needs: NeedsState, outcome: always(AskedAgain), change: dropState},
		{ID: "state-of-another-call", Title: "Use the state of another call", Sends: "The requestState comes with other arguments than those it was given for.",
			Expects: bound, Level: Should, Clause: clauseServer, Rule: "state-bound", Needs: NeedsState, outcome: always(Rejected), change: otherCall},
		{ID: "state-of-another-tool", Title: "Use the state of another tool", Sends: "The requestState comes with a call of another tool.",
			Expects: bound, Level: Should, Clause: clauseServer, Rule: "state-bound", Needs: NeedsState, outcome: always(Rejected), change: otherCall},
		{ID: "state-of-another-person", Title: "Use the state of another person", Sends: "The requestState comes with the credentials of somebody else.",
			Expects: "The server rejects a state that is presented by a different principal.", Level: Should, Clause: clauseServer, Rule: "state-personal", Needs: NeedsState, outcome: always(Rejected), change: otherPerson},
		{ID: "expired-state", Title: "Wait until the state has lapsed", Sends: "The retry is right, but comes after the requestState has expired.",
			Expects: "The server rejects a state that is presented after its short life.", Level: Should, Clause: clauseServer, Rule: "state-expires", Needs: NeedsState, outcome: always(Rejected)},
		{ID: "replay", Title: "Send the same retry twice", Sends: "The retry is sent, and then the very same bytes once more.",
			Expects: "Only where something must happen at most once, the server must see to that itself; a state cannot.", Level: May, Clause: clauseServer, Needs: NeedsState, outcome: always(Accepted)},
	}
}

func capabilityExperiments() []Experiment {
	return []Experiment{
		{ID: "omit-capability", Title: "Declare no capabilities", Sends: "The first request declares no client capability at all.",
			Expects: "The server asks for nothing that was not declared; if it cannot do without, it answers with 400 and error -32021.",
			Level:   Must, Clause: clauseMeta, Rule: "S3", outcome: always(Rejected), change: omitCapability},
	}
}

func headerExperiments() []Experiment {
	const refused = "The server refuses headers that do not fit the body, with 400 and error -32020."
	header := func(id, title, sends, name, value string) Experiment {
		return Experiment{ID: id, Title: title, Sends: sends, Expects: refused, Level: Must, Clause: clauseHeaders, Rule: "header-mismatch",
			outcome: always(Rejected), change: setHeader(name, value)}
	}
	return []Experiment{
		header("wrong-name-header", "Name another tool in the header", "Mcp-Name names something else than the body.", "Mcp-Name", "something-else"),
		header("no-name-header", "Leave Mcp-Name out", "The request has no Mcp-Name header.", "Mcp-Name", ""),
		header("wrong-method-header", "Name another method in the header", "Mcp-Method names another method than the body.", "Mcp-Method", "tools/list"),
		header("no-method-header", "Leave Mcp-Method out", "The request has no Mcp-Method header.", "Mcp-Method", ""),
		header("wrong-version-header", "Name another version in the header", "MCP-Protocol-Version names a later revision than the body.", "MCP-Protocol-Version", "2999-01-01"),
		{ID: "no-version-header", Title: "Leave the version header out", Sends: "The request has no MCP-Protocol-Version header.",
			Expects: "The server refuses it with 400 and error -32020, unless it also serves clients from before 2025-06-18.",
			Level:   May, Clause: clauseVersion, Rule: "header-mismatch", outcome: always(Rejected), change: setHeader("MCP-Protocol-Version", "")},
	}
}

func messageExperiments() []Experiment {
	const malformed = "A request without a required member of _meta is refused with 400 and error -32602."
	meta := func(id, title, sends, member string) Experiment {
		return Experiment{ID: id, Title: title, Sends: sends, Expects: malformed, Level: Must, Clause: clauseMeta, Rule: "meta-missing",
			outcome: always(Rejected), change: dropMeta(member)}
	}
	return []Experiment{
		meta("no-meta", "Leave _meta out", "The request has no _meta.", ""),
		meta("no-meta-version", "Leave the version out of _meta", "_meta does not say the protocol version.", metaVersion),
		meta("no-meta-capabilities", "Leave the capabilities out of _meta", "_meta does not say the client's capabilities.", metaCapabilities),
		{ID: "old-version", Title: "Speak a version nobody speaks", Sends: "Header and _meta both name the version 1900-01-01.",
			Expects: "The server refuses it with 400 and error -32022, and lists what it speaks.", Level: Must, Clause: clauseVersion, Rule: "version-unknown",
			outcome: always(Rejected), change: oldVersion},
		{ID: "unknown-method", Title: "Call a method nobody knows", Sends: "The method is playground/no-such-method.",
			Expects: "The server answers with 404 and error -32601.", Level: Must, Clause: clauseVersion, Rule: "error-status",
			outcome: always(Rejected), change: unknownMethod},
		{ID: "malformed-json", Title: "Send broken JSON", Sends: "The last byte of the body is missing.",
			Expects: "The server answers with a JSON-RPC error.", Level: Should, Clause: clauseErrors, Rule: "S7",
			outcome: always(Rejected), change: malformedJSON},
		{ID: "reuse-id", Title: "Use the previous request's id again", Sends: "The retry has the JSON-RPC id of the request before it.",
			Expects: "The client must use a new id. A server that keeps nothing cannot notice; the response has the id of its request.",
			Level:   May, Clause: clauseClient, Needs: NeedsQuestion, outcome: always(Accepted), change: reuseID},
	}
}
