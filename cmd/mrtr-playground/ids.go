package main

import (
	"crypto/rand"
	"net/url"
)

// newID returns an id of 130 random bits.
func newID() string { return rand.Text() }

// hostPort returns the host and port of a URL.
func hostPort(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if u.Port() != "" {
		return u.Host
	}
	if u.Scheme == "https" {
		return u.Host + ":443"
	}
	return u.Host + ":80"
}
