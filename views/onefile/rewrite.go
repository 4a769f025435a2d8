package onefile

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A view is one state of the pages of a link: a round of a call, a step of a demo, a
// board or a compare.
type view struct {
	address string // as in a link, such as "round=2&x=3"; "start" for the one without any
	x, n    int    // exchange and Round, or 0 and the step; 0 for neither
	prefix  string // of the ids of its elements, which several views have
}

// writer collects the views of a page.
type writer struct {
	bytes.Buffer
	used used
	most int // bytes
}

// add writes what a component has rendered for a view. It moves the links of the page
// to fragments, makes ids unique, and leaves out what only a site can do. An element
// or an attribute that could load or run something is an error: no component has one.
func (w *writer) add(v view, rendered []byte) error {
	z := html.NewTokenizer(bytes.NewReader(rendered))
	var links []string // what the open links have become
	drawing := 0       // open svg elements
	for {
		kind := z.Next()
		raw := slices.Clone(z.Raw()) // Token changes it
		switch kind {
		case html.ErrorToken:
			return nil
		case html.TextToken:
			w.Write(raw)
		case html.EndTagToken:
			switch name := z.Token().Data; {
			case name == "a" && len(links) > 0:
				fmt.Fprintf(w, "</%s>", links[len(links)-1])
				links = links[:len(links)-1]
			case name == "main":
				w.WriteString("</section>")
			default:
				w.Write(raw)
				if name == "svg" {
					drawing--
				}
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if t.Data == "svg" && kind == html.StartTagToken {
				drawing++
			}
			changed, err := v.start(&t, drawing > 0)
			if err != nil {
				return err
			}
			if t.Data == "a" || slices.ContainsFunc(t.Attr, wasLink) {
				links = append(links, t.Data)
			}
			w.count(t)
			if changed {
				w.tag(t)
			} else {
				w.Write(raw)
			}
		}
		if w.Len() > w.most {
			return ErrTooLarge
		}
	}
}

// count adds the names of an element to those that are used.
func (w *writer) count(t html.Token) {
	w.used[t.Data] = true
	for _, a := range t.Attr {
		w.used["["+a.Key] = true
		if a.Key == "class" {
			for _, class := range strings.Fields(a.Val) {
				w.used["."+class] = true
			}
		}
	}
}

// tag writes a start tag.
func (w *writer) tag(t html.Token) {
	w.WriteString("<" + t.Data)
	for _, a := range t.Attr {
		if a.Key == formerLink {
			continue
		}
		w.WriteString(" " + a.Key)
		if a.Val != "" {
			w.WriteString(`="` + html.EscapeString(a.Val) + `"`)
		}
	}
	if t.Type == html.SelfClosingTagToken {
		w.WriteString("/")
	}
	w.WriteString(">")
}

// formerLink marks an element that was a link, until it is written.
const formerLink = "former-link"

func wasLink(a html.Attribute) bool { return a.Key == formerLink }

// harmless are the elements that a page may have. None loads or runs anything, but for
// the source of an image or a sound, which start checks.
var harmless = strings.Fields(`a abbr audio b bdi blockquote br button caption circle code col
	colgroup dd del desc details dfn div dl dt em figcaption figure g h1 h2 h3 h4 h5 h6 header hr i
	img ins kbd li line main mark nav ol p path polygon polyline pre progress q rect s samp section
	small span strong sub summary sup svg table tbody td text tfoot th thead time title tr tspan u ul
	var wbr`)

// idLists are the attributes that name ids.
var idLists = []string{"id", "for", "aria-labelledby", "aria-describedby", "aria-controls", "data-copy"}

// dropped are attributes for the scripts of the site.
var dropped = []string{"data-key", "aria-keyshortcuts", "data-live", "data-edit", "data-follows",
	"data-said", "aria-expanded"}

// start changes a start tag to be one of the file, and reports whether it did.
func (v view) start(t *html.Token, drawing bool) (changed bool, err error) {
	if !slices.Contains(harmless, t.Data) {
		return false, fmt.Errorf("%w: element %s", errUnsafe, t.Data)
	}
	kept := t.Attr[:0:0]
	for _, a := range t.Attr {
		before := a.Val
		switch {
		case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcdoc", a.Key == "srcset":
			return false, fmt.Errorf("%w: attribute %s", errUnsafe, a.Key)
		case a.Key == "src" && !isData(a.Val):
			return false, fmt.Errorf("%w: source %.40q", errUnsafe, a.Val)
		case strings.HasPrefix(a.Key, "hx-"), slices.Contains(dropped, a.Key):
			changed = true
			continue
		case slices.Contains(idLists, a.Key):
			a.Val = v.ids(a.Val)
		}
		changed = changed || a.Val != before
		kept = append(kept, a)
	}
	t.Attr = kept
	switch t.Data {
	case "a":
		v.link(t, drawing)
		return true, nil
	case "main":
		v.section(t)
		return true, nil
	}
	if i := slices.IndexFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "data-address" }); i >= 0 {
		t.Attr[i] = html.Attribute{Key: "id", Val: strings.TrimPrefix(v.fragment(t.Attr[i].Val), "#")}
		if t.Attr[i].Val == v.address { // the part that the address of the view shows
			t.Attr = slices.Delete(t.Attr, i, i+1)
		}
		return true, nil
	}
	return changed, nil
}

