package flow

import (
	"cmp"
	"fmt"
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

// Op is what an expression does.
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

// Values holds the values that expressions are computed with: args, answers,
// actions and instances by name, as JSON has them, and version and instance.
// What is absent counts as empty: "", 0, false or an empty list.
type Values map[string]any

// Eval computes the expression. It returns a string, float64, bool, []any or
// map[string]any.
func (e *Expr) Eval(v Values) any {
	switch e.Op {
	case Const:
		return e.Value
	case Name:
		return e.lookup(v)
	case Or:
		return e.Args[0].Holds(v) || e.Args[1].Holds(v)
	case And:
		return e.Args[0].Holds(v) && e.Args[1].Holds(v)
	case Not:
		return !e.Args[0].Holds(v)
	case If:
		if e.Args[0].Holds(v) {
			return e.Args[1].Eval(v)
		}
		return e.Args[2].Eval(v)
	}
	args := make([]any, len(e.Args))
	for i, a := range e.Args {
		args[i] = a.Eval(v)
	}
	return compute(e.Op, args)
}

// Holds computes a condition. A nil condition holds.
func (e *Expr) Holds(v Values) bool {
	if e == nil {
		return true
	}
	b, _ := e.Eval(v).(bool)
	return b
}

// lookup returns the value of a name, or the empty value of its type.
func (e *Expr) lookup(v Values) any {
	var at any = map[string]any(v)
	for _, part := range e.Path {
		m, _ := at.(map[string]any)
		at = m[part]
	}
	return orEmpty(at, e.Type)
}

// orEmpty returns the value if it has the type, or else the empty value.
func orEmpty(value any, t *Type) any {
	switch t.Kind {
	case TextField:
		s, _ := value.(string)
		return s
	case NumberField:
		f, _ := value.(float64)
		return f
	case YesNo:
		b, _ := value.(bool)
		return b
	case List:
		switch list := value.(type) {
		case []any:
			return list
		case []string:
			return anyOf(list)
		}
		return []any(nil)
	}
	m, _ := value.(map[string]any)
	return m
}

func anyOf(list []string) []any {
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = s
	}
	return all
}

// compute applies an operation to values that have the types it was checked
// with.
func compute(op Op, a []any) any {
	switch op {
	case Equal:
		return a[0] == a[1]
	case NotEqual:
		return a[0] != a[1]
	case In:
		return isIn(a[0], a[1])
	case Length:
		return length(a[0])
	case Negate:
		return -number(a[0])
	}
	if x, ok := a[0].(string); ok {
		return computeText(op, x, a[1].(string))
	}
	return computeNumber(op, number(a[0]), number(a[1]))
}

func number(v any) float64 { f, _ := v.(float64); return f }

func computeText(op Op, x, y string) any {
	switch op {
	case Contains:
		return strings.Contains(x, y)
	case StartsWith:
		return strings.HasPrefix(x, y)
	case EndsWith:
		return strings.HasSuffix(x, y)
	}
	return x + y
}

func computeNumber(op Op, x, y float64) any {
	switch op {
	case Less:
		return x < y
	case LessEqual:
		return x <= y
	case More:
		return x > y
	case MoreEqual:
		return x >= y
	case Add:
		return x + y
	case Subtract:
		return x - y
	case Multiply:
		return x * y
	}
	return x / y // y is a constant other than 0
}

func isIn(x, all any) bool {
	switch all := all.(type) {
	case []any:
		return slices.Contains(all, x)
	case []string:
		return slices.Contains(all, fmt.Sprint(x))
	case map[string]any:
		_, ok := all[fmt.Sprint(x)]
		return ok
	}
	return false
}

func length(v any) float64 {
	switch v := v.(type) {
	case string:
		return float64(len([]rune(v)))
	case []any:
		return float64(len(v))
	case []string:
		return float64(len(v))
	case map[string]any:
		return float64(len(v))
	}
	return 0
}

// Show returns a value as texts show it: numbers without a needless fraction,
// lists with commas.
func Show(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(cmp.Or(v, 0), 'f', -1, 64) // no -0
	case []any:
		words := make([]string, len(v))
		for i, item := range v {
			words[i] = Show(item)
		}
		return strings.Join(words, ", ")
	case []string:
		return strings.Join(v, ", ")
	}
	return fmt.Sprint(v)
}
