package lesson_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/search"
)

// Search finds the section of a page, with an excerpt around the words.
func TestSearch_FindsSections(t *testing.T) {
	entries := book(t).Entries()
	tests := []struct{ query, path string }{
		{"how long should a state live", "/learn/reference/memory#how-long-a-state-should-live"},
		{"state lifetime", "/learn/reference/memory#how-long-a-state-should-live"},
		{"parallel calls", "/learn/reference/http#two-calls-at-once"},
		{"concurrent call", "/learn/reference/http#two-calls-at-once"},
		{"Last-Event-ID", "/learn/reference/http#when-a-stream-breaks"},
		{"key rotation", "/learn/reference/memory#changing-keys-and-layouts"},
		{"PKCE", "/learn/reference/signing-in#pkce"},
		{"issuer", "/learn/reference/signing-in#the-issuer-and-its-metadata"},
		{"mix-up", "/learn/reference/signing-in#what-comes-back"},
		{"step-up", "/learn/reference/signing-in#step-up-in-the-middle-of-a-call"},
		{"audience of a token", "/learn/reference/signing-in#the-resource-and-the-audience"},
		{"dynamic client registration", "/learn/reference/signing-in#registration"},
		{"what may a form contain", "/learn/reference/forms#what-a-form-may-contain"},
		{"Punycode", "/learn/reference/forms#what-a-client-must-show-for-a-link"},
		{"nesting in a form", "/learn/reference/forms#what-a-form-may-not-contain"},
		{"how do I sign in", "/learn/signing-in"},
		{"state expiry", "/learn/reference/memory#how-long-a-state-should-live"},
		{"stream cut off", "/learn/reference/http#when-a-stream-breaks"},
		{"dropdown", "/learn/reference/forms#what-a-form-may-contain"},
		{"JWT", "/learn/reference/memory#a-jwt-as-state"},
		{"OpenTelemetry tracing", "/learn/reference/http#tracing-across-rounds"},
		{"scale to zero", "/learn/reference/memory#serverless-and-scale-to-zero"},
	}
	for _, tt := range tests {
		hits := search.Find(entries, tt.query)
		if len(hits) == 0 || hits[0].Path != tt.path {
			t.Errorf("%q finds %v first, want %s", tt.query, titles(hits), tt.path)
		}
	}
	for _, h := range search.Find(entries, "parallel calls") {
		if h.Path == "/learn/reference/http" {
			t.Error("the page of a section is found for the text of the section")
		}
	}
	hits := search.Find(entries, "Last-Event-ID")
	if h := hits[0]; h.Match != "Last-Event-ID" || !strings.HasSuffix(h.Before, "It can't be resumed: ") ||
		h.Page != "HTTP in detail" {
		t.Errorf("excerpt: %+v", h)
	}
}

func titles(hits []search.Hit) (list []string) {
	for _, h := range hits[:min(len(hits), 5)] {
		list = append(list, h.FullTitle())
	}
	return list
}

// A whole word in the texts is found before its parts.
func TestSearch_WholeWordsOfTheTexts(t *testing.T) {
	hits := search.Find(book(t).Entries(), "Origin")
	if len(hits) == 0 || hits[0].Match != "Origin" {
		t.Errorf("in the texts: %v, %q", titles(hits), hits[0].Match)
	}
}

// Each heading has an id and is a link to it, and links to sections have a target.
func TestBook_HeadingsAreLinks(t *testing.T) {
	b := book(t)
	heading := regexp.MustCompile(`<h[2-6][^>]*>`)
	linked := regexp.MustCompile(`<h[2-6] id="([^"]+)"><a href="#([^"]+)" class="heading-link">`)
	sections := 0
	check := func(path, html string) {
		good := linked.FindAllStringSubmatch(html, -1)
		if all := len(heading.FindAllString(html, -1)); all != len(good) {
			t.Errorf("%s has %d headings and %d links", path, all, len(good))
		}
		for _, m := range good {
			if sections++; m[1] != m[2] {
				t.Errorf("%s: the heading %s links to %s", path, m[1], m[2])
			}
		}
	}
	for _, r := range b.References {
		check(r.Path(), r.HTML)
		for _, s := range r.Sections {
			if s.Title == "" || !strings.Contains(r.HTML, `id="`+s.ID+`"`) {
				t.Errorf("%s has no section %q, %q", r.Path(), s.ID, s.Title)
			}
		}
	}
	for _, l := range b.Lessons {
		check(l.Path(), l.HTML)
	}
	if sections < 70 {
		t.Errorf("only %d sections", sections)
	}
}

// TestSearch_FoldsOnce: each text is folded once for all words of a query, however many these
// are and however many synonyms they have. Anyone may search, as often as the rates allow.
func TestSearch_FoldsOnce(t *testing.T) {
	entries := slices.Repeat([]search.Entry{{
		Kind: "Lesson", Title: "Stamps", Path: "/learn/stamps",
		Text: strings.Repeat("Perforated, lightly hinged. ", 40),
	}}, 100)
	allocations := func(query string) float64 {
		return testing.AllocsPerRun(10, func() { search.FindSome(entries, query) })
	}
	one, nine := allocations("quagga"), allocations("quagga okapi gnu kudu eland nyala oryx bongo dikdik")
	if nine > 2*one {
		t.Errorf("%.0f allocations to search for one word, %.0f for nine", one, nine)
	}
}
