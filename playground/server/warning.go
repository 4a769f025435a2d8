package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Warnings returns one sentence for each unusual property of the server's
// responses. Nothing in it breaks a requirement (package rules judges those),
// but the server's author may not have intended it.
func Warnings(c Connection) []string {
	var list []string
	for _, trip := range c.Trips {
		list = append(list, headWarnings(trip)...)
		list = append(list, memberWarnings(trip)...)
		failed := trip.Kind == playground.OutcomeRPCError && trip.Class == playground.RPCFailed
		if len(c.Trips) > 1 && failed && isList(trip.Method) {
			list = append(list, fmt.Sprintf("It declares %s but returns error %d: %s", trip.Method,
				trip.Error.Code, trip.Error.Message))
		}
	}
	list = append(list, HiddenWarnings(c)...)
	list = append(list, nameWarnings(c.Tools)...)
	for _, method := range c.Truncated {
		list = append(list, fmt.Sprintf("%s has more than %d entries or %d pages; the rest was not read.",
			method, maxEntries, MaxListPages))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// isList reports whether a method lists something.
func isList(method string) bool { return strings.HasSuffix(method, "/list") }

// headWarnings returns warnings about the header fields of a response.
func headWarnings(r playground.Round) []string {
	var list []string
	if r.Head.Get("Set-Cookie") != "" {
		list = append(list, "It sets a cookie. Clients need not send it back, so nothing may depend on it.")
	}
	if coding := r.Head.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		list = append(list, fmt.Sprintf(
			"It compresses the response (%s), although the request did not accept that.", coding))
	}
	for _, f := range r.Head.Fields {
		name := strings.ToLower(f.Name)
		known := []string{"mcp-protocol-version", "mcp-session-id", "mcp-sample-instance"}
		if strings.HasPrefix(name, "mcp-") && !slices.Contains(known, name) {
			list = append(list,
				fmt.Sprintf("Its response has the header %s, which the specification does not define.",
					f.Name))
		}
	}
	if v := r.Head.Get("MCP-Protocol-Version"); v != "" && v != wire.ProtocolVersion {
		list = append(list, fmt.Sprintf("Its response has MCP-Protocol-Version %s; the request had %s.", v,
			wire.ProtocolVersion))
	}
	return list
}

// memberWarnings returns warnings about members that the schema of the result
// does not define. The schema allows them, but they may be misspelt.
func memberWarnings(r playground.Round) []string {
	if r.Method != playground.Discover || r.Result == nil {
		return nil
	}
	list := unknownMembers("The result of server/discover", r.Result,
		"resultType", "supportedVersions", "capabilities", "serverInfo", "instructions", "ttlMs",
		"cacheScope", "_meta")
	capabilities := r.Result.Get("capabilities")
	for _, name := range clientCapabilities {
		if capabilities.Has(name) {
			list = append(list,
				fmt.Sprintf("It declares the capability %q, which only clients declare.", name))
		}
	}
	return append(list, unknownMembers("The capabilities object", capabilities, append([]string{
		"tools", "prompts", "resources", "completions", "logging", "experimental", "extensions"},
		clientCapabilities...)...)...)
}

// clientCapabilities are the members of ClientCapabilities that servers have no
// use for.
var clientCapabilities = []string{"elicitation", "sampling", "roots"}

// unknownMembers returns a warning for each member of n that is not known.
func unknownMembers(where string, n *jsontree.Node, known ...string) []string {
	if n == nil {
		return nil
	}
	var list []string
	for _, m := range n.Members {
		if !slices.Contains(known, m.Key) {
			list = append(list,
				fmt.Sprintf("%s has the member %q, which the specification does not define.", where, m.Key))
		}
	}
	return list
}

// nameWarnings returns warnings about tool names (server/tools, "Tool Names").
func nameWarnings(tools []Tool) []string {
	var list []string
	seen := map[string]bool{}
	for _, t := range tools {
		switch {
		case seen[t.Name]:
			list = append(list, fmt.Sprintf("Two tools have the name %q.", t.Name))
		case t.Name == "" || len(t.Name) > 128 || strings.Trim(t.Name, nameLetters) != "":
			list = append(list,
				fmt.Sprintf(
					"The tool name %q is not 1 to 128 letters, digits, underscores, hyphens and dots.",
					t.Name))
		}
		seen[t.Name] = true
	}
	return list
}

// nameLetters are the characters of tool names.
const nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
