package exchange

import (
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
)

// SignedOut is the card of a call that cannot go on, because the browser does
// not have the token of a sign-in, or another secret, that it was sent with.
type SignedOut struct {
	Path      string // the form is posted to
	Back      string // the place in a lesson that the form is on; empty for others
	Server    string // its name
	Round     int    // the newest
	Then      string // the action after the sign-in, a question.Choice; "" for nothing
	Tried     bool   // Then was tried, and nothing was sent
	Asks      int    // how many questions are open
	Elsewhere bool   // there is a token, but this browser cannot use it
	Removed   bool   // the server is not in the user's list any more
	Locked    bool   // a secret that the user entered is missing
	Connect   string // the form that connects to the server again
}

// code returns the code of the refusal to send.
func (o SignedOut) code() string {
	if o.Locked {
		return "secret_lost"
	}
	return "signed_out"
}

// headline says that a secret or a sign-in is missing.
func (o SignedOut) headline() string {
	switch {
	case o.Locked:
		return "A secret that this call needs cannot be opened here."
	case o.Removed:
		return "You removed this server from your list, and with it your sign-in."
	case o.Elsewhere:
		return "You are not signed in to " + text.Visible(o.Server, 80) + " here."
	}
	return "You are signed out of " + text.Visible(o.Server, 80) + "."
}

// open says where the call stands.
func (o SignedOut) open() string {
	sent := ""
	if o.Tried {
		sent = "Nothing was sent. "
	}
	switch o.Asks {
	case 0:
		return sent
	case 1:
		return sent + "The question is still open."
	}
	return sent + "The questions are still open."
}

// way says how the call can go on.
func (o SignedOut) way() string {
	switch {
	case o.Locked:
		return "Secrets are encrypted with a key that only the browser, or the person, who entered them has. " +
			"To make the call, connect to the server again and start a new one."
	case o.Removed:
		return "To make the call, connect to the server again and start a new one."
	}
	switch o.Then {
	case "":
		return "Sign in again to go on."
	case "decline", "cancel":
		return "Your answer is to " + o.Then + ", which has to reach the server. " +
			"Sign in again, and it is sent."
	case "stop":
		return "Sign in again, and the server is asked to cancel the task."
	case "resend":
		return "Sign in again, and the request is sent again."
	}
	return "Sign in again, and what you filled in is sent."
}

// canSignIn reports whether a sign-in helps.
func (o SignedOut) canSignIn() bool { return !o.Locked && !o.Removed }

// signedOutFor returns the card for a Round; asks is how many questions are
// open, and then is the action of a form of the Round if nothing was tried yet.
func (in Input) signedOutFor(asks int, then string) *SignedOut {
	if in.SignedOut == nil {
		return nil
	}
	out := *in.SignedOut
	out.Tried = out.Then != ""
	out.Asks, out.Back, out.Connect = asks, in.Back, "/test"
	if t := in.Exchange.Target; !out.Locked && !t.IsRedacted() {
		t.ID = ""
		out.Connect = paths.Server(t)
	}
	if out.Then == "" {
		out.Then = then
	}
	return &out
}

// block takes back what a Round without a form offers to send while the user is
// signed out.
func (n *Now) block(in Input) {
	switch {
	case in.SignedOut == nil || n.Form != nil:
	case n.Failed != nil && n.Failed.SignIn == nil && n.Failed.ResendPath != "":
		n.SignedOut, n.Failed.ResendPath = in.signedOutFor(0, "resend"), ""
	case n.Task != nil && n.Task.PollPath != "":
		n.SignedOut, n.Task.PollPath = in.signedOutFor(0, "resend"), ""
	case in.SignedOut.Then != "":
		n.SignedOut = in.signedOutFor(0, "")
	}
}
