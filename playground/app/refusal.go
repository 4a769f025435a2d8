package app

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Kind says why something is refused. Its number is that of the status of HTTP with this
// meaning (RFC 9110, section 15), which other ways to this program translate.
type Kind int

// Kinds of refusals.
const (
	Malformed    Kind = 400
	Unauthorized Kind = 401
	Forbidden    Kind = 403
	Missing      Kind = 404 // or it belongs to someone else
	Conflict     Kind = 409 // with the state of what it is about
	TooLarge     Kind = 413
	Invalid      Kind = 422
	TooOften     Kind = 429
	Internal     Kind = 500
	Unavailable  Kind = 503
	NoSpace      Kind = 507
)

// Refusal is an error with a message for the user.
type Refusal struct {
	Kind  Kind
	Code  string // word for programs
	What  string // what happened
	Try   string // what the visitor can do
	after int    // seconds; 0 for none
	cause error
}

func (r *Refusal) Error() string {
	if r.cause == nil {
		return r.Code
	}
	return fmt.Sprintf("%s: %v", r.Code, r.cause)
}

func (r *Refusal) Unwrap() error { return r.cause }

// Refuse returns a refusal. what says what happened, try what the visitor can do.
func Refuse(kind Kind, code, what, try string) *Refusal {
	return &Refusal{Kind: kind, Code: code, What: what, Try: try}
}

// RefuseBecause is Refuse with an error for the log.
func RefuseBecause(err error, kind Kind, code, what, try string) *Refusal {
	r := Refuse(kind, code, what, try)
	r.cause = err
	return r
}

// TooMany returns a refusal that says how long to wait, in words and with After.
func TooMany(wait time.Duration, code, what, try string) *Refusal {
	r := Refuse(TooOften, code, what, try+" Try again in "+waitWords(wait)+".")
	r.after = int(math.Ceil(wait.Seconds()))
	return r
}

// After returns in how many seconds to try again; 0 if that is not known.
func (r *Refusal) After() int { return r.after }

// NotFound returns the refusal for what does not exist, or belongs to someone else.
func NotFound() *Refusal {
	return Refuse(Missing, "not_found", "Page not found.",
		"Check the address. The page may have been deleted, or you may not have access.")
}

// RefusalOf returns the refusal that an error of the domain is, or that of an internal
// error.
func RefusalOf(err error) *Refusal {
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return r
	case errors.Is(err, playground.ErrNotFound):
		return NotFound()
	case errors.Is(err, playground.ErrForeign):
		return Refuse(Conflict, "foreign_client", "This call belongs to a foreign client.",
			"Only that client can continue it. Nothing was sent.")
	case errors.Is(err, playground.ErrFull):
		return RefuseBecause(err, NoSpace, "disk_full",
			"The disk is full, so nothing new can be saved.",
			"Nothing was sent, because it could not be recorded. Saved recordings can still be read, "+
				"downloaded and deleted. Delete some in the history, or free space on the disk, "+
				"then try again.")
	case errors.Is(err, playground.ErrStorage):
		return RefuseBecause(err, Unavailable, "storage", "The database is not available.",
			"It may be locked, read-only or moved. Saved recordings are not lost. "+
				"Reload this page in a minute.")
	}
	return RefuseBecause(err, Internal, "internal", "Internal error.",
		"The error was logged. Saved recordings are not affected. Try again.")
}

// logError logs an error that the page does not show, unless the client has
// left.
func (s *App) logError(v *Visit, what string, err error) {
	if !v.HasLeft(err) {
		s.Logger.Error(what, "err", err)
	}
}

// LinkNotFound returns the refusal of every invalid link, whatever the reason.
func LinkNotFound() *Refusal {
	return Refuse(Missing, "not_found", "This link has expired or was revoked.",
		"It may also be mistyped. Ask the person who sent it for a new one.")
}

// LinkError returns the error for the token of a share, or the code of a talk, of
// which err was found: the same for unknown, expired, deleted and malformed ones. In
// every mode but local an address may try a number of them; valid links of shares always work.
func (s *App) LinkError(v *Visit, err error) error {
	if !errors.Is(err, playground.ErrNotFound) {
		return err
	}
	if s.Mode.Shared() {
		if wait := s.Limiters.WrongLinks.Reserve(v.Address, s.Now()); wait > 0 {
			return TooMany(wait, "too_many_links",
				"Too many invalid links were opened from your address.",
				"Valid links still work.")
		}
	}
	return LinkNotFound()
}

// waitWords returns a duration in words, rounded up to seconds, minutes or
// hours.
func waitWords(d time.Duration) string {
	n, unit := math.Ceil(d.Seconds()), "second"
	if d > 2*time.Minute {
		n, unit = math.Ceil(d.Minutes()), "minute"
	}
	if d > 2*time.Hour {
		n, unit = math.Ceil(d.Hours()), "hour"
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%.0f %ss", n, unit)
}
