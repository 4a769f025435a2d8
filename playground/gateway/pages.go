package gateway

import (
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// paging is what the upstream gave and was asked for the pages of one list.
type paging struct {
	method string
	q      *request         // of the client, that got a page
	given  []*jsontree.Node // cursors
	asked  int              // requests with a cursor
	wrong  *jsontree.Node   // a cursor that was not given; nil for none
}

// comparePages follows the cursors of the lists, and compares those that came back.
func (r *recordings) comparePages() {
	for _, l := range lists {
		i := slices.IndexFunc(r.requests, func(q *request) bool {
			return q.client.Method == l.method && result(q.client) != nil && !q.broken()
		})
		if i < 0 {
			continue
		}
		p := paging{method: l.method, q: r.requests[i]}
		for _, u := range r.ups {
			if u.Method == l.method {
				r.follow(&p, u)
			}
		}
		if len(p.given) > 0 {
			r.paged = append(r.paged, p)
		}
	}
}

// follow adds a request for a page to what is known of a list.
func (r *recordings) follow(p *paging, u playground.Round) {
	if cursor := u.Sent.At("params", "cursor"); cursor != nil {
		p.asked++
		at := slices.IndexFunc(p.given, func(own *jsontree.Node) bool {
			return jsontree.Equal(own, cursor) || lettersDiffer(own.Str(), cursor.Str())
		})
		switch {
		case at >= 0:
			r.add(p.q, inCursor, p.given[at], cursor, "params", "cursor")
		case len(p.given) > 0:
			p.wrong = cursor
		}
	}
	if next := result(u).Get("nextCursor"); next != nil && next.Kind == jsontree.String {
		p.given = append(p.given, next)
	}
}

func pages(r *recordings, t *tally) {
	for _, p := range r.paged {
		t.check(p.q, p.asked > 0, "The upstream gave a cursor for "+p.method+
			", and was not asked for the next page.", "result", "nextCursor")
		t.check(p.q, p.wrong == nil, "The upstream was asked for a page with a cursor that it had not given: "+
			visible(string(p.wrong.Raw()), 60)+".", "params", "cursor")
	}
}
