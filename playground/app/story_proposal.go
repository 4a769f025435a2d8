package app

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// ProposeStory returns the story that can be made of an exchange, a board, a flow or a demo,
// which is the kind, by its id. exchange is the one whose board it is. Nothing is stored yet.
func (s *App) ProposeStory(v *Visit, kind, id, exchange string) (demo.Draft, error) {
	switch kind {
	case "exchange":
		return s.storyOfExchange(v, id)
	case "board":
		story, err := s.storyOfBoard(v, id, exchange)
		return demo.Draft{Story: story}, err
	case "flow":
		return s.storyOfFlow(v, id)
	case "demo":
		if source, ok := demo.Source(id); ok {
			story, _ := demo.Find(id)
			return demo.Draft{Story: story, Source: source}, nil
		}
	}
	return demo.Draft{}, NotFound()
}

func (s *App) storyOfExchange(v *Visit, id string) (demo.Draft, error) {
	x, err := s.Load(v, id)
	if err != nil {
		return demo.Draft{}, err
	}
	last := x.Fold().Last()
	if last == nil {
		return demo.Draft{}, NotFound()
	}
	story := demo.FromExchange(x.Redacted(), s.placeOf(x))
	return demo.Draft{Story: story, Result: demo.Result(*last)}, nil
}

// placeOf returns where the call of an exchange can be made again: at one of our
// samples or flows, if this program recorded it without a sign-in.
func (s *App) placeOf(x playground.Exchange) demo.Place {
	refused := slices.ContainsFunc(x.Fold().Rounds, playground.Round.Unauthorized)
	if x.Imported || refused || len(x.Target.Sealed) > 0 {
		return demo.Place{}
	}
	return s.Place(x.Target.Sample, "")
}

func (s *App) storyOfBoard(v *Visit, id, of string) (demo.Story, error) {
	n, err := s.Store.Session(v.Context(), v.Workspace(), id)
	if err != nil {
		return demo.Story{}, err
	}
	if err := s.TakeTurn(v, n); err != nil {
		return demo.Story{}, err
	}
	if len(n.Exchanges) == 0 {
		return demo.Story{}, NotFound()
	}
	n.ReadOnce()
	report := s.reportOn(v, n, of)
	if report.Control.Fold().Last() == nil {
		return demo.Story{}, NotFound()
	}
	return demo.FromReport(report), nil
}

// reportOn returns the report on a session: of a check, or of the Lab of the exchange
// with the id of, which is the first if there is none.
func (s *App) reportOn(v *Visit, n session.Session, of string) lab.Report {
	connection := s.ConnectionOf(v, n.Exchanges[0].Target.ID)
	if n.Kind == session.KindCheck {
		return lab.NewReport(n.Exchanges, connection, false)
	}
	at := slices.IndexFunc(n.Exchanges, func(x playground.Exchange) bool { return x.ID == of })
	x, newest := n.Exchanges[max(at, 0)], 0
	if last := x.Fold().Last(); last != nil {
		newest = last.N
	}
	return lab.NewLabReport(n.Exchanges, x, newest, connection, false)
}

func (s *App) storyOfFlow(v *Visit, id string) (demo.Draft, error) {
	saved, err := s.OpenFlow(v, id)
	if err != nil {
		return demo.Draft{}, err
	}
	f, problems := review.Parse([]byte(saved.Text))
	if len(problems) > 0 {
		return demo.Draft{}, flowNotValid()
	}
	return demo.FromFlow(f, saved.Token)
}
