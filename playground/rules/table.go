package rules

// The addresses of the specifications that the rules refer to.
const (
	specification       = "https://modelcontextprotocol.io/specification/2026-07-28/"
	legacySpecification = "https://modelcontextprotocol.io/specification/2025-11-25/"
	tasksSpecification  = "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md"
)

// The clauses of several rules.
const (
	clientClause = specification + "basic/patterns/mrtr#client-requirements-basic-workflow"
	serverClause = specification + "basic/patterns/mrtr#server-requirements-basic-workflow"
	errorClause  = specification + "basic/patterns/mrtr#error-handling"
	resultClause = specification + "basic/patterns/mrtr#inputrequiredresult"
	streamClause = specification + "basic/transports/streamable-http#receiving-messages"
	cacheClause  = specification + "server/utilities/caching#cacheable-results"
	metaClause   = specification + "basic/index#meta"
	headerClause = specification + "basic/transports/streamable-http#standard-request-headers"
	linkClause   = specification + "client/elicitation#safe-url-handling"
	schemaClause = specification + "client/elicitation#requested-schema"
	logClause    = specification + "server/utilities/logging#per-request-log-level"
	listenClause = specification + "basic/patterns/subscriptions"
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
	{rule("client-envelope", Client, "The request is a JSON-RPC request with a string or integer id.",
		specification+"basic/index#requests"), wellFormedRequest},
	{rule("client-accept", Client, "The request accepts JSON and event streams.",
		specification+"basic/transports/streamable-http#sending-messages"), acceptsBoth},
	{rule("client-headers", Client, "The request has the standard headers, equal to its body.",
		headerClause), hasHeaders},
	{rule("client-param-headers", Client, "The request repeats annotated arguments in headers.",
		specification+"basic/transports/streamable-http#client-behavior"), mirrorsParams},
	{rule("client-meta", Client, "_meta has the required members.", metaClause), hasMeta},
	{rule("client-info", Client, "_meta names the client.", metaClause), namesClient},
	{rule("client-progress-token", Client, "The progress token is a string or an integer.",
		specification+"basic/patterns/progress#progress-flow"), tokenIsText},
	{rule("client-answers", Client, "Answers have the members of their kind and fit their schema.",
		specification+"client/elicitation#form-mode-security"), answersFit},
	{rule("client-roots", Client, "Roots are file:// URIs.", specification+"client/roots#root"),
		rootsAreFiles},
	{rule("client-secret", Client, "No access token is in the URL of a request.",
		specification+"basic/authorization/index#token-requirements"), noSecretInURL},
	{rule("client-task-interval", Client, "Polls are as far apart as the task asks.",
		tasksSpecification+"#task-polling"), pollsSlowly},
	{rule("client-task-keys", Client, "An update answers open questions, each once.",
		tasksSpecification+"#task-update-requests"), answersOpenKeys},
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
	{rule("result-object", Server, "The result is an object.",
		specification+"basic/index#result-responses"), resultIsObject},
	{rule("result-members", Server, "A final result has its required members.",
		specification+"server/tools#calling-tools"), hasRequiredMembers},
	{rule("content-shape", Server, "The content of a result is well formed.",
		specification+"server/tools#tool-result"), wellFormedContent},
	{rule("structured-content", Server, "Structured content fits the output schema of its tool.",
		specification+"server/tools#output-schema"), structuredFits},
	{rule("requests-object", Server, "inputRequests is an object.",
		specification+"basic/patterns/mrtr#inputrequests"), requestsAreObject},
	{rule("requests-known", Server, "inputRequests has only elicitation, sampling and roots requests.",
		serverClause), knownRequests},
	{rule("unique-keys", Server, "No duplicate keys in any JSON object.", serverClause), uniqueKeys},
	{rule("state-string", Server, "requestState is a string.", resultClause), stateIsString},
	{rule("elicitation-params", Server, "Every elicitation has its required parameters.",
		specification+"client/elicitation#elicitation-requests"), completeElicitations},
	{rule("sampling-params", Server, "Every sampling request has its required parameters.",
		specification+"client/sampling#creating-messages"), completeSampling},
	{rule("roots-params", Server, "Every roots request is well formed.",
		specification+"client/roots#listing-roots"), completeRoots},
	{rule("schema-subset", Server, "The schema of a form is a flat object of simple properties.",
		specification+"client/elicitation#requested-schema"), flatSchemas},
	{rule("schema-satisfiable", Server, "An answer can fit the schema of every form.",
		schemaClause), satisfiableSchemas},
	{rule("form-secret", Server, "No form seems to ask for a secret.",
		specification+"client/elicitation#form-mode-security"), noSecretsInForms},
	{rule("url-https", Server, "Links for the user are https.",
		linkClause), linksUseHTTPS},
	{rule("url-personal", Server, "Links for the user show no personal data or credentials.",
		linkClause), noPersonalData},
	{rule("form-links", Server, "Forms contain no links.", linkClause), noLinksInForms},
	{onReply("same-question", Server, "The same question is not asked again and again.",
		serverClause), makesProgress},
	{rule("result-beside", Server, "No final-result fields alongside input_required.",
		resultClause), noFinalFieldsBeside},
	{rule("questions-beside", Server, "No questions or state alongside complete.",
		resultClause), noQuestionsBeside},
	{rule("look-alike", Server, "No member is a misspelled one of the protocol.", resultClause), noLookAlikes},
	{rule("server-info", Server, "The server names itself.", metaClause), namesServer},
	{rule("meta-keys", Server, "The names in _meta are valid.", metaClause), metaKeys},
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
	{rule("error-shape", Server, "An error has an integer code and a message.",
		specification+"basic/index#error-responses"), wellFormedError},
	{rule("stream-requests", Server, "The server sends no requests on the stream.",
		streamClause), noRequestsOnStream},
	{rule("stream-ends", Server, "The response ends the stream.", streamClause), nothingAfterResponse},
	{rule("progress-rises", Server, "Progress increases with each notification.",
		specification+"basic/patterns/progress#progress-flow"), progressRises},
	{rule("progress-token", Server, "Progress notifications have the progress token of the request.",
		specification+"basic/patterns/progress#behavior-requirements"), progressHasToken},
	{rule("stream-notifications", Server, "Notifications before the response belong to the request.",
		streamClause), relatedNotifications},
	{rule("notification-params", Server, "Notifications have their required parameters.",
		specification+"basic/index#notifications"), completeNotifications},
	{rule("log-level", Server, "Log messages are sent only as requested.", logClause), logsOnRequest},
	{rule("buffering", Server, "Event streams tell proxies not to buffer them.", streamClause), notBuffered},
	{rule("body-length", Server, "The body is as long as Content-Length says.",
		specification+"basic/transports/streamable-http#sending-messages"), wholeBody},
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
	{rule("tool-schema", Server, "Every tool has an inputSchema that is an object.",
		specification+"server/tools#tool"), toolsHaveSchemas},
	{rule("tool-name", Server, "Tool names are unique and use the recommended characters.",
		specification+"server/tools#tool-names"), toolsHaveNames},
	{rule("declared-lists", Server, "The server answers the lists of its capabilities.",
		specification+"server/tools#capabilities"), answersDeclaredLists},
	{rule("task-declared", Server, "A task is returned only if the client declared the extension.",
		tasksSpecification+"#capability-negotiation"), tasksIfDeclared},
	{rule("task-where", Server, "Only tools/call returns a task.",
		tasksSpecification+"#supported-methods"), tasksWhereAllowed},
	{rule("task-shape", Server, "A task has its required members.",
		tasksSpecification+"#tasks"), wellFormedTask},
	{rule("task-status", Server, "The status of a task is a known one.",
		tasksSpecification+"#task-status"), knownStatus},
	{rule("task-members", Server, "A task has the member of its status.",
		tasksSpecification+"#task-polling"), statusMembers},
	{rule("task-result-type", Server, "Results of the tasks methods have resultType complete.",
		tasksSpecification+"#polymorphic-results"), taskResultType},
	{rule("task-identity", Server, "A poll returns the task that it asks for.",
		tasksSpecification+"#task-polling"), sameTask},
	{rule("task-keys", Server, "A key stands for one question in the life of a task.",
		tasksSpecification+"#task-update-requests"), uniqueTaskKeys},
	{rule("task-no-state", Server, "A task has no requestState.",
		tasksSpecification+"#task-creation"), noStateInTask},
	{rule("task-ack", Server, "Updates and cancellations are acknowledged with an empty result.",
		tasksSpecification+"#task-update-requests"), emptyAcknowledgement},
	{onReply("task-unknown", Server, "A request about an unknown task gets error -32602.",
		tasksSpecification+"#protocol-errors"), unknownTask},
	{rule("listen-acknowledged", Server, "A subscription begins with its acknowledgement.",
		listenClause+"#acknowledgment"), acknowledgesFirst},
	{rule("listen-requested", Server, "A subscription has only the requested notifications.",
		listenClause+"#opening-a-stream"), sendsOnlyRequested},
	{rule("listen-id", Server, "Notifications name their subscription.",
		listenClause+"#receiving-notifications"), namesSubscription},
	{rule("listen-tasks", Server, "No progress and no log messages about tasks.",
		tasksSpecification+"#task-status-notifications"), noProgressOfTasks},
	{ofLegacy("client-legacy-cancel", Client, "Only requests in progress are cancelled.",
		legacySpecification+"basic/utilities/cancellation#behavior-requirements"), cancelsOpenRequests},
	{ofLegacy("client-legacy-answers", Client, "Every answer belongs to a request of the server.",
		legacySpecification+"basic/index#responses"), answersByID},
	{ofLegacy("legacy-envelope", Server, "Every message is JSON-RPC 2.0.",
		legacySpecification+"basic/index#messages"), legacyEnvelope},
	{ofLegacy("legacy-declared", Server, "The server asks only for what the client declared.",
		legacySpecification+"basic/lifecycle#capability-negotiation"), legacyDeclared},
	{ofLegacy("legacy-progress", Server, "Progress increases with each notification.",
		legacySpecification+"basic/utilities/progress#progress-flow"), legacyProgress},
	{ofLegacy("legacy-result", Server, "A final result has its required members.",
		legacySpecification+"server/tools#tool-result"), legacyResult},
	{ofLegacy("legacy-input", Server, "No result is input_required.",
		legacySpecification+"basic/index#responses"), legacyNoRounds},
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
