package stage

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// propose returns the story that can be made of what values name: kind exchange, board,
// flow or demo, its id, and of a board its exchange x. It returns the text, too.
func (s *Pages) propose(r *web.Request, values url.Values) (story demo.Story, source string, err error) {
	id := values.Get("id")
	switch values.Get("kind") {
	case "exchange":
		story, err = s.ofExchange(r, id)
	case "board":
		story, err = s.ofBoard(r, id, values.Get("x"))
	case "flow":
		story, err = s.ofFlow(r, id)
	case "demo":
		source, ok := demo.Source(id)
		if !ok {
			return story, "", app.NotFound()
		}
		story, _ = demo.Find(id)
		return story, source, nil
	default:
		err = app.NotFound()
	}
	if err != nil {
		return story, "", err
	}
	return story, story.YAML(), nil
}

func (s *Pages) ofExchange(r *web.Request, id string) (demo.Story, error) {
	x, err := s.Load(r.Visit, id)
	if err != nil {
		return demo.Story{}, err
	}
	if x.Fold().Last() == nil {
		return demo.Story{}, app.NotFound()
	}
	return demo.FromExchange(x.Redacted(), s.placeOf(x)), nil
}

// placeOf returns where the call of an exchange can be made again: at one of our
// samples or flows, if this program recorded it without a sign-in.
func (s *Pages) placeOf(x playground.Exchange) demo.Place {
	refused := slices.ContainsFunc(x.Fold().Rounds, playground.Round.Unauthorized)
	if x.Imported || refused || len(x.Target.Sealed) > 0 {
		return demo.Place{}
	}
	return s.place(x.Target.Sample, "")
}

func (s *Pages) ofBoard(r *web.Request, id, of string) (demo.Story, error) {
	v := r.Visit
	n, err := s.Store.Session(v.Context(), v.Workspace(), id)
	if err != nil {
		return demo.Story{}, err
	}
	if err := s.TakeTurn(v, n); err != nil {
		return demo.Story{}, err
	}
	if len(n.Exchanges) == 0 {
		return demo.Story{}, app.NotFound()
	}
	n.ReadOnce()
	report := lab.NewReport(n.Exchanges, server.Connection{}, false)
	if n.Kind != session.KindCheck {
		at := slices.IndexFunc(n.Exchanges, func(x playground.Exchange) bool { return x.ID == of })
		x, newest := n.Exchanges[max(at, 0)], 0
		if last := x.Fold().Last(); last != nil {
			newest = last.N
		}
		report = lab.NewLabReport(n.Exchanges, x, newest, server.Connection{}, false)
	}
	if report.Control.Fold().Last() == nil {
		return demo.Story{}, app.NotFound()
	}
	return demo.FromReport(report), nil
}

func (s *Pages) ofFlow(r *web.Request, id string) (demo.Story, error) {
	saved, err := s.OpenFlow(r.Visit, id)
	if err != nil {
		return demo.Story{}, err
	}
	f, problems := review.Parse([]byte(saved.Text))
	if len(problems) > 0 {
		return demo.Story{}, app.Refuse(http.StatusUnprocessableEntity, "not_valid",
			"This flow is not valid.", "Open it, fix the problems that its page shows, and save it.")
	}
	return demo.FromFlow(f, saved.Token)
}
