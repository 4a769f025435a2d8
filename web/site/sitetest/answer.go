package sitetest

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
)

// HTMX is the header of a request by htmx.
var HTMX = http.Header{"Hx-Request": {"true"}}

// BoardOf returns the verdicts on a page with a board, and the branches, by
// experiment.
func BoardOf(body string) (verdicts, branches map[string]string) {
	page := htmltest.Parse(body)
	verdicts = page.Pairs(".board-row[data-experiment]", "data-experiment", "data-verdict")
	branches = map[string]string{}
	for id := range verdicts {
		if branch := page.Value(`[data-experiment="`+id+`"] .name a`, "href"); branch != "" {
			branches[id] = branch
		}
	}
	return verdicts, branches
}

// The attributes of the page of a stage.
const (
	StepShown   = "data-step"
	StatusShown = "data-status"
	OwnShown    = "data-exchange"
)

// ShownBy returns an attribute of the main element of a page, "" if there is none.
func ShownBy(attribute, page string) string {
	return htmltest.Parse(page).Value("main", attribute)
}

// EditForm returns the form of the editor, or the one that leads to it, as a
// browser sends it.
func EditForm(t *testing.T, page string) url.Values {
	t.Helper()
	form := htmltest.Parse(page).Form("[data-form=edit], [data-form=send-state]")
	if !form.Has("body") || !form.Has("headers") {
		t.Fatalf("no form in %s", Excerpt(page))
	}
	for _, name := range []string{"body", "headers", "claims"} {
		if form.Has(name) {
			form.Set(name, strings.ReplaceAll(form.Get(name), "\n", "\r\n"))
		}
	}
	form.Set("do", "send")
	return form
}

// Replace changes a text in a control of a form, which must have it once.
func Replace(t *testing.T, form url.Values, name, old, other string) {
	t.Helper()
	if strings.Count(form.Get(name), old) != 1 {
		t.Fatalf("%q is not once in %s", old, form.Get(name))
	}
	form.Set(name, strings.Replace(form.Get(name), old, other, 1))
}

// ChangesOf returns the changes that a page lists, as plain text.
func ChangesOf(page string) []string {
	return htmltest.Parse(page).Texts("li.wire")
}

// Codes returns the codes of all failures that a page shows.
func Codes(body string) []string {
	return htmltest.Parse(body).Values("[data-error]", "data-error")
}

// NotImported returns a file without the line that says that it was imported.
func NotImported(file string) string { return strings.Replace(file, "  \"imported\": true,\n", "", 1) }

// Rounds returns the outcomes of the rounds on a page.
func Rounds(body string) string {
	return strings.Join(htmltest.Parse(body).Values("li[data-round]", "data-outcome"), " ")
}

// Refused checks that an answer is a refusal with a code and the seconds to
// wait.
func Refused(t *testing.T, what string, got Answer, code, after string) {
	t.Helper()
	if found := Codes(got.Body); got.Status != http.StatusTooManyRequests ||
		!slices.Equal(found, []string{code}) || got.Header.Get("Retry-After") != after {
		t.Errorf(
			"%s: %d %q, Retry-After %q, want 429 %s %s", what, got.Status, found,
			got.Header.Get("Retry-After"), code, after,
		)
	}
}

var (
	idPattern   = regexp.MustCompile(`\bid\d+\b`)
	timePattern = regexp.MustCompile(`<time datetime="[^"]*">[^<]*</time>`)
	// TagPattern matches a tag of HTML.
	TagPattern = regexp.MustCompile(`(?s)<[^>]*>`)
)

// Plain returns a page without the parts that differ between two links: ids and
// times.
func Plain(page string) string {
	return idPattern.ReplaceAllString(timePattern.ReplaceAllString(page, "TIME"), "ID")
}

// Find returns the first group of the first match of a pattern in a text, which must
// have one.
func Find(t *testing.T, text, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in %s", pattern, Excerpt(text))
	}
	return found[1]
}

// Await waits until a test has no problem any more, however long that takes. The last
// problem is shown just before go test ends the test.
func Await(t *testing.T, problem func() string) {
	t.Helper()
	deadline, limited := t.Deadline()
	for last := problem(); last != ""; last = problem() {
		if limited && time.Until(deadline) < 10*time.Second {
			t.Fatal(last)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Check ends the test if there is an error.
func Check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Answer is the response to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// HTML returns the body as HTML.
func (a Answer) HTML() htmltest.Page { return htmltest.Parse(a.Body) }

// Value returns an attribute of the first element of a page that matches a check.
func Value(t *testing.T, page, check, attribute string) string {
	t.Helper()
	found := htmltest.Parse(page).Values(check, attribute)
	if len(found) == 0 {
		t.Fatalf("no %s of %s in %s", attribute, check, Excerpt(page))
	}
	return found[0]
}

// LiveExchange returns the path of the exchange that a lesson has on its page.
func LiveExchange(t *testing.T, page string) string {
	t.Helper()
	path, _, _ := strings.Cut(Value(t, page, `#live [href^="/x/"]`, "href"), "?")
	return path
}

// Has fails unless the page passes every check.
func (a Answer) Has(t *testing.T, checks ...string) {
	t.Helper()
	page := a.HTML()
	for _, check := range checks {
		if !page.Has(check) {
			t.Errorf("no %s in %s", check, Excerpt(a.Body))
		}
	}
}

// HasNot fails if the page passes one of the checks.
func (a Answer) HasNot(t *testing.T, checks ...string) {
	t.Helper()
	page := a.HTML()
	for _, check := range checks {
		if page.Has(check) {
			t.Errorf("%s in %s", check, Excerpt(a.Body))
		}
	}
}

// Contains fails unless the body has every text, byte for byte.
func (a Answer) Contains(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.Body, text) {
			t.Errorf("no %s in %s", text, Excerpt(a.Body))
		}
	}
}

// Lacks fails if the body has one of the texts anywhere.
func (a Answer) Lacks(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(a.Body, text) {
			t.Errorf("%s in %s", text, Excerpt(a.Body))
		}
	}
}

// Excerpt returns the start of the main part of a page, to show why a test failed.
func Excerpt(body string) string {
	if i := strings.Index(body, "<main"); i > 0 {
		body = body[i:]
	}
	return body[:min(len(body), 3000)]
}

// IsRefusal fails unless an answer is a refusal with this status and code.
func IsRefusal(t *testing.T, what string, got Answer, status int, code string) {
	t.Helper()
	if found := Codes(got.Body); got.Status != status || !slices.Equal(found, []string{code}) {
		t.Errorf("%s: %d %q, want %d %s", what, got.Status, found, status, code)
	}
}
