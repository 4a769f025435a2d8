package lesson_test

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// like compares a message with an example on a page: every member of the
// example must be there, and "…" stands for anything, alone or inside a string.
// An object of a whole example has a member "…" if it does not show all
// members.
func (a *actor) like(got *jsontree.Node, example string) {
	a.Helper()
	want, err := jsontree.Parse([]byte(example), jsontree.Limits{})
	a.must(err)
	if got == nil {
		a.fail("there is no message")
		return
	}
	a.compare("", got, want)
}

func (a *actor) compare(path string, got, want *jsontree.Node) {
	a.Helper()
	switch {
	case want.Kind == jsontree.String && want.Str() == "…":
	case got == nil:
		a.fail("%s is not there", path)
	case want.Kind == jsontree.String && got.Kind == jsontree.String:
		if !matches(got.Str(), want.Str()) {
			a.fail("%s is %q, want %q", path, got.Str(), want.Str())
		}
	case want.Kind == jsontree.Object && got.Kind == jsontree.Object:
		a.compareGaps(path, got, want)
		for _, m := range want.Members {
			if m.Key != "…" {
				a.compare(path+"/"+m.Key, got.Get(m.Key), m.Value)
			}
		}
	case want.Kind == jsontree.Array && got.Kind == jsontree.Array && len(want.Items) == len(got.Items):
		for i := range want.Items {
			a.compare(path+"/-", got.Items[i], want.Items[i])
		}
	case !jsontree.Equal(got, want):
		a.fail("%s is %s, want %s", path, got.Raw(), want.Raw())
	}
}

// compareGaps finds members that a whole example omits without a mark, and
// marks that stand for nothing.
func (a *actor) compareGaps(path string, got, want *jsontree.Node) {
	a.Helper()
	hidden := 0
	for _, m := range got.Members {
		if want.Has(m.Key) {
			continue
		}
		hidden++
		if a.whole && !want.Has("…") {
			a.fail("%s/%s is there, and the example neither shows nor marks it: %.200s", path,
				m.Key, m.Value.Raw())
		}
	}
	if a.whole && hidden == 0 && want.Has("…") {
		a.fail("%s marks a gap, and there is none", path)
	}
}

// matches reports whether a text fits a pattern in which "…" stands for any
// text.
func matches(text, pattern string) bool {
	parts := strings.Split(pattern, "…")
	if len(parts) == 1 {
		return text == pattern
	}
	if !strings.HasPrefix(text, parts[0]) || !strings.HasSuffix(text, parts[len(parts)-1]) {
		return false
	}
	for _, part := range parts {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return true
}
