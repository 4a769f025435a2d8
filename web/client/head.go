package client

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// loops reports whether a request has passed this program before.
func loops(h http.Header) bool {
	return slices.ContainsFunc(h.Values("Via"), func(v string) bool {
		return strings.Contains(strings.ToLower(v), "mrtr-playground")
	})
}

// fields are names of header fields.
type fields struct{ names, prefixes []string }

// has reports whether a name, in canonical form, is one of them.
func (f fields) has(name string) bool {
	return slices.Contains(f.names, name) ||
		slices.ContainsFunc(f.prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// words lists the names and, with a star, the prefixes.
func (f fields) words() []string {
	list := slices.Clone(f.names)
	for _, p := range f.prefixes {
		list = append(list, p+"*")
	}
	return list
}

// hopByHop are the fields of one connection (RFC 9110, section 7.6.1), with those that
// frame a message.
var hopByHop = fields{names: []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te",
	"Trailer", "Transfer-Encoding", "Upgrade", "Http2-Settings", "Content-Length", "Host", "Expect",
}}

// Fields of a request that are not passed on. Cookies are ours. What a browser or a proxy
// says of this site and of the visitor, the server behind would take for itself. A
// compressed response could not be read here.
var keptBack = fields{
	slices.Concat([]string{"Cookie", "Origin", "Referer", "Accept-Encoding"}, web.ProxyFields),
	slices.Concat([]string{"Sec-"}, web.ProxyPrefixes),
}

// Fields of a response that would act on this site and not on the server's: in a browser,
// or in a proxy in front of this program.
var heldBack = fields{[]string{
	"Set-Cookie", "Set-Cookie2", "Clear-Site-Data", "Refresh", "Location", "Content-Location", "Link",
	"Strict-Transport-Security", "Alt-Svc", "Alternate-Protocol", "Service-Worker-Allowed", "Report-To",
	"Reporting-Endpoints", "Nel", "Content-Security-Policy", "Content-Security-Policy-Report-Only",
	"Content-Disposition", "X-Content-Type-Options", "Public-Key-Pins", "Public-Key-Pins-Report-Only",
	"Expect-Ct", "Sourcemap", "X-Sourcemap", "Permissions-Policy", "Document-Policy", "Feature-Policy",
	"Origin-Agent-Cluster", "Origin-Trial", "Speculation-Rules", "Accept-Ch", "Critical-Ch", "Set-Login",
	"Secure-Session-Registration", "Sec-Session-Registration", "Use-As-Dictionary", "Timing-Allow-Origin",
	"Mcp-Recorded-By", "Mcp-Capture-Error", "X-Request-Id", "Referrer-Policy", "X-Robots-Tag",
	"X-Frame-Options", "X-Sendfile", "X-Sendfile-Type", "X-Lighttpd-Send-File", "X-Litespeed-Location",
	"X-Reproxy-Url", "Edge-Control", "Cdn-Cache-Control",
}, []string{"Access-Control-", "Cross-Origin-", "X-Accel-", "Surrogate-", "Attribution-Reporting-"}}

// onward returns the fields of a request that are passed on, by name, because a server of
// net/http does not keep the order.
func onward(h http.Header, token string) []wire.Field {
	var list []wire.Field
	drops := dropping(h, keptBack)
	for _, name := range names(h) {
		if drops(name) {
			continue
		}
		for _, v := range h[name] {
			if strings.Contains(v, token) {
				continue // a proxy adds the address that the request came to
			}
			list = append(list, wire.Field{Name: name, Value: v})
		}
	}
	via := web.Hop
	if before := h.Values("Via"); len(before) > 0 {
		via = strings.Join(before, ", ") + ", " + web.Hop
	}
	return append(list, wire.Field{Name: "Accept-Encoding", Value: "identity"}, wire.Field{Name: "Via",
		Value: via})
}

// Changes names the changes that a capture makes, for its page.
func Changes() (requests, responses []string) { return keptBack.words(), heldBack.words() }

func names(h http.Header) []string {
	list := make([]string, 0, len(h))
	for name := range h {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// dropping returns a function that reports whether a field of a message is not
// passed on: it belongs to one connection, or is among others.
func dropping(h http.Header, others fields) func(name string) bool {
	named := map[string]bool{} // by Connection
	for _, v := range h.Values("Connection") {
		for name := range strings.SplitSeq(v, ",") {
			named[http.CanonicalHeaderKey(strings.TrimSpace(name))] = true
		}
	}
	return func(name string) bool { return named[name] || hopByHop.has(name) || others.has(name) }
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
	return fields > app.MaxCredentials || size > app.MaxCredentialBytes
}

// back copies the fields of a response that come back to the client, and adds those that
// keep a stranger's page from living on this site.
func back(to http.Header, head wire.Head) {
	from := http.Header{}
	for _, f := range head.Fields {
		from.Add(f.Name, f.Value)
	}
	drops := dropping(from, heldBack)
	for _, name := range names(from) {
		if !drops(name) {
			if name == "Vary" {
				to[name] = append(to[name], from[name]...)
				continue
			}
			to[name] = from[name]
		}
	}
	if head.IsStream() {
		to.Set("X-Accel-Buffering", "no") // a proxy in front of this program passes it on as it comes
	}
	shield(to)
}

// shield is web.Shield, with who has recorded the answer.
func shield(h http.Header) {
	web.Shield(h)
	h.Set("Mcp-Recorded-By", "MRTR Playground")
}
