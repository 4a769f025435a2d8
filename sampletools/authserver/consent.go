package authserver

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/zitadel/oidc/v3/pkg/oidc"

	"github.com/mrtr-playground/mrtr-playground/sampletools/page"
)

// content is the content of a page for the user.
type content struct {
	Title, Text string
	Request     string // sealed; empty if there is nothing to decide
	Client      string // name that it gave itself
	Redirect    string // origin that the browser goes to
	Resource    string
	Users       []User
	Scopes      []Scope
	Back        string // where a link leads that the user may follow
}

// offlineMeaning is the permission of offlineAccess.
const offlineMeaning = "stay signed in: get new access tokens for a day"

// consent asks the user who they are and which scopes the client may have.
func (s *Server) consent(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if err := r.ParseForm(); err != nil {
		s.showError(w, oidc.ErrInvalidRequest().WithDescription("the form cannot be read"))
		return
	}
	var q pending
	sealed := r.Form.Get("request")
	if _, err := s.open(requestKind, sealed, &q); err != nil {
		s.show(w, http.StatusNotFound, content{Title: "This request has expired",
			Text: "Return to the client and sign in again."})
		return
	}
	if r.Method != http.MethodPost {
		s.ask(w, http.StatusOK, sealed, q, "")
		return
	}
	decision, who := r.PostForm.Get("decision"), r.PostForm.Get("person")
	known := slices.ContainsFunc(s.Users, func(u User) bool { return u.Subject == who })
	switch {
	case decision == "deny":
		s.back(w, r, q, url.Values{"error": {"access_denied"},
			"error_description": {"the user denied access"}})
	case decision != "allow" || !known:
		s.ask(w, http.StatusUnprocessableEntity, sealed, q, "Choose a user first.")
	default:
		s.allow(w, r, q, who)
	}
}

// allow sends the client a code for the scopes that the user has ticked.
func (s *Server) allow(w http.ResponseWriter, r *http.Request, q pending, who string) {
	g := grant{Client: q.Client, Subject: who, Resource: q.Resource, Redirect: q.Redirect,
		Challenge: q.Challenge, Short: r.PostForm.Get("short") != ""}
	for _, scope := range q.Scopes {
		if slices.Contains(r.PostForm["scope"], scope) {
			g.Scopes = append(g.Scopes, scope)
		}
	}
	if !slices.ContainsFunc(g.Scopes, func(scope string) bool { return scope != offlineAccess }) {
		s.back(w, r, q, url.Values{"error": {"access_denied"},
			"error_description": {"the user granted none of the scopes"}})
		return
	}
	var err error
	if g.ID, err = s.newID(); err != nil {
		s.showError(w, err)
		return
	}
	code, err := s.seal(codeKind, codeLife, g)
	if err != nil {
		s.showError(w, err)
		return
	}
	s.back(w, r, q, url.Values{"code": {code}})
}

// back sends the browser to the client (RFC 6749, section 4.1.2; RFC 9207).
func (s *Server) back(w http.ResponseWriter, r *http.Request, q pending, params url.Values) {
	u, err := url.Parse(q.Redirect)
	if err != nil {
		s.showError(w, err)
		return
	}
	params.Set("iss", s.Issuer())
	if q.State != "" {
		params.Set("state", q.State)
	}
	query := params.Encode()
	if u.RawQuery != "" {
		query = u.RawQuery + "&" + query
	}
	u.RawQuery = query
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, u.String(), http.StatusSeeOther)
}

// ask shows the form.
func (s *Server) ask(w http.ResponseWriter, status int, sealed string, q pending, problem string) {
	u, err := url.Parse(q.Redirect)
	if err != nil {
		s.showError(w, err)
		return
	}
	p := content{Title: "Sign in and decide", Text: problem, Request: sealed,
		Client: q.Name, Redirect: originOf(u), Resource: q.Resource, Users: s.Users}
	for _, name := range q.Scopes {
		meaning := s.meaning(name)
		if name == offlineAccess {
			meaning = offlineMeaning
		}
		p.Scopes = append(p.Scopes, Scope{name, meaning})
	}
	s.show(w, status, p)
}

// showError shows an error to the user that cannot be sent to the client.
func (s *Server) showError(w http.ResponseWriter, err error) {
	e := &oidc.Error{}
	if !errors.As(err, &e) || e.ErrorType == oidc.ServerError {
		s.Log.Error("authorization request failed", "err", err)
		s.show(w, http.StatusInternalServerError, content{Title: "Something went wrong", Text: "Try again."})
		return
	}
	s.show(w, http.StatusBadRequest, content{Title: "The request is not valid",
		Text: string(e.ErrorType) + ": " + e.Description})
}

// describe returns the error in the address of a redirect to a client.
func describe(location string) string {
	u, err := url.Parse(location)
	if err != nil {
		return ""
	}
	if why := u.Query().Get("error_description"); why != "" {
		return u.Query().Get("error") + ": " + why
	}
	return u.Query().Get("error")
}

// show shows a page. Browsers apply form-action to the redirect that follows a
// form, so the page names where this request may go.
func (s *Server) show(w http.ResponseWriter, status int, p content) {
	target := "'self'"
	if scheme, host, ok := strings.Cut(p.Redirect, "//"); ok && strings.HasPrefix(host, "[") {
		target += " " + scheme // a policy cannot name an IPv6 address
	} else if ok {
		target += " " + p.Redirect // it has no characters that end it, see isRedirect
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", page.Policy(target))
	w.Header().Set("X-Frame-Options", "DENY")
	w.Header().Set("Cache-Control", "no-store")
	// The URL contains the request, so no other site may learn it. With
	// no-referrer, browsers would send the form with the origin "null".
	w.Header().Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	if err := consentPage(p).Render(context.Background(), w); err != nil {
		s.Log.Error("show page of the authorization server", "err", err)
	}
}
