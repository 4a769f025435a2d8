package clienttest

import (
	"net/http"
	"strings"
)

// canaryPath is between the path of the endpoint and the mark of a canary.
const canaryPath = "/canary/"

// canary returns an address of this server that is visited only by who follows a link.
// Its kind is "link", which a question has, or "schema", which a tool has.
func (c *call) canary(kind string) string {
	base := c.s.config.Base
	if base == "" {
		scheme := "http"
		if c.r.TLS != nil {
			scheme = "https"
		}
		base = scheme + "://" + c.r.Host + c.r.URL.Path
	}
	return strings.TrimSuffix(base, "/") + canaryPath + c.mark(1) + "/" + kind
}

// visit notes who visits a canary address.
func (s *Server) visit(w http.ResponseWriter, r *http.Request, rest string) {
	mark, kind, _ := strings.Cut(rest, "/")
	if marks.FindString(mark) != mark || kind != "link" && kind != "schema" {
		http.NotFound(w, r)
		return
	}
	note := "visit"
	purpose := r.Header.Get("Sec-Purpose") + r.Header.Get("Purpose")
	if r.Method == http.MethodHead || strings.Contains(purpose, "prefetch") {
		note = "prefetch"
	}
	s.config.Notes.Add(r.RemoteAddr, mark, note)
	if kind == "schema" {
		s.config.Notes.Add(r.RemoteAddr, "schemas", mark)
		w.Header().Set("Content-Type", "application/schema+json")
		_, _ = w.Write([]byte(`{"type":"string"}`))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("This is the page of the link. Go back to your client."))
}

// visits returns the member of _meta that says how canary addresses were visited.
func (c *call) visits(marks ...string) string {
	var list []string
	for _, mark := range marks {
		for _, note := range c.s.config.Notes.Of(mark) {
			list = append(list, `{"mark":`+quote(mark)+`,"how":`+quote(note)+`}`)
		}
	}
	return `"dev.mrtr-playground/visits":[` + strings.Join(list, ",") + `]`
}
