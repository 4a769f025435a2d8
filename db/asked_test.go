package db

import (
	"context"
	"database/sql/driver"

	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/db/engine/tap"
)

// asked notes the queries of a context, and their arguments. What the Store does by
// itself is not among them.
type asked struct {
	queries []string
	args    [][]any
}

type askedKey struct{}

// asking returns a context whose queries are noted.
func asking(ctx context.Context) (context.Context, *asked) {
	a := &asked{}
	return context.WithValue(ctx, askedKey{}, a), a
}

// withNotes makes a Store note the queries of contexts that ask for it.
func withNotes() engine.Option {
	return engine.WithConnector(tap.Statements(
		func(ctx context.Context, query string, args []driver.NamedValue) {
			a, ok := ctx.Value(askedKey{}).(*asked)
			if !ok {
				return
			}
			values := make([]any, len(args))
			for i, arg := range args {
				values[i] = arg.Value
			}
			a.queries, a.args = append(a.queries, query), append(a.args, values)
		}))
}
