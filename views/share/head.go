package share

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
)

// Head is the beginning of every page of a share.
type Head struct {
	Title, Note    string
	Made, Recorded time.Time
	Imported       bool
	Fork           string // where the Fork button leads; empty in a preview
	Files          string // address of the files without their suffix; empty in a preview
	Suffixes       []string
	Preview        bool
	File           bool   // the page is a file of its own: without forms and other files
	Server         string // what a fork needs to reach the server; empty for a sample
	Up             string // address of the board, compare or demo that the page is a part of
	UpWords        string
	Meta           layout.Meta
}
