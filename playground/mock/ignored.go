package mock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Part is a part of a request that may be left out of the comparison.
type Part string

// Parts of a request.
const (
	Meta      Part = "meta"
	Arguments Part = "arguments"
	Answers   Part = "answers"
	State     Part = "state"
)

// Parts are all Parts, with what they are.
func Parts() []PartRow {
	return []PartRow{
		{Meta, "meta", "all of _meta: the client's name, version and capabilities, progress token and trace"},
		{Arguments, "arguments", "a call matches by the name of its tool or prompt"},
		{Answers, "answers", "a retry matches by the keys that it answers"},
		{State, "state", "a retry matches without its requestState"},
	}
}

// PartRow describes a Part.
type PartRow struct {
	Part       Part
	Name, What string
}

// Ignored are the Parts that are left out of the comparison.
type Ignored []Part

// Usual are the Parts that are ignored unless the user chooses.
func Usual() Ignored { return Ignored{Meta} }

// ParseIgnored reads names of Parts, separated by commas. The error names one that is none.
func ParseIgnored(list string) (Ignored, error) {
	ignored := Ignored{}
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !slices.ContainsFunc(Parts(), func(r PartRow) bool { return string(r.Part) == name }) {
			return nil, fmt.Errorf("%q is none of meta, arguments, answers, state", name)
		}
		if !ignored.Has(Part(name)) {
			ignored = append(ignored, Part(name))
		}
	}
	return ignored, nil
}

// Has reports whether a part is ignored.
func (i Ignored) Has(p Part) bool { return slices.Contains(i, p) }

// String returns the names, separated by commas, as ParseIgnored reads them.
func (i Ignored) String() string {
	names := make([]string, 0, len(i))
	for _, p := range i {
		names = append(names, string(p))
	}
	return strings.Join(names, ",")
}

// reduce returns what counts of the params of a request.
func (i Ignored) reduce(params *jsontree.Node) *jsontree.Node {
	raw := params.Raw()
	if params == nil || params.Kind != jsontree.Object {
		raw = []byte("{}")
	}
	remove := func(name string) jsontree.Pair { return jsontree.Pair{Key: name} }
	var pairs []jsontree.Pair
	if i.Has(Meta) {
		pairs = append(pairs, remove("_meta"))
	}
	if meta := params.Get("_meta"); !i.Has(Meta) && meta.Has("progressToken") {
		if rest, err := jsontree.Set(meta.Raw(), remove("progressToken")); err == nil {
			pairs = append(pairs, jsontree.Pair{Key: "_meta", Value: rest}) // an id of the protocol
		}
	}
	if arguments := params.Get("arguments"); i.Has(Arguments) || arguments != nil && arguments.Len() == 0 {
		pairs = append(pairs, remove("arguments"))
	}
	if i.Has(State) {
		pairs = append(pairs, remove("requestState"))
	}
	if answers := params.Get(playground.InputResponses); i.Has(Answers) && answers != nil {
		var keys []jsontree.Pair
		for _, m := range answers.Entries() {
			keys = append(keys, jsontree.Pair{Key: m.Key, Value: []byte("null")})
		}
		pairs = append(pairs, jsontree.Pair{Key: playground.InputResponses,
			Value: jsontree.ObjectOf(keys...)})
	}
	reduced, err := jsontree.Set(raw, pairs...)
	if err != nil {
		return nil // raw is an object
	}
	node, _ := jsontree.Parse(reduced, jsontree.Limits{})
	return node
}
