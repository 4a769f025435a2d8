package doctor

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Sentence describes a failure: the event, and the remedy.
type Sentence struct {
	Code string
	What string
	Try  string
}

// SentenceCodes returns the codes that have a sentence of their own, in order.
func SentenceCodes() []string { return slices.Sorted(maps.Keys(sentences)) }

// SentenceOf returns the sentence for a class of failure.
func SentenceOf(c playground.Class) Sentence {
	s, ok := sentences[string(c)]
	if !ok {
		s = Sentence{What: "The request failed.", Try: "Look at the bytes under Wire."}
	}
	s.Code = string(c)
	return s
}

// FailureSentence returns the sentence for a class of failure and its detail, a
// sentence or "", without the part that the first one has already.
func FailureSentence(c playground.Class, detail string) (Sentence, string) {
	return WithDetail(SentenceOf(c), detail)
}

// WithDetail returns the sentence with a status that the detail names in place of "5xx", and
// what of the detail it does not say already.
func WithDetail(s Sentence, detail string) (Sentence, string) {
	var status int
	if n, _ := fmt.Sscanf(detail, "HTTP status %d", &status); n == 1 {
		number := fmt.Sprintf("HTTP %d", status)
		s.What = strings.Replace(s.What, "HTTP 5xx", number, 1)
		if strings.Contains(s.What, number) {
			_, detail, _ = strings.Cut(detail, ". ")
		}
	}
	if detail != "" {
		detail = text.AsSentence(detail)
	}
	if detail == sameDetails[s.Code] {
		detail = ""
	}
	if s.Code == string(wire.BadURL) && detail != "" {
		s.Try = "" // the detail names the fault
	}
	if strings.HasPrefix(detail, strings.TrimSuffix(s.What, ".")) {
		s.What, detail = detail, ""
	}
	return s, detail
}

// sameDetails holds the detail that says no more than the sentence of its class.
var sameDetails = map[string]string{
	"refused": "The host refused the connection.",
}

// What a refusal means for a client that has signed in.
const (
	TokenRefused = "The server did not accept the token (HTTP 401)."
	MoreRights   = "This request needs more rights (HTTP 403)."
)

