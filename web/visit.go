package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// visitKey is where a request keeps its visit.
const visitKey = "visit"

// BeginVisit begins the visit of a request, which RequestOf returns from then on, and gives
// the request its context. The caller ends its turn with the request, if the first byte of
// the response has not ended it.
func (s *App) BeginVisit(c echo.Context) *app.Visit {
	r := RequestOf(c)
	v := s.Visit(r.Context(), s.ownerOf(r, app.Request{
		Owner: browser{r, s.Owners}, Address: app.AddressOf(c.RealIP()), Origin: s.OwnURL(r),
		Looks: IsRead(r.Request),
	}))
	return begin(c, v)
}

// BeginFollowing is BeginVisit for a request that came to the listener for phones. Its visit
// has no owner, whatever cookies it has.
func (s *App) BeginFollowing(c echo.Context) *app.Visit {
	r := RequestOf(c)
	return begin(c, s.Visit(r.Context(), app.Request{
		Owner: app.Agent(""), Address: app.AddressOf(c.RealIP()), Kind: app.ByTalk, Looks: true,
	}))
}

// begin makes v the visit of a request.
func begin(c echo.Context, v *app.Visit) *app.Visit {
	c.Response().Before(v.EndTurn)
	c.SetRequest(c.Request().WithContext(v.Context()))
	c.Set(visitKey, v)
	return v
}

// ownerOf returns a request to the app with its owner and the kind of owner. Who
// asks without a cookie or a token is known by the address that is asked.
func (s *App) ownerOf(r *Request, q app.Request) app.Request {
	path := r.URL.Path
	switch authorization := r.Header.Get("Authorization"); {
	case strings.HasPrefix(path, CapturePath):
		q.Kind = app.ByCapture
	case strings.HasPrefix(path, FollowPath):
		q.Kind = app.ByTalk
	case path == AgentPath && s.Mode.Shared() && authorization != "":
		q.Kind = app.ByToken
		owner, err := s.AgentOwner(r.Context(), q, authorization)
		if err != nil {
			q.Kind, q.Unknown = app.AsGuest, err
			break
		}
		q.Owner = owner
	case path == AgentPath:
		q.Kind = app.AsGuest
		if s.People != nil {
			q.Unknown = app.Refuse(app.Unauthorized, "token",
				"This site serves agents of people who sign in.",
				"Make a token at "+s.BaseURL+"/settings#agents, and send it.")
		}
	case IsSample(r):
		q.Kind = app.ByNothing
	case s.People != nil:
		q = s.personOf(r, q)
	}
	return q
}

// IsRead reports whether a request only reads.
func IsRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// browser is the owner of a request of a browser, by its cookie.
type browser struct {
	r      *Request
	owners Owners
}

// Workspace returns the workspace of the cookie, or "".
func (b browser) Workspace() string { return b.owners.reading(b.r) }

// NewWorkspace returns the workspace, and sets a cookie with a new one if there is none.
func (b browser) NewWorkspace() (string, error) { return b.owners.writing(b.r) }

// Key returns the key of the cookie, or nil.
func (b browser) Key() []byte { return b.owners.Key(b.r) }

// NewKey returns the key, and sets the cookie, which extends its life, with a new one if
// there is none.
func (b browser) NewKey() ([]byte, error) { return b.owners.newKey(b.r) }

// OwnURL returns the URL of this program, wherever it is shown: the one that it was
// started with, or else the one that the browser uses.
func (s *App) OwnURL(r *Request) string {
	if s.Mode == app.Public || s.Named {
		return s.BaseURL
	}
	scheme, _, _ := strings.Cut(s.BaseURL, "://")
	return scheme + "://" + r.Host
}
