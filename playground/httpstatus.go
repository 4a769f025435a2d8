package playground

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// statusDetail returns sentences about an HTTP status without a JSON-RPC
// response: what it means, the header fields that say how to go on, and what
// the body says in words.
func (p *part) statusDetail() string {
	detail := fmt.Sprintf("HTTP status %d%s.", p.Head.Status, meaning(p.Head.Status))
	if to := p.Head.Get("Location"); p.Head.Status/100 == 3 && to != "" {
		detail = fmt.Sprintf("HTTP status %d to %q.", p.Head.Status, to)
	}
	for _, name := range []string{"WWW-Authenticate", "Retry-After"} {
		for _, value := range p.Head.Values(name) {
			detail += " " + name + ": " + clip(value, 300) + "."
		}
	}
	if words := p.bodyWords(); words != "" {
		detail += " The body says: " + strings.TrimRight(words, ".") + "."
	}
	return detail
}

// meaning returns what a status says about the request, as the end of a
// sentence.
func meaning(status int) string {
	switch status {
	case 401:
		return ": the server requires a sign-in, so a token is missing or not accepted"
	case 403:
		return ": the server denies access"
	case 404:
		return " (Not Found)"
	case 405:
		return ": this URL does not accept the HTTP method"
	case 429:
		return ": the server asks for fewer requests"
	case 503:
		return ": the server is not available at the moment"
	}
	if status/100 == 5 {
		return ": an error on the server's side"
	}
	return ""
}

// bodyWords returns what a JSON body says for people, as OAuth (RFC 6750), RFC
// 9457 and rate limiters do: "invalid_token: The token expired". It returns ""
// for other bodies.
func (p *part) bodyWords() string {
	body := p.Response.Body
	if last := len(p.Messages) - 1; p.streams() && last >= 0 {
		body = p.Messages[last].Raw
	}
	n, err := jsontree.Parse(body, jsontree.Limits{})
	if err != nil || n.Kind != jsontree.Object || n.Has("jsonrpc") {
		return ""
	}
	var words []string
	for _, path := range [][]string{
		{"error"}, {"error", "message"}, {"error_description"}, {"title"}, {"message"}, {"detail"},
	} {
		if text := n.At(path...).Str(); text != "" {
			words = append(words, clip(text, 200))
		}
	}
	return strings.Join(words, ": ")
}

// clip returns the first characters of a text.
func clip(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Links returns the addresses that an error of an earlier revision asks the
// user to open (2025-11-25, client/elicitation, "URL Elicitation Required
// Error"), as they came. They are shown and never fetched.
func (e *RPCError) Links() []string {
	if e == nil || e.Code != codeURLRequired {
		return nil
	}
	var list []string
	for _, asked := range e.Data.Get("elicitations").Elements() {
		if url := asked.Get("url").Str(); url != "" && len(list) < maxLinks {
			list = append(list, url)
		}
	}
	return list
}

// maxLinks bounds the addresses that are shown of one error.
const maxLinks = 8

// linkDetail returns a sentence with the error's links, or "".
func (e *RPCError) linkDetail() string {
	links := e.Links()
	if len(links) == 0 {
		return ""
	}
	for i, link := range links {
		links[i] = clip(link, 500)
	}
	return " (it asks you to open " + strings.Join(links, " and ") + " first)"
}
