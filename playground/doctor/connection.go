package doctor

import (
	"bytes"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// IDs of the steps of a connection.
const (
	stepName     = "name"
	stepConnect  = "connect"
	stepTLS      = "tls"
	stepResponse = "response"
	stepRedirect = "redirect"
	stepStatus   = "status"
	stepType     = "type"
	stepMessage  = "message"
	stepVersion  = "version"
	stepLists    = "lists"
	stepCommand  = "command"
	stepLine     = "line"
)

// titles are those of the steps of a connection.
var titles = map[string]string{
	stepName:     "Host name",
	stepConnect:  "Connection",
	stepTLS:      "TLS",
	stepResponse: "HTTP response",
	stepRedirect: "Redirect",
	stepStatus:   "HTTP status",
	stepType:     "Content type",
	stepMessage:  "MCP message",
	stepVersion:  "MCP version",
	stepLists:    "Lists",
	stepCommand:  "Command",
	stepLine:     "Output",
}

// overHTTP and overLines are the steps of a connection in their order.
var (
	overHTTP = []string{
		stepName, stepConnect, stepTLS, stepResponse, stepRedirect, stepStatus, stepType, stepMessage,
		stepVersion, stepLists,
	}
	overLines = []string{stepCommand, stepLine, stepMessage, stepVersion, stepLists}
)

// Connection returns the list of connecting to a server. It is nil while connecting, and of a
// connection that the user stopped. Suggestions stay within the reach.
func Connection(t playground.Target, c server.Connection, reach wire.Reach) List {
	if c.Status == server.Connecting || c.Class == server.ConnectCancelled || c.Class == "interrupted" {
		return nil
	}
	trip, sent := c.Failed()
	if !sent && c.Class == "" {
		return nil
	}
	e := examination{target: t, trip: trip, first: trip, class: c.Class, detail: c.Detail}
	later := afterDiscover(c, trip)
	if c.Status == server.Connected || later {
		e.first = c.Trips[0]
	}
	if c.Status == server.Connected {
		e.class = ""
	}
	list := e.steps(later)
	e.connected(list, c)
	if failed := list.Failed(); failed != nil {
		failed.Suggestions = server.Suggestions(t, c, reach)
	}
	return list
}

// Request returns the list of a single request that got no usable response. It is nil for any
// other Round, and for one that the user stopped.
func Request(t playground.Target, r playground.Round) List {
	switch r.Kind {
	case playground.OutcomeHTTPError, playground.OutcomeTransportError, playground.OutcomeViolation:
		list := examination{target: t, trip: r, first: r, class: r.Class, detail: r.Detail}.steps(false)
		return slices.DeleteFunc(list, func(s Step) bool { return s.ID == stepVersion || s.ID == stepLists })
	}
	return nil
}

// afterDiscover reports whether a request failed after the one that shows what the server is.
func afterDiscover(c server.Connection, trip playground.Round) bool {
	return c.Status == server.ConnectFailed && strings.HasSuffix(trip.Method, "/list") &&
		c.Era != "" && len(c.Trips) > 1
}

// examination is a request that is looked at.
type examination struct {
	target playground.Target
	trip   playground.Round // that failed
	first  playground.Round // that shows the steps before; mostly the same
	class  playground.Class // why it failed; empty if it did not
	detail string
}

// steps returns the steps of the request. later says that it is not the first one: only the
// step of lists can have failed.
func (e examination) steps(later bool) List {
	order, wrong := overHTTP, ""
	if e.target.IsCommand() {
		order = overLines
	}
	if e.class != "" {
		wrong = e.place()
	}
	if later {
		wrong = stepLists
	}
	var list List
	reached := true
	for _, id := range order {
		s := Step{ID: id, Title: titles[id], Outcome: verdict.NotReached}
		switch {
		case id == wrong:
			e.fail(&s)
			reached = false
		case reached:
			s.Outcome, s.Came = verdict.Passed, e.came(id)
			if id == stepType && e.first.Head.Status != 0 && e.first.Head.MediaType() == "" &&
				len(e.first.Response.Body) > 0 {
				s.Outcome, s.Came = verdict.Advisory, "None, although the response has a body."
				s.Do = "The server's author: send Content-Type: application/json or text/event-stream " +
					"with a response."
				s.Clause = clauseSending
			}
		}
		if id == stepTLS && s.Outcome != verdict.Failed && !e.isSecure() {
			s.Outcome = verdict.NotApplicable
		}
		list = append(list, s)
	}
	return list
}

// isSecure reports whether the URL begins with https.
func (e examination) isSecure() bool {
	return strings.HasPrefix(strings.ToLower(e.target.URL), "https:")
}

// place returns the step that a class of failure belongs to.
func (e examination) place() string {
	switch e.class {
	case wire.BadURL, wire.DNS:
		return stepName
	case wire.BlockedAddress, wire.Refused, wire.Unreachable:
		return stepConnect
	case wire.TimeoutConnect:
		if e.trip.Timing.TLS > 0 {
			return stepTLS
		}
		return stepConnect
	case wire.TLS, wire.TLSUntrusted, wire.TLSExpired, wire.TLSName, wire.TLSChanged, wire.NoTLS:
		return stepTLS
	case wire.NotStarted, wire.CommandEnded, wire.NoCommand:
		return stepCommand
	case wire.BadLine:
		return stepLine
	case playground.Redirect:
		return stepRedirect
	case playground.ContentType:
		return stepType
	case playground.ProtocolVersion:
		return stepVersion
	case wire.TooLarge, wire.TimeoutIdle, wire.TimeoutTotal, wire.TimeoutFirstByte, wire.Reset, wire.NotHTTP:
		switch {
		case e.target.IsCommand():
			return stepMessage
		case server.ExpectsTLS(e.trip):
			return stepTLS
		case e.trip.Head.Status != 0:
			return stepMessage
		}
		return stepResponse
	}
	status := e.trip.Head.Status
	switch {
	case e.target.IsCommand() || status/100 == 2:
		return stepMessage
	case server.ExpectsTLS(e.trip):
		return stepTLS
	case e.class == playground.RPCFailed && (status == 400 || status == 404):
		return stepMessage // as JSON-RPC errors are sent
	case slices.Contains([]playground.Class{
		playground.Violation, playground.Capability, playground.HeaderMismatch, playground.NotJSON,
	}, e.class):
		return stepMessage
	case status == 0:
		return stepResponse
	}
	return stepStatus
}

// fail describes the step that failed.
func (e examination) fail(s *Step) {
	s.Outcome = verdict.Failed
	sentence, detail := FailureSentence(e.class, e.detail)
	switch {
	case e.trip.Head.Status == http.StatusUnauthorized && e.sentToken():
		sentence.What = TokenRefused
	case e.trip.Head.Status == http.StatusUnauthorized:
		s.Outcome = verdict.Stopped
	case e.lacksScope():
		sentence.What = MoreRights
	}
	what, detail := e.reworded(sentence.What, detail)
	s.Came = harmless(strings.TrimSpace(what + " " + detail))
	r := e.remedy(s.ID)
	s.Do, s.Flags, s.Clause = r.do, r.flags, r.clause
	if s.ID == stepConnect && e.trip.Timing.Peer.Addresses != "" {
		s.Came += " Tried: " + e.trip.Timing.Peer.Addresses + "."
	}
	if s.ID == stepTLS && !e.isSecure() {
		s.Came = "Not tried, because the URL begins with http://. But the port expects TLS, and did not " +
			"accept a request without it."
	}
	if der := e.trip.Certificate; s.ID == stepTLS && len(der) > 0 {
		s.Flags = strings.Replace(s.Flags, "FINGERPRINT", wire.Fingerprint(der), 1)
		s.Do = strings.Replace(s.Do, "FINGERPRINT", wire.Fingerprint(der), 1)
	}
	if s.ID == stepLists {
		s.Came = text.Visible(e.trip.Method, 60) + ": " + s.Came
	}
	if !strings.Contains(s.Came, "The body says: ") && e.trip.Error == nil && s.ID != stepVersion {
		s.Body = bodyOf(e.trip)
	}
}

// reworded returns the sentence and the detail of the failure with what the list knows besides:
// the host, the size, where a redirect leads.
func (e examination) reworded(what, detail string) (string, string) {
	switch e.class {
	case wire.DNS:
		if u, err := url.Parse(e.target.URL); err == nil {
			what = "The host name " + text.Visible(u.Hostname(), 100) + " can't be resolved."
		}
	case wire.Reset:
		length, err := strconv.Atoi(e.trip.Head.Get("Content-Length"))
		got := len(e.trip.Response.Body)
		if err == nil && strings.Contains(detail, "before the Content-Length") {
			detail = fmt.Sprintf("The server announced a body of %s (Content-Length), but the connection "+
				"ended after %s.", text.Plural(length, "byte"), text.Plural(got, "byte"))
		}
	case playground.Redirect:
		if e.circles() {
			what = "The server redirects to the same URL again."
		}
	case playground.NotJSON:
		what = syntax.ReplaceAllString(what, "The response is not valid JSON: reading it stops at byte "+
			"$1 ($2).")
		what = strings.Replace(what, "(member name is", "(a member name in quotation marks is", 1)
	case playground.Violation:
		what = "The response violates the protocol."
		if server.IsOtherJSON(e.trip) {
			what = "The response is no MCP message."
		}
	case playground.RPCFailed:
		if x := e.trip.Error; x != nil {
			what = "The server answered with a JSON-RPC error."
			detail = strings.Replace(detail,
				fmt.Sprintf("The server returned error %d: %s", x.Code, x.Message),
				fmt.Sprintf("Its code is %d%s, and its message is %q", x.Code, meaning[x.Code], x.Message), 1)
		}
	case playground.HTTP4xx:
		if e.trip.Head.Status == http.StatusUnprocessableEntity {
			what = ""
		}
	}
	return what, detail
}

// syntax is a detail about JSON that cannot be read.
var syntax = regexp.MustCompile(`^The response is not valid JSON \(byte (\d+): ([^)]*)\)\.`)

// meaning has what codes of JSON-RPC stand for.
var meaning = map[int64]string{
	-32700: " (parse error)", -32600: " (invalid request)", -32601: " (method not found)",
	-32602: " (invalid params)", -32603: " (internal error)",
}

// bodyOf returns how the body of a response begins, on one line, or "".
func bodyOf(r playground.Round) string {
	body := r.Response.Body
	if len(body) == 0 && r.Head.Status == 0 { // no head: whatever came
		body = r.Response.Head
	}
	if last := len(r.Messages) - 1; r.Head.IsStream() && last >= 0 {
		body = r.Messages[last].Raw
	}
	if bytes.HasPrefix(body, []byte("\x15\x03")) { // an alert of TLS is not text
		return ""
	}
	return text.Visible(strings.Join(strings.Fields(text.Chars(string(body), 4*maxBody)), " "), maxBody)
}

// came returns what came of a step that passed.
func (e examination) came(id string) string {
	peer := e.first.Timing.Peer
	switch id {
	case stepName:
		return e.name(peer)
	case stepConnect:
		if peer.Address != "" {
			return "Connected to " + peer.Address + "."
		}
		return "Connected."
	case stepTLS:
		switch {
		case !e.isSecure():
			return "Not used: the URL begins with http://."
		case peer.Certificate != "":
			return peer.TLS + ". The certificate is " + peer.Certificate + "."
		case peer.TLS != "":
			return peer.TLS + "."
		}
		return "The connection is encrypted."
	case stepResponse:
		return "A response came."
	case stepRedirect:
		return "None, as it should be."
	case stepStatus:
		return e.status()
	case stepType:
		if kind := e.first.Head.MediaType(); kind != "" {
			return harmless(kind) + "."
		}
		return "None, because the response has no body."
	case stepMessage:
		return "A response to " + text.Visible(e.first.Method, 60) + "."
	case stepCommand:
		return "The command runs."
	case stepLine:
		return "Each line is one message."
	case stepLists:
		return "Read."
	}
	return ""
}

// status says which HTTP status came, and what it stands for if it is not 200.
func (e examination) status() string {
	switch s := e.first.Head.Status; {
	case s == http.StatusAccepted:
		return "202: the message was accepted, as a notification is."
	case s/100 == 4:
		return fmt.Sprintf("%d, as with a JSON-RPC error.", s)
	default:
		return fmt.Sprintf("%d.", s)
	}
}

// name says what the host of the URL resolved to.
func (e examination) name(peer wire.Peer) string {
	u, err := url.Parse(e.target.URL)
	if err != nil {
		return ""
	}
	host := text.Visible(u.Hostname(), 100)
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return host + " is an address: there is nothing to look up."
	}
	if peer.Addresses == "" {
		return host + " was found."
	}
	return host + " is " + peer.Addresses + "."
}

