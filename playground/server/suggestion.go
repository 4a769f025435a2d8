package server

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Suggestion is help after a failure: a URL to try instead, or advice alone if
// URL is empty. Command is a command to run. Suggestions are shown, never
// followed automatically.
type Suggestion struct {
	URL, Why, Command string
}

// Suggestions returns help after connecting to t failed, within the
// reach.
func Suggestions(t playground.Target, c Connection, reach wire.Reach) []Suggestion {
	failed, sent := c.Failed()
	if c.Status != ConnectFailed || !sent || t.IsCommand() {
		return nil
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return nil
	}
	switch c.Class {
	case playground.Redirect:
		return redirectSuggestions(u, failed.Head.Get("Location"), reach)
	case playground.HTTP404, playground.HTTP405, playground.ContentType, playground.NotJSON,
		playground.HTTPStatus:
		return pathSuggestions(u)
	case playground.Violation:
		if IsOtherJSON(failed) {
			return pathSuggestions(u)
		}
	case wire.NoTLS:
		if !reach.Limited {
			return []Suggestion{{URL: withScheme(u, "http"), Why: "The same address over plain HTTP."}}
		}
	case wire.NotHTTP, playground.HTTP4xx:
		if u.Scheme == "http" && ExpectsTLS(failed) {
			return []Suggestion{{URL: withScheme(u, "https"),
				Why: "The same address over HTTPS. This port expects TLS."}}
		}
		if failed.Head.Status == 415 || failed.Head.Status == 422 {
			return pathSuggestions(u)
		}
	case wire.BlockedAddress:
		return runLocally(t.URL)
	}
	return nil
}

// ExpectsTLS reports whether the response looks like that of a TLS server to a
// plain HTTP request: an alert record, or the usual sentence of web servers.
func ExpectsTLS(r playground.Round) bool {
	body := strings.ToLower(string(r.Response.Body))
	return strings.HasPrefix(string(r.Response.Head), "\x15\x03") ||
		strings.Contains(body, "http request to an https server") ||
		strings.Contains(body, "plain http request was sent to https port")
}

// IsOtherJSON reports whether the response is an object of JSON that is no JSON-RPC message, as
// of a server that is not an MCP server.
func IsOtherJSON(r playground.Round) bool {
	n, err := jsontree.Parse(r.Response.Body, jsontree.Limits{})
	return err == nil && n.Kind == jsontree.Object && !n.Has("jsonrpc")
}

// withScheme returns the URL with another scheme.
func withScheme(u *url.URL, scheme string) string {
	other := *u
	other.Scheme = scheme
	return other.String()
}

// redirectSuggestions returns suggestions after a redirect from u to location.
func redirectSuggestions(u *url.URL, location string, reach wire.Reach) []Suggestion {
	to, err := u.Parse(location)
	if err != nil || location == "" {
		return nil
	}
	if to.String() == u.String() {
		if u.Scheme != "http" {
			return nil
		}
		return []Suggestion{{URL: withScheme(u, "https"), Why: "The same address over HTTPS."}}
	}
	to.Fragment = ""
	if _, failure := wire.CheckURL(to.String(), reach); failure != nil {
		return []Suggestion{{Why: "The redirect leads to " + to.String() + ", which cannot be used here: " +
			failure.Detail + "."}}
	}
	why := "The target of the redirect."
	switch {
	case !strings.EqualFold(to.Hostname(), u.Hostname()):
		why = "The redirect leads to another host, " + to.Hostname() + ". Nothing was sent there. If you " +
			"connect to it, it gets what you send, such as a token."
	case to.Path == u.Path+"/" || to.Path+"/" == u.Path:
		why = "The same address, except for the slash at its end."
	case to.Scheme != u.Scheme:
		why = "The same host over " + strings.ToUpper(to.Scheme) + "."
	case to.Host != u.Host:
		why = "Another port of the same host. Nothing was sent there."
	}
	return []Suggestion{{URL: to.String(), Why: why}}
}

// pathSuggestions returns URLs of the same host with common paths of MCP
// endpoints, at most two.
func pathSuggestions(u *url.URL) []Suggestion {
	var list []Suggestion
	seen := map[string]bool{u.Path: true}
	add := func(p, why string) {
		if !seen[p] {
			seen[p] = true
			other := *u
			other.Path, other.RawPath = p, ""
			list = append(list, Suggestion{URL: other.String(), Why: why})
		}
	}
	if dir, last := path.Split(strings.TrimSuffix(u.Path, "/")); last == "sse" {
		add(dir+"mcp", "/sse is the path of the old HTTP+SSE transport. "+
			"The current endpoint is often next to it.")
	}
	if !slices.Contains(strings.Split(u.Path, "/"), "mcp") {
		add(strings.TrimSuffix(u.Path, "/")+"/mcp", "A common path for MCP endpoints.")
	}
	add("/mcp", "The usual path at the root of the host.")
	add("/", "The root of the host.")
	return list[:min(len(list), 2)]
}
