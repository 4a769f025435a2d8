package doctor

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// remedy is what to do. It says who has to do it where that is not the user; "You:" stands
// where both have something to do. The likelier cause is first.
type remedy struct {
	do, flags, clause string
}

// Clauses that remedies name.
const (
	clauseVersions = "basic/versioning#backward-compatibility-with-initialization-based-versions"
	clauseHTTP     = "basic/transports/streamable-http"
	clauseSending  = clauseHTTP + "#sending-messages"
	clauseLines    = "basic/transports/stdio"
)

// Parts of remedies.
const (
	checkPath = "You: check the path of the URL. If it is right, the server's author: "
	flagToken = "-sign-in, or -header 'Authorization: Bearer TOKEN'"
)

// remedies are what to do about a class of failure while connecting. {host}, {name}, {port} and
// {url} stand for those of the URL of the server.
var remedies = map[playground.Class]remedy{
	wire.BadURL: {do: "Correct the URL. It should look like https://example.com/mcp."},
	wire.DNS: {do: "Check the spelling of {name} in the URL. A new name can take a few minutes to " +
		"appear in DNS."},
	wire.Refused: {do: "Check the port number in the URL, {port}. If it is right, start the server, or ask " +
		"the server's author to start it."},
	wire.Unreachable: {do: "Check the address, the network, and any firewall in between."},
	wire.TLS: {do: "The server's author: check the TLS versions that the server supports, and whether it " +
		"wants a certificate of the client, which this program does not have."},
	wire.TLSUntrusted: {do: "You: if it is a server of your own, compare the SHA-256 fingerprint of its " +
		"certificate with FINGERPRINT (for a file: openssl x509 -noout -fingerprint -sha256 -in FILE); if " +
		"the two are the same, trust this one certificate. With any other server, stop: someone may be " +
		"intercepting the connection. The server's author: use a certificate of a known authority.",
		flags: "-trust-certificate FINGERPRINT"},
	wire.TLSExpired: {do: "The server's author: renew the certificate. You: if the clock of this machine " +
		"is wrong, set it."},
	wire.TLSName: {do: "You: use a URL with a name of the certificate, if it leads to this server. " +
		"The server's author: add {name} to the certificate."},
	wire.TLSChanged: {do: "If the server's author did not replace the certificate, stop: someone may be " +
		"intercepting the connection. Nothing was sent. If it was replaced, trust the new one.",
		flags: "-trust-certificate FINGERPRINT"},
	wire.NoTLS: {do: "If the server speaks plain HTTP, use http:// in the URL. Otherwise check the port " +
		"number, {port}."},
	wire.TimeoutConnect: {do: "Check the address and the port number, {port}. The machine may be down, or " +
		"a firewall may be dropping packets."},
	wire.TimeoutFirstByte: {do: "The server's author: check the server's log. The connection was accepted, " +
		"so it may be busy or waiting for something. You: if it only needs more time, wait longer than " +
		"the limit of this program.",
		flags: "-limit answer-first-byte=2m waits up to 2 minutes until a response begins"},
	wire.TimeoutIdle: {do: "The server's author: check the server's log, and whether a proxy in between " +
		"holds streams back: the server opened a stream and sent no response on it. During long work it " +
		"should send progress or a comment line. You: if it only needs more time, wait longer: the " +
		"silence reached the limit of this program.",
		flags: "-limit answer-idle=5m waits up to 5 minutes in a silent stream", clause: clauseSending},
	wire.TimeoutTotal: {do: "The server's author: check the server's log. You: if it only needs more time, " +
		"wait longer than the limit of this program.",
		flags: "-limit answer-total=30m waits up to 30 minutes for a whole response"},
	wire.TooLarge: {do: "The server's author: link to large data instead of sending it. You: raise the " +
		"limit that this program reads up to.", flags: "-limit answer-body=BYTES, or answer-event=BYTES"},
	playground.TooDeep: {do: "The server's author: nest JSON up to 64 levels only, which is what this " +
		"program reads."},
	wire.Reset: {do: "You: try again. If it stays so, the server's author: check the log of the server, " +
		"and of a proxy in front of it: one of the two closed the connection."},
	wire.NotHTTP: {do: "You: correct the port number, {port}: what listens there speaks another protocol " +
		"than HTTP/1.1, and its first bytes often say which. If the server speaks only HTTP/2, the " +
		"server's author: let it, or a proxy in front of it, speak HTTP/1.1, too."},
	wire.NotStarted: {do: "Check the command of the server. No shell runs it."},
	wire.CommandEnded: {do: "Its standard error says why it ended. Run the command by itself: a server " +
		"waits for messages on its standard input, and ends when that is closed.", clause: clauseLines},
	wire.BadLine: {do: "The server's author: " + lowerFirst(SentenceOf(wire.BadLine).Try),
		clause: clauseLines},
	playground.Redirect: {do: "Connect to the URL that the server redirects to, if you trust it. Redirects " +
		"are not followed."},
	playground.HTTP401: {do: "Sign in, or send a token that the server accepts.", flags: flagToken,
		clause: "basic/authorization"},
	playground.HTTP403: {do: "The server's author: the server's log says why it denies access. You: often " +
		"a token lacks a permission, or the server rejects the host name of the URL."},
	playground.HTTP405: {do: checkPath + "accept POST there, with which MCP messages are sent. " +
		oldTransport, clause: clauseSending},
	playground.HTTP429: {do: "Wait, then try again."},
	playground.HTTP4xx: {do: checkPath + "the server's log says why it rejects the request, if its answer " +
		"does not."},
	playground.HTTP5xx: {do: "The server's author: check the server's log, and that of a proxy in front of " +
		"it. You: then try again."},
	playground.HTTPStatus: {do: checkPath + "answer each request with a JSON-RPC response in the body, " +
		"with HTTP status 200.", clause: clauseSending},
	playground.NotJSON: {do: checkPath + "send valid JSON, which the Content-Type application/json " +
		"promises.", clause: clauseSending},
	playground.ContentType: {do: checkPath + "answer with application/json or text/event-stream.",
		clause: clauseSending},
	playground.NoResponse: {do: "The server's author: check the server's log: the server closed the stream " +
		"before it sent the response.", clause: clauseSending},
	playground.RPCFailed: {do: "The server's author: check the server's log for {method}. The message " +
		"above is all that the response says about the cause."},
	playground.Violation: {do: "The server's author: correct this response, which violates the protocol. " +
		"You: if it may not be an MCP server, check the path of the URL.",
		clause: "basic/index#responses"},
	playground.Capability: {do: "Declare the capability that the server names, then connect again.",
		flags: "-capabilities JSON"},
	playground.HeaderMismatch: {do: "The server's author: compare the request that was sent with what the " +
		"server received: a proxy may have changed a header.",
		clause: clauseHTTP + "#standard-request-headers"},
	playground.ProtocolVersion: {do: "You: update this program, if the server is newer. The server's " +
		"author: update the server, if it is older. This program speaks the MCP versions " +
		ownVersions() + ".",
		clause: clauseVersions},
}

