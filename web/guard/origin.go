package guard

import (
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Origins applies CORS to the samples: pages of this machine may call them, in
// public mode any page; never with credentials
// (basic/transports/streamable-http, "Security & Endpoint"). Only this site's own
// pages may call the server for agents, which calls others.
func (s *Pages) Origins(next web.Handler) web.Handler {
	return func(r *web.Request) error {
		origin := r.Header.Get("Origin")
		if !web.IsSample(r) || origin == "" {
			return next(r)
		}
		toAgent := r.URL.Path == web.AgentPath
		if toAgent && s.isOwnOrigin(r.Request, origin) {
			return next(r)
		}
		if toAgent || s.App.Mode != app.Public && !app.IsLoopbackOrigin(origin) && origin != s.App.BaseURL {
			return r.Bytes(
				http.StatusForbidden, "application/json",
				[]byte(`{"jsonrpc":"2.0","error":{"code":-32600,"message":"origin not allowed"}}`),
			)
		}
		h := r.Writer.Header()
		h.Set("Access-Control-Allow-Origin", allowed(s.App.Mode, origin))
		h.Set("Access-Control-Expose-Headers", "Mcp-Sample-Instance, Mcp-Session-Id, WWW-Authenticate")
		h.Add("Vary", "Origin")
		if r.Method == http.MethodOptions &&
			r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "POST, GET, DELETE")
			h.Set("Access-Control-Allow-Headers", requestHeaders(r.Request))
			h.Set("Access-Control-Max-Age", "600")
			return r.NoContent(http.StatusNoContent)
		}
		return next(r)
	}
}

// isOwnOrigin reports whether a request comes from a page of this site. In other modes
// than public, the site has the names that KnownHost knows.
func (s *Pages) isOwnOrigin(r *http.Request, origin string) bool {
	return origin == s.App.BaseURL || s.App.Mode != app.Public && origin == "http://"+r.Host
}

func allowed(mode app.Mode, origin string) string {
	if mode == app.Public {
		return "*"
	}
	return origin
}

// requestHeaders returns the headers that a cross-origin request may have: any
// that it asks for. Test clients need them, and without credentials they are
// harmless.
func requestHeaders(r *http.Request) string {
	if names := r.Header.Get("Access-Control-Request-Headers"); names != "" {
		return names
	}
	return "Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id"
}
