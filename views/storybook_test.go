// The storybook: every state of a page as a value, a golden file, and a page to
// look at.
//
//	go test ./views -run Storybook                        compare with the goldens
//	go test ./views -run Storybook -update                write them
//	go test ./views -run Storybook -serve 127.0.0.1:2323  look at them in a browser
//
// A story makes the page of one state from a log, by the same functions as
// package web. The golden file has only the part of the page that the story is
// about, readable as a diff; group page has one whole page of each kind. So a
// label is in few golden files, and a test holds that. The logs are written by
// hand (recorder) or recorded from the samples: see
// testdata/storybook/recordings/README.md.
package views_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"html/template"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"github.com/mrtr-playground/mrtr-playground/static"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
)

var (
	update = flag.Bool("update", false, "write the golden files of the storybook")
	serve  = flag.String("serve", "", "address on which to show the storybook instead of testing it")
)

// story is one state of a page.
type story struct {
	group, name string
	page        func(p layout.Page) templ.Component
	golden      part // of the page, in the golden file; the one of the group if it is empty
}

// of returns the story with another part of the page in its golden file.
func (s story) of(shows, hides string) story {
	s.golden = part{shows, hides}
	return s
}

// whole returns the story of a page of which the golden file has all but the
// layout.
func whole(name string, page func(p layout.Page) templ.Component) story {
	return story{group: wholePages, name: name, page: page}
}

func (s story) path() string { return s.group + "/" + s.name }

// part returns the part of the page in the golden file of the story.
func (s story) part() part { return cmp.Or(s.golden, parts[s.group]) }

func (s story) render(p layout.Page) ([]byte, error) {
	p.Here, p.Title = "/"+s.path(), s.name
	var b bytes.Buffer
	if err := s.page(p).Render(context.Background(), &b); err != nil {
		return nil, fmt.Errorf("render %s: %w", s.path(), err)
	}
	return b.Bytes(), nil
}

const goldens = "testdata/storybook"

func TestStorybook(t *testing.T) {
	b := newFixtures(t)
	stories := slices.Concat(
		exchangeStories(b), legacyStories(b), answeredStories(b), panelStories(b),
		readerStories(b), sessionStories(b),
		serverStories(b), wireStories(b),
		checkStories(b), signInStories(), signedOutStories(b),
		boardStories(b), editStories(b), stateStories(), clientStories(), fieldStories(), demoStories(b),
		followStories(b), learnStories(b), flowStories(), siteStories(b),
		personStories(b), recordingStories(), gatewayStories(),
	)
	if *serve != "" {
		show(t, b.assets, stories)
		return
	}
	posts, err := htmltest.ReadPosts("../web/site/testdata/routes/posts.txt")
	b.check(err)
	known, same := map[string]bool{}, map[string]string{}
	summary, labels := summary{known: map[string]bool{}}, labelled{}
	for _, s := range stories {
		text, err := s.render(layout.Page{Assets: b.assets})
		b.check(err)
		page, err := html.Parse(bytes.NewReader(text))
		b.check(err)
		for _, problem := range posts.Judge(htmltest.Parse(string(text))) {
			t.Errorf("%s: %s", s.path(), problem)
		}
		summary.add(s.path(), page)
		if s.part() == inSummary {
			continue
		}
		t.Run(s.path(), func(t *testing.T) {
			got, in, err := excerpt(page, s.part())
			switch {
			case err != nil:
				t.Fatal(err)
			case known[s.path()]:
				t.Fatal("two stories have this name")
			case same[got] != "":
				t.Errorf("the golden file of %s is the same; show another part", same[got])
			case s.group != wholePages && strings.Contains(got, "<main"):
				t.Errorf("show a part of the page; only group %s has whole pages", wholePages)
			}
			known[s.path()], same[got] = true, s.path()
			labels.add(s.path(), in, b.catalog.Samples())
			compare(t, s.path(), got)
		})
	}
	if unseen := posts.Unseen(); len(unseen) > 0 {
		t.Errorf("no story has the questions of %q", unseen)
	}
	known[summaryFile] = true
	labels.add(summaryFile, summary.labels, nil)
	t.Run(summaryFile, func(t *testing.T) { compare(t, summaryFile, summary.String()) })
	t.Run("labels", labels.check)
	for _, file := range files(t) {
		if !known[file] {
			t.Errorf("no story has the golden file %s.html; remove it", file)
		}
	}
}

