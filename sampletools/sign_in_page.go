package sampletools

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/page"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// sealTicket encrypts the id of a sign-in and its principal, so that the link
// reveals nothing and cannot be changed.
func (s signInService) sealTicket(id, principal string) (string, error) {
	now := s.Now()
	return s.Keys.Seal(seal.Sealed, seal.Claims{
		Issued: now.Unix(), Expires: now.Add(signInTTL).Unix(), ID: id, Request: ticketRequest(principal),
	})
}

// ticketRequest binds a ticket to its page and its user.
func ticketRequest(principal string) seal.Request {
	return seal.Request{Sample: "sign-in", Method: "GET", Name: "/page", Principal: principal}
}

// pages serves the sign-in page. The user picks an identity on it; a real
// service would authenticate them.
func (s signInService) pages() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, r *http.Request) {
		ticket := r.URL.Query().Get("ticket")
		if !s.known(ticket) {
			s.show(w, http.StatusNotFound, signInView{Title: "This link has expired",
				Text: "Start the call again to get a new one."})
			return
		}
		s.show(w, http.StatusOK, signInView{Title: "Sign in", Text: "Who are you?", Ticket: ticket,
			People: Identities()})
	})
	mux.HandleFunc("POST /page", func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, serve.MaxBody)
		status, view := s.finish(r.PostFormValue("ticket"), r.PostFormValue("person"),
			serve.CallerOf(r.RemoteAddr))
		s.show(w, status, view)
	})
	return http.NewCrossOriginProtection().Handler(mux)
}

// known reports whether the ticket is valid for any user.
func (s signInService) known(ticket string) bool {
	return slices.ContainsFunc(Identities(), func(id Identity) bool {
		return s.belongs(ticket, id.Principal)
	})
}

// belongs reports whether the ticket is valid and belongs to the user.
func (s signInService) belongs(ticket, principal string) bool {
	_, err := s.Keys.Open(ticket, seal.Sealed, ticketRequest(principal), s.Now())
	return err == nil
}

// finish records the sign-in if the user of the page is the user who made the
// call. Without this check an attacker could send the link to a victim and act
// as them (client/elicitation, phishing).
func (s signInService) finish(ticket, person, caller string) (int, signInView) {
	if !s.known(ticket) {
		return http.StatusNotFound, signInView{
			Title: "This link has expired", Text: "Start the call again to get a new one.",
		}
	}
	if !s.belongs(ticket, person) {
		return http.StatusForbidden, signInView{
			Title: "This link belongs to another user",
			Text:  "Another user made the call. No sign-in was recorded.",
		}
	}
	switch _, err := s.done.Put(ticket, person, caller, signInTTL); {
	case errors.Is(err, authserver.ErrFull):
		s.Refuse(refusedTicket)
		return http.StatusServiceUnavailable, signInView{
			Title: "Try again in an hour", Text: "There are too many sign-ins in progress.",
		}
	case err != nil:
		return http.StatusServiceUnavailable, signInView{
			Title: "Try again", Text: "The sign-in cannot be recorded now.",
		}
	}
	return http.StatusOK, signInView{
		Title: "Done", Text: "You are signed in as " + personName(person) + ". " +
			"Return to the call and continue.",
	}
}

func (s signInService) show(w http.ResponseWriter, status int, v signInView) {
	showPage(w, status, signInPage(v), s.Log)
}

// showPage writes a page of a sample.
func showPage(w http.ResponseWriter, status int, content templ.Component, log *slog.Logger) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", page.Policy("'self'"))
	w.Header().Set("Cache-Control", "no-store")
	// The URL contains the ticket, so no other site may learn it. With
	// no-referrer, browsers would send the form with the origin "null".
	w.Header().Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	if err := content.Render(context.Background(), w); err != nil {
		log.Error("show page", "err", err)
	}
}
