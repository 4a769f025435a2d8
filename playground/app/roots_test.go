package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// rootStore keeps roots, beside what is stored already.
type rootStore struct {
	Store
	stored int64
	sets   int
}

func (s *rootStore) SetRoots(context.Context, string, []question.Root, time.Time) error {
	s.sets++
	return nil
}

func (s *rootStore) Below(int64) bool { return false }

func (s *rootStore) Storage(context.Context, string, string, usage.Payer) (usage.Storage, error) {
	return usage.Storage{Total: s.stored}, nil
}

// TestSetRoots: the settings and the answers to questions have the same limits. An answer
// whose list is refused was sent all the same, so it is only not remembered.
func TestSetRoots(t *testing.T) {
	t.Parallel()
	root := question.Root{URI: "file:///a", Name: "a"}
	many := make([]question.Root, 51)
	for i := range many {
		many[i].URI = fmt.Sprintf("file:///%d", i)
	}
	for name, test := range map[string]struct {
		roots  []question.Root
		stored int64
		code   string // of the refusal; empty for none
	}{
		"one":      {roots: []question.Root{root}},
		"fifty":    {roots: many[:50]},
		"too many": {roots: many, code: "bad_root"},
		"long":     {roots: []question.Root{{URI: "file:///" + strings.Repeat("a", 1992)}}},
		"too long": {
			roots: []question.Root{{URI: root.URI, Name: strings.Repeat("a", 1992)}}, code: "bad_root",
		},
		"no room":   {roots: []question.Root{root}, stored: 1 << 20, code: "storage"},
		"none":      {roots: []question.Root{}},
		"none left": {roots: []question.Root{}, stored: 2 << 20},
	} {
		store := &rootStore{stored: test.stored}
		s := &App{Store: store}
		s.Now, s.Mode, s.Limits.StorageLocal = time.Now, Local, 1<<20
		v := s.Visit(t.Context(), Request{Owner: Agent("w")})
		var refused *Refusal
		err := s.SetRoots(v, test.roots)
		if errors.As(err, &refused) != (test.code != "") || refused != nil && refused.Code != test.code ||
			refused == nil && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		draft := question.Draft{Forms: []question.Form{{Kind: question.KindRoots, Roots: test.roots}}}
		if err := s.RememberRoots(v, draft); err != nil {
			t.Errorf("%s, of an answer: %v", name, err)
		}
		want := 2
		if test.code != "" {
			want = 0
		}
		if store.sets != want {
			t.Errorf("%s: stored %d times, want %d", name, store.sets, want)
		}
	}
}
