package views

import (
	"fmt"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// mostFindings is the most findings that are listed; a server could cause many.
const mostFindings = 100

// ShareForm is the page that creates a link: what will be public, and what can
// be redacted.
type ShareForm struct {
	ID, Title string
	Options   share.Options
	HasNote   bool
	Expiry    string // the chosen ExpiryChoice
	Seen      string // digest of the snapshot on the page
	Changed   bool   // the page from which the user created the link was out of date
	Problem   string
	Findings  []share.Finding
	Groups    []PublicGroup
	Size      string
	Picture   string // SVG
	Narrow    string // the same for a phone
	File      string // path of the exchange as a file, without suffix; empty for several exchanges
	Choices   string // query of that address
	Expiries  []ExpiryChoice
}

// ExpiryChoice is a choice of how long a link works.
type ExpiryChoice struct{ Value, Words string }

// PublicGroup holds the public parts of one exchange, or of the session itself.
type PublicGroup struct {
	Words string
	Parts []PublicPart
}

// PublicPart is one part of the snapshot, as HTML of its exact text.
type PublicPart struct {
	Label string
	HTML  string
	Marks int
}

// NewPublicGroups returns every byte that will be public, with the findings
// marked in place.
func NewPublicGroups(parts []share.Part) []PublicGroup {
	var groups []PublicGroup
	last := -1
	for _, p := range parts {
		if p.Exchange != last {
			words := "The session"
			if p.Exchange > 0 {
				words = fmt.Sprintf("Exchange %d", p.Exchange)
			}
			groups = append(groups, PublicGroup{Words: words})
			last = p.Exchange
		}
		g := &groups[len(groups)-1]
		g.Parts = append(g.Parts, publicPart(p))
	}
	return groups
}

func publicPart(p share.Part) PublicPart {
	part := PublicPart{Label: text.Visible(p.Label, 120)}
	var b strings.Builder
	for _, run := range p.Runs {
		html := templ.EscapeString(text.Lines(string(run.Text), text.NoLimit))
		switch {
		case run.Masked:
			b.WriteString(`<mark class="masked">` + html + `</mark>`)
		case run.Marked:
			b.WriteString(`<mark class="kept">` + html + `</mark>`)
		default:
			b.WriteString(html)
		}
		if run.Marked {
			part.Marks++
		}
	}
	part.HTML = inPre(b.String())
	return part
}

func placesWords(n int) string {
	if n == 1 {
		return "in one place"
	}
	return fmt.Sprintf("in %d places", n)
}

func findingsWords(list []share.Finding) string {
	kept := 0
	for _, f := range list {
		if f.Shown {
			kept++
		}
	}
	switch {
	case len(list) == 0:
		return "No likely secrets found. Check the preview anyway: only you know what must stay private."
	case kept == 0 && len(list) == 1:
		return "1 possible secret found. It is redacted."
	case kept == 0:
		return fmt.Sprintf("%d possible secrets found. All of them are redacted.", len(list))
	}
	return fmt.Sprintf("%s found. Anyone with the link can read %d of them.",
		text.Plural(len(list), "possible secret"), kept)
}

// Shares is the page of the user's own links.
type Shares struct {
	Made  *ShareLine // the link that was just created
	Lines []ShareLine
}

// ShareLine is one link.
type ShareLine struct {
	Token, Title, Session string
	URL                   string // absolute
	Created, Expires      time.Time
	Views                 int
	QR                    string // SVG
	OwnMachine            bool   // its URL works on this machine only
}

// NewShareLine returns the view of a share; base is the base URL.
func NewShareLine(h share.Share, base string) ShareLine {
	return ShareLine{
		Token: h.Token, Title: titleOr(h.Title), Session: h.Session, URL: base + "/s/" + h.Token,
		Created: h.Created, Expires: h.Expires, Views: h.Views,
	}
}

func (l ShareLine) embedCode() string {
	base, token, _ := strings.Cut(l.URL, "/s/")
	return fmt.Sprintf(`<iframe src="%s/embed/%s" width="640" height="480" title="MRTR Playground: a `+
		`recorded call" loading="lazy"></iframe>`,
		base, token)
}

func (l ShareLine) badgeCode() string {
	return fmt.Sprintf("[![recorded with MRTR Playground](%s.badge.svg)](%[1]s)", l.URL)
}

func viewsWords(n int) string {
	switch n {
	case 0:
		return "not opened yet"
	case 1:
		return "opened once"
	}
	return fmt.Sprintf("opened %d times", n)
}
