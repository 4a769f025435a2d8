package sampletools

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// signIn sends the user to a page and asks again until the page is finished
// (URL mode).
func signIn(c Config) scenario {
	s := signInService{c, newBook(c, "sign-in")}
	return scenario{
		Sample: Sample{
			Slug:    "sign-in",
			Title:   "Sign in",
			Summary: "A link to a page on which you sign in.",
			Teaches: "Accepting a link is consent, not completion. " +
				"The server asks again until you finish the page. " +
				"The user who finishes the page must be the user who made the call.",
			Try: []string{
				"Accept before you finish the page: the server asks again.",
				"Call with the bearer demo-alice and finish the page as Bob: the page refuses.",
				"Decline: the call completes without invoices.",
			},
			Replay: "Once the page is finished, the same retry succeeds until the state expires. " +
				"All instances share the memory of finished pages, as they would share a sign-in service.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "List invoices",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"list_invoices","arguments":{}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "list_invoices", Title: "List invoices",
			Description: "Lists invoices from a service that requires a sign-in.",
			Input:       `{"type":"object"}`,
			Run:         s.listInvoices,
		}},
		pages: s.pages(),
	}
}

// signInTTL is how long a ticket and a finished sign-in are valid.
const signInTTL = time.Hour

// signInService serves the tool and the page.
type signInService struct {
	Config
	done book // ticket to the principal who finished the page
}

// listInvoices asks for the same page until its user has finished it.
func (s signInService) listInvoices(_ context.Context, t *serve.Turn) (serve.Result, error) {
	ticket, err := s.ticket(t)
	if err != nil {
		return nil, err
	}
	who, found, err := s.done.Get(ticket)
	switch {
	case err != nil:
		return nil, serve.ToolError(err.Error())
	case found && who == t.Principal:
		return serve.Text("Signed in as %s. Invoices: 2026-041 over 120.00 euro, 2026-057 over 48.50 euro.",
			personName(who)), nil
	}
	message := "Please sign in to the invoice service."
	if _, answered := t.Responses["sign_in"]; answered {
		message = "The sign-in is not finished yet. Finish the page, then continue."
	}
	a, err := t.AskOne(serve.Link("sign_in", message, s.link(ticket)))
	if err != nil {
		return nil, err
	}
	if !a.Accepted() {
		return serve.Refused(a, "No invoices: the sign-in was declined.",
			"No invoices: the sign-in was dismissed."), nil
	}
	// Accepting is consent, not completion: ask again.
	delete(t.Responses, "sign_in")
	_, err = t.AskOne(serve.Link("sign_in", message, s.link(ticket)))
	return nil, err
}

func (s signInService) link(ticket string) string {
	return s.BaseURL + "/samples/sign-in/page?ticket=" + url.QueryEscape(ticket)
}

// ticket returns the token of one sign-in, which names the user who may finish
// it. It is created in the first round, is part of the link, and comes back in
// the state.
func (s signInService) ticket(t *serve.Turn) (string, error) {
	var ticket string
	if ok, err := t.LoadWork(&ticket); ok || err != nil {
		return ticket, err
	}
	b := make([]byte, 16)
	if _, err := io.ReadFull(s.Rand, b); err != nil {
		return "", fmt.Errorf("draw ticket: %w", err)
	}
	ticket, err := s.sealTicket(fmt.Sprintf("%x", b), t.Principal)
	if err != nil {
		return "", err
	}
	return ticket, t.SaveWork(ticket)
}
