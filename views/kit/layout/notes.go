package layout

import (
	"fmt"
	"strings"
	"time"
)

// ShareLine is one link.
type ShareLine struct {
	Token, Title, Session string
	URL                   string // absolute
	Created, Expires      time.Time
	Views                 int
	QR                    string // SVG
	OwnMachine            bool   // its URL works on this machine only
}

// EmbedCode returns HTML that shows the recording in a frame of another page.
func (l ShareLine) EmbedCode() string {
	base, token, _ := strings.Cut(l.URL, "/s/")
	return fmt.Sprintf(`<iframe src="%s/embed/%s" width="640" height="480" title="MRTR Playground: a `+
		`recorded call" loading="lazy"></iframe>`,
		base, token)
}

// BadgeCode returns Markdown of a badge that leads to the recording.
func (l ShareLine) BadgeCode() string {
	return fmt.Sprintf("[![recorded with MRTR Playground](%s.badge.svg)](%[1]s)", l.URL)
}
