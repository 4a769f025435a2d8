package app

import (
	"testing"
	"time"
)

// TestDelay_ByKindOfOwner: what comes from an address uses up the limit of that address, and
// not that of an agent with a token behind it, of a capture or of a talk.
func TestDelay_ByKindOfOwner(t *testing.T) {
	t.Parallel()
	two := Rate{N: 2, Per: time.Minute, Burst: 2}
	s := New(Config{
		Runner: struct{ Runner }{}, Now: func() time.Time { return noon },
		Limits: Limits{Samples: two, Pages: two, Parts: two, FollowPages: two, Crowd: 2},
	}, nil)
	visit := func(kind OwnerKind, workspace, address string) *Visit {
		return s.Visit(t.Context(), Request{Owner: Agent(workspace), Address: AddressOf(address), Kind: kind})
	}
	for _, ask := range []struct {
		name string
		*Visit
		most int // without waiting; 0 for any number
	}{
		{"a client of a sample", visit(ByNothing, "", "192.0.2.1"), 2},
		{"an agent without a token, from there", visit(AsGuest, "guest-1", "192.0.2.1"), -1},
		{"an agent with a token, from there", visit(ByToken, "a", "192.0.2.1"), 2},
		{"the same agent from elsewhere", visit(ByToken, "a", "192.0.2.2"), -1},
		{"another agent", visit(ByToken, "b", "192.0.2.1"), 2},
		{"a browser, from there", visit(ByCookie, "c", "192.0.2.1"), 2},
		{"another browser", visit(ByCookie, "d", "192.0.2.1"), 2},
		{"a third browser, after twice two pages", visit(ByCookie, "e", "192.0.2.1"), -1},
		{"a follower", visit(ByTalk, "", "192.0.2.1"), 2},
		{"a client of a capture", visit(ByCapture, "", "192.0.2.1"), 0},
	} {
		got := 0
		for got < 5 && s.Delay(ask.Visit, false) == 0 {
			got++
		}
		if want := max(0, ask.most); ask.most == 0 && got != 5 || ask.most != 0 && got != want {
			t.Errorf("%s: %d requests without waiting, want %d", ask.name, got, ask.most)
		}
	}
}
