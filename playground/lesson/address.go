package lesson

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
)

// WrittenURL is the address of this program as the texts and the programs in them have it.
const WrittenURL = "http://127.0.0.1:2322"

// ciSlug is the page about CI.
const ciSlug = "ci"

// At returns the page of a program at another address, such as https://playground.example,
// with the commands that start it.
func (r Reference) At(base string, p launch.Program) Reference {
	if r.Slug == ciSlug {
		p = launch.Program{} // its commands run on another machine
	}
	r.HTML, r.Markdown = startedHTML(htmlAt(r.HTML, base), p), startedText(textAt(r.Markdown, base), p)
	return r
}

// At returns the lesson of a program at another address, with the commands that start it.
func (l Lesson) At(base string, p launch.Program) Lesson {
	l.HTML, l.Markdown = startedHTML(htmlAt(l.HTML, base), p), startedText(textAt(l.Markdown, base), p)
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

// startedText replaces what starts the program where a command, a block of commands or a
// setting begins with it. A script or a workflow for another machine does not.
func startedText(text string, p launch.Program) string {
	text = strings.NewReplacer("`"+launch.Name+" ", "`"+p.Command("")+" ",
		"```sh\n"+launch.Name+" ", "```sh\n"+p.Command("")+" ").Replace(text)
	if p.File == "" {
		return text
	}
	return strings.ReplaceAll(text, `"command": "`+launch.Name+`"`,
		`"command": `+string(jsontree.Quote(p.File)))
}

// startedHTML is startedText for HTML.
func startedHTML(text string, p launch.Program) string {
	command := breakable(html.EscapeString(p.Command("")))
	for _, before := range []string{"<code>", `<code><span class="line d0">`} { // of a sentence, of a block
		text = strings.ReplaceAll(text, before+launch.Name+" ", before+command+" ")
	}
	if p.File == "" {
		return text
	}
	file := breakable(html.EscapeString(string(jsontree.Quote(p.File))))
	return commandSetting.ReplaceAllStringFunc(text, func(setting string) string {
		return strings.TrimSuffix(setting, commandValue) + file
	})
}

// commandSetting matches the setting of a client that names the program, in HTML.
var commandSetting = regexp.MustCompile(`&#34;command&#34;(?:<[^>]*>|[:\s])*` + commandValue)

const commandValue = "&#34;" + launch.Name + "&#34;"
