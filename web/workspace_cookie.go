package web

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/gorilla/securecookie"
	"github.com/gorilla/sessions"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Owners identifies workspaces by a signed cookie.
type Owners struct {
	shared bool // each browser has a workspace of its own
	secure bool
	name   string
	keys   func(now bool) [][]byte
	signer *atomic.Pointer[signer]
	newID  func() string
}

// signer is a store of cookies and the keys that it was made with.
type signer struct {
	keys  [][]byte
	store *sessions.CookieStore
}

func newOwners(cfg Config) Owners {
	return Owners{
		shared: cfg.App.Mode.Shared(), secure: cfg.secure(), name: cfg.cookieName("mrtr"),
		keys: cfg.CookieKeys, signer: &atomic.Pointer[signer]{}, newID: cfg.App.NewID,
	}
}

// cookies returns the store of cookies. The first key signs them; they are
// valid with every key. With now, keys that were changed a moment ago count.
func (o Owners) cookies(now bool) *sessions.CookieStore {
	keys := o.keys(now)
	if s := o.signer.Load(); s != nil && slices.EqualFunc(s.keys, keys, bytes.Equal) {
		return s.store
	}
	var pairs [][]byte
	for _, key := range keys {
		pairs = append(pairs, key, nil) // signed, not encrypted
	}
	store := sessions.NewCookieStore(pairs...)
	store.Options = &sessions.Options{
		Path: "/", MaxAge: 30 * 24 * 3600, HttpOnly: true, Secure: o.secure,
		SameSite: http.SameSiteLaxMode,
	}
	store.MaxAge(store.Options.MaxAge)
	o.signer.Store(&signer{keys, store})
	return store
}

// session returns the values of a request's cookie. An invalid cookie counts as
// none, but only once the newest keys do not fit either.
func (o Owners) session(r *Request) *sessions.Session {
	if known, ok := r.c.Get(o.name).(*sessions.Session); ok {
		return known
	}
	session, err := o.cookies(false).New(r.Request, o.name)
	if err != nil {
		session, _ = o.cookies(true).New(r.Request, o.name)
	}
	r.c.Set(o.name, session)
	return session
}

// SignedBefore reports whether the cookie of a request is valid with another
// key than the first.
func (o Owners) SignedBefore(r *Request) bool {
	codecs := o.cookies(false).Codecs
	cookie, err := r.Cookie(o.name)
	if err != nil || len(codecs) < 2 || o.session(r).IsNew {
		return false
	}
	values := map[any]any{}
	return securecookie.DecodeMulti(o.name, cookie.Value, &values, codecs[0]) != nil
}

// reading returns the workspace of a request, or "" if the browser has none yet.
func (o Owners) reading(r *Request) string {
	if !o.shared {
		return usage.LocalWorkspace
	}
	id, _ := o.session(r).Values["workspace"].(string)
	return id
}

// writing returns the workspace of a request that creates something. It makes a new one if
// the browser has none.
func (o Owners) writing(r *Request) (string, error) {
	if id := o.reading(r); id != "" {
		return id, nil
	}
	id := o.newID()
	o.session(r).Values["workspace"] = id
	return id, o.renew(r)
}

// Key returns the key of the secrets of a request's browser, or nil.
func (o Owners) Key(r *Request) []byte {
	key, _ := o.session(r).Values["key"].([]byte)
	return key
}

// newKey is Key, with a new one if the browser has none yet. It sets the cookie again, which
// extends its life.
func (o Owners) newKey(r *Request) ([]byte, error) {
	key := o.Key(r)
	if len(key) != app.SecretKeySize {
		key = make([]byte, app.SecretKeySize)
		_, _ = rand.Read(key) // never fails
		o.session(r).Values["key"] = key
	}
	return key, o.renew(r)
}

// Take gives the browser of a request a workspace in place of its own, and sets its
// cookie.
func (o Owners) Take(r *Request, workspace string) error {
	o.session(r).Values["workspace"] = workspace
	return o.renew(r)
}

// renew sets the cookie again, which extends its life.
func (o Owners) renew(r *Request) error {
	if err := o.session(r).Save(r.Request, r.Writer); err != nil {
		return fmt.Errorf("set owner cookie: %w", err)
	}
	return nil
}
