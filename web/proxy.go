package web

import (
	"net/http"
	"slices"
	"strings"
)

// Header fields that proxies, tunnels and networks of delivery add to a request, in
// canonical form: what they say of the way, of the visitor and of the site.
var (
	ProxyFields = []string{
		"Via", "Forwarded", "X-Real-Ip", "X-Client-Ip", "Client-Ip", "X-Cluster-Client-Ip",
		"True-Client-Ip", "Fly-Client-Ip", "Fastly-Client-Ip", "X-Azure-Clientip",
		"X-Azure-Socketip", "X-Appengine-User-Ip", "X-Amzn-Trace-Id", "Cdn-Loop", "X-Original-Uri",
		"X-Original-Url", "X-Original-Host", "X-Original-Forwarded-For", "X-Rewrite-Url",
		"X-Remote-Addr", "X-Remote-Ip", "X-Originating-Ip", "X-Proxyuser-Ip", "Surrogate-Capability",
	}
	ProxyPrefixes = []string{"X-Forwarded", "Cf-", "X-Envoy-", "Tailscale-User-"}
)

// Hop is how this program names itself in Via, by which a capture finds its own requests
// again (RFC 9110, section 7.6.3).
const Hop = "1.1 mrtr-playground"

// IsProxied reports whether a request came through a proxy.
func IsProxied(h http.Header) bool {
	for name := range h {
		if slices.Contains(ProxyFields, name) || slices.ContainsFunc(ProxyPrefixes, func(p string) bool {
			return strings.HasPrefix(name, p)
		}) {
			return true
		}
	}
	return false
}

// IsCaptured reports whether a capture of this program passed on a request last.
func IsCaptured(h http.Header) bool {
	rest := h.Clone()
	rest.Del("Via")
	hops := strings.Split(strings.Join(h.Values("Via"), ","), ",")
	return !IsProxied(rest) && strings.TrimSpace(hops[len(hops)-1]) == Hop
}
