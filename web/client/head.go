package client

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// hop is how this program names itself in Via, by which it finds its own requests again
// (RFC 9110, section 7.6.3).
const hop = "1.1 mrtr-playground"

// loops reports whether a request has passed this program before.
func loops(h http.Header) bool {
	return slices.ContainsFunc(h.Values("Via"), func(v string) bool {
		return strings.Contains(strings.ToLower(v), "mrtr-playground")
	})
}

// hopByHop are the fields of one connection (RFC 9110, section 7.6.1), with those that
// frame a message.
var hopByHop = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te",
	"Trailer",
	"Transfer-Encoding", "Upgrade", "Content-Length", "Host", "Expect",
}

// Fields of a request that are not passed on. Cookies are ours. What a browser or a proxy
// says of this site, the server behind would take for itself. A compressed response could
// not be read here.
var keptBack = []string{
	"Cookie", "Origin", "Referer", "Accept-Encoding", "Via", "Forwarded", "X-Real-Ip", "X-Client-Ip",
	"Cf-Connecting-Ip", "True-Client-Ip", "Fly-Client-Ip", "X-Original-Uri", "X-Original-Url",
	"X-Rewrite-Url",
	"X-Envoy-Original-Path",
}

// Fields of a response that would act on this site and not on the server's.
var heldBack = []string{
	"Set-Cookie", "Set-Cookie2", "Clear-Site-Data", "Refresh", "Location", "Content-Location", "Link",
	"Strict-Transport-Security", "Alt-Svc", "Service-Worker-Allowed", "Report-To", "Reporting-Endpoints",
	"Nel",
	"Content-Security-Policy", "Content-Security-Policy-Report-Only", "Content-Disposition",
	"X-Content-Type-Options", "Public-Key-Pins", "Expect-Ct", "Sourcemap", "X-Sourcemap",
	"Permissions-Policy",
	"Origin-Agent-Cluster", "Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy", "Speculation-Rules",
	"Mcp-Recorded-By", "Mcp-Capture-Error", "X-Request-Id", "Referrer-Policy",
}

// onward returns the fields of a request that are passed on, by name, because a server of
// net/http does not keep the order.
func onward(h http.Header, token string) []wire.Field {
	var list []wire.Field
	for _, name := range names(h) {
		if drops(name, h, keptBack) || strings.HasPrefix(name, "X-Forwarded-") || strings.HasPrefix(name,
			"Sec-") {
			continue
		}
		for _, v := range h[name] {
			if strings.Contains(v, token) {
				continue // a proxy tells where the request came
			}
			list = append(list, wire.Field{Name: name, Value: v})
		}
	}
	via := hop
	if before := h.Values("Via"); len(before) > 0 {
		via = strings.Join(before, ", ") + ", " + hop
	}
	return append(list, wire.Field{Name: "Accept-Encoding", Value: "identity"}, wire.Field{Name: "Via",
		Value: via})
}

// Changes says what a capture changes, for its page.
func Changes() (requests, responses []string) {
	return append(slices.Clone(keptBack), "X-Forwarded-*", "Sec-*"), append(slices.Clone(heldBack),
		"Access-Control-*")
}

func names(h http.Header) []string {
	list := make([]string, 0, len(h))
	for name := range h {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// drops reports whether a field is not passed on: it belongs to one connection, or is in
// the list.
func drops(name string, h http.Header, list []string) bool {
	same := func(other string) bool { return strings.EqualFold(strings.TrimSpace(other), name) }
	if slices.ContainsFunc(hopByHop, same) || slices.ContainsFunc(list, same) {
		return true
	}
	return slices.ContainsFunc(h.Values("Connection"), func(v string) bool {
		return slices.ContainsFunc(strings.Split(v, ","), same)
	})
}

// credentials returns the fields of a request whose values are masked wherever they are
// stored.
func credentials(fields []wire.Field) []wire.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f wire.Field) bool {
		return !redact.IsCredential(f.Name)
	})
}

// tooManyCredentials reports whether a request has more credentials than are remembered.
func tooManyCredentials(h http.Header) bool {
	fields, size := 0, 0
	for name, values := range h {
		for _, v := range values {
			if redact.IsCredential(name) {
				fields, size = fields+1, size+len(v)
			}
		}
	}
	return fields > mostFields || size > mostBytes
}

// back copies the fields of a response that come back to the client, and adds those that
// keep a stranger's page from living on this site.
func back(to http.Header, head wire.Head) {
	from := http.Header{}
	for _, f := range head.Fields {
		from.Add(f.Name, f.Value)
	}
	for _, name := range names(from) {
		if !drops(name, from, heldBack) && !strings.HasPrefix(name, "Access-Control-") {
			if name == "Vary" {
				to[name] = append(to[name], from[name]...)
				continue
			}
			to[name] = from[name]
		}
	}
	shield(to)
}

// shield adds what every answer of a capture has.
func shield(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Disposition", "attachment")
	h.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
	h.Set("Mcp-Recorded-By", "MRTR Playground")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
}
