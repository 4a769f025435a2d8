package playground

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// statusDetail returns sentences about an HTTP status without a JSON-RPC
// response: its meaning, the header fields that say how to go on, and the body
// as text.
func (p *part) statusDetail() string {
	detail := fmt.Sprintf("HTTP status %d%s.", p.Head.Status, meaning(p.Head.Status))
	if to := p.Head.Get("Location"); p.Head.Status/100 == 3 && to != "" {
		detail = fmt.Sprintf("HTTP status %d to %q, not followed.", p.Head.Status, to)
	}
	for _, name := range []string{"WWW-Authenticate", "Retry-After"} {
		for _, value := range p.Head.Values(name) {
			if name == "Retry-After" && isNumber(value) {
				value += " seconds"
			}
			detail += " " + name + ": " + clip(value, 300) + "."
		}
	}
	if words := p.bodyWords(); words != "" {
		detail += " The body says: " + strings.TrimRight(words, ".") + "."
	}
	return detail
}

// isNumber reports whether a text has digits only.
func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// meaning returns the meaning of a status for the request, as the end of a
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
	case 421:
		return " (Misdirected Request): the server does not answer for this host name"
	case 422:
		return " (Unprocessable Content): the server does not accept what the request says"
	case 429:
		return ": the server asks for fewer requests"
	case 503:
		return ": the server is not available at the moment"
	}
	switch status / 100 {
	case 3:
		return ": the server redirects, and does not say where to"
	case 5:
		return ": an error on the server's side"
	}
	return ""
}

// bodyWords returns the text of a body for people: the members of JSON that
// OAuth (RFC 6750), RFC 9457 and rate limiters use, as in "invalid_token: The
// token expired", or all of the JSON if it has none of these; the title of a
// page of HTML; or the text.
func (p *part) bodyWords() string {
	body := p.Response.Body
	if last := len(p.Messages) - 1; p.streams() && last >= 0 {
		body = p.Messages[last].Raw
	}
	n, err := jsontree.Parse(body, jsontree.Limits{})
	if err != nil {
		if title := htmlTitle(body); title != "" {
			return clip(title, 200)
		}
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) || !utf8.Valid(body) {
			return ""
		}
		return clip(oneLine(string(body)), 200)
	}
	if n.Has("jsonrpc") {
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
	if len(words) == 0 {
		return clip(oneLine(string(body)), 200)
	}
	return strings.Join(words, ": ")
}

// htmlTitle returns the title of a page of HTML on one line, or "" if there is none where
// titles are: its begin and its end are looked for once each, because a server may send
// a body in which many a title begins.
func htmlTitle(body []byte) string {
	const head, longest = 64 << 10, 1000 // bytes
	body = body[:min(len(body), head)]
	begin := titleBegin.FindIndex(body)
	if begin == nil {
		return ""
	}
	title := body[begin[1]:]
	end := titleEnd.FindIndex(title)
	if end == nil || end[0] > longest {
		return ""
	}
	return oneLine(html.UnescapeString(string(title[:end[0]])))
}

var (
	titleBegin = regexp.MustCompile(`(?i)<title[^>]*>`)
	titleEnd   = regexp.MustCompile(`(?i)</title>`)
)

// oneLine returns a text with single spaces in place of all white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

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
