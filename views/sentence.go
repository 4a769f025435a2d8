package views

import "github.com/mrtr-playground/mrtr-playground/playground"

// Sentence is a failure for people: what happened, and what to try.
type Sentence struct {
	Code string
	What string
	Try  string
}

// SentenceOf gives the words for a class. Every class has its own.
func SentenceOf(c playground.Class) Sentence {
	words, ok := sentences()[string(c)]
	if !ok {
		words = [2]string{"The request failed.", "Look at the bytes under Wire."}
	}
	return Sentence{Code: string(c), What: words[0], Try: words[1]}
}

func sentences() map[string][2]string {
	return map[string][2]string{
		"bad_url":            {"This is not the address of an MCP server.", "Give an absolute web address such as https://example.com/mcp."},
		"stdio_command":      {"This is a command, not an address.", "Start the server so that it listens on a port, and give its web address."},
		"bad_header":         {"A header cannot be sent as it stands.", "Names are letters, digits and hyphens; values have no line breaks; fields that steer the connection belong to the program."},
		"blocked_address":    {"This address is not reachable from here, by design.", "The name leads to a private or special network. Run the playground on your own machine to test local servers."},
		"dns":                {"The name could not be found.", "Check the spelling of the host. A brand-new name may need some minutes."},
		"refused":            {"Nobody is listening there.", "Start the server, and check the port number."},
		"unreachable":        {"There is no way to that machine.", "Check the address, the network and any firewall between."},
		"tls":                {"The encrypted connection could not be trusted.", "Look at the certificate: its names, its dates and who signed it. A server without TLS needs http:// in its address."},
		"timeout_connect":    {"The machine did not pick up in time.", "It may be down, or a firewall may drop the packets silently."},
		"timeout_first_byte": {"The server took the request and then said nothing.", "It may be busy, or waiting for something. Try again, or look at its log."},
		"timeout_idle":       {"The stream went silent in the middle.", "A long call should send progress or a comment line now and then."},
		"timeout_total":      {"The answer took too long.", "A call may last 30 seconds here. Long work is better a task."},
		"too_large":          {"The answer is larger than this page takes.", "Answers may have up to 1 MiB, a single event 256 KiB. Let the server link to big data instead."},
		"too_deep":           {"The answer is nested too deeply to be read.", "JSON may nest 64 levels here."},
		"reset":              {"The connection broke before the answer ended.", "The server or something before it gave up. Send it again, and look at the server's log."},
		"not_http":           {"What answered does not speak HTTP/1.1.", "Check the port; a server that insists on HTTP/2 or another protocol cannot be recorded byte for byte."},
		"redirect":           {"The server points somewhere else.", "Redirects are shown, not followed. If you trust the new address, connect to it."},
		"not_json":           {"The answer is not JSON.", "The body says application/json but cannot be parsed; look at its bytes."},
		"content_type":       {"The answer is no MCP message.", "It may be a login page or the wrong path. MCP endpoints often end in /mcp."},
		"http_401":           {"The server wants to know who you are.", "Look at its WWW-Authenticate header, and give a token."},
		"http_403":           {"The server does not let you in.", "The token may lack a right, or the server refuses this origin or host name."},
		"http_404":           {"There is no MCP server at this path.", "Check the path; MCP endpoints often end in /mcp."},
		"http_405":           {"This path does not take POST.", "Check the path; MCP messages are sent by POST."},
		"http_429":           {"The server asks you to slow down.", "Wait as long as its Retry-After header says, then send it again."},
		"http_4xx":           {"The server refused the request.", "Look at the body of the answer for its reason."},
		"http_5xx":           {"The server broke.", "That is the server's fault; its log will know. It can be sent again."},
		"http_status":        {"The server answered without an answer.", "A request needs a JSON-RPC response in the body."},
		"no_response":        {"The stream ended without a response.", "The server closed the connection early; its log may tell why."},
		"rpc":                {"The server answered with an error.", "Its message may say why."},
		"violation":          {"The answer breaks the protocol, so there is no next step.", "The bytes under Wire show what came."},
		"protocol_version":   {"The server does not speak the revision with multi round-trip requests.", "It needs MCP 2026-07-28."},
		"capability":         {"The server needs something this client did not declare.", "Declare the capability it names, and call again."},
		"header_mismatch":    {"The server says that headers and body disagree.", "Something on the way may have changed a header."},
		"interrupted":        {"This program stopped while the request was under way.", "Nobody knows whether the server saw it. If doing it twice is harmless, send it again."},
		"task_cancelled":     {"The task was cancelled.", "Its server stopped the work. What was done before may stay done."},
		"task_unknown":       {"The server does not know the task.", "It may have lost it, or the task belongs to somebody else. Call again to start anew."},
		"task_expired":       {"The task's time was over.", "A server keeps a task as long as its ttlMs says. Call again to start anew."},
		"call_lost":          {"The open call was lost.", "An older server holds a call on one connection, in the memory of one machine. Both are gone, and so are the answers given so far; it can be started again from the beginning."},
		"cancelled":          {"You closed the connection.", "The server may have finished the work all the same."},
		"capped":             {"The server kept asking, and this page stopped it.", "Twenty rounds are the limit. A server that never has enough may have a fault."},
	}
}
