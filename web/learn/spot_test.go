package learn_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// judgeAll answers every exchange: right, or with the option after the right
// one.
func judgeAll(t *testing.T, c *sitetest.Crawler, right bool) []lesson.Item {
	t.Helper()
	book := sitetest.Lessons()
	for n, i := range book.Spot {
		for k, o := range i.Options {
			if o.Right {
				if !right {
					k = (k + 1) % len(i.Options)
				}
				c.Follow(fmt.Sprintf("%s/%d", lesson.SpotPath, n+1),
					url.Values{"answer": {fmt.Sprint(k + 1)}})
			}
		}
	}
	return book.Spot
}

func TestSpot_RightAnswersAreExplained(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Public)
	for n, i := range judgeAll(t, c, true) {
		body := c.Has(fmt.Sprintf("%s/%d", lesson.SpotPath, n+1), `#judged`, `"Right."`,
			`[href="/learn/specification#`+i.Sentence+`"]`, `[href="/learn/`+i.Lesson+`"]`)
		if len(htmltest.Parse(body).Find("[data-right]")) != len(i.Options) {
			t.Errorf("%s: not all options are explained", i.Title)
		}
	}
	c.Has(lesson.SpotPath+"/result", `[data-score="10"]`, `"10 of 10 right"`, `"You missed nothing."`)
	c.Has(lesson.SpotPath, `[data-score="10"]`, `"Result"`)
}

func TestSpot_WrongAnswersAreListed(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	list := judgeAll(t, c, false)
	for n, i := range list {
		body := c.Has(fmt.Sprintf("%s/%d", lesson.SpotPath, n+1), `"Not quite."`, `"0 right of 10 judged"`)
		if htmltest.Parse(body).Has(`[data-right="true"]`) || strings.Contains(body, i.Sentence) {
			t.Errorf("%s: a wrong answer gives the right one away", i.Title)
		}
	}
	body := c.Has(lesson.SpotPath+"/result", `[data-score="0"]`, `"0 of 10 right"`)
	for _, i := range list {
		if !strings.Contains(body, i.Right().Why) || !strings.Contains(body, "#"+i.Sentence) {
			t.Errorf("%s: the result does not explain what was missed", i.Title)
		}
	}
	c.Follow(lesson.SpotPath, url.Values{"do": {"restart"}})
	c.Has(lesson.SpotPath, `"Read the first exchange"`)
	c.Has(lesson.SpotPath+"/result", `"0 right of 0 judged, 10 to go"`, `"not judged"`)
}

// TestSpot_NothingIsToldBefore: a page without an answer does not tell the
// right one.
func TestSpot_NothingIsToldBefore(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	book := sitetest.Lessons()
	for n, i := range book.Spot {
		body := c.Has(fmt.Sprintf("%s/%d", lesson.SpotPath, n+1), `"`+i.Title+`"`,
			`"What did the server do wrong?"`)
		for _, o := range i.Options {
			if !strings.Contains(body, o.Text) || strings.Contains(body, o.Why) {
				t.Errorf("%s: option %q is missing or explained", i.Title, o.Text)
			}
		}
	}
	if status, _, body := c.Fetch(lesson.SpotPath + "/result"); status != http.StatusOK ||
		strings.Contains(body, book.Spot[0].Right().Why) {
		t.Errorf("the result without answers: %d", status)
	}
}

func TestSpot_InvalidInput(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, path := range []string{"/0", "/11", "/01", "/x", "/-1", "/99999999999999999999"} {
		if got := s.Get(lesson.SpotPath + path); got.Status != http.StatusNotFound {
			t.Errorf("GET %s: %d", path, got.Status)
		}
		if got := s.Post(lesson.SpotPath+path, "answer=1"); got.Status != http.StatusNotFound {
			t.Errorf("POST %s: %d", path, got.Status)
		}
	}
	for _, form := range []string{"", "answer=0", "answer=5", "answer=x"} {
		if got := s.Post(lesson.SpotPath+"/1", form); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%q: %d", form, got.Status)
		}
	}
	foreign := http.Header{"Content-Type": {"application/x-www-form-urlencoded"},
		"Sec-Fetch-Site": {"cross-site"}}
	if got := s.Do("POST", lesson.SpotPath+"/1", "answer=1", foreign); got.Status != http.StatusForbidden {
		t.Errorf("a form of another site: %d", got.Status)
	}
}

func TestSpot_IsFound(t *testing.T) {
	t.Parallel()
	c := sitetest.NewCrawler(t, app.Local)
	c.Has("/learn", `[href="/learn/spot-the-fault"]`)
	c.Has("/search?q=spot+the+fault", `[href="/learn/spot-the-fault"]`)
}