// section makes the main element of a page one of the views of the file.
func (v view) section(t *html.Token) {
	t.Data = "section"
	for i, a := range t.Attr {
		switch a.Key {
		case "id":
			t.Attr[i].Val = v.address
		case "class":
			classes := strings.Fields(a.Val)
			if slices.Contains(classes, "workbench") { // the script adds it: it fits one screen
				classes = slices.DeleteFunc(classes, func(c string) bool { return c == "workbench" })
				t.Attr = append(t.Attr, html.Attribute{Key: "data-bench"})
			}
			t.Attr[i].Val = strings.Join(append(classes, "view"), " ")
		}
	}
	if v.x > 0 {
		t.Attr = append(t.Attr, html.Attribute{Key: "data-x", Val: fmt.Sprint(v.x)})
	}
}

// message is the id of a message of a Round, which its address names too.
var message = regexp.MustCompile(`^m-(\d+)-(request|response)$`)

// ids returns ids as they are in the file.
func (v view) ids(list string) string {
	fields := strings.Fields(list)
	for i, id := range fields {
		switch parts := message.FindStringSubmatch(id); {
		case parts != nil && list == id:
			fields[i] = v.with("message="+parts[2], "round="+parts[1])
		case strings.HasPrefix(id, "also-"):
			fields[i] = v.with("at="+id, fmt.Sprintf("round=%d", v.n))
		case id == "main":
		default:
			fields[i] = v.prefix + id
		}
	}
	return strings.Join(fields, " ")
}

// with returns an address in the exchange of the view.
func (v view) with(parts ...string) string {
	if _, x, ok := strings.Cut("&"+v.address, "&x="); ok {
		parts = append(parts, "x="+x)
	}
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

// link makes a link one of the file: to another view of it, or to a page of the web. A
// link to a page of the site becomes text.
func (v view) link(t *html.Token, drawing bool) {
	i := slices.IndexFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "href" })
	if i < 0 {
		return
	}
	href := t.Attr[i].Val
	external := strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "http://")
	switch {
	case external:
		t.Attr = slices.DeleteFunc(t.Attr, func(a html.Attribute) bool {
			return a.Key == "rel" || a.Key == "target"
		})
		t.Attr = append(t.Attr, html.Attribute{Key: "rel", Val: "noreferrer"},
			html.Attribute{Key: "target", Val: "_blank"})
	case href == "", href[0] == '?', href[0] == '#':
		t.Attr[i].Val = v.fragment(href)
	default:
		t.Data = "span"
		if drawing {
			t.Data = "g"
		}
		t.Attr[i] = html.Attribute{Key: formerLink}
		t.Attr = slices.DeleteFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "rel" })
	}
}

// fragment returns the address in the file of an address of a page, which is a query:
// the same one as a fragment. A place in a message is a part of it.
func (v view) fragment(href string) string {
	query, place, _ := strings.Cut(href, "#")
	if query == "" && place != "" {
		return "#" + v.ids(place)
	}
	q, _ := url.ParseQuery(strings.TrimPrefix(query, "?")) // our own addresses
	q.Del("messages")
	if strings.HasPrefix(place, "also-") {
		q.Set("at", place)
	}
	if len(q) == 0 {
		return "#" + startAddress
	}
	return "#" + q.Encode() // sorted
}

// startAddress is the address of what the file opens with.
const startAddress = "start"

// isData reports whether the source of an image or a sound is in the page itself.
func isData(src string) bool {
	return strings.HasPrefix(src, "data:image/") || strings.HasPrefix(src, "data:audio/")
}

// ErrTooLarge is the error of a file that would be larger than it may be.
var ErrTooLarge = errors.New("the page is too large")

var errUnsafe = errors.New("a page cannot have this")
