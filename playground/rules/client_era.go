package rules

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// staysModern is client-era. What the newest answer before initialize shows counts.
func staysModern(s *subject) ruling {
	if s.Method != playground.Initialize {
		return na()
	}
	found := na()
	for i := range s.channel.rounds {
		r := &s.channel.rounds[i]
		ended := answeredAt(r)
		if r.N >= s.N || r.Legacy || ended.IsZero() || ended.After(s.Started) || !sameClient(r, &s.Round) {
			continue
		}
		switch {
		case r.Error.IsModern() && !listsOlder(r.Error.Data.Get("supported")):
			found = fail("The client sends initialize although the server answered with error %d, "+
				"as only servers of the modern revisions do.", r.Error.Code)
		case isModernResult(r):
			found = hint("The client sends initialize although the server answered %s "+
				"as one of this revision.", quoted(r.Method))
		default:
			found = pass()
		}
	}
	return found
}

// isModernResult reports whether a result is one of this revision. A server of earlier ones may
// answer server/discover with their versions.
func isModernResult(r *playground.Round) bool {
	if r.Method != playground.Discover {
		return r.Result.Has("resultType")
	}
	versions := r.Result.Get("supportedVersions")
	return versions.Len() > 0 && !listsOlder(versions)
}

// listsOlder reports whether a list has versions, and only those of earlier revisions.
func listsOlder(versions *jsontree.Node) bool {
	return versions.Len() > 0 && !slices.ContainsFunc(versions.Elements(), func(n *jsontree.Node) bool {
		return n.Str() >= wire.ProtocolVersion
	})
}

// sameClient reports whether nothing says that two requests are of different clients.
func sameClient(a, b *playground.Round) bool {
	one, other := clientName(a), clientName(b)
	return one == "" || other == "" || one == other
}

// clientName returns the name that a client gives itself in a request, or "".
func clientName(r *playground.Round) string {
	params := r.Sent.Get("params")
	if r.Method == playground.Initialize {
		return params.At("clientInfo", "name").Str()
	}
	return params.At("_meta", metaPrefix+"clientInfo", "name").Str()
}
