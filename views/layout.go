// Package views renders pages and fragments with templ. Every component takes
// a small typed view model, made by a pure function in the Go file beside it;
// whatever can fail has failed before a component sees it. It does no I/O and
// knows no HTTP.
package views

import "github.com/mrtr-playground/mrtr-playground/static"

// Page is the frame around every page.
type Page struct {
	Title   string // without the product's name
	Theme   string // "light", "dark" or "" for the system's
	Nav     string // path of the current section
	Here    string // path and query to come back to
	Assets  *static.Assets
	Refresh bool // without script, ask again in a second: something is under way
	Public  bool
	Share   *Meta // of a page that is read by link
	Bare    bool  // for a projector: nothing but the main element
}

func (p Page) fullTitle() string {
	if p.Title == "" {
		return "MRTR Playground"
	}
	return p.Title + " · MRTR Playground"
}

type navLink struct{ Path, Words string }

func navLinks() []navLink {
	return []navLink{{"/learn", "Learn"}, {"/demos", "Demos"}, {"/servers", "Servers"}, {"/history", "History"}}
}
