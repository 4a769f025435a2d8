package app

import (
	"errors"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/question"
)

// maxRoots is how many roots a visitor can have, and maxRoot how long the texts of one can
// be. Besides them, a root takes rootSize, in bytes.
const (
	maxRoots = 50
	maxRoot  = 2000
	rootSize = 32
)

// SetRoots stores the roots of a visitor, which answer servers that ask for them. It
// refuses too many, too long ones, and what there is no room for; an empty list needs none.
func (s *App) SetRoots(v *Visit, roots []question.Root) error {
	size := 0
	for _, r := range roots {
		if len(r.URI)+len(r.Name) > maxRoot {
			return BadRoots(fmt.Sprintf("The URI and the name of a root may have %d bytes.", maxRoot))
		}
		size += rootSize + len(r.URI) + len(r.Name)
	}
	if len(roots) > maxRoots {
		return BadRoots(fmt.Sprintf("You can have %d roots.", maxRoots))
	}
	workspace, err := v.Writing()
	if err != nil {
		return err
	}
	store := func() error { return s.Store.SetRoots(v.Context(), workspace, roots, s.Now()) }
	if size == 0 {
		return store()
	}
	return s.Write(v, size, store)
}

// BadRoots refuses a list of roots for a reason.
func BadRoots(why string) *Refusal {
	return Refuse(Invalid, "bad_root", why, "Nothing was saved.")
}

// RememberRoots stores the roots that were sent, for the next question. A list that
// SetRoots refuses is not remembered: what was sent stands.
func (s *App) RememberRoots(v *Visit, d question.Draft) error {
	roots, ok := d.Roots()
	if !ok {
		return nil
	}
	err := s.SetRoots(v, roots)
	if errors.As(err, new(*Refusal)) {
		return nil
	}
	return err
}
