package main

import (
	"cmp"
	"crypto"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/oidc"
	"github.com/mrtr-playground/mrtr-playground/web"
)

const teamHelp = `A playground for a team.

Each browser has a workspace of its own. Where people sign in, each person has
one instead, the same in every browser; everything but samples, flows, captures,
talks and health asks for a sign-in.

{flags}

The issuer knows this program by the redirect URI BASE-URL` + web.SignedInPath + `.
The secret of the client is read from MRTR_OIDC_SECRET. A person's credentials
for servers are encrypted with a key of theirs, which the keys of cookies
encrypt: the database alone opens none of them.
`

// teamOptions are the settings of serve for people who sign in.
type teamOptions struct {
	issuer, client, keyFile, secret string
	require                         []oidc.Claim
	header                          string // that a trusted proxy names the person in
	links                           string // who may read links
	key                             crypto.Signer
}

// addClaim reads a value of -oidc-require.
func (o *teamOptions) addClaim(text string) error {
	claim, err := oidc.ParseClaim(text)
	o.require = append(o.require, claim)
	return err
}

// signsIn reports whether people sign in.
func (o teamOptions) signsIn() bool { return o.issuer != "" || o.header != "" }

// checkTeam returns an error for a sign-in that could not work, or would not be one.
func (o *options) checkTeam() error {
	t := &o.team
	t.header = http.CanonicalHeaderKey(t.header)
	base, _ := url.Parse(o.baseURL)
	switch {
	case t.links != "everyone" && t.links != "people":
		return &usageError{fmt.Sprintf("-links %s is neither everyone nor people", t.links)}
	case !t.signsIn() && (t.client != "" || t.keyFile != "" || len(t.require) > 0):
		return &usageError{"-oidc-client, -oidc-key and -oidc-require need -oidc-issuer"}
	case !t.signsIn() && t.links == "people":
		return &usageError{"-links people needs a sign-in: -oidc-issuer or -user-header"}
	case !t.signsIn():
		return nil
	case t.issuer != "" && t.header != "":
		return &usageError{"-oidc-issuer and -user-header exclude each other: " +
			"one of them says who someone is"}
	case o.baseURL == "":
		return &usageError{"a sign-in needs -base-url, the URL at which people open this program"}
	case t.header != "" && len(o.proxies) == 0:
		return &usageError{"-user-header needs -trusted-proxy: from anyone else, the header means nothing"}
	case t.header != "":
		return nil
	case t.client == "":
		return &usageError{"-oidc-issuer needs -oidc-client, the ID by which the issuer knows this program"}
	case !isSafeURL(t.issuer):
		return &usageError{"-oidc-issuer must begin with https://, unless it is on this machine"}
	case base == nil || !isSafeURL(o.baseURL):
		return &usageError{
			"-oidc-issuer needs a -base-url that begins with https://, unless it is of this machine",
		}
	}
	return t.loadKey()
}

// isSafeURL reports whether no machine between can read or change what is sent to a URL.
func isSafeURL(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Host != "" &&
		(u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()))
}

// loadKey reads the key of -oidc-key.
func (o *teamOptions) loadKey() error {
	if o.keyFile == "" {
		return nil
	}
	text, err := os.ReadFile(o.keyFile)
	if err == nil {
		o.key, err = parseKey(text)
	}
	if err != nil {
		return &usageError{fmt.Sprintf("-oidc-key %s: %v", o.keyFile, err)}
	}
	return nil
}

// people returns how people sign in, or nil if they do not.
func (o options) people() *app.People {
	t := o.team
	if !t.signsIn() {
		return nil
	}
	p := &app.People{
		Issuer: t.issuer, Header: t.header, Links: t.links != "people", Session: o.limits.personSession,
	}
	if t.issuer != "" {
		p.Provider = oidc.New(oidc.Config{
			Issuer: t.issuer, ClientID: t.client, Secret: t.secret, Key: t.key, Require: t.require,
			Redirect: strings.TrimSuffix(o.baseURL, "/") + web.SignedInPath, Now: now,
		})
	}
	return p
}

// limitsOfPages returns the limits of pages, as its visitors are known.
func (o options) limitsOfPages() app.Limits {
	l := o.limits.pages
	if o.team.signsIn() {
		l = l.ForPeople()
	}
	return l.Over(cmp.Or(o.replicas, 1))
}
