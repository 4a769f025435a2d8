package exchange

import (
	"net/http"
	"strconv"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/expect"
	expectview "github.com/mrtr-playground/mrtr-playground/views/expect"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// ExpectationPage shows what can be expected of a call like a recorded one.
func (s *Pages) ExpectationPage(r *web.Request) error {
	x, err := s.App.Shown(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	page := s.App.Page(r, "Save as expectation", "")
	return s.App.Render(r, http.StatusOK, expectview.Page(page, expectview.New(r.Param("id"), x,
		s.App.Program)))
}

// mostTime is the longest time that can be expected, in milliseconds.
const mostTime = 24 * 60 * 60 * 1000

// Expectation sends the expectation with the choices of the address: ?must= and
// ?milliseconds=.
func (s *Pages) Expectation(r *web.Request) error {
	x, err := s.App.Shown(r.Visit, r.Param("id"))
	if err != nil {
		return err
	}
	if why := expect.Possible(x); why != "" {
		return app.Refuse(app.Conflict, "no_expectation", "No expectation can be made of this call.", why)
	}
	q := r.QueryParams()
	chosen, most := q["must"], time.Duration(0)
	for _, id := range chosen {
		if id != "time" {
			continue
		}
		n, err := strconv.Atoi(q.Get("milliseconds"))
		if err != nil || n < 1 || n > mostTime {
			return app.Refuse(app.Invalid, "expected_time", "The time is not a number of milliseconds.",
				"Go back and enter one, such as 2000.")
		}
		most = time.Duration(n) * time.Millisecond
	}
	if len(chosen) == 0 && !q.Has("milliseconds") { // an address without choices
		chosen = expect.Usual(expect.Choices(x))
	}
	e, _ := expect.Of(x, chosen, most)
	data, err := e.File()
	if err != nil {
		return err
	}
	if len(data) > expect.MaxBytes {
		return app.Refuse(app.Conflict, "no_expectation", "No expectation can be made of this call.",
			"Its arguments and answers are larger than a file of 1 MiB.")
	}
	file := web.Download{Suffix: ".expectation.json", ContentType: "application/json", Saved: true}
	return s.App.Blob(r, file, e.Name, data)
}
