package htmltest

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// Posts is the table of what every POST of the site does to what the user has made, in
// web/site/testdata/routes/posts.txt, where the columns are explained.
type Posts struct {
	list []post
	seen map[*post]bool
}

// post is a line of the table.
type post struct {
	route, field string // the field is empty in most lines
	does         string // nothing, undone or asks
	admin        bool
	path, value  *regexp.Regexp
}

func (p post) String() string { return strings.TrimSpace(p.route + " " + p.field) }

// ReadPosts reads the table.
func ReadPosts(file string) (*Posts, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read posts: %w", err)
	}
	t := &Posts{seen: map[*post]bool{}}
	admin := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			admin = admin || line == "# admin"
			continue
		}
		of, what, _ := strings.Cut(line, ": ")
		method, of, _ := strings.Cut(of, " ")
		path, field, _ := strings.Cut(of, " ")
		p := post{route: method + " " + path, field: field, admin: admin}
		var how string
		p.does, how, _ = strings.Cut(what, ", ")
		if p.does != "nothing" && p.does != "asks" && (p.does != "undone" || how == "") {
			return nil, fmt.Errorf("read posts: %q is none of nothing, asks, and undone with a way", line)
		}
		rest := strings.ReplaceAll(path, "*", ".*")
		p.path = regexp.MustCompile("^" + regexp.MustCompile(`:\w+`).ReplaceAllString(rest, `[^/]*`) + "$")
		p.value = regexp.MustCompile("^" + strings.ReplaceAll(field, "*", ".*") + "$")
		t.list = append(t.list, p)
	}
	return t, nil
}

// Routes returns the routes of the table, and for each whether it is of the site and not
// of the admin address.
func (t *Posts) Routes() map[string]bool {
	routes := map[string]bool{}
	for _, p := range t.list {
		routes[p.route] = !p.admin
	}
	return routes
}

// Unseen returns the lines with a question that no page had.
func (t *Posts) Unseen() []string {
	var list []string
	for i, p := range t.list {
		if p.does == "asks" && !t.seen[&t.list[i]] {
			list = append(list, p.String())
		}
	}
	return list
}

// Judge returns what is wrong with the buttons of a page that send a form by POST: one
// destroys something without the question of views/kit/confirm, asks before nothing, or is
// sent to no line of the table.
func (t *Posts) Judge(page Page) (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, b := range page.buttons() {
		p := t.of(b)
		switch {
		case p == nil:
			say("%q is sent to %s, which is not in posts.txt", b.words, b.path)
		case p.does == "asks" && !b.asked:
			say("%q destroys something without a question: %s", b.words, p)
		case p.does != "asks" && b.asked:
			say("%q asks, but destroys nothing: %s", b.words, p)
		default:
			t.seen[p] = true
		}
	}
	return problems
}

// of returns the line of a button: the one with its field, else the one with the fewest
// parameters, as /learn/spot-the-fault before /learn/:slug. It returns nil if there is none.
func (t *Posts) of(b button) (found *post) {
	for i := range t.list {
		p := &t.list[i]
		if !p.path.MatchString(b.path) {
			continue
		}
		if p.field == "" && (found == nil || strings.Count(p.route, ":") < strings.Count(found.route, ":")) {
			found = p
		}
		for _, field := range b.fields {
			if p.field != "" && p.value.MatchString(field) {
				return p
			}
		}
	}
	return found
}

// button is a button that sends a form by POST.
type button struct {
	path   string
	fields []string // name=value, of it and of the hidden controls
	asked  bool     // it is in a question
	words  string
}

func (p Page) buttons() (list []button) {
	forms := map[string]*html.Node{}
	for _, n := range p.Find("form[id]") {
		forms[attr(n, "id")] = n
	}
	for _, n := range p.Find("button, input[type=submit]") {
		form := around(n, func(n *html.Node) bool { return n.Data == "form" })
		if id := attr(n, "form"); id != "" {
			form = forms[id]
		}
		kind := attr(n, "type")
		if kind == "button" || kind == "reset" || form == nil || attr(form, "method") != "post" {
			continue
		}
		b := button{path: attr(form, "action"), words: Text(n)}
		if to := attr(n, "formaction"); to != "" {
			b.path = to
		}
		if i := strings.IndexAny(b.path, "?#"); i >= 0 {
			b.path = b.path[:i]
		}
		b.fields = append(b.fields, attr(n, "name")+"="+attr(n, "value"))
		for field := range form.Descendants() {
			if field.Data == "input" && attr(field, "type") == "hidden" {
				b.fields = append(b.fields, attr(field, "name")+"="+attr(field, "value"))
			}
		}
		question := func(n *html.Node) bool { return strings.HasPrefix(attr(n, "id"), "confirm-") }
		b.asked = around(n, question) != nil
		list = append(list, b)
	}
	return list
}

func attr(n *html.Node, name string) string {
	value, _ := valueOf(n, name)
	return value
}

// around returns the nearest element around n that is; nil if there is none.
func around(n *html.Node, is func(*html.Node) bool) *html.Node {
	for n = n.Parent; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && is(n) {
			return n
		}
	}
	return nil
}
