// Package people has who signs in to a playground that a team uses.
//
// A person is known by what vouched for them: the issuer of OpenID Connect with the subject
// that it gave them, which never changes (OpenID Connect Core 1.0, section 5.7), or a trusted
// proxy with the value of its header. Names and mail addresses only are shown.
package people

import (
	"cmp"
	"strings"
	"time"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Identity is what vouches for a person, and how they are called.
type Identity struct {
	Issuer  string // URL of the issuer, or ByProxy
	Subject string // of the person there
	Name    string // to show; may be ""
}

// ByProxy is the issuer of those whom a trusted proxy names in a header.
const ByProxy = "proxy"

// maxName is the longest name that is shown and stored, in characters.
const maxName = 80

// Shown returns the name of a person, or the subject if there is none, on one line.
func (i Identity) Shown() string {
	return text.Visible(cmp.Or(strings.TrimSpace(i.Name), i.Subject), maxName)
}

// maxSubject is the longest subject, in bytes: four times what OpenID Connect allows (section 2).
const maxSubject = 1024

// IsValid reports whether an identity can be that of a person.
func (i Identity) IsValid() bool {
	return i.Issuer != "" && i.Subject != "" && len(i.Subject) <= maxSubject &&
		!strings.ContainsFunc(i.Subject, unicode.IsControl)
}

// Person is someone who has signed in at least once.
type Person struct {
	Identity
	ID        string
	Workspace string    // that all browsers of the person share
	Sealed    []byte    // the key of the person's secrets, encrypted; nil for none yet
	Created   time.Time // of the first sign-in
	Seen      time.Time // last use, to the day
	Removed   time.Time // when the operator removed the person; zero for one who may sign in
}

// IsRemoved reports whether the operator has removed the person.
func (p Person) IsRemoved() bool { return !p.Removed.IsZero() }

// Ticket is a sign-in that has begun. The browser that began it keeps it, encrypted, so that
// no other browser can end it.
type Ticket struct {
	State    string // that the answer must have (RFC 6749, section 10.12)
	Nonce    string // that the ID token must have (OpenID Connect Core 1.0, section 3.1.2.1)
	Verifier string // of the code challenge (RFC 7636)
	Next     string // path of the page to open then
	Until    int64  // when it ends, in seconds since 1970
}