// oldTransport is what many a server that rejects POST is.
const oldTransport = "If the server speaks only the older transport HTTP+SSE, of MCP 2024-11-05, it " +
	"rejects POST in the same way. This program does not speak that transport: the server's author has to " +
	"update the server to Streamable HTTP."

// ownVersions are the versions that this program speaks.
func ownVersions() string {
	return wire.ProtocolVersion + ", " + strings.Join(playground.LegacyVersions(), ", ")
}

// ofVersions returns what to do about a server that lists versions of which none is ours.
func ofVersions(versions []string) string {
	newer := func(v string) bool { return len(v) == len(wire.ProtocolVersion) && v > wire.ProtocolVersion }
	speaks := "This program speaks the MCP versions " + ownVersions() + "."
	switch {
	case len(versions) == 0:
		return remedies[playground.ProtocolVersion].do
	case !slices.ContainsFunc(versions, func(v string) bool { return !newer(v) }):
		return "You: look for a newer version of this program, because the server supports only newer " +
			"versions of MCP. " + speaks + " If there is none, the server's author: support one of these."
	}
	return "The server's author: update the server to " + wire.ProtocolVersion + ". " + speaks
}

// remedy returns what to do about the failure of a step.
func (e examination) remedy(id string) remedy {
	r := e.unfilled(id)
	u, err := url.Parse(e.target.URL)
	if err != nil {
		u = &url.URL{}
	}
	port := u.Port()
	switch {
	case port == "" && u.Scheme == "https":
		port = "443"
	case port == "":
		port = "80"
	}
	r.do = strings.NewReplacer("{host}", text.Visible(u.Host, 100), "{name}", text.Visible(u.Hostname(), 100),
		"{port}", port, "{url}", text.Visible(e.target.URL, 200), "{method}",
		text.Visible(e.trip.Method, 60)).Replace(r.do)
	return r
}