// sentences holds a sentence for each class of failure, without its code.
var sentences = map[string]Sentence{
	"bad_url": {
		What: "This is not a valid server URL.",
		Try:  "It should look like https://example.com/mcp.",
	},
	"own_page": {
		What: "This is the playground itself, which does not call itself.",
		Try:  "It can call its sample servers. Their URLs begin with /mcp/. Try one of these:",
	},
	"own_agents": {
		What: "This is the playground itself, which does not call itself.",
		Try: "Coding agents connect to this address. To check a server of yours, enter its URL. " +
			"To see what a check finds, try a sample:",
	},
	"stdio_command": {
		What: "This is a command, not a URL.",
		Try:  "A page can't start a command.",
	},
	"no_command": {
		What: "This program was not started with this command.",
		Try: "Start mrtr-playground with -stdio and the command of the server. " +
			"Only the command line can name a command: no page can.",
	},
	"not_started": {
		What: "The command of the server could not be started.",
		Try:  "Check the command that mrtr-playground was started with. No shell runs it.",
	},
	"command_ended": {
		What: "The command ended before the response.",
		Try:  "The next request starts the command again.",
	},
	"bad_line": {
		What: "The command doesn't write each message on a line of its own.",
		Try: "On standard output, a message is one line of JSON in UTF-8 with a line feed at its end. " +
			"Log text belongs on standard error.",
	},
	"bad_header": {
		What: "A header can't be sent as entered.",
		Try: "Header names contain letters, digits, and hyphens. Values contain no line breaks. " +
			"The playground sets the headers that control the connection.",
	},
	"blocked_address": {
		What: "This address isn't reachable from here, by design.",
		Try: "The name resolves to a private or special-purpose network. " +
			"To test local servers, run the playground on your own machine.",
	},
	"dns": {
		What: "The host name can't be resolved.",
		Try:  "Check the spelling. A new name can take a few minutes to appear in DNS.",
	},
	"refused": {
		What: "No server is listening on this port.",
		Try:  "Start the server, and check the port number.",
	},
	"unreachable": {
		What: "The machine can't be reached.",
		Try:  "Check the address, the network, and any firewall in between.",
	},
	"tls": {
		What: "The TLS connection failed.",
		Try:  "Check the TLS versions that the server supports.",
	},
	"tls_untrusted": {
		What: "No known authority signed the server's certificate.",
		Try: "The certificate does not prove who is answering. That is usual for a server of your own. " +
			"With any other server, someone may be intercepting the connection.",
	},
	"tls_expired": {
		What: "The server's certificate is not valid at this time.",
		Try:  "Renew it, or check the clock of this machine.",
	},
	"tls_name": {
		What: "The server's certificate is for another name.",
		Try:  "Use a URL with a name in the certificate, or add the name of the URL to the certificate.",
	},
	"tls_changed": {
		What: "The server's certificate has changed.",
		Try: "If you did not replace it, someone may be intercepting the connection. Nothing was sent. " +
			"If you did, remove the trusted certificate and reconnect.",
	},
	"no_tls": {
		What: "The server did not answer with TLS.",
		Try:  "If it speaks plain HTTP, use http:// in the URL. Otherwise check the port number.",
	},
	"timeout_connect": {
		What: "The machine did not respond in time.",
		Try:  "It may be down, or a firewall may be dropping packets.",
	},
	"timeout_first_byte": {
		What: "The request was sent, but no response came in time.",
		Try:  "The server may be busy or waiting for something. Try again, or check its log.",
	},
	"timeout_idle": {
		What: "The stream stopped before the response was complete.",
		Try:  "During a long call, the server should send progress or a comment line from time to time.",
	},
	"timeout_total": {
		What: "The response took too long.",
		Try:  "The call reached its time limit. A task suits longer work better.",
	},
	"too_large": {
		What: "The response is too large to record.",
		Try: "Responses are read up to the limits answer-body and answer-event, which -limit sets when " +
			"this program starts. Or let the server link to large data.",
	},
	"too_deep": {
		What: "The response is nested too deeply.",
		Try:  "JSON may nest up to 64 levels here.",
	},
	"reset": {
		What: "The connection broke before the response ended.",
		Try:  "The server or a proxy closed it. Check the server's log before you send the request again.",
	},
	"not_http": {
		What: "The response is not HTTP/1.1.",
		Try: "Check the port. " +
			"A server that requires HTTP/2 or another protocol can't be recorded byte for byte.",
	},
	"redirect": {
		What: "The server redirects to another URL.",
		Try:  "Redirects are shown, not followed. If you trust the new URL, connect to it.",
	},
	"not_json": {
		What: "The response is not valid JSON.",
		Try:  "Its Content-Type is application/json, but the body can't be parsed. Look at its bytes.",
	},
	"content_type": {
		What: "The response is not an MCP message.",
		Try:  "The URL may lead to a login page or to the wrong path.",
	},
	"http_401": {
		What: "The server requires a sign-in (HTTP 401).",
		Try:  "Sign in or enter a token on the server's page, or check the one that was sent.",
	},
	"http_403": {
		What: "The server denied access (HTTP 403).",
		Try:  "The token may lack a permission, or the server may reject this origin or host name.",
	},
	"http_404": {
		What: "The server returned HTTP 404 (Not Found).",
		Try:  "Check the path of the URL.",
	},
	"http_405": {
		What: "This URL doesn't accept POST (HTTP 405).",
		Try:  "Check the path of the URL. MCP messages are sent with POST.",
	},
	"http_429": {
		What: "The server asks you to slow down (HTTP 429).",
		Try:  "Wait, then send the request again.",
	},
	"http_4xx": {
		What: "The server rejected the request.",
		Try:  "The body of the response is under Wire.",
	},
	"http_5xx": {
		What: "The server or a proxy could not handle the request (HTTP 5xx).",
		Try:  "Check the server's log, then send the request again.",
	},
	"http_status": {
		What: "The HTTP response contains no JSON-RPC response.",
		Try:  "A request needs a JSON-RPC response in the body.",
	},
	"no_response": {
		What: "The stream ended without a response.",
		Try:  "The server closed the connection early. Check its log.",
	},
	"rpc": {
		What: "The server answered with an error.",
		Try:  "The message and code are in the response under Wire.",
	},
	"violation": {
		What: "The response violates the protocol, so the call can't continue.",
		Try:  "The server has to be fixed.",
	},
	"protocol_version": {
		What: "The server doesn't support this protocol version.",
		Try:  "Multi round-trip requests need MCP 2026-07-28.",
	},
	"capability": {
		What: "The server requires a capability that this client did not declare.",
		Try:  "Declare the capability that the server names, then call again.",
	},
	"url_required": {
		What: "The server asks you to open a page first (error -32042).",
		Try: "The playground does not open or fetch the page. " +
			"Open it if you trust the host, then make the call again. " +
			"Error -32042 belongs to 2025-11-25; MCP 2026-07-28 asks with an elicitation.",
	},
	"header_mismatch": {
		What: "The server reports that headers and body disagree.",
		Try: "The server may have changed the tool's definition, or a proxy a header. " +
			"Before the client sends a call again, it lists the tools and takes the headers from there.",
	},
	string(server.ConnectCancelled): {
		What: "You stopped connecting.",
		Try:  "Reconnect to try again.",
	},
	"interrupted": {
		What: "The playground stopped while the request was running.",
		Try:  "Whether the server finished is unknown. Retry only if running it twice is safe.",
	},
	"task_cancelled": {
		What: "The task was cancelled.",
		Try:  "Work that was already done may remain.",
	},
	"task_unknown": {
		What: "The server doesn't know the task.",
		Try:  "It may have lost the task, or the task belongs to another user. Call again to start over.",
	},
	"task_expired": {
		What: "The task expired.",
		Try:  "A server keeps a task for its ttlMs. Call again to start over.",
	},
	"call_lost": {
		What: "The open call was lost.",
		Try: "The answers sent so far are lost with it. " +
			"Start the call again from the beginning.",
	},
	"cancelled": {
		What: "You cancelled the request.",
		Try:  "The server may have finished anyway.",
	},
	"capped": {
		What: "The call hit the 20-round limit.",
		Try:  "A server that keeps asking may have a bug.",
	},
}
