package lesson

import (
	"html"
	"slices"
	"strings"
)

// WrittenURL is the address of this program as the texts and the programs in them have it.
const WrittenURL = "http://127.0.0.1:2322"

// At returns the page of a program at another address, such as https://playground.example.
func (r Reference) At(base string) Reference {
	r.HTML, r.Markdown = htmlAt(r.HTML, base), textAt(r.Markdown, base)
	return r
}

// At returns the lesson of a program at another address.
func (l Lesson) At(base string) Lesson {
	l.HTML, l.Markdown = htmlAt(l.HTML, base), textAt(l.Markdown, base)
	l.Listings, l.Lines = listingsAt(l.Listings, base), listingsAt(l.Lines, base)
	return l
}

func listingsAt(list []Listing, base string) []Listing {
	list = slices.Clone(list)
	for i, x := range list {
		list[i].Source, list[i].Called = textAt(x.Source, base), textAt(x.Called, base)
		list[i].html = func() string { return htmlAt(x.HTML(), base) }
		if x.helpers != nil {
			list[i].helpers = func() string { return htmlAt(x.Helpers(), base) }
		}
	}
	return list
}

func textAt(text, base string) string { return strings.ReplaceAll(text, WrittenURL, base) }

// htmlAt is textAt for HTML, in which code may be broken.
func htmlAt(text, base string) string {
	base = html.EscapeString(base)
	return strings.NewReplacer(WrittenURL, base, breakable(WrittenURL), breakable(base)).Replace(text)
}
