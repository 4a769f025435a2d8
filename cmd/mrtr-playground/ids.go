package main

import (
	"crypto/rand"
	"net/url"
	"strings"
)

// newID returns an id of 130 random bits.
func newID() string { return rand.Text() }

// origin returns scheme, host and port of a URL, in lower case.
func origin(raw string) string {
	u, err := url.Parse(strings.ToLower(raw))
	switch {
	case err != nil:
		return ""
	case u.Port() != "":
		return u.Scheme + "://" + u.Host
	case u.Scheme == "https":
		return u.Scheme + "://" + u.Host + ":443"
	}
	return u.Scheme + "://" + u.Host + ":80"
}