// connected says which version was found, and what of it is surprising.
func (e examination) connected(list List, c server.Connection) {
	for i := range list {
		s := &list[i]
		if s.ID == stepVersion && s.Wrong() && c.Listed && !strings.Contains(s.Came, "supports") {
			s.Came += " It supports: " + text.Visible(strings.Join(c.Versions, ", "), 200) + "."
		}
		if s.ID == stepVersion && s.Wrong() && c.Listed {
			s.Do = ofVersions(c.Versions)
		}
		if s.ID != stepVersion || s.Outcome != verdict.Passed {
			continue
		}
		switch {
		case c.Era == playground.Modern:
			s.Came = "MCP " + wire.ProtocolVersion + "."
		case len(c.Versions) > 0:
			s.Came = "MCP " + text.Visible(strings.Join(c.Versions, ", "), 200) +
				", after the handshake of earlier revisions."
		default:
			s.Came = "A revision before " + wire.ProtocolVersion + "."
		}
		probe, odd := c.OddProbe()
		if !odd {
			continue
		}
		s.Outcome = verdict.Advisory
		s.Came += " To server/discover it answered: " + harmless(text.AsSentence(probe.Detail))
		s.Do = "You: nothing, calls work. The server's author: answer server/discover with a JSON-RPC " +
			"error if the server does not know it: some clients take anything else for a broken server."
		s.Clause = clauseVersions
	}
}
