package flow

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// pageTTL is how long the page of a flow can be used.
const pageTTL = time.Hour

// maxLink is how long the URL of a page may be: clients show all of it.
const maxLink = 2000

const pageNotFinished = "The page is not confirmed yet. Open the link, press the button there, then continue."

// ticket is the content of the ticket of a page: which page it is, and the
// values in its text.
type ticket struct {
	Version string   `json:"version"`
	Key     string   `json:"key"`
	Shown   []string `json:"shown,omitempty"`
}

// newTicket returns a ticket for the page of a question. It is sealed, so that a link
// shows only texts of the flow with values of its call.
func (s *Service) newTicket(v *flow.Version, q flow.Asked) (string, error) {
	b := make([]byte, 16)
	if _, err := io.ReadFull(s.config.Rand, b); err != nil {
		return "", fmt.Errorf("draw ticket: %w", err)
	}
	work, err := json.Marshal(ticket{v.Name, q.Key, q.Shown})
	if err != nil {
		return "", fmt.Errorf("write ticket: %w", err)
	}
	now := s.config.Now()
	ticket, err := s.config.Keys.Seal(seal.Sealed, seal.Claims{
		Issued: now.Unix(), Expires: now.Add(pageTTL).Unix(), ID: fmt.Sprintf("%x", b),
		Request: s.ticketRequest(), Work: work,
	})
	if errors.Is(err, seal.ErrTooLong) || len(s.pageURL(ticket)) > maxLink {
		return "", flow.Refusal("The values on the page of the flow are too long for a link.")
	}
	return ticket, err
}

// ticketRequest binds a ticket to the pages of its flow.
func (s *Service) ticketRequest() seal.Request {
	return seal.Request{Sample: s.config.Scope, Method: "GET", Name: "/page"}
}

func (s *Service) pageURL(ticket string) string { return s.config.Link + "?ticket=" + ticket }

// open returns the content of a ticket, and its id.
func (s *Service) open(ticket string) (t ticket, id string, ok bool) {
	c, err := s.config.Keys.Open(ticket, seal.Sealed, s.ticketRequest(), s.config.Now())
	if err != nil || json.Unmarshal(c.Work, &t) != nil {
		return t, "", false
	}
	return t, c.ID, true
}

func (s *Service) isValid(ticket string) bool {
	_, _, ok := s.open(ticket)
	return ok
}

// isPressed reports whether the button of a page was pressed.
func (s *Service) isPressed(ticket string) (bool, error) {
	_, id, ok := s.open(ticket)
	if !ok {
		return false, nil
	}
	_, found, err := s.config.Pressed.Get(id)
	if err != nil {
		return false, serve.ToolError(err.Error())
	}
	return found, nil
}

// viewOf returns the page of a ticket. It reports false if the ticket is not valid.
func (s *Service) viewOf(ticket string) (view, bool) {
	t, _, ok := s.open(ticket)
	if !ok {
		return view{}, false
	}
	version := s.Version(t.Version)
	if version == nil {
		return view{}, false
	}
	q, _ := version.Question(t.Key)
	words, ok := q.Page.Text.With(t.Shown)
	if q.Kind != flow.URL || !ok { // the flow has changed
		return view{}, false
	}
	p := q.Page
	title := PlainText(cmp.Or(p.Title, s.Title, s.Name), 200)
	v := view{Title: title, Button: PlainText(p.Button, 60), Ticket: ticket, Warning: s.config.Warning}
	for line := range strings.SplitSeq(words, "\n") {
		if line = PlainText(line, len(line)); line != "" {
			v.Lines = append(v.Lines, line)
		}
	}
	return v, true
}

// Expired returns the page for every link that leads to none, with its status.
func Expired() (status int, content templ.Component) {
	return http.StatusNotFound, viewPage(view{Title: "This link has expired",
		Lines: []string{"Start the call again to get a new one."}})
}

// Page returns the page of a ticket, with its status.
func (s *Service) Page(ticket string) (status int, content templ.Component) {
	v, ok := s.viewOf(ticket)
	if !ok {
		return Expired()
	}
	return http.StatusOK, viewPage(v)
}

// Press records that a caller pressed the button of a page, and returns the page that
// says so, with its status.
func (s *Service) Press(ticket, caller string) (status int, content templ.Component) {
	v, ok := s.viewOf(ticket)
	if !ok {
		return Expired()
	}
	_, id, _ := s.open(ticket)
	switch _, err := s.config.Pressed.Put(id, "", caller, pageTTL); {
	case errors.Is(err, authserver.ErrFull):
		s.config.Full()
		return http.StatusServiceUnavailable, viewPage(view{Title: "Not confirmed",
			Lines: []string{"Too many pages are waiting. Try again in an hour."}})
	case err != nil:
		return http.StatusServiceUnavailable, viewPage(view{Title: "Not confirmed",
			Lines: []string{"Your answer could not be recorded. Try again."}})
	}
	return http.StatusOK, viewPage(view{Title: v.Title, Warning: v.Warning,
		Lines: []string{"Done. Return to the call and continue."}})
}
