package site_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestScripts runs testdata/*.txt. A script is a list of requests, each with
// what must hold of its answer:
//
//	GET /path            or POST /path, whose form follows as "form a=b&c=d"
//	header Name: value   sent with the request
//	status 303           the status of the answer
//	to /x/               the start of where it redirects to; $LAST is that path from then on
//	has check            an element of the page, see package htmltest; no check is the opposite
//	count selector n     as many elements
//	contains text        somewhere in the bytes of the answer; lacks text is the opposite
//	answers Name: text   a header of the answer that contains the text
//	without Name         no such header
//
// Lines that begin with # are prose. "mode public" at the top chooses the mode.
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	sitetest.Check(t, err)
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			sitetest.Check(t, err)
			runScript(t, string(text))
		})
	}
}

type step struct {
	line               int
	method, path, form string
	header             http.Header
	checks             [][2]string
}

func runScript(t *testing.T, text string) {
	t.Helper()
	mode := app.Local
	if strings.HasPrefix(text, "mode public\n") {
		mode = app.Public
	}
	s := sitetest.New(t, mode)
	for _, st := range steps(t, text) {
		got := s.Do(st.method, st.path, st.form, st.header)
		for _, c := range st.checks {
			if problem := verify(c, got); problem != "" {
				t.Errorf("line %d: %s %s: %s", st.line, st.method, st.path, problem)
			}
		}
	}
}

func steps(t *testing.T, text string) []step {
	t.Helper()
	var list []step
	for n, line := range strings.Split(text, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "", "#", "mode":
			continue
		case "GET", "POST", "HEAD", "PUT", "DELETE":
			list = append(list, step{line: n + 1, method: word, path: rest, header: http.Header{}})
			continue
		}
		if len(list) == 0 {
			t.Fatalf("line %d: %q before the first request", n+1, word)
		}
		last := &list[len(list)-1]
		switch word {
		case "form":
			last.form = rest
		case "header":
			name, value, _ := strings.Cut(rest, ": ")
			last.header.Add(name, value)
		default:
			last.checks = append(last.checks, [2]string{word, rest})
		}
	}
	return list
}

// verify returns the fault, or "".
func verify(c [2]string, got sitetest.Answer) string {
	what, want := c[0], c[1]
	ok, saw := false, ""
	switch what {
	case "status":
		saw = fmt.Sprint(got.Status)
		ok = saw == want
	case "to":
		saw = got.Header.Get("Location")
		ok = strings.HasPrefix(saw, want)
	case "has", "no":
		saw = sitetest.Excerpt(got.Body)
		ok = got.HTML().Has(want) == (what == "has")
	case "count":
		i := strings.LastIndex(want, " ")
		n := len(got.HTML().Find(want[:max(i, 0)]))
		saw = fmt.Sprint(n)
		ok = saw == want[i+1:]
	case "contains", "lacks":
		saw = sitetest.Excerpt(got.Body)
		ok = strings.Contains(got.Body, want) == (what == "contains")
	case "without":
		saw = strings.Join(got.Header.Values(want), ", ")
		ok = saw == ""
	case "answers":
		name, value, _ := strings.Cut(want, ": ")
		saw = strings.Join(got.Header.Values(name), ", ")
		ok = strings.Contains(saw, value)
	default:
		return fmt.Sprintf("no such check %q", what)
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("want %s %q, got %s", what, want, saw)
}
