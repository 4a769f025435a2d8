package playground

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// MaxRounds is how many Rounds an Exchange may have before it is capped.
const MaxRounds = 20

// Target is the MCP server an Exchange talks to.
type Target struct {
	ID           string          // slug of a sample, or id of a server that the user added
	Sample       string          // slug of a sample; empty for other servers
	Name         string          // name for people: "Azure DevOps (sample)" or the host
	URL          string          // absolute URL of the MCP endpoint
	Capabilities json.RawMessage // client capabilities declared in every request; a JSON object
	Header       []wire.Field    // header fields added to every request
	Token        wire.Field      // that of a sign-in, also in Header; zero for none; never stored
	Sealed       []byte          // encrypted SealedParams; empty if nothing is secret
	Secrets      *redact.Secrets // values masked before anything is stored; never stored
	Trust        wire.Trust      // certificate that the user trusts; never stored or shared with a call
	Era          Era             // Legacy if the server knows no revision since 2026-07-28
	OneClient    bool            // the Exchanges with it are of one client: see OnChannel; never stored
}

// Era is the set of rules that a server follows (basic/versioning).
type Era string

// Eras. The era of a server that was not asked yet is empty, and requests to it
// follow the modern rules.
const (
	Modern Era = "modern" // 2026-07-28: stateless, multi round-trip requests
	Legacy Era = "legacy" // 2025-11-25 and before: sessions, server-initiated requests
)

// ToInstance returns the URL of one instance of a sample. If instance is empty,
// the load balancer chooses.
func (t Target) ToInstance(instance string) string {
	if instance == "" || t.Sample == "" {
		return t.URL
	}
	return SetQuery(t.URL, "next", instance)
}

// IsCommand reports whether the server is a command on standard input, which gets lines
// and no HTTP.
func (t Target) IsCommand() bool { return wire.IsCommand(t.URL) }

// SetQuery returns a sample's URL with one parameter of its query set, or
// removed if value is empty. A URL that cannot be parsed is returned unchanged.
func SetQuery(rawURL, name, value string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return rawURL
	}
	q := u.Query()
	q.Set(name, value)
	if value == "" {
		q.Del(name)
	}
	u.RawQuery = readableQuery.Replace(q.Encode())
	return u.String()
}

// readableQuery undoes the escapes of ":" and ",", which a query need not
// escape and which are frequent in a topology.
var readableQuery = strings.NewReplacer("%2C", ",", "%3A", ":")

// At returns the target at its current URL. A sample is served by this program,
// whose address may have changed since the recording. base is the program's URL
// without a trailing slash.
func (t Target) At(base string) Target {
	u, err := url.Parse(t.URL)
	if t.Sample == "" || err != nil {
		return t
	}
	t.URL = base + u.RequestURI()
	return t
}

// Call is the operation that the user asks for. Method is one of the three
// above. Params are its params as JSON text, without the members that the client
// adds to every request.
type Call struct {
	Method string
	Params json.RawMessage
	Tool   json.RawMessage // the called tool as the server listed it; nil if unknown
	Wait   time.Duration   // how long a response may take; 0 means the usual limit
}

// Name returns the name of the tool or prompt, or the URI of the resource, or "".
func (c Call) Name() string {
	params, err := jsontree.Parse(c.Params, jsontree.Limits{})
	if err != nil {
		return ""
	}
	return NameIn(c.Method, params)
}

// NameIn returns the name of the tool or prompt, or the URI of the resource, that the params
// of a request have, or "".
func NameIn(method string, params *jsontree.Node) string {
	if method == ResourcesRead {
		return params.Get("uri").Str()
	}
	return params.Get("name").Str()
}

// Exchange is one Call from its start to its end, recorded as a log.
type Exchange struct {
	ID      string
	Session string
	Target  Target
	Call    Call
	Created time.Time
	Log     []Event
	Sealed  []byte  // like Target.Sealed, with the params of the Call
	Origin  *Origin // Round that a Branch continues from; nil if the call is no Branch

	Reading *Reading // result of Fold for Log; nil to fold it each time; never stored

	Looked   time.Time // when its owner last looked at it, to the minute; zero if that was not noted
	Imported bool      // its Session came from a file or a link; this program did not record it
}

// OutcomeKind is how a Round ended.
type OutcomeKind string

// Outcomes. OutcomeViolation means that no next request can be built from the
// response.
const (
	OutcomePending        OutcomeKind = "pending"
	OutcomeComplete       OutcomeKind = "complete"
	OutcomeInputRequired  OutcomeKind = "input_required"
	OutcomeRetry          OutcomeKind = "retry"
	OutcomeTask           OutcomeKind = "task"
	OutcomeTaskStatus     OutcomeKind = "task_status"
	OutcomeAck            OutcomeKind = "ack"
	OutcomeRPCError       OutcomeKind = "rpc_error"
	OutcomeHTTPError      OutcomeKind = "http_error"
	OutcomeTransportError OutcomeKind = "transport_error"
	OutcomeViolation      OutcomeKind = "violation"
	OutcomeCancelled      OutcomeKind = "cancelled"
	OutcomeInterrupted    OutcomeKind = "interrupted"
)

// Status is the state of an Exchange.
type Status string

// Statuses of an Exchange.
const (
	StatusReady       Status = "ready"
	StatusRunning     Status = "running"
	StatusWaiting     Status = "waiting"
	StatusComplete    Status = "complete"
	StatusDeclined    Status = "declined"
	StatusCancelled   Status = "cancelled"
	StatusFailed      Status = "failed"
	StatusInterrupted Status = "interrupted"
	StatusCapped      Status = "capped"
)

// Ended reports whether nothing of the Exchange runs or waits for the user.
func (s Status) Ended() bool {
	return s != StatusReady && s != StatusRunning && s != StatusWaiting
}

// LookedAt returns when the owner of the exchange last looked at it, at the
// earliest when it was made.
func (x Exchange) LookedAt() time.Time {
	if x.Looked.After(x.Created) {
		return x.Looked
	}
	return x.Created
}
