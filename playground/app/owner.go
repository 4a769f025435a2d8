package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// OwnerKind is a kind of owner, such as a browser or an agent with a token. The guard decides
// it once for each request, and the limits count the request by it.
type OwnerKind int

// Kinds of owners, as OwnerRows describes them.
const (
	ByCookie OwnerKind = iota
	ByPerson
	ByToken
	AsGuest
	ByCapture
	ByTalk
	ByNothing
	Unsigned
)

// alone reports whether an owner counts alone, without the address of the request: it cannot
// be had for nothing.
func (k OwnerKind) alone() bool { return k == ByToken || k == ByPerson }

// OwnerRow says by whom the limits count the requests of a kind of owner. Names of limits
// stand between backquotes.
type OwnerRow struct {
	Kind                          OwnerKind
	Who                           string
	Requests, Calls, Open, Stored string
}

// OwnerRows are the rows of all kinds, in their order.
func OwnerRows() []OwnerRow {
	const byBoth = "workspace, and address times `crowd`"
	return []OwnerRow{
		{ByCookie, "a browser, by its cookie",
			"`pages` and `parts`: " + byBoth,
			"`calls`: " + byBoth + "; `calls-of-workspace`, `calls-of-address`",
			"streams, checks and large readings: an eighth for an address",
			"`storage-workspace`, `storage-address`"},
		{ByPerson, "a person who has signed in",
			"`person-pages`, `parts`: the person alone",
			"`person-calls`: the person alone; `person-calls-open`",
			"streams, checks and large readings: an eighth for the person", "`person-storage`"},
		{ByToken, "an agent, by its token",
			"`samples`: its workspace alone",
			"`calls`: its workspace alone; `calls-of-workspace`; those of a person count as theirs",
			"an eighth for its workspace", "`storage-workspace`; that of a person is theirs"},
		{AsGuest, "an agent without a token",
			"`samples`: address", "`calls`: address times `crowd`; `calls-of-address`",
			"an eighth for an address", "`storage-address`; only a link is kept"},
		{ByCapture, "a foreign client, by the capture that it calls",
			"`captured`, `captured-others`: the capture", "`calls-to-host`, `calls-in-all`",
			"`captured-open`: the capture; large readings: an eighth for an address",
			"`storage-workspace` of the owner of the capture, `storage-address`"},
		{ByTalk, "a follower of a talk, by its code",
			"`follow-pages`: address", "none", "`followers`: the presenter", "nothing is stored"},
		{ByNothing, "a client of a sample or of a flow",
			"`samples`: address", "none", "what the sample limits: an eighth for an address",
			"nothing is stored"},
		{Unsigned, "someone who has not signed in, where people do",
			"`sign-in-pages`: address", "none", "none", "nothing is stored"},
	}
}

// Delay counts a request of a visit and returns 0, or returns how long it has to wait. A part
// is a request that a page makes by itself.
func (s *App) Delay(v *Visit, part bool) time.Duration {
	now := s.Now()
	switch v.Kind {
	case ByCapture:
		return 0 // each capture has rates of its own
	case ByTalk:
		return s.Limiters.Follow.Reserve(v.Address, now) // a hall has one address
	case ByToken:
		return s.Limiters.agents.Reserve(v.Workspace(), now)
	case Unsigned:
		return s.Limiters.signIns.Reserve(v.Address, now)
	case AsGuest, ByNothing:
		return s.Limiters.Samples.Reserve(v.Address, now)
	}
	if part {
		return s.Limiters.Parts.Reserve(v.Account(), now)
	}
	return s.Limiters.Pages.Reserve(v.Account(), now)
}

// AgentTokenPrefix begins every token of an agent, so that people and programs that look
// for secrets recognise one.
const AgentTokenPrefix = "mrtr_agent_"

// AgentOwner returns the owner of a request by the value of its Authorization header, which
// has a token of an agent. A wrong one is a Refusal, and an address may try a number of them;
// right ones always work.
func (s *App) AgentOwner(ctx context.Context, r Request, authorization string) (Owner, error) {
	scheme, token, _ := strings.Cut(authorization, " ")
	workspace, err := "", error(playground.ErrNotFound)
	if strings.EqualFold(scheme, "Bearer") && strings.HasPrefix(token, AgentTokenPrefix) {
		workspace, err = s.Store.UseAgentToken(ctx, token, s.Now())
	}
	if !errors.Is(err, playground.ErrNotFound) {
		return Agent(workspace), err
	}
	if wait := s.Limiters.WrongLinks.Reserve(r.Address, s.Now()); wait > 0 {
		return nil, TooMany(wait, "wrong_tokens",
			"Too many invalid tokens were sent from your address.", "Valid tokens still work.")
	}
	return nil, Refuse(Unauthorized, "token", "The token is unknown, has expired or was revoked.",
		"Make a new one at "+s.BaseURL+"/settings#agents, or send none: each result is a link then.")
}
