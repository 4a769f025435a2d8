package seal

// A Reason says why a state was refused.
type Reason string

// Reasons before authenticity is known. They are for logs and for the sample's own X-ray;
// outside they all look the same, so that nobody can feel their way along.
const (
	Malformed  Reason = "malformed"   // not spelled like one of our tokens
	OtherMode  Reason = "other_mode"  // protected in another way than this endpoint uses
	UnknownKey Reason = "unknown_key" // made with a key that was retired, or never was ours
	NotOurs    Reason = "not_ours"    // the tag or MAC does not fit
)

// Reasons once authenticity holds: the state is ours, but not for this request at this time.
const (
	Expired        Reason = "expired"
	FromTheFuture  Reason = "from_the_future"
	OtherSample    Reason = "other_sample"
	OtherMethod    Reason = "other_method"
	OtherName      Reason = "other_name"
	OtherArguments Reason = "other_arguments"
	OtherPrincipal Reason = "other_principal"
)

// A Refusal is the error of [Keys.Open].
type Refusal struct{ Reason Reason }

// Error says the reason in words for the server's log.
func (r *Refusal) Error() string { return "open state: " + r.Reason.Sentence() }

// Public says as much as a client may know: the reason only if the state was ours.
func (r *Refusal) Public() string {
	switch r.Reason {
	case Malformed, OtherMode, UnknownKey, NotOurs:
		return "requestState was not accepted; start the call again without it"
	}
	return "requestState was not accepted: " + r.Reason.Sentence() + "; start the call again without it"
}

// Sentence explains the reason to a person.
func (r Reason) Sentence() string {
	switch r {
	case Malformed:
		return "it is not spelled like a state of this server"
	case OtherMode:
		return "it is protected in another way than this endpoint uses"
	case UnknownKey:
		return "its key is not, or no longer, known"
	case NotOurs:
		return "it was changed, or made by somebody else"
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
		return "it belongs to somebody else"
	}
	return string(r)
}
