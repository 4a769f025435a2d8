// Package layout has the frame around every page, the page of an error, and the
// notes that pages have in common. A page without script has the same parts:
// the header's menus are details elements, and a page that changes is loaded
// again.
package layout

import (
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/static"
)

// Page is the frame around every page.
type Page struct {
	Title   string // without the product's name
	Theme   string // "light", "dark" or "" for the system's
	Nav     string // path of the current section
	Here    string // path and query of this page
	Assets  *static.Assets
	Refresh bool   // reload every second without script, because a call is running
	Slowly  bool   // with Refresh: every five seconds, because it has a form
	Share   *Meta  // of a shared page; nil for others
	Bare    bool   // presentation mode: only the main element
	Landing bool   // the landing page, which loads no more than it needs
	NoKeys  bool   // single-key shortcuts are off
	Person  string // who has signed in; "" where no one does
}

func (p Page) refreshSeconds() string {
	if p.Slowly {
		return "5"
	}
	return "1"
}

// FullTitle returns the title of the document, with the name of the product.
func (p Page) FullTitle() string {
	if p.Title == "" {
		return "MRTR Playground"
	}
	return text.Visible(p.Title, 200) + " · MRTR Playground"
}

// Words of the links in the header, which say what one can do.
const (
	LearnTitle   = "Learn"
	TestTitle    = "Test"
	BuildTitle   = "Build"
	ShowTitle    = "Show"
	HistoryTitle = "History"
)

// Addresses of the pages that the header links.
const (
	LearnPath   = "/learn"
	TestPath    = "/test"
	BuildPath   = "/build"
	ShowPath    = "/demos"
	HistoryPath = "/history"
)

// navLink is a link in the header. After g, Key opens it.
type navLink struct{ Path, Words, Key string }

func navLinks() []navLink {
	return []navLink{
		{LearnPath, LearnTitle, "l"}, {TestPath, TestTitle, "t"}, {BuildPath, BuildTitle, "b"},
		{ShowPath, ShowTitle, "s"}, {HistoryPath, HistoryTitle, "h"},
	}
}

// Meta describes a link to chats and feeds.
type Meta struct {
	Title, Description, URL, Image string
}