// unfilled is remedy with placeholders.
func (e examination) unfilled(id string) remedy {
	switch {
	case id == stepTLS && !e.isSecure():
		return remedy{do: "Use https:// in the URL."}
	case id == stepStatus || id == stepLists && e.class != playground.RPCFailed:
		if r, ok := e.ofStatus(e.trip.Head.Status); ok {
			return r
		}
	case id == stepRedirect && e.circles():
		do := "The server's author: check the rules for redirects of the server and of the proxy in front " +
			"of it."
		if !e.isSecure() {
			do = "You: if the server has an https:// URL, use that: many servers redirect to the same " +
				"URL because they want it. Else the server's author: check the rules for redirects of " +
				"the server and of the proxy in front of it."
		}
		return remedy{do: do}
	case e.class == wire.TLSExpired && strings.Contains(e.detail, "not valid yet"):
		return remedy{do: "You: check the clock of this machine, and set it if it is wrong. If it is " +
			"right, the server's author: use a certificate that is valid now."}
	case e.class == wire.BadURL && e.detail != "":
		return remedy{do: "Correct the URL."}
	case e.class == wire.TimeoutConnect && id == stepTLS:
		return remedy{do: "The port accepts connections and does not answer with TLS. Check the port " +
			"number, {port}, and whether the server speaks plain HTTP (http:// in the URL)."}
	case e.class == playground.Violation && server.IsOtherJSON(e.trip):
		return remedy{do: "You: check the path of the URL: what answers there sends JSON, but no " +
			"JSON-RPC, so it is hardly an MCP server. If the path is right, the server's author: answer " +
			"each request with a JSON-RPC response.", clause: "basic/index#responses"}
	case e.class == playground.ContentType && isLogin(bodyOf(e.trip)):
		return remedy{do: "The server's author: the page looks like a login, so let requests to this URL " +
			"past it, and answer those without a token with HTTP status 401 and WWW-Authenticate, with " +
			"which MCP clients sign in. You: until then, send a token if you have one that the login " +
			"accepts; or check the path of the URL, if it is not that of the MCP server.",
			flags: "-header 'Authorization: Bearer TOKEN'", clause: clauseSending}
	}
	if r, ok := remedies[e.class]; ok {
		return r
	}
	return remedy{do: SentenceOf(e.class).Try}
}

// isLogin reports whether a page seems to be one to log in at.
func isLogin(body string) bool {
	body = strings.ToLower(body)
	return slices.ContainsFunc([]string{"log in", "login", "log-in", "sign in", "signin", "sign-in"},
		func(s string) bool { return strings.Contains(body, s) })
}

