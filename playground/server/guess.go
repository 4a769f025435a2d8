package server

import (
	"net/url"
	"path"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Suggestion is what might help after a failure: an address to try instead, with
// the reason. It is offered, never followed by itself. One without a URL is
// advice; Command is then something to run.
type Suggestion struct {
	URL, Why, Command string
}

// Suggestions are what might help after connecting to t failed.
func Suggestions(t playground.Target, c Connection, public bool) []Suggestion {
	if c.Status != ConnectFailed || len(c.Trips) == 0 {
		return nil
	}
	last := c.Trips[len(c.Trips)-1]
	u, err := url.Parse(t.URL)
	if err != nil {
		return nil
	}
	switch c.Class {
	case playground.Redirect:
		return redirectSuggestions(u, last.Head.Get("Location"), public)
	case playground.HTTP404, playground.HTTP405, playground.ContentType, playground.NotJSON, playground.HTTPStatus:
		return pathSuggestions(u)
	case wire.TLS:
		noTLS := strings.Contains(c.Detail, "does not speak TLS") || strings.Contains(c.Detail, "closed the connection during the TLS handshake")
		if noTLS && !public {
			return []Suggestion{{URL: withScheme(u, "http"), Why: "The same address without encryption; what is listening there may not know any."}}
		}
	case wire.NotHTTP, playground.HTTP4xx:
		if u.Scheme == "http" && expectsTLS(last) {
			return []Suggestion{{URL: withScheme(u, "https"), Why: "It wants to be spoken to with encryption."}}
		}
	case wire.BlockedAddress:
		return runLocally(t.URL)
	}
	return nil
}

// expectsTLS reports whether what came looks like a TLS server that was spoken
// to in plain text: an alert record, or the sentence that web servers send.
func expectsTLS(r playground.Round) bool {
	body := strings.ToLower(string(r.Response.Body))
	return strings.HasPrefix(string(r.Response.Head), "\x15\x03") ||
		strings.Contains(body, "http request to an https server") || strings.Contains(body, "plain http request was sent to https port")
}

func withScheme(u *url.URL, scheme string) string {
	other := *u
	other.Scheme = scheme
	return other.String()
}

func redirectSuggestions(u *url.URL, location string, public bool) []Suggestion {
	to, err := u.Parse(location)
	if err != nil || location == "" {
		return nil
	}
	to.Fragment = ""
	if _, failure := wire.CheckURL(to.String(), public); failure != nil {
		return []Suggestion{{Why: "It points to " + to.String() + ", which cannot be used from here: " + failure.Detail + "."}}
	}
	why := "This is where it points."
	switch {
	case to.Host != u.Host:
		why = "It points to another host. What you gave as a token or header is not sent there."
	case to.Path == u.Path+"/" || to.Path+"/" == u.Path:
		why = "The same address, but for the slash at its end."
	case to.Scheme != u.Scheme:
		why = "The same address by " + to.Scheme + "."
	}
	return []Suggestion{{URL: to.String(), Why: why}}
}

// pathSuggestions are where MCP endpoints usually are.
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
		add(dir+"mcp", "/sse is where the old HTTP+SSE transport was; the current one is often beside it.")
	}
	if !strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/mcp") {
		add(strings.TrimSuffix(u.Path, "/")+"/mcp", "MCP endpoints often end in /mcp.")
	}
	add("/mcp", "At the root of the host.")
	add("/", "The host itself.")
	return list[:min(len(list), 2)]
}
