package site_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// TestImport_ComesBackByteForByte: the file of an imported call is the one that was
// imported, but for the mark that says so and, once, the end of what was still running.
// From then on it is the same.
func TestImport_ComesBackByteForByte(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]struct {
		start func(*testSite) string
		ends  bool // an event is added
	}{
		"finished": {start: func(s *testSite) string { path, _ := s.finished(); return path }},
		"waiting":  {start: func(s *testSite) string { return s.startOf("azure-devops") }},
		"experiment": {start: func(s *testSite) string {
			path, _ := s.finished()
			return s.post(path+"/branches", "round=2&experiment=flip-state").header.Get("Location")
		}},
		"of a foreign server": {start: func(s *testSite) string {
			return "/x/" + s.callOf("delete_records", s.url+"/mcp/confirm")
		}},
		"with an open connection": {ends: true, start: func(s *testSite) string {
			return s.startOf("before-mrtr")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, app.Local)
			first := s.get(make.start(s) + ".json").body
			again := func(file string) string {
				got := s.do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}})
				if got.status != http.StatusSeeOther {
					t.Fatalf("%d %s", got.status, excerpt(got.body))
				}
				id := strings.TrimPrefix(got.header.Get("Location"), "/x/")
				x, err := s.store.Exchange(t.Context(), "local", id)
				check(t, err)
				n, err := s.store.Session(t.Context(), "local", x.Session)
				check(t, err)
				last := n.Exchanges[len(n.Exchanges)-1] // its file has what it branches from too
				return s.get("/x/" + last.ID + ".json").body
			}
			second := again(first)
			if third := again(second); third != second {
				t.Errorf("the second import changes the file:\n%s", cmpLines(second, third))
			}
			const mark = "  \"imported\": true,\n"
			unmarked := strings.Replace(second, mark, "", 1)
			if unmarked == second || strings.Contains(first, mark) {
				t.Errorf("the mark is not where it belongs: %s", second[:200])
			}
			if same := unmarked == first; same == make.ends {
				t.Errorf("the first import changes the file:\n%s", cmpLines(first, unmarked))
			}
		})
	}
}

// cmpLines returns the lines of each text that the other does not have.
func cmpLines(a, b string) string {
	var list []string
	for _, line := range strings.Split(a, "\n") {
		if !strings.Contains(b, line) {
			list = append(list, "- "+line)
		}
	}
	for _, line := range strings.Split(b, "\n") {
		if !strings.Contains(a, line) {
			list = append(list, "+ "+line)
		}
	}
	return strings.Join(list, "\n")
}
