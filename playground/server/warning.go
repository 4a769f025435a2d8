package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Warnings are what answered strangely while connecting, one sentence each:
// nothing that is forbidden (package rules says what is), but something that
// its author may not have meant.
func Warnings(c Connection) []string {
	var list []string
	for _, trip := range c.Trips {
		list = append(list, headWarnings(trip)...)
		list = append(list, memberWarnings(trip)...)
		if len(c.Trips) > 1 && trip.Kind == playground.OutcomeRPCError && isList(trip.Method) && trip.Class == playground.RPCFailed {
			list = append(list, fmt.Sprintf("It promises an answer to %s but gives error %d: %s", trip.Method, trip.Error.Code, trip.Error.Message))
		}
	}
	list = append(list, nameWarnings(c.Tools)...)
	for _, method := range c.Truncated {
		list = append(list, fmt.Sprintf("%s goes on and on; %d entries over %d pages are read.", method, maxEntries, maxListPages))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func isList(method string) bool { return strings.HasSuffix(method, "/list") }

func headWarnings(r playground.Round) []string {
	var list []string
	if r.Head.Get("Set-Cookie") != "" {
		list = append(list, "It sets a cookie. No client has to send it back, so nothing may depend on it.")
	}
	if coding := r.Head.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		list = append(list, fmt.Sprintf("It compresses the answer (%s) although the request did not accept that.", coding))
	}
	for _, f := range r.Head.Fields {
		name := strings.ToLower(f.Name)
		known := []string{"mcp-protocol-version", "mcp-session-id", "mcp-sample-instance"}
		if strings.HasPrefix(name, "mcp-") && !slices.Contains(known, name) {
			list = append(list, fmt.Sprintf("It answers with the header %s, which the protocol does not know.", f.Name))
		}
	}
	if v := r.Head.Get("MCP-Protocol-Version"); v != "" && v != wire.ProtocolVersion {
		list = append(list, fmt.Sprintf("Its answer says MCP-Protocol-Version %s; the request was %s.", v, wire.ProtocolVersion))
	}
	return list
}

// memberWarnings are names that the schema of the answer does not know. Both are
// open to extension, so this is a hint at a spelling mistake at most.
func memberWarnings(r playground.Round) []string {
	if r.Method != "server/discover" || r.Result == nil {
		return nil
	}
	list := unknownMembers("The answer to server/discover", r.Result,
		"resultType", "supportedVersions", "capabilities", "serverInfo", "instructions", "ttlMs", "cacheScope", "_meta")
	return append(list, unknownMembers("Among its capabilities", r.Result.Get("capabilities"),
		"tools", "prompts", "resources", "completions", "logging", "experimental", "extensions")...)
}

func unknownMembers(where string, n *jsontree.Node, known ...string) []string {
	if n == nil {
		return nil
	}
	var list []string
	for _, m := range n.Members {
		if !slices.Contains(known, m.Key) {
			list = append(list, fmt.Sprintf("%s has the member %q, which the protocol does not know.", where, m.Key))
		}
	}
	return list
}

// nameWarnings follows server/tools, "Tool Names".
func nameWarnings(tools []Tool) []string {
	var list []string
	seen := map[string]bool{}
	for _, t := range tools {
		switch {
		case seen[t.Name]:
			list = append(list, fmt.Sprintf("Two tools have the name %q.", t.Name))
		case t.Name == "" || len(t.Name) > 128 || strings.Trim(t.Name, nameLetters) != "":
			list = append(list, fmt.Sprintf("The tool name %q is not 1 to 128 letters, digits, underscores, hyphens and dots.", t.Name))
		}
		seen[t.Name] = true
	}
	return list
}

const nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
