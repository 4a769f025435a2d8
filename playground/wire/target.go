package wire

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// maxURL is the longest URL that CheckURL accepts, in bytes.
const maxURL = 2048

var publicPorts = []uint16{443, 8443}

// CheckURL parses the URL of an MCP endpoint. It accepts only URLs that every
// parser reads in the same way, so that the host that is shown is the host that
// is dialled: no user information, fragment, backslash, control character or
// %00, and a host in ASCII (an international name in its xn-- form). A limited reach
// also requires IP addresses in their usual form, and the schemes and ports that it
// has. The addresses of a name are checked when it is dialled.
func CheckURL(raw string, reach Reach) (*url.URL, *Failure) {
	u, failure := parseURL(raw, reach.Limited)
	if failure == nil {
		failure = reach.checkURL(u, publicPorts)
	}
	if failure != nil {
		return nil, failure
	}
	return u, nil
}

func badURL(detail string) *Failure { return fail(BadURL, detail) }

// parseURL is CheckURL without the rules of a reach, except that an IP address
// in an unusual form is BlockedAddress if the reach is limited.
func parseURL(raw string, limited bool) (*url.URL, *Failure) {
	switch {
	case raw == "":
		return nil, badURL("the URL is empty")
	case len(raw) > maxURL:
		return nil, badURL("the URL is longer than 2048 characters")
	case strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return nil, badURL("the URL contains a space, tab, line break or control character")
	case strings.Contains(raw, `\`):
		return nil, badURL("the URL contains a backslash, which programs read in different ways")
	case strings.Contains(raw, "#"):
		return nil, badURL("the URL has a fragment (#), which is never sent")
	case strings.Contains(raw, "%00"):
		return nil, badURL("the URL contains a NUL character (%00)")
	}
	// The cause is left out: it repeats the URL, which may hold a secret.
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, badURL("a URL looks like https://example.com/mcp")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, badURL("the URL must begin with https:// or http://")
	case u.User != nil:
		return nil, badURL("the URL contains a user name or password")
	case u.Opaque != "" || u.Hostname() == "":
		return nil, badURL("the URL has no host")
	}
	if failure := checkHost(u.Hostname(), limited); failure != nil {
		return nil, failure
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, badURL("the port is not a number from 1 to 65535")
		}
	}
	return u, nil
}

// checkHost returns nil if host is an IP address in its usual form or a name of
// letters, digits and hyphens.
func checkHost(host string, limited bool) *Failure {
	if ip, err := netip.ParseAddr(host); err == nil {
		if limited && ip.Zone() != "" {
			return blocked()
		}
		return nil
	}
	disguise := badURL("write an IPv4 address as four decimal numbers, like 127.0.0.1")
	if limited {
		disguise = blocked()
	}
	for _, r := range host {
		switch letter := r | 0x20; {
		case 'a' <= letter && letter <= 'z', '0' <= r && r <= '9', r == '-', r == '.', r == '_':
		case unicode.IsNumber(r), strings.ContainsRune("。．｡", r):
			return disguise // other programs turn ① and 。 into 1 and .
		case r > unicode.MaxASCII:
			return badURL("the host is not in ASCII; write an international name in its xn-- form")
		default:
			return badURL("the host contains a character that is not allowed in names")
		}
	}
	if looksNumeric(host) {
		return disguise // 127.1, 2130706433, 0x7f000001, 0177.0.0.1
	}
	if len(host) > 253 || strings.Contains(host, "..") || strings.HasPrefix(host, ".") {
		return badURL("the host is not a valid name")
	}
	return nil
}

// looksNumeric reports whether some resolvers would take host for an IPv4
// address: its last label is a number (WHATWG URL, "ends in a number").
func looksNumeric(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}

func httpsOnly() *Failure { return badURL("this site connects to https URLs only") }

func wrongPort() *Failure {
	return fail(BlockedAddress, "this site connects to ports 443 and 8443 only")
}

// portNumber returns the port of a URL.
func portNumber(u *url.URL) (uint16, *Failure) {
	n, err := strconv.ParseUint(portOf(u), 10, 16)
	if err != nil {
		return 0, badURL("the port is not a number from 1 to 65535")
	}
	return uint16(n), nil
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "http" {
		return "80"
	}
	return "443"
}

// hostport returns the address to dial.
func hostport(u *url.URL) string { return net.JoinHostPort(u.Hostname(), portOf(u)) }
