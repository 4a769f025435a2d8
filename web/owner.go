package web

import (
	"fmt"
	"net/http"

	"github.com/gorilla/sessions"
	"github.com/labstack/echo/v4"
)

// localWorkspace owns everything outside public mode.
const localWorkspace = "local"

// owners identifies workspaces by a signed cookie.
type owners struct {
	mode  Mode
	name  string
	store *sessions.CookieStore
	newID func() string
}

func newOwners(cfg Config) owners {
	store := sessions.NewCookieStore(cfg.CookieKey)
	public := cfg.Mode == Public
	store.Options = &sessions.Options{
		Path: "/", MaxAge: 30 * 24 * 3600, HttpOnly: true, Secure: public, SameSite: http.SameSiteLaxMode,
	}
	store.MaxAge(store.Options.MaxAge)
	name := "mrtr"
	if public {
		name = "__Host-mrtr"
	}
	return owners{mode: cfg.Mode, name: name, store: store, newID: cfg.NewID}
}

// reading returns the workspace of a request, or "" if the browser has none
// yet.
func (o owners) reading(c echo.Context) string {
	if o.mode != Public {
		return localWorkspace
	}
	session, _ := o.store.Get(c.Request(), o.name) // an invalid cookie counts as none
	id, _ := session.Values["workspace"].(string)
	return id
}

// writing returns the workspace of a request that creates something. It makes a
// new one if the browser has none.
func (o owners) writing(c echo.Context) (string, error) {
	if id := o.reading(c); id != "" {
		return id, nil
	}
	session, _ := o.store.Get(c.Request(), o.name)
	id := o.newID()
	session.Values["workspace"] = id
	return id, o.renew(c)
}

// renew sets the cookie again, which extends its life.
func (o owners) renew(c echo.Context) error {
	session, _ := o.store.Get(c.Request(), o.name)
	if err := session.Save(c.Request(), c.Response()); err != nil {
		return fmt.Errorf("set owner cookie: %w", err)
	}
	return nil
}
