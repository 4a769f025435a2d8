package share

import "time"

// Share is a redacted snapshot of a Session that can be read by link.
type Share struct {
	Token, Session, Title string
	Created, Expires      time.Time
	Views                 int
	Data                  []byte // a file of package export
	Image                 []byte // PNG
}
