package flow

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Expr is a checked expression: a condition, or a value in a text. It has no
// loops and calls nothing, so its cost is bounded by its length.
type Expr struct {
	Source string
	Op     Op
	Args   []*Expr
	Path   []string // of a Name: args and amount, or answers, key and field
	Value  any      // of a Const: string, float64, bool or []string
	Type   *Type
}

// Op is the operation of an expression.
type Op string

// The operations. The operators are those of most languages; In is true if a
// text is in a list of texts or a name is in a table, Contains(a, b) if b is a part
// of a, and If(a, b, c) is b if a is true, or else c.
const (
	Const      Op = "const"
	Name       Op = "name"
	Or         Op = "or"
	And        Op = "and"
	Not        Op = "not"
	Equal      Op = "=="
	NotEqual   Op = "!="
	Less       Op = "<"
	LessEqual  Op = "<="
	More       Op = ">"
	MoreEqual  Op = ">="
	Add        Op = "+"
	Subtract   Op = "-"
	Multiply   Op = "*"
	Divide     Op = "/"
	Negate     Op = "negate"
	In         Op = "in"
	Contains   Op = "contains"
	StartsWith Op = "startswith"
	EndsWith   Op = "endswith"
	Length     Op = "len"
	If         Op = "if"
)

// Type is the type of an expression.
type Type struct {
	Kind   FieldKind        // never IntegerField or Choice: these are NumberField and TextField
	Values []string         // of a text that is one of these; nil if any
	Given  bool             // of a text that is never empty
	Item   *Type            // of a List and a Table
	Fields map[string]*Type // of an Object
}

var (
	textType   = &Type{Kind: TextField}
	numberType = &Type{Kind: NumberField}
	boolType   = &Type{Kind: YesNo}
	textsType  = &Type{Kind: List, Item: textType}
)

// String returns the type as a noun with its article.
func (t *Type) String() string {
	switch t.Kind {
	case TextField:
		return "a text"
	case NumberField:
		return "a number"
	case YesNo:
		return "true or false"
	case List:
		return "a list"
	case Table:
		return "a table"
	}
	return "an object"
}

// typeOf returns the type that a field has in expressions.
func typeOf(f Field) *Type {
	switch f.Kind {
	case NumberField, IntegerField:
		return numberType
	case YesNo:
		return boolType
	case Choice:
		return &Type{Kind: TextField, Values: f.Values}
	case Choices:
		return &Type{Kind: List, Item: &Type{Kind: TextField, Values: f.Values}}
	case List, Table:
		return &Type{Kind: f.Kind, Item: typeOf(*f.Item)}
	case Object:
		return objectOf(f.Fields)
	}
	return textType
}

func objectOf(fields []Field) *Type {
	t := &Type{Kind: Object, Fields: map[string]*Type{}}
	for _, f := range fields {
		t.Fields[f.Name] = typeOf(f)
	}
	return t
}

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
