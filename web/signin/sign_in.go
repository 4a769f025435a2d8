package signin

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/auth"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ClientDocument is a client ID metadata document
// (basic/authorization/client-registration): with the redirect URI for one
// authorization server, or with the one that all share.
func (s *Pages) ClientDocument(r *web.Request) error {
	base, redirect := r.Visit.Origin, app.CallbackPath
	if name := r.Param("issuer"); name != "" {
		issuer := app.DocumentName.FindStringSubmatch(name)
		if issuer == nil {
			return playground.ErrNotFound
		}
		redirect += "/" + issuer[1]
	}
	return r.JSON(http.StatusOK, map[string]any{
		"client_id": base + r.URL.Path, "client_name": "MRTR Playground", "client_uri": base,
		"redirect_uris": []string{base + redirect}, "response_types": []string{"code"},
		"grant_types":                []string{"authorization_code", "refresh_token"},
		"token_endpoint_auth_method": "none",
	})
}

// SignIn begins a sign-in to a server, goes on with one that needs a client ID or in spite of
// a fault, or signs out.
func (s *Pages) SignIn(r *web.Request) error {
	v := r.Visit
	values, err := s.App.FormValues(r)
	if err != nil {
		return err
	}
	k, err := s.App.Find(v, r.Param("id"))
	if err != nil {
		return err
	}
	switch values.Get("do") {
	case "out":
		if err := s.App.SignOut(v, k); err != nil {
			return err
		}
		return web.SeeOther(r, "/servers/"+k.Target.ID)
	case "client":
		return s.supplyClient(r, k, values)
	case "anyway":
		row, err := s.App.GoOnAnyway(v, k, values.Get("id"), playground.Deviation(values.Get("deviation")))
		if err != nil {
			return err
		}
		return web.SeeOther(r, Path(row))
	}
	row, err := s.App.BeginSignIn(v, k, values.Get("exchange"),
		app.Waiting{Back: web.BackToLesson(values.Get("back"))})
	if err != nil {
		return err
	}
	return web.SeeOther(r, Path(row))
}

// Path returns the page of a sign-in.
func Path(row server.SignIn) string {
	return "/servers/" + row.Target + "/sign-in?" + url.Values{"id": {row.ID}}.Encode()
}

// supplyClient goes on with a client ID that the user entered.
func (s *Pages) supplyClient(r *web.Request, k app.KnownServer, values url.Values) error {
	row, err := s.App.SupplyClient(r.Visit, k, values.Get("id"), auth.Registration{
		ID:     strings.TrimSpace(values.Get("client_id")),
		Secret: strings.TrimSpace(values.Get("client_secret")), Own: values.Get("redirect") == "own",
	})
	if err != nil {
		return err
	}
	return web.SeeOther(r, Path(row))
}

// SignedIn takes the return of the browser from an authorization server, and leads to where
// the user was.
func (s *Pages) SignedIn(r *web.Request) error {
	r.Writer.Header().Set("Cache-Control", "no-store") // the address has a code
	v := r.Visit
	back, err := s.App.Return(v, r.URL.Path, r.QueryParams())
	if err != nil {
		return err
	}
	if !back.Signed {
		return web.SeeOther(r, Path(back.SignIn))
	}
	if err := s.App.GoOn(v, back); err != nil {
		return err
	}
	if back.Exchange == "" {
		return web.SeeOther(r, "/servers/"+back.Target)
	}
	return web.SeeOther(r, cmp.Or(back.Back(), "/x/"+back.Exchange))
}
