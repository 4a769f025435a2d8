package seal

// Reason says why a state was refused.
type Reason string

// Reasons before authenticity is established. Only logs and [Explain] tell them
// apart: clients get one text for all, so that an attacker learns nothing.
const (
	Malformed  Reason = "malformed"   // not a token of this format
	OtherMode  Reason = "other_mode"  // protected in a different mode than this endpoint uses
	UnknownKey Reason = "unknown_key" // made with a retired or foreign key
	NotOurs    Reason = "not_ours"    // tag or MAC is wrong
)

// Reasons after authenticity is established: the state is authentic, but does
// not fit this request at this time.
const (
	Expired        Reason = "expired"
	FromTheFuture  Reason = "from_the_future"
	OtherSample    Reason = "other_sample"
	OtherMethod    Reason = "other_method"
	OtherName      Reason = "other_name"
	OtherArguments Reason = "other_arguments"
	OtherPrincipal Reason = "other_principal"
)

// Refusal is the error of [Keys.Open].
type Refusal struct{ Reason Reason }

// Error returns the reason in words, for the server's log.
func (r *Refusal) Error() string { return "open state: " + r.Reason.Sentence() }

// Public returns the message for the client, which includes the reason only if
// the state is authentic.
func (r *Refusal) Public() string {
	switch r.Reason {
	case Malformed, OtherMode, UnknownKey, NotOurs:
		return "requestState was not accepted; start the call again without it"
	}
	return "requestState was not accepted: " + r.Reason.Sentence() + "; start the call again without it"
}

// Sentence returns the reason in words.
func (r Reason) Sentence() string {
	switch r {
	case Malformed:
		return "its format is not the one of this server"
	case OtherMode:
		return "its protection mode is not the one of this endpoint"
	case UnknownKey:
		return "its key is unknown or retired"
	case NotOurs:
		return "it was changed, or made with another key"
	case Expired:
		return "it has expired"
	case FromTheFuture:
		return "it was issued in the future"
	case OtherSample:
		return "it belongs to another server"
	case OtherMethod:
		return "it belongs to another method"
	case OtherName:
		return "it belongs to another tool, prompt or resource"
	case OtherArguments:
		return "it belongs to a call with other arguments"
	case OtherPrincipal:
		return "it belongs to another user"
	}
	return string(r)
}
