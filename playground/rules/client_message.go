package rules

import (
	"mime"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// wellFormedRequest is client-envelope.
func wellFormedRequest(s *subject) ruling {
	switch {
	case len(s.Request.Head) == 0:
		return na()
	case s.OnLine() && lineFault(s.Request.Body) != "":
		return na() // line-client reports it
	case s.Sent == nil && isTooBig(s.Request.Body):
		return na() // our limit, not a fault of the client
	case !s.isPost() && len(s.Request.Body) == 0: // no message, which alone must be sent with POST
		method, _, _ := strings.Cut(string(s.Request.Head), " ")
		return hint("The client sent %s; this revision has neither a stream nor a session for it.",
			text.Visible(method, 20))
	case !s.isPost():
		return fail("The request is not sent with POST.")
	case s.envelopeFault() != "":
		return fail("The request %s.", s.envelopeFault())
	}
	return pass()
}

// isPost reports whether the request is sent with POST or on a line.
func (s *subject) isPost() bool {
	return s.OnLine() || strings.HasPrefix(string(s.Request.Head), "POST ")
}

// isTooBig reports whether a body exceeds the limits within which it is parsed.
func isTooBig(body []byte) bool {
	_, err := jsontree.Parse(body, jsontree.Limits{})
	return jsontree.IsLimit(err)
}

// requiredParams are the required members of params, by method.
var requiredParams = map[string][]member{
	playground.ToolsCall:     {{"name", jsontree.String}},
	playground.PromptsGet:    {{"name", jsontree.String}},
	playground.ResourcesRead: {{"uri", jsontree.String}},
	playground.TasksGet:      {{"taskId", jsontree.String}},
	playground.TasksCancel:   {{"taskId", jsontree.String}},
	playground.TasksUpdate:   {{"taskId", jsontree.String}, {"inputResponses", jsontree.Object}},
	listenMethod:             {{"notifications", jsontree.Object}},
}

// hasParams is client-params.
func hasParams(s *subject) ruling {
	required := requiredParams[s.Method]
	if len(required) == 0 {
		return na()
	}
	for _, m := range required {
		if n := s.params().Get(m.name); n == nil || n.Kind != m.kind {
			return fail("The params of %s have no %s %s%s.", s.Method, m.kind, quoted(m.name),
				inItsPlace(s.params(), m.name))
		}
	}
	return pass()
}

// envelope are the requirements of client-envelope. The first one that is broken counts. Each
// of them is a check of the client test, too. Their sentences begin with "The request".
var envelope = []func(*subject) ruling{
	bodyIsUTF8, bodyIsMessage, bodyIsOneMessage, isNoResponse, namesMethod, notificationHasNoID, hasID,
	idIsNotNull, paramsAreObject,
}

// envelopeFault returns why the body is not a JSON-RPC request, or "".
func (s *subject) envelopeFault() string {
	for _, judge := range envelope {
		if a := judge(s); a.verdict == verdict.Failed {
			return a.text
		}
	}
	return ""
}

func bodyIsUTF8(s *subject) ruling {
	if !utf8.Valid(s.Request.Body) {
		return fail("has a body that is not UTF-8")
	}
	return pass()
}

// bodyIsMessage judges one message; bodyIsOneMessage judges several.
func bodyIsMessage(s *subject) ruling {
	switch {
	case !utf8.Valid(s.Request.Body), s.Sent == nil && isTooBig(s.Request.Body),
		bodyIsOneMessage(s).verdict == verdict.Failed:
		return na()
	case s.Sent == nil:
		return fail("has a body that is not JSON")
	case s.Sent.Kind != jsontree.Object:
		return fail("is %s", article(s.Sent))
	case s.Sent.Get("jsonrpc").Str() != "2.0":
		return fail(`does not have "jsonrpc":"2.0"`)
	}
	return pass()
}

func bodyIsOneMessage(s *subject) ruling {
	switch {
	case s.Sent == nil:
		return na()
	case s.Sent.Kind == jsontree.Array:
		return fail("is a batch")
	}
	return pass()
}

func isNoResponse(s *subject) ruling {
	switch {
	case s.Sent == nil || s.Sent.Kind != jsontree.Object:
		return na()
	case s.Sent.Has("result") || s.Sent.Has("error"):
		return fail("is a JSON-RPC response, which a client does not send")
	}
	return pass()
}

func namesMethod(s *subject) ruling {
	if _, named := s.Sent.Get("method").Text(); !named {
		return fail("has no method")
	}
	return pass()
}

func notificationHasNoID(s *subject) ruling {
	switch {
	case !s.isNotification():
		return na()
	case s.Sent.Has("id"):
		return fail("is a notification with an id")
	}
	return pass()
}

// hasID judges every id but null.
func hasID(s *subject) ruling {
	id := s.Sent.Get("id")
	switch {
	case namesMethod(s).verdict != verdict.Passed, s.isNotification(), id != nil && id.Kind == jsontree.Null:
		return na()
	case id == nil:
		return fail("has no id")
	case !isID(id):
		return fail("has an id that is neither a string nor an integer")
	}
	return pass()
}

func idIsNotNull(s *subject) ruling {
	id := s.Sent.Get("id")
	switch {
	case namesMethod(s).verdict != verdict.Passed, s.isNotification(), id == nil:
		return na()
	case id.Kind == jsontree.Null:
		return fail("has an id that is neither a string nor an integer")
	}
	return pass()
}

func paramsAreObject(s *subject) ruling {
	if s.params() != nil && s.params().Kind != jsontree.Object {
		return fail("has params that are not an object")
	}
	return pass()
}

// isNotification reports whether the client sent a notification, though it may have an id.
func (s *subject) isNotification() bool { return strings.HasPrefix(s.Method, "notifications/") }

// isID reports whether a node is a string or an integer.
func isID(n *jsontree.Node) bool {
	if n == nil {
		return false
	}
	number, ok := n.Decimal()
	return n.Kind == jsontree.String || ok && number.IsInt()
}

// acceptsBoth is client-accept.
func acceptsBoth(s *subject) ruling {
	if len(s.Request.Head) == 0 || !s.isPost() {
		return na()
	}
	var types []string
	for _, field := range s.head.Values("Accept") {
		for item := range strings.SplitSeq(field, ",") {
			if name, _, err := mime.ParseMediaType(item); err == nil {
				types = append(types, name)
			}
		}
	}
	for _, name := range []string{"application/json", "text/event-stream"} {
		if !slices.Contains(types, name) {
			return fail("The Accept header of the request does not list %s.", name)
		}
	}
	return pass()
}

// hasHeaders is client-headers.
func hasHeaders(s *subject) ruling {
	switch fault := s.standardHeaderFault(); {
	case len(s.Request.Head) == 0 || s.Method == "", s.isNotification(): // whose headers are not defined
		return na()
	case fault != "":
		return fail("%s.", fault)
	}
	return pass()
}

// mirrorsParams is client-param-headers. It needs the definition of the tool.
func mirrorsParams(s *subject) ruling {
	switch fault := s.paramHeaderFault(); {
	case fault != "":
		return fail("%s.", fault)
	case len(s.mirrored()) == 0:
		return na()
	}
	if name := s.oddNumber(); name != "" {
		return hint("The header %s has the integer in another form than decimal digits.", name)
	}
	return pass()
}

// mirrored returns the arguments of the call that header fields repeat.
func (s *subject) mirrored() []playground.MirroredArgument {
	if s.tool == nil || s.Method != playground.ToolsCall {
		return nil
	}
	return playground.MirroredArguments(s.tool, s.params())
}

// oddNumber returns the name of a header whose number is that of the arguments in another
// form than decimal digits, or "". Servers should compare the values ("Server Validation").
func (s *subject) oddNumber() string {
	for _, a := range s.mirrored() {
		if values := s.head.Values(a.Header); sameNumber(values, a.Value) && values[0] != a.Text {
			return a.Header
		}
	}
	return ""
}

// sameNumber reports whether the value of a header is a number that an argument has, too.
func sameNumber(values []string, argument *jsontree.Node) bool {
	if len(values) != 1 {
		return false
	}
	sent, isNumber := jsontree.ParseDecimal(decodeHeader(values[0]))
	number, ok := argument.Decimal()
	return isNumber && ok && sent.Cmp(number) == 0
}

// paramHeaderFault returns which Mcp-Param header is missing, differs from the
// arguments or has no argument, or "".
func (s *subject) paramHeaderFault() string {
	if fault := s.annotatedFault(); fault != "" {
		return fault
	}
	for _, a := range s.mirrored() {
		values := s.head.Values(a.Header)
		fault := mirrorFault(values, a.Text, "the arguments")
		if fault != "" && !sameNumber(values, a.Value) {
			return "The header " + a.Header + " " + fault
		}
	}
	return ""
}

// annotatedFault returns the fault of the header of an annotated argument that
// is absent, null or too large an integer, or "".
func (s *subject) annotatedFault() string {
	if s.Method != playground.ToolsCall {
		return ""
	}
	annotations, _ := playground.HeaderAnnotations(s.tool.Get("inputSchema"))
	for _, a := range annotations {
		value := s.params().Get("arguments").At(a.Path...)
		absent := value == nil || value.Kind == jsontree.Null
		switch {
		case absent && len(s.head.Values("Mcp-Param-"+a.Header)) > 0:
			return "The header Mcp-Param-" + a.Header + " was sent without an argument"
		case playground.ExceedsDouble(value):
			return "The argument of the header Mcp-Param-" + a.Header + " is too large an integer"
		}
	}
	return ""
}

// hasMeta is client-meta. The first of its requirements that is broken counts; each is a
// check of the client test, too.
func hasMeta(s *subject) ruling {
	if s.Method == "" || s.isNotification() {
		return na()
	}
	for _, judge := range []func(*subject) ruling{
		metaIsObject, metaNamesVersion, metaDeclares, extensionsHaveNames, metaKeysAreNames,
	} {
		if a := judge(s); a.verdict == verdict.Failed {
			return a
		}
	}
	return pass()
}

func metaIsObject(s *subject) ruling {
	switch {
	case s.meta() == nil:
		return fail("The request had no _meta.")
	case s.meta().Kind != jsontree.Object:
		return fail("The _meta of the request is %s.", article(s.meta()))
	}
	return pass()
}

func metaNamesVersion(s *subject) ruling { return s.metaHas("protocolVersion", jsontree.String) }

func metaDeclares(s *subject) ruling { return s.metaHas("clientCapabilities", jsontree.Object) }

// metaHas judges whether _meta has a required member of the protocol.
func (s *subject) metaHas(name string, kind jsontree.Kind) ruling {
	value := s.meta().Get(metaPrefix + name)
	switch {
	case s.meta() == nil:
		return na()
	case value == nil:
		return fail("%s.", s.missingMeta(name))
	case value.Kind != kind:
		return fail("The member %s of _meta is %s; it must be %s.", name, article(value), articleOf(kind))
	}
	return pass()
}

func extensionsHaveNames(s *subject) ruling {
	name, found := lastRight(s.clientCapabilities().Get("extensions").Entries(), isExtensionName)
	if found.verdict == verdict.Failed {
		return fail("The client declares the extension %s, whose name has no valid prefix.", quoted(name))
	}
	return found
}

func metaKeysAreNames(s *subject) ruling {
	key, found := lastRight(s.meta().Entries(), isMetaKey)
	if found.verdict == verdict.Failed {
		return fail("The _meta of the request has the key %s, which is not a valid name.", quoted(key))
	}
	return found
}

// lastRight returns the first key that is wrong, or else the last one, and the ruling on all.
func lastRight(list []jsontree.Member, right func(string) bool) (key string, found ruling) {
	found = na()
	for _, m := range list {
		if key, found = m.Key, pass(); !right(key) {
			return key, fail("")
		}
	}
	return key, found
}

// isExtensionName reports whether the name of an extension is a key of _meta
// with a prefix.
func isExtensionName(name string) bool { return strings.Contains(name, "/") && isMetaKey(name) }

// namesClient is client-info.
func namesClient(s *subject) ruling {
	if s.Method == "" || s.isNotification() || s.metaFault() != "" {
		return na()
	}
	return metaNamesClient(s)
}

// metaNamesClient judges _meta, whatever else it lacks.
func metaNamesClient(s *subject) ruling {
	info := s.meta().Get(metaPrefix + "clientInfo")
	_, named := info.Get("name").Text()
	_, versioned := info.Get("version").Text()
	switch {
	case s.meta() == nil:
		return na()
	case info == nil:
		return hint("_meta does not name the client in clientInfo%s.",
			inItsPlace(s.meta(), metaPrefix+"clientInfo"))
	case !named || !versioned:
		return hint("clientInfo in _meta does not name the client and its version.")
	}
	return pass()
}

// tokenIsText is client-progress-token.
func tokenIsText(s *subject) ruling {
	token := s.meta().Get("progressToken")
	switch {
	case token == nil:
		return na()
	case !isID(token):
		return fail("The progressToken is %s, not a string or an integer.", article(token))
	}
	return pass()
}

// sameEndpoint is client-endpoint: all requests of a record go to one path.
func sameEndpoint(s *subject) ruling {
	path := s.path()
	if path == "" {
		return na()
	}
	for i := range s.earlier {
		before := subject{Round: s.earlier[i]}
		if first := before.path(); first != "" {
			if first != path {
				return fail("The request goes to %s; that of round %d went to %s.", quoted(path),
					before.N, quoted(first))
			}
			return pass()
		}
	}
	return na()
}

// path returns the path that the request is sent to, without a query, or "" if it is
// unknown or masked.
func (s *subject) path() string {
	line, _, _ := strings.Cut(string(s.Request.Head), "\r\n")
	words := strings.Fields(line)
	if len(words) < 2 {
		return ""
	}
	path, _, _ := strings.Cut(words[1], "?")
	if text.HasMask([]byte(path)) {
		return ""
	}
	return path
}

// noSecretInURL is client-secret.
func noSecretInURL(s *subject) ruling {
	line, _, _ := strings.Cut(string(s.Request.Head), "\r\n")
	words := strings.Fields(line)
	if len(words) < 2 {
		return na()
	}
	u, err := url.Parse(words[1])
	switch {
	case err != nil:
		return na()
	case u.Query().Has("access_token"):
		return fail("The URL of the request has an access token in its query.")
	}
	return pass()
}
