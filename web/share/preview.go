package share

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/share"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ReaderPreview shows the page that the readers of a link would see, in a frame
// of the share page. ?of= has the choices of that page, the other parameters are
// those of the reader's page.
func (s *Pages) ReaderPreview(r *web.Request) error {
	read, of, err := s.previewed(r)
	if err != nil {
		return err
	}
	h := r.Writer.Header()
	h.Set("Content-Security-Policy", previewPolicy)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	read.place = readerview.Place{
		Path:  "/sessions/" + url.PathEscape(r.Param("id")) + "/share/preview",
		Query: url.Values{"of": {of}},
	}
	return s.read(r, read)
}

// previewPolicy is the policy of pages with frame-ancestors of this site.
const previewPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"media-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; " +
	"frame-ancestors 'self'"

// PreviewFrame is frame for the preview.
func (s *Pages) PreviewFrame(r *web.Request) error {
	read, _, err := s.previewed(r)
	if err != nil {
		return err
	}
	return s.App.SendFrameOf(r, read.Public)
}

// previewed returns what a link with the choices of ?of= would show. It is
// encoded and decoded as a link is, so that the preview is made from the same
// bytes.
func (s *Pages) previewed(r *web.Request) (reading, string, error) {
	of := r.QueryParam("of")
	values, err := url.ParseQuery(of)
	if err != nil {
		return reading{}, of, web.FormError(err)
	}
	p, err := s.propose(r, values)
	if err != nil {
		return reading{}, of, err
	}
	l, err := s.App.Preview(p)
	return reading{Link: l, preview: true, marks: masksOfParts(p.Snapshot.Parts)}, of, err
}

// minMark is the shortest text that a preview marks wherever it stands; shorter
// ones occur by chance.
const minMark = 4

// marks are the texts to mark in a preview by their first minMark bytes.
type marks map[string][]marked

// marked is a text to mark, with the class of the mark.
type marked struct{ text, class string }

// masksOfParts returns the texts to mark in a preview: masked numbers, and the
// findings that the user shows. Runs of asterisks are always marked.
func masksOfParts(parts []share.Part) marks {
	list, seen := marks{}, map[string]bool{}
	for _, p := range parts {
		for _, run := range p.Runs {
			text := templ.EscapeString(string(run.Text))
			if !run.Marked || len(run.Text) < minMark || seen[text] || strings.Trim(text, "*") == "" {
				continue
			}
			seen[text] = true
			class := "kept"
			if run.Masked {
				class = "masked"
			}
			list[text[:minMark]] = append(list[text[:minMark]], marked{text, class})
		}
	}
	return list
}

// markedPage renders a component with the masked places marked in its text.
type markedPage struct {
	templ.Component
	marks marks
}

// Render writes the component to w.
func (m markedPage) Render(ctx context.Context, w io.Writer) error {
	var page bytes.Buffer
	if err := m.Component.Render(ctx, &page); err != nil {
		return err
	}
	_, err := w.Write(markPage(page.Bytes(), m.marks))
	return err
}

// markPage returns a page with the masked places marked in its text. In a
// drawing they are marked as well.
func markPage(page []byte, marks marks) []byte {
	var out bytes.Buffer
	skip, drawing := "", false
	for len(page) > 0 {
		i := bytes.IndexByte(page, '<')
		if i < 0 {
			i = len(page)
		}
		if words := page[:i]; skip == "" {
			markText(&out, words, marks, drawing)
		} else {
			out.Write(words)
		}
		page = page[i:]
		end := bytes.IndexByte(page, '>')
		if end < 0 {
			out.Write(page)
			break
		}
		tag := page[:end+1]
		name := string(bytes.Trim(bytes.SplitN(tag, []byte(" "), 2)[0], "<>"))
		switch {
		case skip != "" && name == "/"+skip:
			skip = ""
		case skip == "" && (name == "script" || name == "style" || name == "title" || name == "textarea"):
			skip = name
		case name == "svg" || name == "/svg":
			drawing = name == "svg"
		}
		if name == "a" {
			tag = bytes.Replace(tag, []byte(`href="http`), []byte(`target="_blank" href="http`), 1)
		}
		out.Write(tag)
		page = page[end+1:]
	}
	return out.Bytes()
}

// markText writes a text with the masked places marked.
func markText(out *bytes.Buffer, words []byte, marks marks, drawing bool) {
	open, end := `<mark class="`, "</mark>"
	if drawing {
		open, end = `<tspan class="pic-`, "</tspan>"
	}
	for len(words) > 0 {
		n, class := markAt(words, marks)
		if n == 0 {
			out.WriteByte(words[0])
			words = words[1:]
			continue
		}
		out.WriteString(open + class + `">`)
		out.Write(words[:n])
		out.WriteString(end)
		words = words[n:]
	}
}

// markAt returns the length and the class of the mark at the beginning of a
// text, or 0.
func markAt(words []byte, marks marks) (int, string) {
	if stars := len(words) - len(bytes.TrimLeft(words, "*")); stars >= minMark {
		return stars, "masked"
	}
	if len(words) < minMark {
		return 0, ""
	}
	best, class := 0, ""
	for _, m := range marks[string(words[:minMark])] {
		if len(m.text) > best && bytes.HasPrefix(words, []byte(m.text)) {
			best, class = len(m.text), m.class
		}
	}
	return best, class
}