// ofStatus returns what to do about an HTTP status.
func (e examination) ofStatus(status int) (remedy, bool) {
	said := strings.ToLower(e.detail + " " + bodyOf(e.trip))
	switch status {
	case http.StatusUnauthorized:
		if e.sentToken() {
			return remedy{do: e.ofToken(), flags: flagToken,
				clause: "basic/authorization/index#token-requirements"}, true
		}
	case http.StatusForbidden:
		return e.ofDenial(said)
	case http.StatusNotFound:
		do := checkPath + "accept POST at this path."
		if strings.HasSuffix(strings.TrimSuffix(e.target.URL, "/"), "/sse") {
			do += " " + oldTransport
		}
		return remedy{do: do}, true
	case http.StatusMethodNotAllowed:
		if strings.HasSuffix(strings.TrimSuffix(e.target.URL, "/"), "/sse") {
			return remedy{do: "You: try the address of the current transport, which is often next to " +
				"this one. " + oldTransport, clause: clauseSending}, true
		}
	case http.StatusNotAcceptable:
		return remedy{do: "The server's author: accept the header Accept: application/json, " +
			"text/event-stream, with which the request was sent, as it must be. If the server does, a " +
			"proxy in front of it changes the header.", clause: clauseSending}, true
	case http.StatusUnsupportedMediaType:
		return remedy{do: checkPath + "accept the header Content-Type: application/json, with which the " +
			"request was sent, as it must be. If the server does, a proxy in front of it changes the header.",
			clause: clauseSending}, true
	case http.StatusMisdirectedRequest:
		return hostRemedy, true
	case http.StatusUpgradeRequired:
		return remedy{do: "The server's author: let the server, or a proxy in front of it, speak " +
				"HTTP/1.1: it wants another protocol, which this program does not speak. You: check the " +
				"port number, {port}."},
			true
	case http.StatusUnprocessableEntity:
		return remedy{do: "You: check the path of the URL: it may lead to another interface than MCP. If " +
			"it is right, the server's author: the request was " + e.request() + ", so accept it; the " +
			"server's log says what it misses.", clause: clauseSending}, true
	case http.StatusTooManyRequests:
		return remedy{do: e.wait("You: wait") + ", then try again."}, true
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return remedy{do: "The server's author: a proxy answers in place of the server, because it " +
			"cannot reach it. Start the server behind the proxy, and check the address of the server in " +
			"the settings of the proxy."}, true
	case http.StatusServiceUnavailable:
		return remedy{do: e.wait("You: wait a moment") + ", then try again: the server says that it is not " +
			"available now. If it stays so, the server's author: check the log of the server, and of the " +
			"proxy in front of it."}, true
	case http.StatusRequestEntityTooLarge, http.StatusRequestHeaderFieldsTooLarge:
		return remedy{do: "You: send fewer or shorter headers. The server's author: raise the limit of the " +
			"server or of the proxy in front of it."}, true
	}
	return remedy{}, false
}

// wait says how long to wait, as Retry-After does.
func (e examination) wait(otherwise string) string {
	after := e.trip.Head.Get("Retry-After")
	switch {
	case after == "":
		return otherwise
	case strings.Trim(after, "0123456789") == "":
		return "You: wait " + text.Visible(after, 20) + " seconds"
	}
	return "You: wait until " + text.Visible(after, 60)
}

// request names the parts of the request that was sent.
func (e examination) request() string {
	if !strings.Contains(string(e.trip.Request.Body), `"params"`) {
		return "the JSON-RPC request " + text.Visible(e.trip.Method, 60) + " without params"
	}
	return "the JSON-RPC request " + text.Visible(e.trip.Method, 60) + " with params in the body, as it " +
		"must be"
}

// ofToken returns what to do about a token that the server refuses.
func (e examination) ofToken() string {
	said := strings.ToLower(e.detail)
	switch meant := e.otherURL(); {
	case meant != "" && strings.Contains(said, "audience"):
		return "You: the token was sent to {url}, and the server's reason names another URL, " +
			meant + ". If that is the address of the server that you mean, and you trust it, connect to " +
			"it and sign in there: then the token is for it. If {url} is right, the server's author: " +
			"accept tokens for it."
	case strings.Contains(said, "audience"):
		return "You: if you entered the token yourself, sign in instead, to get one for {url}. If the " +
			"token is from a sign-in already, " + audience
	case strings.Contains(said, "expired"):
		return "Sign in again, or send another token: this one has expired."
	}
	return "You: sign in, or send another token. If a fresh token is refused, too, the server's author: " +
		"the server's log says what is wrong with it, often its audience, which should be {url}, or its " +
		"issuer."
}

// audience is for a token that is for another server than the one that it was requested for.
const audience = "the authorization server's operator: issue the token for the audience (claim aud) that " +
	"the parameter resource names, {url}. If it does, the server's author: accept that audience."

