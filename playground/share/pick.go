package share

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// picked returns the session with the exchanges of these ids only, and the ids
// of those that are whole. An exchange that a picked branch continues from stays
// up to that Round, because the branch begins with these Rounds; what followed
// there is left out. Without ids it returns the session as it is.
func picked(s session.Session, ids []string) session.Session {
	if ids == nil {
		return s
	}
	upTo := map[string]int{} // the last Round that a branch needs of an exchange
	var kept []playground.Exchange
	for _, x := range slices.Backward(s.Exchanges) { // branches follow what they continue from
		whole := slices.Contains(ids, x.ID)
		if !whole && upTo[x.ID] == 0 {
			continue
		}
		if !whole {
			x.Log = upToRound(x, upTo[x.ID])
		}
		if x.Origin != nil && x.Origin.Round > 0 {
			upTo[x.Origin.Exchange] = max(upTo[x.Origin.Exchange], x.Origin.Round)
		}
		kept = append(kept, x)
	}
	slices.Reverse(kept)
	s.Exchanges = kept
	return s
}

// upToRound returns the part of the log of x that belongs to its Rounds up to n.
func upToRound(x playground.Exchange, n int) []playground.Event {
	next := 0 // sequence number of the request of the Round after it, which may be a poll
	if r := x.Fold().Round(n + 1); r != nil {
		next = r.RequestSeq
	}
	opened := false
	for i, e := range x.Log {
		if opened && e.Kind == playground.Decided || e.Opens() > n || next > 0 && e.Seq >= next {
			return x.Log[:i:i]
		}
		opened = opened || e.Opens() == n
	}
	return x.Log
}

// numbers returns where the exchanges of these ids are in a list, from 1, in the
// order of the ids. No ids mean all of them.
func numbers(list []playground.Exchange, ids []string) []int {
	var found []int
	if ids == nil {
		for i := range list {
			found = append(found, i+1)
		}
	}
	for _, id := range ids {
		i := slices.IndexFunc(list, func(x playground.Exchange) bool { return x.ID == id })
		if i >= 0 {
			found = append(found, i+1)
		}
	}
	return found
}
