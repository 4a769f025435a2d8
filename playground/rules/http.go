package rules

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// rightMediaType judges successful responses to requests with an id.
func rightMediaType(s *subject) ruling {
	if s.Head.Status/100 != 2 || s.Sent.Get("id") == nil || s.isNotification() {
		return na()
	}
	if len(s.Response.Body) == 0 && !s.Ended.IsZero() && !s.Head.IsStream() {
		return fail("The response to a request has HTTP status %d and no body.", s.Head.Status)
	}
	switch s.Head.MediaType() {
	case "application/json", "text/event-stream":
		if coding := s.Head.Coding(); coding != "" && !s.head.AcceptsCoding(coding) {
			return hint("The response is compressed (%s), although the request does not accept that.",
				quoted(coding))
		}
		return pass()
	}
	if s.Head.MediaType() == "" {
		return fail("The response has no Content-Type; it must be application/json or text/event-stream.")
	}
	return fail("The response has the media type %s, not application/json or text/event-stream.",
		quoted(s.Head.MediaType()))
}

// resultStatus is result-status: a result comes with a status that says so.
func resultStatus(s *subject) ruling {
	r := s.response()
	switch {
	case r == nil || !r.Node.Has("result") || r.Node.Get("jsonrpc").Str() != "2.0":
		return na()
	case s.Head.Status/100 != 2:
		return hint("The result came with HTTP status %d, so clients take the request for failed.",
			s.Head.Status)
	}
	return pass()
}

// rejectsHeaders judges requests that are valid except for their headers.
func rejectsHeaders(s *subject) ruling {
	wrong := s.headerFault()
	if a := s.refusesHeaders(); a.verdict != verdict.NotApplicable {
		return a
	}
	if wrong == "" || s.metaFault() != "" || s.unread() || s.Result != nil && s.isOfEarlier() {
		return na()
	}
	version := s.head.Get("MCP-Protocol-Version")
	if s.isError(-32022) && s.Head.Status == 400 && version != wire.ProtocolVersion {
		return hint("%s, and the server refused the version with error -32022. "+
			"Error -32020 says what is wrong with the request.", wrong)
	}
	if s.Error == nil || s.Error.Code != -32020 || s.Head.Status != 400 {
		return fail("%s, and the server responded with %s instead of 400 and error -32020.",
			wrong, s.responseWords())
	}
	return pass()
}

// unread reports whether no response shows that the server has looked into the
// request: there is none, or it is about who sent the request, how often, or whether
// the server can be reached, which is found out first.
func (s *subject) unread() bool {
	if s.OnLine() {
		return !s.responded()
	}
	switch s.Head.Status {
	case 0, 401, 403, 407, 429, 502, 503, 504:
		return true
	}
	return false
}

// hasStatus reports whether the response has an HTTP status. A line has none, so
// that it cannot have the wrong one.
func (s *subject) hasStatus(status int) bool { return s.Head.Status == status || s.OnLine() }

// responseWords describes the response inside a sentence.
func (s *subject) responseWords() string {
	switch {
	case s.OnLine() && s.Error != nil:
		return fmt.Sprintf("error %d", s.Error.Code)
	case s.OnLine():
		return "no error"
	}
	if s.Error != nil {
		return fmt.Sprintf("HTTP status %d and error %d", s.Head.Status, s.Error.Code)
	}
	return fmt.Sprintf("HTTP status %d and no JSON-RPC error", s.Head.Status)
}

// headerFault returns which header is missing or differs from the body, or "". A line
// has none.
func (s *subject) headerFault() string {
	if s.OnLine() {
		return ""
	}
	return cmp.Or(s.standardHeaderFault(), s.paramHeaderFault())
}

// standardHeaderFault returns which standard header is missing or differs from
// the body, or "". A body that is not a request has nothing to compare with.
func (s *subject) standardHeaderFault() string {
	for _, h := range s.standardHeaders() {
		if fault := s.repeatFault(h); fault != "" {
			return fault
		}
	}
	return ""
}

// headerRepeats returns the fault of a standard header, as a sentence without
// its end, or "", and whether the body has the repeated value.
func (s *subject) headerRepeats(name string) (fault string, needed bool) {
	for _, h := range s.standardHeaders() {
		if h.name == name {
			return s.repeatFault(h), h.body != ""
		}
	}
	return "", false
}