// AfterSignIn returns the list of a server that refuses a token that the user has just signed in
// for: another sign-in does not help.
func (l List) AfterSignIn(t playground.Target) List {
	failed := l.Failed()
	if failed == nil || failed.ID != stepStatus || failed.Outcome != verdict.Failed ||
		!strings.HasPrefix(failed.Came, TokenRefused) {
		return l
	}
	failed.Flags = ""
	failed.Do = strings.ReplaceAll(upperFirst(audience)+" The server's log says what else may be wrong "+
		"with the token. You: do not sign in again: this token is fresh, and another one would be like it.",
		"{url}", text.Visible(t.URL, 200))
	return l
}

// otherURL returns a URL that the challenge of the server names in its description and that is
// not the one that was connected to, or "".
func (e examination) otherURL() string {
	for _, c := range wire.Challenges(e.trip.Head.Values("WWW-Authenticate")) {
		for _, p := range c.Params {
			if p.Name != "error_description" {
				continue
			}
			for word := range strings.FieldsSeq(p.Value) {
				word = strings.Trim(word, `.,;:'"()`)
				if strings.HasPrefix(word, "https://") && word != e.target.URL {
					return text.Visible(word, 200)
				}
			}
		}
	}
	return ""
}

// ofDenial returns what to do about HTTP status 403.
func (e examination) ofDenial(said string) (remedy, bool) {
	switch origin := e.sent("Origin"); {
	case e.lacksScope():
		scopes := ""
		if names := e.scopes(); names != "" {
			scopes = ": " + names
		}
		return remedy{do: "Sign in again and allow the scope that the token lacks" + scopes + ".",
			flags: "-sign-in", clause: "basic/authorization#scope-challenge-handling"}, true
	case strings.Contains(said, "origin") && origin == "":
		return remedy{do: "The server's author: accept requests without an Origin header: this one had " +
			"none, because only browsers send it. You: until then, send an Origin that the server " +
			"allows; its author knows which.",
			flags: "-header 'Origin: https://ALLOWED.example'", clause: clauseHTTP}, true
	case strings.Contains(said, "origin"):
		return remedy{do: "You: remove the header Origin, which is " + text.Visible(origin, 100) + ", or " +
			"send one that the server allows. The server's author: allow this one.", clause: clauseHTTP}, true
	case hostNamed(said):
		return hostRemedy, true
	}
	return remedy{}, false
}

// scopes returns the scopes that a challenge names.
func (e examination) scopes() string {
	for _, c := range wire.Challenges(e.trip.Head.Values("WWW-Authenticate")) {
		for _, p := range c.Params {
			if p.Name == "scope" {
				return text.Visible(p.Value, 200)
			}
		}
	}
	return ""
}

// hostRemedy is for a server that does not answer for the name in the URL.
var hostRemedy = remedy{do: "The server's author: add {host}, the host in the URL, to the allowed hosts " +
	"of the server (a protection against DNS rebinding). You: or use a host name that the server allows; " +
	"its author knows which.", clause: clauseHTTP}

// hostNamed reports whether a server speaks of the host name.
func hostNamed(said string) bool {
	return strings.Contains(said, "invalid host") || strings.Contains(said, "host header") ||
		strings.Contains(said, "host not allowed")
}

// sent returns the value of a header field of the request, or "".
func (e examination) sent(name string) string {
	head, err := wire.ParseHead(e.trip.Request.Head)
	if err != nil {
		return ""
	}
	return head.Get(name)
}

// sentToken reports whether the request had a token.
func (e examination) sentToken() bool { return e.sent("Authorization") != "" }

// circles reports whether a redirect leads to the URL itself.
func (e examination) circles() bool {
	u, err := url.Parse(e.target.URL)
	if err != nil {
		return false
	}
	to, err := u.Parse(e.trip.Head.Get("Location"))
	return err == nil && to.String() == u.String()
}

// lacksScope reports whether the server refuses the token for want of a scope.
func (e examination) lacksScope() bool {
	return e.trip.Head.Status == http.StatusForbidden && strings.Contains(e.detail, "insufficient_scope")
}

// upperFirst returns a part of a sentence as its beginning.
func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// lowerFirst returns a sentence as a part of another one.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
