package auth

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// Well-known places (RFC 9728, section 3; RFC 8414, section 3; OpenID Connect
// Discovery 1.0, section 4).
const (
	wellKnownResource = "/.well-known/oauth-protected-resource"
	wellKnownServer   = "/.well-known/oauth-authorization-server"
	wellKnownOpenID   = "/.well-known/openid-configuration"
)

// place is where a metadata document may be, and the identifier that it has to
// name.
type place struct {
	url, identifier string
}

// resourcePlaces returns where the metadata of a protected resource may be, in
// the order to try (basic/authorization/authorization-server-discovery,
// "Protected Resource Metadata Discovery Requirements"): where the challenge
// says, then at the path of the server, then at the root of its host.
func resourcePlaces(challenge Challenge, server string) []place {
	resource := canonical(server)
	u, err := url.Parse(resource)
	if err != nil {
		return nil
	}
	var list []place
	if challenge.Metadata != "" {
		list = append(list, place{challenge.Metadata, resource})
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	if path != "" {
		list = append(list, place{origin(u) + wellKnownResource + path + query(u), resource})
	}
	list = append(list, place{origin(u) + wellKnownResource, resource})
	return slices.CompactFunc(list, func(a, b place) bool { return a.url == b.url })
}

// serverPlaces returns where the metadata of an authorization server may be, in
// the order to try (basic/authorization/authorization-server-discovery,
// "Authorization Server Metadata Discovery").
func serverPlaces(issuer string) []place {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	if path == "" {
		return []place{{origin(u) + wellKnownServer, issuer}, {origin(u) + wellKnownOpenID, issuer}}
	}
	return []place{
		{origin(u) + wellKnownServer + path, issuer}, {origin(u) + wellKnownOpenID + path, issuer},
		{origin(u) + path + wellKnownOpenID, issuer},
	}
}

// canonical returns the resource identifier of a server: its URL with scheme
// and host in lower case, without a fragment, credentials or the slash of an
// empty path (basic/authorization, "Canonical Server URI").
func canonical(server string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	u.Fragment, u.RawFragment, u.User = "", "", nil
	if u.Path == "/" {
		u.Path = ""
	}
	if redact.MaskURL(u.String()) != u.String() {
		u.RawQuery = ""
	}
	return u.String()
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

func query(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

// covers reports whether a resource identifier stands for the server: it is the
// same, or has the same origin and a path that leads to it.
func covers(resource, server string) bool {
	r, err := url.Parse(resource)
	if err != nil {
		return false
	}
	s, err := url.Parse(server)
	if err != nil || !strings.EqualFold(origin(r), origin(s)) {
		return false
	}
	path := strings.TrimSuffix(r.Path, "/")
	return path == "" || s.Path == path || strings.HasPrefix(s.Path, path+"/")
}

// isSafe reports whether an address is one that tokens may be sent to: https, or
// on this machine.
func isSafe(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}

// isAddress reports whether a text is an absolute http or https URL.
func isAddress(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Host != "" && u.User == nil && (u.Scheme == "https" || u.Scheme == "http")
}

func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}
