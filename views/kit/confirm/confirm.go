// Package confirm asks before something of the user is deleted, ended, revoked or
// replaced. There is one way: a button, and over the page a question with the button
// that does it. It is a popover of HTML, so it works without script: the focus goes
// to the button that does it, Escape and a second click close the question, and nothing
// on the page moves. A route that such a button is sent to is called destructive in
// web/site/testdata/routes/posts.txt, and a test finds a form that does not ask.
package confirm

import "github.com/a-h/templ"

// Question is what is asked. The button that does it is in a form of its own, which is
// sent to Action; the children of View are hidden fields of it. With Form or Within it
// is a button of another form.
type Question struct {
	ID    string // unique on the page
	Label string // of the button that asks
	Of    string // more of the label, for screen readers: which one
	Text  string // what happens, in a question and a sentence
	Yes   string // of the button that does it; Label if empty
	No    string // of the button that does not; "Keep it" if empty

	Action      string // where the form is sent
	Form        string // the id of the form on this page that the button belongs to
	Within      bool   // the button belongs to the form around it
	Name, Value string // what the button sends
	Do          string // names the button for scripts and tests
	Class       string // of the button that asks; "button small" if empty

	Live templ.OrderedAttributes // lets a script send the form in place
}

func (q Question) id() string { return "confirm-" + q.ID }

// alone reports whether the button has a form of its own.
func (q Question) alone() bool { return q.Form == "" && !q.Within }
