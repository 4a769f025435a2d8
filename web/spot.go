package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// spotStart redirects to the first exchange of Spot the fault.
func (s *app) spotStart(c echo.Context) error {
	return c.Redirect(http.StatusFound, views.SpotPath+"/1")
}

// spot shows one exchange to judge, or the result after the last one. The
// choices are in the URL, as in the quiz, so nothing is stored.
func (s *app) spot(c echo.Context) error {
	n, err := strconv.Atoi(c.Param("n"))
	total := len(s.Lessons.Spots)
	if err != nil || n < 1 || n > total+1 {
		return notFound()
	}
	model := newSpot(s.Lessons, n, c.QueryParam("picked"), c.QueryParam("choice"))
	model.Missed = c.QueryParams().Has("picked") && c.QueryParams().Has("choice") && model.Chosen == 0
	if n > total {
		page := s.page(c, "Spot the fault: your result", "/learn")
		return s.render(c, http.StatusOK, views.SpotResult(page, model))
	}
	page := s.page(c, fmt.Sprintf("Spot the fault, %d of %d", n, total), "/learn")
	return s.render(c, http.StatusOK, views.SpotView(page, model))
}

// newSpot returns the page of exchange n, from 1. A choice replaces the one that
// picked has for it. Anything invalid counts as no choice.
func newSpot(b *lesson.Book, n int, picked, choice string) views.SpotPage {
	digits := readPicked(b.Spots, picked)
	p := views.SpotPage{N: n, Total: len(b.Spots)}
	if n <= p.Total {
		p.Spot = b.Spots[n-1]
		if k, err := strconv.Atoi(choice); err == nil && k >= 1 && k <= len(p.Choices) {
			digits[n-1] = k
		}
		p.Chosen = digits[n-1]
		l, _ := b.Lesson(p.Spot.Lesson)
		p.Lesson = views.LessonLink{Path: l.Path(), Words: l.Title}
		p.Faults = spotFaults(p.Spot)
	}
	var text strings.Builder
	for _, d := range digits {
		text.WriteString(strconv.Itoa(d))
	}
	if p.Picked = text.String(); strings.Trim(p.Picked, "0") == "" {
		p.Picked = ""
	}
	for i, d := range digits {
		solved := d > 0 && b.Spots[i].Choices[d-1].Right
		if solved {
			p.Right++
		}
		p.Titles = append(p.Titles, views.SpotLine{Title: b.Spots[i].Title, Chosen: d > 0, Solved: solved,
			Path: views.SpotAddress(i+1, p.Picked)})
	}
	return p
}

// readPicked returns the choice for each exchange, 0 for none.
func readPicked(spots []lesson.Spot, picked string) []int {
	digits := make([]int, len(spots))
	for i := range min(len(spots), len(picked)) {
		if d := int(picked[i] - '0'); d >= 1 && d <= len(spots[i].Choices) {
			digits[i] = d
		}
	}
	return digits
}

// spotFaults returns what the rules find in the recording, with links to the
// sentences that treat them.
func spotFaults(x lesson.Spot) []views.Verdict {
	var list []views.Verdict
	for _, f := range rules.Judge(x.Exchange()) {
		if f.Verdict == rules.Fail || f.Verdict == rules.Hint {
			list = append(list, views.Verdict{Rule: f.Rule, Verdict: string(f.Verdict), Text: f.Text,
				Link: sentenceLink(f.Rule), Round: f.Round})
		}
	}
	return list
}

// sentenceLink returns the address of the first sentence that a rule judges, in
// the table of the specification.
func sentenceLink(rule string) string {
	for _, x := range spec.Sentences() {
		for _, id := range x.Rules {
			if id == rule {
				return views.SpecificationPath + "#" + x.ID
			}
		}
	}
	return views.SpecificationPath
}
