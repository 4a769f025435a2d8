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
	"github.com/labstack/echo/v4"
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
func (o Owners) session(c echo.Context) *sessions.Session {
	if known, ok := c.Get(o.name).(*sessions.Session); ok {
		return known
	}
	session, err := o.cookies(false).New(c.Request(), o.name)
	if err != nil {
		session, _ = o.cookies(true).New(c.Request(), o.name)
	}
	c.Set(o.name, session)
	return session
}

// SignedBefore reports whether the cookie of a request is valid with another
// key than the first.
func (o Owners) SignedBefore(c echo.Context) bool {
	codecs := o.cookies(false).Codecs
	cookie, err := c.Cookie(o.name)
	if err != nil || len(codecs) < 2 || o.session(c).IsNew {
		return false
	}
	values := map[any]any{}
	return securecookie.DecodeMulti(o.name, cookie.Value, &values, codecs[0]) != nil
}

// reading returns the workspace of a request, or "" if the browser has none yet.
func (o Owners) reading(c echo.Context) string {
	if !o.shared {
		return usage.LocalWorkspace
	}
	id, _ := o.session(c).Values["workspace"].(string)
	return id
}

// writing returns the workspace of a request that creates something. It makes a new one if
// the browser has none.
func (o Owners) writing(c echo.Context) (string, error) {
	if id := o.reading(c); id != "" {
		return id, nil
	}
	id := o.newID()
	o.session(c).Values["workspace"] = id
	return id, o.renew(c)
}

// Key returns the key of the secrets of a request's browser, or nil.
func (o Owners) Key(c echo.Context) []byte {
	key, _ := o.session(c).Values["key"].([]byte)
	return key
}

// newKey is Key, with a new one if the browser has none yet. It sets the cookie again, which
// extends its life.
func (o Owners) newKey(c echo.Context) ([]byte, error) {
	key := o.Key(c)
	if len(key) != app.SecretKeySize {
		key = make([]byte, app.SecretKeySize)
		_, _ = rand.Read(key) // never fails
		o.session(c).Values["key"] = key
	}
	return key, o.renew(c)
}

// Take gives the browser of a request a workspace in place of its own, and sets its
// cookie.
func (o Owners) Take(c echo.Context, workspace string) error {
	o.session(c).Values["workspace"] = workspace
	return o.renew(c)
}

// renew sets the cookie again, which extends its life.
func (o Owners) renew(c echo.Context) error {
	if err := o.session(c).Save(c.Request(), c.Response()); err != nil {
		return fmt.Errorf("set owner cookie: %w", err)
	}
	return nil
}
