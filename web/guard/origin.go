package guard

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Origins applies CORS to the samples: pages of this machine may call them, in
// public mode any page; never with credentials
// (basic/transports/streamable-http, "Security & Endpoint"). Only this site's own
// pages may call the server for agents, which calls others.
func (s *Pages) Origins(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		origin := c.Request().Header.Get("Origin")
		if !web.IsSample(c) || origin == "" {
			return next(c)
		}
		toAgent := c.Request().URL.Path == web.AgentPath
		if toAgent && s.isOwnOrigin(c.Request(), origin) {
			return next(c)
		}
		if toAgent || s.Mode != app.Public && !web.IsLoopbackOrigin(origin) && origin != s.BaseURL {
			return c.JSONBlob(
				http.StatusForbidden,
				[]byte(`{"jsonrpc":"2.0","error":{"code":-32600,"message":"origin not allowed"}}`),
			)
		}
		h := c.Response().Header()
		h.Set("Access-Control-Allow-Origin", allowed(s.Mode, origin))
		h.Set("Access-Control-Expose-Headers", "Mcp-Sample-Instance, Mcp-Session-Id, WWW-Authenticate")
		h.Add("Vary", "Origin")
		if c.Request().Method == http.MethodOptions &&
			c.Request().Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "POST, GET, DELETE")
			h.Set("Access-Control-Allow-Headers", requestHeaders(c.Request()))
			h.Set("Access-Control-Max-Age", "600")
			return c.NoContent(http.StatusNoContent)
		}
		return next(c)
	}
}

// isOwnOrigin reports whether a request comes from a page of this site. In other modes
// than public, the site has the names that KnownHost knows.
func (s *Pages) isOwnOrigin(r *http.Request, origin string) bool {
	return origin == s.BaseURL || s.Mode != app.Public && origin == "http://"+r.Host
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
