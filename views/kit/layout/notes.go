package layout

import (
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/confirm"
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

// Revoke returns what is asked before the link is revoked.
func (l ShareLine) Revoke() confirm.Question {
	title := text.Visible(l.Title, 120)
	return confirm.Question{
		ID: "revoke-" + l.Token, Do: "revoke", Action: "/shares/" + l.Token + "/delete",
		Label: "Revoke", Of: "the link to " + title, Yes: "Revoke it",
		Text: "Revoke the link to “" + title + "”? Its readers get “not found” at once.",
	}
}

// revokeOnly returns Revoke where the link is the only one, in a line of text.
func (l ShareLine) revokeOnly() confirm.Question {
	q := l.Revoke()
	q.Label, q.Of, q.Class = "Revoke the link", "", "as-link"
	return q
}
