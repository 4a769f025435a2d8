package web

import (
	"net/http"
	"slices"
	"strings"
)

// Policy lets a page use its own files and nothing else.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"media-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// IsSample reports whether a request is for a sample server, which other
// origins and other programs may talk to by rules of its own.
func IsSample(r *Request) bool { return ForSample(r.Request) }

// CapturePath is where the addresses of captures begin.
const CapturePath = "/c/"

// AgentPath is the address of the MCP server for agents. No other site's page may use it.
const AgentPath = "/mcp/playground"

// RecordingPath is where the addresses of recordings that are served begin.
const RecordingPath = "/mcp/recording/"

// FollowPath is where the pages of talks begin.
const FollowPath = "/follow/"

// ResourcePath is where the metadata of a protected server is, before its path (RFC 9728,
// section 3.1).
const ResourcePath = "/.well-known/oauth-protected-resource"

// SampleRoutes are the routes that the samples serve.
var SampleRoutes = []string{
	"/mcp/*", "/samples/*", "/.well-known/oauth-*", "/.well-known/openid-configuration/*",
}

// ForSample reports whether a request is for a sample, or for the server behind a capture,
// and not for a page.
func ForSample(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, CapturePath) {
		return true
	}
	return slices.ContainsFunc(SampleRoutes, func(route string) bool {
		return strings.HasPrefix(r.URL.Path, strings.TrimSuffix(route, "*"))
	})
}

// RequestID is the header with the id of a request.
const RequestID = "X-Request-Id"
