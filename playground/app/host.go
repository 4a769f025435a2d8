package app

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// HostName returns the host of a Host header, without the port and brackets.
func HostName(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		hostport = host
	}
	return strings.Trim(hostport, "[]")
}

// IsLoopbackHost reports whether a Host header names this machine.
func IsLoopbackHost(hostport string) bool {
	host := HostName(hostport)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// HostOf returns the host of a URL.
func HostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// IsLoopbackOrigin reports whether an origin is one of this machine.
func IsLoopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && IsLoopbackHost(u.Host)
}