// repeatFault returns the fault of a standard header, as a sentence without its end, or
// "".
func (s *subject) repeatFault(h mirrored) string {
	if h.body == "" {
		return ""
	}
	if fault := mirrorFault(s.head.Values(h.name), h.body, "the body"); fault != "" {
		return "The header " + h.name + " " + fault
	}
	return ""
}

// mirrored is a standard header and the text of the body that it repeats, "" if there is
// none.
type mirrored struct{ name, body string }

// standardHeaders returns the standard headers of a request. A body that is no request
// repeats none.
func (s *subject) standardHeaders() (list [3]mirrored) {
	if s.Sent.Get("method").Str() == "" {
		return list
	}
	version := s.meta().Get("io.modelcontextprotocol/protocolVersion").Str()
	return [3]mirrored{
		{"MCP-Protocol-Version", version}, {"Mcp-Method", s.Method}, {"Mcp-Name", s.mcpName()},
	}
}

// mirrorFault returns the fault of the values of a header that repeats a text
// of the request, as the end of a sentence, or "".
func mirrorFault(values []string, text, source string) string {
	switch {
	case len(values) == 0:
		return "was missing"
	case len(values) > 1 || decodeHeader(values[0]) != text:
		return "differed from " + source
	case strings.ContainsFunc(values[0], unsafeInHeader):
		return "has characters that must be encoded in Base64"
	}
	return ""
}

// unsafeInHeader reports whether a character is not allowed in a header value
// ("Value Encoding").
func unsafeInHeader(r rune) bool { return r != '\t' && r < ' ' || r > '~' }

// mcpName returns the value that Mcp-Name must have, or "" if the method has no
// such header.
func (s *subject) mcpName() string {
	switch s.Method {
	case playground.ToolsCall, playground.PromptsGet:
		return s.params().Get("name").Str()
	case playground.ResourcesRead:
		return s.params().Get("uri").Str()
	case playground.TasksGet, playground.TasksUpdate, playground.TasksCancel: // seps/2663, "Streamable HTTP"
		return s.params().Get("taskId").Str()
	}
	return ""
}

// decodeHeader decodes the Base64 form of a header value ("Value Encoding").
func decodeHeader(value string) string {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	inner, closed := strings.CutSuffix(inner, "?=")
	if !ok || !closed {
		return value
	}
	text, err := base64.StdEncoding.DecodeString(inner)
	if err != nil {
		return value
	}
	return string(text)
}

// rejectsMeta judges requests without a required member of _meta.
func rejectsMeta(s *subject) ruling {
	wrong := s.metaFault()
	if a := s.refusesParams(); a.verdict != verdict.NotApplicable {
		return a
	}
	if wrong == "" || s.headerFault() != "" || s.unread() {
		return na()
	}
	if s.Error == nil || s.Error.Code != -32602 || !s.hasStatus(400) {
		return fail("%s, and the server responded with %s instead of %s.",
			wrong, s.responseWords(), s.expectedError(-32602))
	}
	return pass()
}

// expectedError describes an error that comes with HTTP status 400, inside a sentence.
func (s *subject) expectedError(code int) string {
	if s.OnLine() {
		return fmt.Sprintf("error %d", code)
	}
	return fmt.Sprintf("400 and error %d", code)
}

// metaPrefix is that of the members of _meta that the protocol defines.
const metaPrefix = "io.modelcontextprotocol/"

// requiredMeta are the required members of _meta.
var requiredMeta = []string{metaPrefix + "protocolVersion", metaPrefix + "clientCapabilities"}

// metaFault returns that _meta or which required member of it is missing, or "".
// Notifications need none.
func (s *subject) metaFault() string {
	if s.Sent.Get("method").Str() == "" || s.isNotification() {
		return ""
	}
	if s.meta() == nil {
		return "The request had no _meta"
	}
	for _, name := range requiredMeta {
		if !s.meta().Has(name) {
			return s.missingMeta(strings.TrimPrefix(name, metaPrefix))
		}
	}
	return ""
}

// missingMeta says that _meta lacks a member.
func (s *subject) missingMeta(name string) string {
	return "The member " + name + " was missing from _meta" + inItsPlace(s.meta(), metaPrefix+name)
}

