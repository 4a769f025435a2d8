// Package admin shows an operator how the playground is used and what takes its
// space.
package admin

import (
	"fmt"
	"slices"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/static"
)

// Admin is the operator's page.
type Admin struct {
	usage.State
	Assets *static.Assets
}

// New returns the page of a state. Refusals are listed by count.
func New(st usage.State, assets *static.Assets) Admin {
	st.Refusals = slices.Clone(st.Refusals)
	slices.SortStableFunc(st.Refusals, func(a, b usage.Refusal) int { return int(b.Count - a.Count) })
	return Admin{st, assets}
}

// bytesOf returns a size in words, with its limit if there is one.
func bytesOf(n, limit int64) string {
	if limit == 0 {
		return text.Size(int(n))
	}
	return fmt.Sprintf("%s of %s (%d%%)", text.Size(int(n)), text.Size(int(limit)), n*100/limit)
}

// placesOf returns how many places of a pool are held.
func placesOf(p usage.Pool) string {
	if p.Limit == 0 {
		return fmt.Sprint(p.Held)
	}
	return fmt.Sprintf("%d of %d", p.Held, p.Limit)
}

// dayOf returns the date of a time, or "" for none.
func dayOf(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.DateOnly)
}
