package redact

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// endingContext is a context that ends once it has been looked at so many times.
type endingContext struct {
	context.Context
	looks int
}

func (c *endingContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A masking that has begun is given up when its context ends, and shows nothing
// that it did not search.
func TestWithin_EndsWithItsContext(t *testing.T) {
	s := New([]wire.Field{{Name: "X-Key", Value: "planted-token-0123456789"}}, "", nil)
	nested := strings.Repeat("planted-token-0123456789 ", 400)
	for range 3 {
		nested = base64.StdEncoding.EncodeToString([]byte(nested)) + " "
	}
	whole := &endingContext{t.Context(), 1 << 20}
	if got := s.Within(whole).MaskText(nested); got == nested || got == strings.Repeat("*", len(nested)) {
		t.Fatal("the text is not masked in part")
	}
	for n := range 1<<20 - whole.looks - 1 {
		bounded := s.Within(&endingContext{t.Context(), n})
		if got := bounded.MaskText(nested); got != strings.Repeat("*", len(nested)) {
			t.Fatalf("after %d looks at the context: %s", n, got)
		}
		if !errors.Is(bounded.Err(), context.Canceled) {
			t.Fatalf("after %d looks at the context: %v", n, bounded.Err())
		}
	}
	ends := &bound{ctx: &endingContext{t.Context(), 1}}
	m := masker{search: s.search.Search, from: []byte(nested), bound: ends}
	m.view(Whole(m.from, 0), maxNested)
	if m.steps > 3*len(nested) {
		t.Errorf("%d steps for %d bytes after the end", m.steps, len(nested))
	}
	if s.Err() != nil || (*Secrets)(nil).Within(whole).Err() != nil {
		t.Error("a masking without a context, or without secrets, has an error")
	}
}

// A masking takes a turn for its work: also for building the search, a part of
// the first one.
func TestWithin_TakesTurns(t *testing.T) {
	s := New([]wire.Field{{Name: "X-Key", Value: strings.Repeat("a1b2", 1<<10)}}, "", nil)
	var sizes []int
	held, refused := 0, errors.New("no turn is free")
	ctx := WithTurn(t.Context(), func(_ context.Context, size int) (func(), error) {
		if sizes = append(sizes, size); size > 1<<20 {
			return nil, refused
		}
		held++
		return func() { held-- }, nil
	})
	text := strings.Repeat("x", 100)
	for range 2 {
		if got := s.Within(ctx).MaskText(text); got != text || held != 0 {
			t.Errorf("%s, %d turns are held", got, held)
		}
	}
	if !slices.Equal(sizes, []int{100 + costOfBuilding*4<<10, 100}) {
		t.Errorf("turns for %d bytes", sizes)
	}
	bounded := s.Within(ctx)
	got := bounded.Mask(make([]byte, 2<<20))
	if slices.Contains(got, 0) || !errors.Is(bounded.Err(), refused) {
		t.Errorf("without a turn: %v", bounded.Err())
	}
}
