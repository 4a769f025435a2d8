package question

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// UnaskedError is for a call whose answers given in advance have a key that was never
// asked, while the answer to a question was made up: the key may be mistyped.
type UnaskedError struct {
	Keys   []string // that were given and not asked
	MadeUp string   // key of a question whose answer was made up
}

func (e *UnaskedError) Error() string {
	verb := "was"
	if len(e.Keys) > 1 {
		verb = "were"
	}
	return fmt.Sprintf("%s %s never asked, and the answer to %q was made up",
		quotedKeys(e.Keys), verb, text.Visible(e.MadeUp, maxKey))
}

// maxKey is the longest key in a sentence, in characters.
const maxKey = 80

func quotedKeys(keys []string) string {
	list := make([]string, len(keys))
	for i, key := range keys {
		list[i] = fmt.Sprintf("%q", text.Visible(key, maxKey))
	}
	return strings.Join(list, ", ")
}

// Unasked returns an *UnaskedError for a call that has ended with an answer that was made
// up, although a key of those given in advance was never asked. own has the keys that the
// user answered in another way. Else it returns nil.
func Unasked(x playground.Exchange, given map[string]json.RawMessage, own map[string]bool) error {
	keys, f := Unused(given, x), x.Fold()
	if len(keys) == 0 || !f.Status.Ended() {
		return nil
	}
	for _, r := range f.Rounds {
		after := f.Round(r.N + 1)
		if after == nil {
			continue
		}
		for _, q := range Forms(r) {
			if _, ok := q.Given(given); !ok && !own[q.Key] && q.wasMadeUp(after.Decision.Answers) {
				return &UnaskedError{keys, q.Key}
			}
		}
	}
	return nil
}

// wasMadeUp reports whether an answer to the question among others is its placeholder. A
// link and the list of roots are no answers that anyone would give in advance by
// another key.
func (f Form) wasMadeUp(answers []playground.Answer) bool {
	i := slices.IndexFunc(answers, func(a playground.Answer) bool { return a.Key == f.Key })
	return i >= 0 && f.Kind != KindURL && f.Kind != KindRoots && f.equalsPlaceholder(answers[i].Value)
}

// Unused returns the keys of answers given in advance that no question of the exchanges
// had a use for.
func Unused(given map[string]json.RawMessage, exchanges ...playground.Exchange) []string {
	left := maps.Clone(given)
	for _, x := range exchanges {
		for _, r := range x.Fold().Rounds {
			for _, f := range Forms(r) {
				_, keys, _ := f.given(given)
				for _, key := range keys {
					delete(left, key)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(left))
}

// UnusedNote returns a sentence on the keys that Unused returns, or "" if there are none.
func UnusedNote(keys []string) string {
	switch len(keys) {
	case 0:
		return ""
	case 1:
		return "The answer to " + quotedKeys(keys) + " was not used: it was never asked."
	}
	return "The answers to " + quotedKeys(keys) + " were not used: they were never asked."
}
