package server

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Listing says how old a list of the server is and how long it stays fresh
// (server/utilities/caching).
type Listing struct {
	Method string
	At     time.Time     // when its first page came
	TTL    time.Duration // the shortest ttlMs of its pages
	HasTTL bool          // the server sent a valid ttlMs with every page
	Scope  string        // cacheScope of its first page, as sent
}

// Fresh reports whether the list is still fresh. A list without a ttlMs is not
// known to be.
func (l Listing) Fresh(now time.Time) bool { return l.HasTTL && now.Before(l.At.Add(l.TTL)) }

// Listings returns the lists that the server sent, in the order in which they
// came.
func (c Connection) Listings() []Listing {
	var list []Listing
	for _, trip := range c.Trips {
		switch trip.Method {
		case toolsList, promptsList, resourcesList, templatesList:
		default:
			continue
		}
		if trip.Kind != playground.OutcomeComplete {
			continue
		}
		ttl, ok := ttlOf(trip.Result)
		if n := len(list) - 1; n >= 0 && list[n].Method == trip.Method { // a further page
			list[n].TTL, list[n].HasTTL = min(list[n].TTL, ttl), list[n].HasTTL && ok
			continue
		}
		list = append(list, Listing{trip.Method, trip.Ended, ttl, ok, trip.Result.Get("cacheScope").Str()})
	}
	return list
}

// maxTTL is the longest time that a ttlMs is read as.
const maxTTL = 100 * 365 * 24 * time.Hour

// ttlOf returns the ttlMs of a result, and false if there is no valid one.
func ttlOf(result *jsontree.Node) (time.Duration, bool) {
	ttl, ok := playground.Milliseconds(result.Get("ttlMs"))
	if !ok || ttl < 0 {
		return 0, false
	}
	return min(ttl, maxTTL), true
}
