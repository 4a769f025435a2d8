package doctor

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// remedy is what to do.
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

// remedies are what to do about a class of failure while connecting, where it is not the Try
// of its sentence.
var remedies = map[playground.Class]remedy{
	wire.TLSUntrusted: {do: SentenceOf(wire.TLSUntrusted).Try +
		" If it is your server, trust this one certificate, by its fingerprint.",
		flags: "-trust-certificate FINGERPRINT"},
	wire.TimeoutFirstByte: {do: "The server may be busy or waiting for something. Check its log, then " +
		"connect again.", flags: "-limit answer-first-byte=2m waits longer"},
	wire.TimeoutIdle: {do: "The server opened a stream and sent no response on it. Check its log, and " +
		"any proxy in between that holds streams back.", clause: clauseSending},
	wire.TimeoutTotal: {do: "Check the server's log, then connect again."},
	wire.Reset: {do: "The server or a proxy closed the connection. Check the server's log, then connect " +
		"again."},
	wire.CommandEnded: {do: "Its standard error says why it ended. Run the command by itself: a server " +
		"waits for messages on its standard input, and ends when that is closed.", clause: clauseLines},
	wire.BadLine: {do: SentenceOf(wire.BadLine).Try, clause: clauseLines},
	playground.HTTP401: {do: "Sign in, or send a token that the server accepts.",
		flags: "-sign-in, or -header 'Authorization: Bearer TOKEN'", clause: "basic/authorization"},
	playground.HTTP405: {do: SentenceOf(playground.HTTP405).Try + " " + oldTransport,
		clause: clauseSending},
	playground.HTTP429: {do: "Wait, then connect again."},
	playground.HTTP4xx: {do: "Do what the server says. If it says nothing, check the path of the URL, " +
		"and the server's log."},
	playground.HTTP5xx: {do: "Check the server's log, then connect again."},
	playground.HTTPStatus: {do: "Check the path of the URL. A request needs a JSON-RPC response in the body.",
		clause: clauseSending},
	playground.NotJSON: {do: "Its Content-Type is application/json, but the body can't be parsed. Fix " +
		"the server, or check the path of the URL.", clause: clauseSending},
	playground.ContentType: {do: "Check the path of the URL: it may lead to a web page or to a login. " +
		"An MCP server answers with application/json or text/event-stream.", clause: clauseSending},
	playground.NoResponse: {do: SentenceOf(playground.NoResponse).Try, clause: clauseSending},
	playground.RPCFailed: {do: "The message of the server says why. If it does not, check " +
		"the server's log."},
	playground.Violation: {do: "The server has to be fixed. If it is no MCP server, check the path of " +
		"the URL.",
		clause: "basic/index#responses"},
	playground.Capability: {do: "Declare the capability that the server names, then connect again.",
		flags: "-capabilities JSON"},
	playground.HeaderMismatch: {do: "A proxy may have changed a header. Compare the request that was " +
		"sent with what the server received.",
		clause: clauseHTTP + "#standard-request-headers"},
	playground.ProtocolVersion: {do: "The server and this program have no version in common. This " +
		"program speaks " + wire.ProtocolVersion + " and, by their handshake, " + legacyVersions() +
		". Update the older one of the two.", clause: clauseVersions},
}

// oldTransport is what many a server that rejects POST is.
const oldTransport = "A server with the HTTP+SSE transport of 2024-11-05 answers in this way, too. This " +
	"program does not speak that transport: update the server to Streamable HTTP."

func legacyVersions() string { return strings.Join(playground.LegacyVersions(), ", ") }

// remedy returns what to do about the failure of a step.
func (e examination) remedy(id string) remedy {
	status := e.trip.Head.Status
	switch {
	case id == stepTLS && !e.isSecure():
		return remedy{do: "Use https:// in the URL."}
	case id == stepStatus || id == stepLists && e.class != playground.RPCFailed:
		if r, ok := e.ofStatus(status); ok {
			return r
		}
	case id == stepRedirect && e.circles():
		return remedy{do: "The server redirects to the same URL again. Check the rules for redirects of " +
			"the server and of the proxy in front of it: often one of them expects https."}
	case e.class == wire.BadURL && e.detail != "":
		return remedy{do: "Correct the URL."}
	case e.class == wire.TimeoutConnect && id == stepTLS:
		return remedy{do: "The port accepts connections and does not answer with TLS. Check the port " +
			"number, and whether the server speaks plain HTTP (http:// in the URL)."}
	}
	if r, ok := remedies[e.class]; ok {
		return r
	}
	return remedy{do: SentenceOf(e.class).Try}
}

