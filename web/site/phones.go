package site

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/guard"
)

// Phones returns the handler of the listener for the phones of a room, whose address is host
// (HOST:PORT). It serves the pages of followers and their files. Every other request gets the
// same 404, which sets no cookie and does not say what else this program serves.
func (s *Site) Phones(host string) http.Handler {
	p := s.rooms
	e := echo.New()
	e.IPExtractor = echo.ExtractIPDirect()
	e.HideBanner, e.HidePort = true, true
	e.Use(
		p.guard.Observe,
		web.Use(p.guard.Headers),
		web.Use(guard.WithoutOpener),
		p.guard.BareProblems,
		p.guard.RecoverPanics,
		web.Use(guard.OnlyFollowers(host, followFiles(p.Assets)...)),
		p.guard.Following,
		guard.Compress(p.Mode),
	)
	e.GET(web.FollowPath+":code", web.Handle(web.NoIndex(p.stage.Follow)))
	e.GET(web.FollowPath+":code/events", web.Handle(web.NoIndex(p.stage.FollowEvents)))
	e.GET("/static/*", echo.WrapHandler(p.Assets))
	return guard.HeadAsGet(e)
}

// followFiles returns the paths of the files of a follower's page.
func followFiles(a interface{ URL(name string) string }) []string {
	return []string{a.URL("follow.css"), a.URL("follow.js"), a.URL("icon.svg")}
}
