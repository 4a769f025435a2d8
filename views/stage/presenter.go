package stage

import (
	"fmt"
	"net/url"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// PresenterTitle is the title of the page with a presenter's notes, and the words of
// the links to it.
const PresenterTitle = "Presenter notes"

// Presenter is what a presenter sees on a second screen: the notes of the present step,
// and what comes next.
type Presenter struct {
	Stage   Stage // at its newest step
	Note    string
	Next    string // title of the next step; "" at the end
	Started time.Time
	Elapsed time.Duration
	Live    string // address of the event stream
}

// NewPresenter returns the notes of a stage at its newest step.
func NewPresenter(in Input, now time.Time, live string) Presenter {
	p := Presenter{
		Stage: New(in), Note: in.Story.Steps[in.N-1].Note,
		Started: in.Stage.Started, Elapsed: max(0, now.Sub(in.Stage.Started)), Live: live,
	}
	p.Stage.Screen = presenterScreen
	if in.N < len(in.Story.Steps) {
		p.Next = in.Story.Foretell("")[in.N].Fill(in.Story.Steps[in.N].Title)
	}
	return p
}

// presenterScreen is the value of the form field that leads back to this page.
const presenterScreen = "presenter"

func (p Presenter) elapsed() string {
	if p.Elapsed < time.Minute {
		return "Started less than a minute ago"
	}
	return fmt.Sprintf("Started %d min ago", p.Elapsed/time.Minute)
}

func (p Presenter) kicker() string {
	return fmt.Sprintf("%s · %d of %d", p.Stage.Story, p.Stage.N, len(p.Stage.Steps))
}

// PresenterPath returns the address of the notes of a stage.
func PresenterPath(slug, session string) string {
	return "/demos/" + url.PathEscape(slug) + "/" + url.PathEscape(session) + "/presenter"
}

// EventsPath returns the address of the event stream of a stage, which reports
// that it shows something else than the version seen.
func EventsPath(slug, session, seen string) string {
	return "/demos/" + url.PathEscape(slug) + "/" + url.PathEscape(session) + "/events?after=" +
		url.QueryEscape(seen)
}

// newestPath returns an address that leads to the newest step.
func (s Stage) newestPath() string { return Path(s.Slug, s.Session, demo.MaxSteps+1, s.Present) }

// notesPath returns the address of the notes, or "" for a reader.
func (s Stage) notesPath() string {
	if s.Player != nil {
		return ""
	}
	return PresenterPath(s.Slug, s.Session)
}