// ofStatus returns what to do about an HTTP status.
func (e examination) ofStatus(status int) (remedy, bool) {
	said := strings.ToLower(e.detail + " " + bodyOf(e.trip))
	switch status {
	case http.StatusUnauthorized:
		if e.sentToken() {
			return remedy{do: "The server does not accept the token that was sent. Sign in again, or " +
				"send another token. If a fresh token is refused, too, the server may expect another " +
				"audience or another issuer: compare what it says with the token's claims.",
				flags:  remedies[playground.HTTP401].flags,
				clause: "basic/authorization/index#token-requirements"}, true
		}
	case http.StatusForbidden:
		switch {
		case e.lacksScope():
			return remedy{do: "The token lacks a scope. Sign in again and allow the scopes that the " +
				"server names.",
				flags: "-sign-in", clause: "basic/authorization#scope-challenge-handling"}, true
		case strings.Contains(said, "origin"):
			return remedy{do: "The server refuses the Origin of the request. Clients other than " +
				"browsers send none. Let the server accept requests without Origin, or send one that it " +
				"allows.",
				flags: "-header 'Origin: https://…'", clause: clauseHTTP}, true
		case hostNamed(said):
			return hostRemedy, true
		}
	case http.StatusNotFound:
		do := "Check the path of the URL."
		if strings.HasSuffix(strings.TrimSuffix(e.target.URL, "/"), "/sse") {
			do += " " + oldTransport
		}
		return remedy{do: do}, true
	case http.StatusNotAcceptable:
		return remedy{do: "The request was sent with Accept: application/json, text/event-stream, as it " +
			"must be. Let the server accept both, and check that no proxy changes the header.",
			clause: clauseSending}, true
	case http.StatusUnsupportedMediaType:
		return remedy{do: "The request was sent with Content-Type: application/json, as it must be. " +
			"Check the path of the URL, and that no proxy changes the header.", clause: clauseSending}, true
	case http.StatusMisdirectedRequest:
		return hostRemedy, true
	case http.StatusUpgradeRequired:
		return remedy{do: "The server wants another protocol than HTTP/1.1, which this program does not " +
			"speak. Check the port, or let a proxy in front of the server speak HTTP/1.1."}, true
	case http.StatusUnprocessableEntity:
		return remedy{do: "The server does not accept what the request says. If it is an MCP server, " +
			"its reason or its log says which part; else check the path of the URL."}, true
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return remedy{do: "A proxy answers in place of the server. Check that the server behind it runs," +
			" and that the proxy has its right address."}, true
	case http.StatusServiceUnavailable:
		return remedy{do: "The server says that it is not available now. Wait, then connect again. If " +
			"it stays so, check the server's log and the proxy in front of it."}, true
	case http.StatusRequestEntityTooLarge, http.StatusRequestHeaderFieldsTooLarge:
		return remedy{
			do: "Send fewer or shorter headers, or raise the limit of the server or the proxy.",
		}, true
	}
	return remedy{}, false
}

// hostRemedy is for a server that does not answer for the name in the URL.
var hostRemedy = remedy{do: "The server does not answer for the host name in the URL. Use the name that " +
	"it expects, or add this one to its allowed hosts (a protection against DNS rebinding).",
	clause: clauseHTTP}

// hostNamed reports whether a server speaks of the host name.
func hostNamed(said string) bool {
	return strings.Contains(said, "invalid host") || strings.Contains(said, "host header") ||
		strings.Contains(said, "host not allowed")
}

// sentToken reports whether the request had a token.
func (e examination) sentToken() bool {
	head, err := wire.ParseHead(e.trip.Request.Head)
	return err == nil && head.Get("Authorization") != ""
}

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
