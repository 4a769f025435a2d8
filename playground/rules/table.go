package rules

const specification = "https://modelcontextprotocol.io/specification/2026-07-28/"

// The clauses of several rules.
const (
	clientClause = specification + "basic/patterns/mrtr#client-requirements-basic-workflow"
	serverClause = specification + "basic/patterns/mrtr#server-requirements-basic-workflow"
	errorClause  = specification + "basic/patterns/mrtr#error-handling"
	resultClause = specification + "basic/patterns/mrtr#inputrequiredresult"
	streamClause = specification + "basic/transports/streamable-http#receiving-messages"
	cacheClause  = specification + "server/utilities/caching#cacheable-results"
)

// table has every rule, in the order in which a reader meets them: what the
// client sent, the result, the questions, the state, the transport.
var table = []struct {
	Rule
	judge func(subject) ruling
}{
	{rule("C1", Client, "A result without resultType is treated as complete.",
		specification+"basic/index#resulttype"), absentTypeIsComplete},
	{rule("C2", Client, "The retry echoes requestState exactly.", clientClause), exactEcho},
	{rule("C3", Client, "No requestState is sent unless the server gave one.",
		clientClause), noUnrequestedState},
	{rule("C4", Client, "Every request has a new JSON-RPC id.", clientClause), newID},
	{rule("C5", Client, "Answers and requestState are sent only with a retry of the same request.",
		clientClause), sameRequest},
	{rule("C6", Client, "The retry answers every question.", clientClause), everyAnswer},
	{rule("S0", Server, "The result includes resultType.",
		specification+"basic/index#result-responses"), hasResultType},
	{rule("S1", Server, "Only tools/call, prompts/get and resources/read return input_required.",
		specification+"basic/patterns/mrtr#supported-requests"), inputRequiredWhereAllowed},
	{rule("S2", Server, "input_required has inputRequests or requestState.",
		serverClause), requestsOrState},
	{rule("S3", Server, "The server asks only for what the client declared in the request.",
		serverClause), onlyDeclared},
	{onReply("S4", Server, "A modified requestState is rejected.", serverClause), rejectsChanged},
	{onReply("S5", Server, "A missing answer is asked for again.", errorClause), asksAgain},
	{onReply("S6", Server, "Answers to questions that were not asked are ignored.",
		errorClause), ignoresExtra},
	{onReply("S7", Server, "A malformed request gets a JSON-RPC error.", errorClause), rejectsMalformed},
	{rule("result-type", Server, "resultType has a known value.",
		specification+"basic/index#resulttype"), knownType},
	{rule("requests-object", Server, "inputRequests is an object.",
		specification+"basic/patterns/mrtr#inputrequests"), requestsAreObject},
	{rule("requests-known", Server, "inputRequests has only elicitation, sampling and roots requests.",
		serverClause), knownRequests},
	{rule("unique-keys", Server, "No duplicate keys in any JSON object.", serverClause), uniqueKeys},
	{rule("state-string", Server, "requestState is a string.", resultClause), stateIsString},
	{rule("elicitation-params", Server, "Every elicitation has its required parameters.",
		specification+"client/elicitation#elicitation-requests"), completeElicitations},
	{rule("schema-subset", Server, "The schema of a form is a flat object of simple properties.",
		specification+"client/elicitation#requested-schema"), flatSchemas},
	{rule("form-secret", Server, "No form seems to ask for a secret.",
		specification+"client/elicitation#form-mode-security"), noSecretsInForms},
	{rule("url-https", Server, "Links for the user are https.",
		specification+"client/elicitation#safe-url-handling"), linksUseHTTPS},
	{onReply("same-question", Server, "The same question is not asked again and again.",
		serverClause), makesProgress},
	{rule("result-beside", Server, "No final-result fields alongside input_required.",
		resultClause), noFinalFieldsBeside},
	{rule("cache-hints", Server, "A cacheable result has ttlMs and cacheScope.", cacheClause), cacheHints},
	{rule("cache-beside", Server, "No caching hints alongside input_required.",
		cacheClause), noCacheHintsBeside},
	{rule("state-content", Server, "requestState is not empty.", resultClause), stateHasContent},
	{onReply("state-moves", Server, "requestState changes after answers are sent.",
		serverClause), stateChanges},
	{rule("state-protected", Server, "requestState shows signs of integrity protection.",
		serverClause), stateIsProtected},
	{onReply("state-expires", Server, "requestState expires.", serverClause), stateExpires},
	{onReply("state-bound", Server, "requestState is rejected with a different request.",
		serverClause), stateIsBound},
	{onReply("state-personal", Server, "requestState is rejected from another user.",
		serverClause), stateIsPersonal},
	{rule("json-rpc", Server, "Every message is JSON-RPC 2.0.",
		specification+"basic/index#messages"), isJSONRPC},
	{rule("response-id", Server, "The response has the id of its request.",
		specification+"basic/index#responses"), sameID},
	{rule("stream-requests", Server, "The server sends no requests on the stream.",
		streamClause), noRequestsOnStream},
	{rule("stream-ends", Server, "The response ends the stream.", streamClause), nothingAfterResponse},
	{rule("progress-rises", Server, "Progress increases with each notification.",
		specification+"basic/patterns/progress#progress-flow"), progressRises},
	{rule("progress-token", Server, "Progress notifications have the progress token of the request.",
		specification+"basic/patterns/progress#behavior-requirements"), progressHasToken},
	{rule("media-type", Server, "The response is JSON or an event stream.",
		specification+"basic/transports/streamable-http#sending-messages"), rightMediaType},
	{onReply("header-mismatch", Server, "Headers that differ from the body get 400 and error -32020.",
		specification+"basic/transports/streamable-http#server-validation"), rejectsHeaders},
	{onReply("meta-missing", Server, "Missing members of _meta get 400 and error -32602.",
		specification+"basic/index#meta"), rejectsMeta},
	{onReply("version-unknown", Server, "An unsupported version gets 400 and error -32022.",
		specification+"basic/transports/streamable-http#protocol-version-header"), rejectsVersion},
	{rule("error-status", Server, "The error has its HTTP status.",
		specification+"basic/transports/streamable-http#request-metadata"), errorStatus},
	{rule("error-data", Server, "The error has its required data.",
		specification+"basic/index#meta"), errorData},
	{rule("error-code", Server, "The error code is valid in this revision.",
		specification+"basic/index#error-codes"), currentCodes},
	{rule("session-id", Server, "The server does not issue a session id.",
		specification+"basic/transports/streamable-http#earlier-streamable-http-revisions"), noSession},
	{rule("x-mcp-header", Server, "x-mcp-header annotations are valid.",
		specification+"basic/transports/streamable-http#schema-extension"), validHeaderAnnotations},
}

// Tables derived from table, by the same index.
var all, notApplicable, index = derive()

// derive returns the rules without their functions, the texts of their NA
// findings, and their indexes by id.
func derive() (rules []Rule, texts []string, byID map[string]int) {
	byID = make(map[string]int, len(table))
	for i, r := range table {
		rules = append(rules, r.Rule)
		texts = append(texts, "Not applicable to this exchange: "+lower(r.Requirement))
		byID[r.ID] = i
	}
	return rules, texts, byID
}
