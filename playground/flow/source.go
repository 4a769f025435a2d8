package flow

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// plainName is a name that needs no brackets after a dot.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// String returns the expression as a user writes it.
func (e *Expr) String() string {
	switch e.Op {
	case Const:
		return constant(e.Value)
	case Name:
		var b strings.Builder
		for i, part := range e.Path {
			switch {
			case i == 0:
				b.WriteString(part)
			case plainName.MatchString(part) && !slices.Contains(keywords, part):
				b.WriteString("." + part)
			default:
				b.WriteString("[" + constant(part) + "]")
			}
		}
		return b.String()
	case Not:
		return "not (" + e.Args[0].String() + ")"
	case Negate:
		return "-(" + e.Args[0].String() + ")"
	case Length:
		return "len(" + e.Args[0].String() + ")"
	case If:
		return fmt.Sprintf("(%s if %s else %s)", e.Args[1], e.Args[0], e.Args[2])
	case Contains:
		return fmt.Sprintf("(%s in %s)", e.Args[1], e.Args[0])
	case StartsWith, EndsWith:
		return fmt.Sprintf("%s.%s(%s)", e.Args[0], e.Op, e.Args[1])
	}
	return fmt.Sprintf("(%s %s %s)", e.Args[0], opName(e.Op), e.Args[1])
}

func constant(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = constant(s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return Show(v)
}
