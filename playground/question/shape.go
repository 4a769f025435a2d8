package question

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// ShapeError is for an answer given in advance that no question of this kind can have:
// not even its members are right.
type ShapeError struct {
	Key  string // of the question
	Need string // what an answer looks like
}

func (e *ShapeError) Error() string { return fmt.Sprintf("the answer to %q must be %s", e.Key, e.Need) }

// IsMisshapen reports whether err is a *ShapeError.
func IsMisshapen(err error) bool {
	var misshapen *ShapeError
	return errors.As(err, &misshapen)
}

// FromJSON returns an answer from a value given in advance: a whole answer as
// on the wire, or just the content of an accepted form. The error is a *ShapeError if
// it is neither.
func (f Form) FromJSON(value json.RawMessage) (playground.Answer, error) {
	node, err := jsontree.Parse(value, jsontree.Limits{})
	if err != nil {
		return playground.Answer{}, fmt.Errorf("answer to %q: %w", f.Key, err)
	}
	whole := f.Kind != KindForm || node.Has("action")
	if node.Kind != jsontree.Object || whole && !f.Kind.isAnswer(node) {
		return playground.Answer{}, &ShapeError{Key: f.Key, Need: f.Kind.shape()}
	}
	if whole {
		return playground.Answer{Key: f.Key, Value: value}, nil
	}
	if problems := f.Fields.Validate(value); f.FormErr == nil && len(problems) > 0 {
		return playground.Answer{}, fmt.Errorf("answer to %q: %s", f.Key, problems[0].Text)
	}
	return playground.Answer{Key: f.Key, Value: accepted(value)}, nil
}

// Misshapen returns the *ShapeError of the first open question of an exchange whose
// answer, among those given in advance by key, has the wrong shape, or nil.
func Misshapen(x playground.Exchange, answers map[string]json.RawMessage) error {
	last := x.Fold().Last()
	if last == nil || !last.Open() {
		return nil
	}
	for _, f := range Forms(*last) {
		if value, ok := f.Given(answers); ok {
			if _, err := f.FromJSON(value); IsMisshapen(err) {
				return err
			}
		}
	}
	return nil
}

// isAnswer reports whether an object has the members that a whole answer needs, with
// values of their types: an ElicitResult, a CreateMessageResult or a ListRootsResult.
func (k Kind) isAnswer(node *jsontree.Node) bool {
	text := func(name string) bool { return is(node.Get(name), jsontree.String) }
	content := node.Get("content")
	switch k {
	case KindForm, KindURL:
		action := node.Get("action").Str()
		return action == "decline" || action == "cancel" ||
			action == "accept" && (k == KindURL || is(content, jsontree.Object))
	case KindSampling:
		return text("role") && text("model") && (is(content, jsontree.Object) || is(content, jsontree.Array))
	case KindRoots:
		roots := node.Get("roots")
		return is(roots, jsontree.Array) && !slices.ContainsFunc(roots.Elements(),
			func(root *jsontree.Node) bool { return !is(root.Get("uri"), jsontree.String) })
	}
	return true
}

func is(node *jsontree.Node, k jsontree.Kind) bool { return node != nil && node.Kind == k }

// shape returns the form of an answer, as the end of a sentence.
func (k Kind) shape() string {
	switch k {
	case KindForm:
		return `the content of the form, an object, or {"action":"accept","content":{…}}, ` +
			`where action can be decline or cancel, without content`
	case KindURL:
		return `{"action":"accept"}, where action can be decline or cancel`
	case KindSampling:
		return `{"role":"assistant","content":{"type":"text","text":"…"},"model":"…"}`
	case KindRoots:
		return `{"roots":[{"uri":"file:///…"}]}`
	}
	return "an object"
}
