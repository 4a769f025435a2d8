package lab

import (
	"cmp"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Clauses of the specification that the experiments refer to.
const (
	specification = "https://modelcontextprotocol.io/specification/2026-07-28/"
	clauseErrors  = specification + "basic/patterns/mrtr#error-handling"
	clauseServer  = specification + "basic/patterns/mrtr#server-requirements-basic-workflow"
	clauseClient  = specification + "basic/patterns/mrtr#client-requirements-basic-workflow"
	clauseMeta    = specification + "basic/index#meta"
	clauseHeaders = specification + "basic/transports/streamable-http#server-validation"
	clauseActions = specification + "client/elicitation#error-handling"
	clauseAccept  = specification + "client/elicitation#response-actions"
	clauseVersion = specification + "basic/transports/streamable-http#protocol-version-header"
	clauseCodes   = specification + "basic/index#error-codes"

	clauseProgress    = specification + "basic/patterns/progress#behavior-requirements"
	clauseNegotiation = specification + "basic/versioning#protocol-version-negotiation"
)

// table lists every experiment.
var table = slices.Concat(answerExperiments(), stateExperiments(), requestExperiments(),
	tokenExperiments(), taskExperiments())

func answerExperiments() []Experiment {
	const (
		again     = "The server asks again for what is missing instead of failing."
		validates = "The server validates the answer: it returns an error, or asks the same question again."
		early     = "A server may use the answers. " +
			"It asks all the same where an answer counts only if the user has seen the question."
		pageEarly = "/learn/reference/methods#answers-that-are-not-what-was-asked"
	)
	list := []Experiment{
		{
			ID: "skip-answer", Brief: "asks again", Title: "Skip an answer",
			Sends: "The retry leaves out one of the answers.", Expects: again,
			Level: Should, Rule: "S5", expected: anyProtection(AskedAgain), change: skipAnswer,
			ways: skipWays, judge: missing, codes: aboutParams,
		}, {
			ID: "extra-key", Brief: "ignores it", Title: "Add an unrequested answer",
			Sends:   "The retry has one more answer, under a key that the server did not request.",
			Expects: "The server ignores what it does not recognize.",
			Level:   Should, Rule: "S6", expected: anyProtection(Accepted), change: extraKey,
			codes: aboutParams,
		}, {
			ID: "wrong-key", Brief: "asks again", Title: "Answer under a wrong key",
			Sends: "The first answer is sent under another key.", Expects: again,
			Level: Should, Rule: "S5", expected: anyProtection(AskedAgain), change: wrongKey, judge: missing,
			codes: aboutParams,
		}, {
			ID: "wrong-type", Brief: "error, or asks again", Title: "Answer with a wrong type",
			Sends: "One value has another type than its schema requires.", Expects: validates,
			Level: Should, expected: anyProtection(AskedAgain), change: wrongType, judge: badContent,
			codes: aboutParams, ways: wrongWays(wrongTypeValues), Every: true, Follow: true,
			noPlace: "No question of this call requires a value of a certain type.",
		}, {
			ID: "out-of-range", Brief: "error, or asks again", Title: "Answer out of range",
			Sends:   "One value is outside of its schema: a limit, a length, or the offered choices.",
			Expects: validates,
			Level:   Should, expected: anyProtection(AskedAgain), change: outOfRange, judge: badContent,
			codes: aboutParams, ways: wrongWays(outOfRangeValues), Every: true, Follow: true,
			noPlace: "No question of this call sets a limit.",
		}, {
			ID: "malformed-answer", Brief: "JSON-RPC error", Title: "Answer with a bare string",
			Sends: "The first answer is a string instead of an object, " +
				"then an object that answers another kind of question.",
			Expects: "The server returns a JSON-RPC error. To the object it may also ask again.",
			Level:   Should, Rule: "S7", expected: anyProtection(Rejected), change: malformedAnswer,
			ways: malformedWays, judge: malformed,
		},
		refusal("decline", "Decline"), refusal("cancel", "Cancel"),
		{
			ID: "cleared-box", Brief: "no work done", Title: "Accept with the box cleared",
			Sends: "A form whose only field is a required box is accepted with false.",
			Expects: "The server reads the content: a form can be submitted without agreement. " +
				"A normal result that says so is right.",
			Level: Should, Clause: clauseAccept, Needs: NeedsBox, Every: true, Page: "/learn/saying-no",
			expected: anyProtection(Accepted), ways: boxes, change: clearBox,
			judge:   unagreed("with the box ticked", "did not tick the box"),
			noPlace: "The box of the form was not ticked in the right call.",
		},
		{
			ID: "early-answer", Brief: "its own choice", Title: "Answer before it is asked",
			Sends:   "The request has the answers to all questions that the server would ask later.",
			Expects: early, Level: May, Needs: NeedsNothing, Every: true, Page: pageEarly,
			expected: anyProtection(Accepted), change: earlyAnswers, judge: earlyAnswered,
			noPlace: "The call asked no question.",
		}, {
			ID: "early-after-gap", Brief: "its own choice", Title: "Answer early, with a state",
			Sends: "A retry leaves out one answer. " +
				"The next one has it, and the answers to all questions that the server would ask later.",
			Expects: early, Level: May, Needs: NeedsSeveral, When: AfterGap, Every: true, Page: pageEarly,
			expected: anyProtection(Accepted), change: earlyAnswers, judge: earlyAnswered,
			noPlace: "No question follows a round with several questions.",
		},
	}
	for i := range list {
		list[i].Group = GroupAnswers
		list[i].Needs = cmp.Or(list[i].Needs, NeedsQuestion)
		list[i].Clause = cmp.Or(list[i].Clause, clauseErrors)
	}
	return list
}

// aboutParams are the error codes that can be about an answer or a parameter.
var aboutParams = []int64{invalidParams, invalidRequest}

// refusal returns the experiment that gives an answer with an action other than
// accept to each elicitation. That the server handles it is required, and fails without a
// response; what it did is not visible for certain, so that no more than advice comes of
// that.
func refusal(action, title string) Experiment {
	return Experiment{
		ID: action + "-answer", Title: title + " an elicitation", Brief: "no work done",
		Sends: "One elicitation is answered with the action " + action + "; the other answers are right.",
		Expects: "The server handles it, and does not do what the user did not agree to. " +
			"A normal result that says so is right.",
		Level: Must, Clause: clauseActions, Every: true, expected: anyProtection(Accepted),
		ways: elicitations, change: refuse(action), judge: unagreed("after the accepted answer", "said no"),
		noPlace: "The call asked no elicitation.",
	}
}

func stateExperiments() []Experiment {
	const (
		verify = "If anything depends on the state, the server rejects one that fails verification."
		bound  = "The server rejects a state that was issued for another request."
		short  = "The requestState is too short to be changed."
	)
	list := []Experiment{
		{
			ID: "flip-state", Brief: "rejects it", Title: "Flip one byte of the state",
			Sends: "One byte of the requestState is changed. " +
				"A readable state stays readable; only a value in it differs.",
			Expects: verify, Level: Must, Rule: "S4", expected: unlessPlain(Rejected), noPlace: short,
			variants: func(r playground.Round) []string { return Tampered(r.StateText()) }, judge: tampered,
			settles: []string{"state-protected"}, tampers: true,
		}, {
			ID: "flip-after-gap", Brief: "rejects it", Title: "Flip a byte of the state after a gap",
			Sends: "A retry leaves out one answer. The next one has it, " +
				"and one byte of the requestState that keeps the other answers is changed.",
			Expects: verify, Level: Must, Rule: "S4", Needs: NeedsSeveral, When: AfterGap, Every: true,
			expected: unlessPlain(Rejected), change: flipAfterGap, ways: gapWays, judge: flippedAfterGap,
			noPlace: "No question follows a round with several questions.",
		}, {
			ID: "spare-bits", Brief: "rejects it, or reads the same",
			Title:   "Change only unused bits of the state",
			Sends:   "Only unused bits in the last Base64 character of the requestState are changed.",
			Expects: "A strict decoder rejects it. A lax one reads the same content, so nothing is forged.",
			Level:   May, Rule: "S4", expected: anyProtection(Rejected), judge: spared,
			noPlace:  "No part of the requestState is Base64 with unused bits.",
			variants: func(r playground.Round) []string { return SpareBits(r.StateText()) },
		}, {
			ID: "truncate-state", Brief: "rejects it", Title: "Truncate the state",
			Sends: "The second half of the requestState is cut off.", Expects: verify,
			Level: Must, Rule: "S4", expected: anyProtection(Rejected), noPlace: short,
			change: truncateState, judge: tampered, cuts: true,
		}, {
			ID: "drop-state", Brief: "cannot go on, if it needs it", Title: "Drop the state",
			Sends:   "The retry leaves out the requestState.",
			Expects: "The client must echo the state. A server that needs it cannot continue without it.",
			Level:   May, Clause: clauseClient, drops: true, expected: anyProtection(AskedAgain),
			change: dropState, judge: dropped,
		}, {
			ID: "state-of-another-call", Brief: "rejects it", Title: "Use the state of another call",
			Sends:   "The requestState is sent with other arguments than those it was issued for.",
			Expects: bound,
			Level:   Should, Rule: "state-bound", Wants: WantsOtherArguments,
			expected: anyProtection(Rejected), change: otherCall, settles: []string{"state-bound"},
			judge: misplacedState("The server accepted the requestState of one request with another one. " +
				"It should contain a digest of the request it was issued for."),
			notRun: "The call has no argument that could be changed.",
		}, {
			ID: "state-of-another-tool", Brief: "rejects it", Title: "Use the state of another tool",
			Sends: "The requestState is sent with a call of another tool.", Expects: bound,
			Level: Should, Rule: "state-bound", Wants: WantsOtherTool,
			expected: anyProtection(Rejected), change: otherCall,
			judge: misplacedState("The other tool continued with a requestState that it did not issue. " +
				"It may ignore the state; a client cannot tell."),
			notRun: "No second tool was chosen, and no tool of the server is declared read-only.",
		}, {
			ID: "state-of-another-person", Brief: "rejects it", Title: "Use the state of another person",
			Sends:   "The requestState is sent with the credentials of another principal.",
			Expects: "The server rejects a state that is presented by a different principal.",
			Level:   Should, Rule: "state-personal", Wants: WantsOtherPerson, noLine: noCredentials,
			expected: anyProtection(Rejected), change: otherPerson, settles: []string{"state-personal"},
			judge: misplacedState("The server accepted the requestState of one principal from another. " +
				"It should be bound to the principal it was issued for."),
			notRun: "This needs the credentials of a second person. None were entered.",
		}, {
			ID: "expired-state", Brief: "rejects it", Title: "Use an expired state",
			Sends:   "The retry is correct, but it is sent after the requestState has expired.",
			Expects: "The server rejects a state that is presented after its short life.",
			Level:   Should, Rule: "state-expires", When: AfterExpiry, expected: anyProtection(Rejected),
			judge:   misplacedState("The server accepted a requestState after it had expired."),
			settles: []string{"state-expires"},
			notRun:  "A client cannot see when this state expires, or it expires too late to wait for.",
		}, {
			ID: "late-state", Brief: "rejects it, once expired", Title: "Use the state after a while",
			Sends:   "The retry is correct, but it is sent after the time that you chose.",
			Expects: "The server rejects a state that is presented after its short life.",
			Level:   Should, Rule: "state-expires", When: AfterWait, expected: anyProtection(Accepted),
			judge: late, settles: []string{"state-expires"},
			notRun: "Choose how long to wait to see whether the requestState expires in that time.",
		}, {
			ID: "replay", Brief: "its own choice", Title: "Send the same retry twice",
			Sends:   "The retry is sent, and then the same bytes again.",
			Expects: "If something must happen only once, the server must ensure that. A state cannot.",
			Level:   May, When: Twice, expected: anyProtection(Accepted), judge: replayed,
		},
	}
	for i := range list {
		list[i].Group, list[i].Needs = GroupState, cmp.Or(list[i].Needs, NeedsState)
		list[i].Every = list[i].Every || list[i].When == Once
		if list[i].Clause == "" {
			list[i].Clause = clauseServer
		}
	}
	return list
}

func requestExperiments() []Experiment {
	list := []Experiment{{
		ID: "omit-capability", Brief: "-32021 or no question", Title: "Declare no capabilities",
		Sends: "The first request declares no client capability at all. " +
			"If the call needs several, it is then made with all but one.",
		Expects: "The server asks no question that needs an undeclared capability. " +
			"If it needs a capability, it returns 400 and error -32021.",
		Level: Must, Clause: clauseMeta, Rule: "S3", First: true,
		judges:   []string{"error-status", "task-declared"},
		expected: anyProtection(Rejected), change: omitCapability, ways: omissions, judge: undeclared,
		gates: true,
	}}
	list = slices.Concat(list, headerExperiments(), metaExperiments(), []Experiment{{
		ID: "no-progress-token", Brief: "no progress", Title: "Ask for no progress",
		Sends: "The request has no progressToken. Everything else is right.",
		Expects: "The server does what it does with a token, and sends no progress: " +
			"there is no token that it could name.",
		Level: Must, Clause: clauseProgress, Rule: "progress-token", judges: []string{"notification-params"},
		Every: true, expected: anyProtection(Accepted), change: dropMeta("progressToken"), judge: unasked,
		codes:  aboutParams,
		noLine: "On standard input, progress without a token belongs to no request.",
	}, {
		ID: "old-version", Brief: "400, -32022", Title: "Unsupported protocol version",
		Sends:   "Header and _meta both name the version 1900-01-01.",
		Expects: "The server rejects it with 400 and error -32022, and lists the versions it supports.",
		Level:   Must, Clause: clauseNegotiation, Rule: "version-unknown", judges: []string{"error-status"},
		change: oldVersion,
	}, {
		ID: "unknown-method", Brief: "404, -32601", Title: "Unknown method",
		Sends:   "The method is playground/no-such-method.",
		Expects: "The server returns 404 and error -32601.",
		Level:   Must, Clause: clauseVersion, lineClause: clauseCodes, Rule: "error-status",
		change: unknownMethod, judge: methodUnknown,
	}, {
		ID: "malformed-json", Brief: "JSON-RPC error", Title: "Broken JSON",
		Sends: "The last byte of the body is missing.", Expects: "The server returns a JSON-RPC error.",
		Level: Should, Clause: clauseErrors, Rule: "S7", change: malformedJSON,
		noLine: "A line that is not JSON has no id that a response could name.",
	}, {
		ID: "reuse-id", Brief: "any answer", Title: "Reuse the previous request's id",
		Sends: "The retry has the JSON-RPC id of the request before it.",
		Expects: "The client must use a new id. " +
			"A stateless server cannot notice; its response has the id of its request.",
		Level: May, Clause: clauseClient, Needs: NeedsQuestion, expected: anyProtection(Accepted),
		change: reuseID, judge: reusedID, codes: aboutParams,
	}})
	for i := range list {
		list[i].Group = GroupRequest
		if list[i].expected == nil {
			list[i].expected = anyProtection(Rejected)
		}
	}
	return list
}

// headerExperiments returns the experiments on standard headers.
func headerExperiments() []Experiment {
	header := func(id, title, sends, name, value string) Experiment {
		return Experiment{
			ID: id, Title: title, Sends: sends, Brief: "400, -32020",
			Expects: "The server rejects headers that do not match the body, with 400 and error -32020.",
			Level:   Must, Clause: clauseHeaders, Rule: "header-mismatch", judges: []string{"error-status"},
			change: setHeader(name, value), noLine: noHeaders,
		}
	}
	noVersion := header("no-version-header", "Missing version header",
		"The request has no MCP-Protocol-Version header.",
		"MCP-Protocol-Version", "")
	noVersion.Expects = "The server rejects it with 400 and error -32020. " +
		"One that also serves clients from before 2025-06-18 may accept it."
	noVersion.Level, noVersion.Clause, noVersion.judge = May, clauseVersion, versionMissing
	noVersion.judges = nil
	return []Experiment{
		header("wrong-name-header", "Wrong Mcp-Name header", "Mcp-Name has a different value than the body.",
			"Mcp-Name", "something-else"),
		header("no-name-header", "Missing Mcp-Name header", "The request has no Mcp-Name header.",
			"Mcp-Name", ""),
		header("wrong-method-header", "Wrong Mcp-Method header",
			"Mcp-Method names another method than the body.",
			"Mcp-Method", playground.ToolsList),
		header("no-method-header", "Missing Mcp-Method header", "The request has no Mcp-Method header.",
			"Mcp-Method", ""),
		header("wrong-version-header", "Wrong version header",
			"MCP-Protocol-Version names a later revision than the body.",
			"MCP-Protocol-Version", "2999-01-01"),
		noVersion,
	}
}

// metaExperiments returns the experiments on _meta.
func metaExperiments() []Experiment {
	meta := func(id, title, sends, member string) Experiment {
		return Experiment{
			ID: id, Title: title, Sends: sends, Brief: "400, -32602",
			Expects: "The server rejects a request without a required member of _meta with 400 and -32602.",
			Level:   Must, Clause: clauseMeta, Rule: "meta-missing", change: dropMeta(member),
			gates: member == "" || member == metaCapabilities,
		}
	}
	return []Experiment{
		meta("no-meta", "Missing _meta", "The request has no _meta.", ""),
		meta("no-meta-version", "Missing version in _meta",
			"_meta does not name the protocol version.", metaVersion),
		meta("no-meta-capabilities", "Missing capabilities in _meta",
			"_meta does not declare the client's capabilities.",
			metaCapabilities),
	}
}