// rejectsVersion judges requests for another protocol version. Only for a
// version that does not exist is it certain that the server cannot support it.
func rejectsVersion(s *subject) ruling {
	version := s.meta().Get("io.modelcontextprotocol/protocolVersion").Str()
	if a := s.refusesVersion(version); a.verdict != verdict.NotApplicable {
		return a
	}
	if version == "" || version == wire.ProtocolVersion || s.headerFault() != "" || s.unread() {
		return na()
	}
	switch {
	case s.Error != nil && s.Error.Code == -32022 && s.hasStatus(400):
		return pass()
	case version == "1900-01-01":
		return fail("The server responded to version 1900-01-01 with %s instead of %s.%s",
			s.responseWords(), s.expectedError(-32022), OfLibrary(s.Round))
	}
	return na()
}

// ErrorStatus returns the HTTP status that an error code must have, whatever its cause, or
// 0 if the specification names none.
func ErrorStatus(code int64) int {
	switch code {
	case -32020, -32021, -32022:
		return 400
	case -32601:
		return 404
	}
	return 0
}

// errorStatus judges the error codes for which the protocol requires an HTTP
// status.
func errorStatus(s *subject) ruling {
	if s.Error == nil {
		return na()
	}
	switch want := ErrorStatus(s.Error.Code); {
	case want == 0:
		return na()
	case s.Head.Status != want:
		return fail("Error %d has HTTP status %d; it must have %d.", s.Error.Code, s.Head.Status, want)
	}
	return pass()
}

// errorData judges the two error codes that require data.
func errorData(s *subject) ruling {
	if s.Error == nil {
		return na()
	}
	switch s.Error.Code {
	case -32021:
		if needs := s.Error.Data.Get("requiredCapabilities"); needs == nil || needs.Kind != jsontree.Object {
			return fail("Error -32021 does not list the required capabilities in data.requiredCapabilities.")
		}
		if a := s.refusesCapabilities(); a.verdict != verdict.NotApplicable {
			return a
		}
	case -32022:
		supported, requested := s.Error.Data.Get("supported"), s.Error.Data.Get("requested")
		sent := s.meta().Get("io.modelcontextprotocol/protocolVersion")
		header := s.head.Get("MCP-Protocol-Version") // may differ, and either was requested then
		switch {
		case supported == nil || supported.Kind != jsontree.Array:
			return fail("Error -32022 does not list the supported versions in data.supported.")
		case sent != nil && !jsontree.Equal(requested, sent) && (header == "" || requested.Str() != header):
			return fail("Error -32022 does not repeat the requested version in data.requested.")
		}
	default:
		return na()
	}
	return pass()
}

// standardCodes are the error codes of JSON-RPC 2.0.
var standardCodes = []int64{-32700, -32600, -32601, -32602, -32603}

// currentCodes reports codes that were removed or never defined.
func currentCodes(s *subject) ruling {
	if s.Error == nil {
		return na()
	}
	code := s.Error.Code
	switch {
	case (code == -32700 || code == -32600) && s.isRight():
		return hint("The server returned error %d, but the request is a valid JSON-RPC request.", code)
	case code == -32002 || code == -32042:
		return fail("Error %d belongs to an earlier revision and must no longer be sent.", code)
	case code < -32022 && code >= -32099:
		return fail("Error %d is reserved for the specification, which does not define it.", code)
	case code < -32099 && code >= -32768 && !slices.Contains(standardCodes, code):
		return hint("Error %d is in the range that JSON-RPC reserves.", code)
	case code <= -32000 && code >= -32019:
		return hint("Error %d is in the legacy range, whose codes have no defined meaning.", code)
	}
	return pass()
}

// notBuffered is buffering: without the header, a proxy may hold an event
// stream back until it is complete.
func notBuffered(s *subject) ruling {
	switch {
	case !s.Head.IsStream():
		return na()
	case !strings.EqualFold(s.Head.Get("X-Accel-Buffering"), "no"):
		return hint("The event stream does not have X-Accel-Buffering: no, so a proxy may hold it back.")
	}
	return pass()
}

// wholeBody is body-length: the body is as long as Content-Length says.
func wholeBody(s *subject) ruling {
	length, err := strconv.Atoi(s.Head.Get("Content-Length"))
	switch {
	case err != nil || s.Ended.IsZero() || s.Head.IsStream() || s.Class == wire.TooLarge:
		return na()
	case len(s.Response.Body) < length:
		return fail("The body has %d bytes, but Content-Length says %d.", len(s.Response.Body), length)
	}
	return pass()
}

func noSession(s *subject) ruling {
	switch {
	case s.Head.Status == 0:
		return na()
	case len(s.Head.Values("Mcp-Session-Id")) > 0:
		return hint("The server issued a session id, but this revision has no sessions.")
	}
	return pass()
}
