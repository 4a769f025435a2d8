package sampletools

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// flowPageTTL is how long the page of a flow can be used.
const flowPageTTL = time.Hour

// maxLink is how long the URL of a page may be: clients show all of it.
const maxLink = 2000

const pageNotFinished = "The page is not confirmed yet. Open the link, press the button there, then continue."

func flowPagePath(token string) string { return "/samples/flow/" + token + "/page" }

// flowTicket is what the ticket of a page says: which page it is, and the values in
// its text.
type flowTicket struct {
	Version string   `json:"version"`
	Key     string   `json:"key"`
	Shown   []string `json:"shown,omitempty"`
}

// newTicket returns a ticket for the page of a question. It is sealed, so that a link
// shows only texts of the flow with values of its call.
func (s flowService) newTicket(v *flow.Version, q flow.Question) (string, error) {
	b := make([]byte, 16)
	if _, err := io.ReadFull(s.Rand, b); err != nil {
		return "", fmt.Errorf("draw ticket: %w", err)
	}
	work, err := json.Marshal(flowTicket{v.Name, q.Key, q.Shown})
	if err != nil {
		return "", fmt.Errorf("write ticket: %w", err)
	}
	now := s.Now()
	ticket, err := s.Keys.Seal(seal.Sealed, seal.Claims{
		Issued: now.Unix(), Expires: now.Add(flowPageTTL).Unix(), ID: fmt.Sprintf("%x", b),
		Request: s.ticketRequest(), Work: work,
	})
	if errors.Is(err, seal.ErrTooLong) || len(s.pageURL(ticket)) > maxLink {
		return "", flow.Refusal("The values on the page of the flow are too long for a link.")
	}
	return ticket, err
}

// ticketRequest binds a ticket to the pages of its flow.
func (s flowService) ticketRequest() seal.Request {
	return seal.Request{Sample: flowScope(s.slug, s.example), Method: "GET", Name: "/page"}
}

func (s flowService) pageURL(ticket string) string { return s.link + "?ticket=" + ticket }

// open returns what a ticket says, and its id.
func (s flowService) open(ticket string) (t flowTicket, id string, ok bool) {
	c, err := s.Keys.Open(ticket, seal.Sealed, s.ticketRequest(), s.Now())
	if err != nil || json.Unmarshal(c.Work, &t) != nil {
		return t, "", false
	}
	return t, c.ID, true
}

func (s flowService) isValid(ticket string) bool {
	_, _, ok := s.open(ticket)
	return ok
}

// isPressed reports whether the button of a page was pressed.
func (s flowService) isPressed(ticket string) (bool, error) {
	_, id, ok := s.open(ticket)
	if !ok {
		return false, nil
	}
	_, found, err := s.pressed.Get(id)
	if err != nil {
		return false, serve.ToolError(err.Error())
	}
	return found, nil
}

// view returns the page of a ticket. It reports false if the ticket is not valid.
func (s flowService) view(ticket string) (flowView, bool) {
	t, _, ok := s.open(ticket)
	if !ok {
		return flowView{}, false
	}
	p, ok := s.flow.Page(t.Version, t.Key, t.Shown)
	if !ok {
		return flowView{}, false
	}
	title := plainText(cmp.Or(p.Title, s.flow.Title, s.flow.Name), 200)
	v := flowView{Title: title, Button: plainText(p.Button, 60), Ticket: ticket, Warning: s.warning()}
	for line := range strings.SplitSeq(p.Text, "\n") {
		if line = plainText(line, len(line)); line != "" {
			v.Lines = append(v.Lines, line)
		}
	}
	return v, true
}

// expiredPage is shown for every link that leads to no page.
var expiredPage = flowView{Title: "This link has expired",
	Lines: []string{"Start the call again to get a new one."}}

// press records that the button of a page was pressed.
func (s flowService) press(ticket, caller string) (int, flowView) {
	v, ok := s.view(ticket)
	if !ok {
		return http.StatusNotFound, expiredPage
	}
	_, id, _ := s.open(ticket)
	switch _, err := s.pressed.Put(id, "", caller, flowPageTTL); {
	case errors.Is(err, authserver.ErrFull):
		s.Refuse(refusedTicket)
		return http.StatusServiceUnavailable, flowView{Title: "Not confirmed",
			Lines: []string{"Too many pages are waiting. Try again in an hour."}}
	case err != nil:
		return http.StatusServiceUnavailable, flowView{Title: "Not confirmed",
			Lines: []string{"Your answer could not be recorded. Try again."}}
	}
	return http.StatusOK, flowView{Title: v.Title, Warning: v.Warning,
		Lines: []string{"Done. Return to the call and continue."}}
}
