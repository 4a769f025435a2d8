package share

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// branched is a session whose second exchange goes on from Round 1 of the
// first.
func branched(answer string) session.Session {
	s := asked(answer, sealed)
	s.Exchanges[0].ID = "parent"
	b := s.Exchanges[0]
	b.ID, b.Log = "branch", b.Log[3:]
	b.Origin = &playground.Origin{Exchange: "parent", Round: 1, Parent: &s.Exchanges[0]}
	s.Exchanges = append(s.Exchanges, b)
	s.Exchanges[1].Origin.Parent = &s.Exchanges[0]
	return s
}

func TestNewSnapshot_BranchRefersToPublicParent(t *testing.T) {
	const secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	public := NewSnapshot(branched(secret), Options{}).Session
	origin := public.Exchanges[1].Origin
	if origin == nil || origin.Exchange != "1" || origin.Round != 1 || origin.Parent != &public.Exchanges[0] {
		t.Fatalf("%+v", origin)
	}
	f := public.Exchanges[1].Fold()
	if len(f.Rounds) != 2 || f.Rounds[0].N != 1 {
		t.Errorf("%d rounds", len(f.Rounds))
	}
	for _, r := range f.Rounds {
		if text := string(r.Request.Body) + string(r.Response.Body); strings.Contains(text, secret) ||
			strings.Contains(text, "mrtr1.") {
			t.Errorf("round %d: %s", r.N, text)
		}
	}
}

func TestOmitAnswers_AlsoInBranches(t *testing.T) {
	s := branched("my own words")
	s.Exchanges[1].Log = s.Exchanges[0].Log[5:] // only the result, which repeats the answer
	if text := dump(NewSnapshot(s, Options{OmitAnswers: true}).Session); strings.Contains(text,
		"my own words") || strings.Contains(text, "4301") {
		t.Errorf("still there:\n%s", text)
	}
}

func TestNewSnapshot_BranchWithoutParent(t *testing.T) {
	s := branched("x")
	s.Exchanges = s.Exchanges[1:]
	if origin := NewSnapshot(s, Options{}).Session.Exchanges[0].Origin; origin != nil {
		t.Errorf("%+v", origin)
	}
}
