package history_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestImport_ComesBackByteForByte: the file of an imported call is the one that was
// imported, but for the mark that says so and, once, the end of a request that
// was still running. From then on it is the same.
func TestImport_ComesBackByteForByte(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]struct {
		start func(*sitetest.Site) string
		ends  bool // an event is added
	}{
		"finished": {start: func(s *sitetest.Site) string { path, _ := s.Finished(); return path }},
		"waiting":  {start: func(s *sitetest.Site) string { return s.StartOf("azure-devops") }},
		"experiment": {start: func(s *sitetest.Site) string {
			path, _ := s.Finished()
			return s.Post(path+"/branches", "round=2&experiment=flip-state").Header.Get("Location")
		}},
		"of a foreign server": {start: func(s *sitetest.Site) string {
			return "/x/" + s.CallOf("delete_records", s.URL+"/mcp/confirm")
		}},
		"with an open connection": {ends: true, start: func(s *sitetest.Site) string {
			return s.StartOf("before-mrtr")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := sitetest.New(t, app.Local)
			first := s.Get(make.start(s) + ".json").Body
			again := func(file string) string {
				got := s.Do("POST", "/import", file, http.Header{"Content-Type": {"application/json"}})
				if got.Status != http.StatusSeeOther {
					t.Fatalf("%d %s", got.Status, sitetest.Excerpt(got.Body))
				}
				id := strings.TrimPrefix(got.Header.Get("Location"), "/x/")
				x, err := s.Store.Exchange(t.Context(), "local", id)
				sitetest.Check(t, err)
				n, err := s.Store.Session(t.Context(), "local", x.Session)
				sitetest.Check(t, err)
				last := n.Exchanges[len(n.Exchanges)-1] // its file has its parents too
				return s.Get("/x/" + last.ID + ".json").Body
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