// compare compares a text with the golden file of a path, or writes it.
func compare(t *testing.T, path, got string) {
	t.Helper()
	file := filepath.Join(goldens, path+".html")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; write it with: go test ./views -run Storybook -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs from what the page shows now; write it with -update and look at the diff.\n%s",
			file, firstDifference(string(want), got))
	}
}

// firstDifference shows the lines in which two texts differ first, in the
// middle of those around them.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	part := func(lines []string, mark string) string {
		return mark + strings.Join(lines[min(i, len(lines)):min(i+5, len(lines))], "\n"+mark)
	}
	return fmt.Sprintf("line %d:\n%s\n%s", i+1, part(a, "- "), part(b, "+ "))
}

// files lists the golden files by the paths of their stories.
func files(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(goldens, "*", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range found {
		rel, err := filepath.Rel(goldens, f)
		if err != nil {
			t.Fatal(err)
		}
		found[i] = strings.TrimSuffix(filepath.ToSlash(rel), ".html")
	}
	return found
}

// show serves the stories until the test is ended.
func show(t *testing.T, assets *static.Assets, stories []story) {
	mux := http.NewServeMux()
	mux.Handle("/static/", assets)
	mux.HandleFunc("GET /{$}",
		func(w http.ResponseWriter, r *http.Request) { writeIndex(w, r, assets, stories) })
	for _, s := range stories {
		mux.HandleFunc("GET /"+s.path(), func(w http.ResponseWriter, r *http.Request) {
			page, err := s.render(layout.Page{Assets: assets, Theme: themeOf(r)})
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(page) // the browser went away
		})
	}
	mux.HandleFunc("POST /theme", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "theme", Value: r.FormValue("theme"), Path: "/"})
		back := r.FormValue("back")
		if !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") {
			back = "/"
		}
		http.Redirect(w, r, back, http.StatusSeeOther)
	})
	listener, err := net.Listen("tcp", *serve)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%d stories, until Ctrl-C; listening on http://%s\n", len(stories), listener.Addr())
	t.Fatal(http.Serve(listener, mux))
}

// themeOf is the theme in ?theme=, else the one that was chosen by the button.
func themeOf(r *http.Request) string {
	if theme := r.URL.Query().Get("theme"); theme != "" {
		return theme
	}
	if c, err := r.Cookie("theme"); err == nil {
		return c.Value
	}
	return ""
}

func writeIndex(w http.ResponseWriter, r *http.Request, assets *static.Assets, stories []story) {
	var b strings.Builder
	b.WriteString(`<main id="main" class="page"><h1>Storybook</h1>`)
	group := ""
	for _, s := range stories {
		if s.group != group {
			fmt.Fprintf(&b, `<h2 class="section">%s</h2>`, template.HTMLEscapeString(s.group))
			group = s.group
		}
		fmt.Fprintf(&b, `<p><a href="/%s">%s</a></p>`, s.path(), template.HTMLEscapeString(s.name))
	}
	b.WriteString(`</main>`)
	page := layout.Page{Title: "Storybook", Assets: assets, Theme: themeOf(r), Here: "/"}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// the browser went away
	_ = layout.Layout(page).Render(templ.WithChildren(r.Context(), templ.Raw(b.String())), w)
}

// withChildren returns a component with its children.
func withChildren(c, children templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return c.Render(templ.WithChildren(ctx, children), w)
	})
}
