package site_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func posts(t *testing.T) *htmltest.Posts {
	t.Helper()
	table, err := htmltest.ReadPosts("testdata/routes/posts.txt")
	sitetest.Check(t, err)
	return table
}

// TestPosts_EveryRouteIsSorted holds the table against the router's own.
func TestPosts_EveryRouteIsSorted(t *testing.T) {
	t.Parallel()
	rows := posts(t).Routes()
	for _, route := range sitetest.New(t, app.Local).Pages.Routes() {
		if _, ok := rows[route]; strings.HasPrefix(route, "POST ") && !ok {
			t.Errorf("%s: add to posts.txt what it destroys", route)
		}
		delete(rows, route)
	}
	for route, ofSite := range rows {
		if ofSite {
			t.Errorf("%s is no route", route)
		}
	}
}

// TestPosts_AskBeforeTheyDestroy: no button deletes, ends, revokes or replaces what the
// user has made without the question that is the same everywhere. It reads the pages of a
// visitor who has one of everything; TestStorybook reads those of every state.
func TestPosts_AskBeforeTheyDestroy(t *testing.T) {
	t.Parallel()
	table := posts(t)
	s := newShared(t, "public")
	ids := owns(s)
	paths := []string{"/", "/test", "/build", "/demos", "/learn", "/history", "/settings", "/shares",
		"/learn/rounds", "/learn/spot-the-fault", "/learn/spot-the-fault/1", "/learn/your-turn", "/state"}
	trials, _ := strangersTrials(t)
	for _, one := range trials {
		if one.method == http.MethodGet && !strings.HasSuffix(one.path, "/events") {
			paths = append(paths, one.path)
		}
	}
	for _, path := range paths {
		got := sends(s, trial{http.MethodGet, path, ""}, ids)
		if !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
			continue
		}
		for _, problem := range table.Judge(got.HTML()) {
			t.Errorf("%s: %s", path, problem)
		}
	}
}
