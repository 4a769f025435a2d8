package flow

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// name checks a path such as answers.reason.note or args.fields["a b"].
func (s scope) name(n syntax.Expr) (*Expr, error) {
	path, err := pathOf(n)
	if err != nil {
		return nil, err
	}
	t, ok := s.names[path[0]]
	if !ok {
		return nil, wrongf("%s is not known.%s", document.Quote(path[0]), s.suggestPath(path[0]))
	}
	for i, part := range path[1:] {
		before := strings.Join(path[:i+1], ".")
		switch t.Kind {
		case Object:
			next, ok := t.Fields[part]
			if !ok {
				return nil, s.unknown(before, part, t)
			}
			t = next
		case Table:
			t = t.Item
		default:
			return nil, wrongf("%s is %s and has no %s.", before, t, document.Quote(part))
		}
	}
	return &Expr{Op: Name, Path: path, Type: t}, nil
}

func (s scope) unknown(before, part string, t *Type) error {
	if line, ok := s.later[part]; ok && before == "answers" || ok && before == "actions" {
		if s.sameRound[part] {
			return wrongf("The question %s has no answer yet here: it is asked in the same round (line %d).",
				document.Quote(part), line)
		}
		return wrongf("The question %s has no answer yet here: it is asked at line %d.",
			document.Quote(part), line)
	}
	return wrongf("%s has no %s.%s", before, document.Quote(part), suggestName(part, t.Fields))
}

// suggestPath returns a sentence with the possible meanings of a bare name: an
// argument, a field of an answer, or the name of a root.
func (s scope) suggestPath(bare string) string {
	mean := func(path ...string) string {
		return fmt.Sprintf(" Did you mean “%s”?", &Expr{Op: Name, Path: path})
	}
	if s.names["args"].Fields[bare] != nil {
		return mean("args", bare)
	}
	answers := s.names["answers"].Fields
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		fields := answers[key].Fields
		if fields[bare] != nil {
			return mean("answers", key, bare)
		}
		if key == bare && len(fields) > 0 {
			return mean("answers", key, slices.Sorted(maps.Keys(fields))[0])
		}
	}
	return suggestName(bare, s.names)
}

func suggestName(wrong string, known map[string]*Type) string {
	names := slices.Sorted(maps.Keys(known))
	if words := document.Suggest(wrong, names); words != "" {
		return words
	}
	if len(names) == 0 || len(names) > 8 {
		return ""
	}
	return " There is: " + strings.Join(names, ", ") + "."
}

func pathOf(n syntax.Expr) ([]string, error) {
	switch n := n.(type) {
	case *syntax.Ident:
		return []string{n.Name}, nil
	case *syntax.DotExpr:
		path, err := pathOf(n.X)
		return append(path, n.Name.Name), err
	case *syntax.IndexExpr:
		name, ok := quoted(n.Y)
		if !ok {
			return nil, wrongf("A field is named with a dot, or with a text in brackets.")
		}
		path, err := pathOf(n.X)
		return append(path, name), err
	}
	return nil, wrongf("Only names have fields.")
}
