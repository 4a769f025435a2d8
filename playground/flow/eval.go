package flow

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Values holds the values that expressions are computed with: args, answers,
// actions and instances by name, as JSON has them, and version and instance.
// What is absent or has another type counts as empty: "", 0, false or an empty
// list.
type Values map[string]any

// evaluator computes expressions. A name can be unknown, and then so is every
// value that depends on it.
type evaluator struct {
	name func(*Expr) (value any, known bool)
	work int // how many expressions were computed
}

// Eval computes the expression. It returns a string, float64, bool, []string,
// []any or map[string]any.
func (e *Expr) Eval(v Values) any {
	c := evaluator{name: v.lookup}
	value, _ := c.value(e)
	return value
}

// Holds computes a condition. A nil condition holds.
func (e *Expr) Holds(v Values) bool { return e == nil || e.Eval(v) == true }

// value computes an expression, if its value is known.
func (c *evaluator) value(e *Expr) (any, bool) {
	c.work++
	switch e.Op {
	case Const:
		return e.Value, true
	case Name:
		return c.name(e)
	case And, Or:
		return c.junction(e)
	case If:
		condition, known := c.value(e.Args[0])
		switch {
		case !known:
			return nil, false
		case condition == true:
			return c.value(e.Args[1])
		}
		return c.value(e.Args[2])
	case Not:
		v, known := c.value(e.Args[0])
		return v != true, known
	}
	args := make([]any, len(e.Args))
	for i, a := range e.Args {
		v, known := c.value(a)
		if !known {
			return nil, false
		}
		args[i] = v
	}
	return compute(e.Op, args), true
}

// junction computes and, or: one side can decide, also if the other is unknown.
func (c *evaluator) junction(e *Expr) (any, bool) {
	decides, known := e.Op == Or, true
	for _, side := range e.Args {
		v, sure := c.value(side)
		if sure && v == decides {
			return decides, true
		}
		known = known && sure
	}
	return !decides, known
}

// lookup returns the value of a name, or the empty value of its type.
func (v Values) lookup(e *Expr) (any, bool) {
	var at any = map[string]any(v)
	for _, part := range e.Path {
		m, _ := at.(map[string]any)
		at = m[part]
	}
	return orEmpty(at, e.Type), true
}

// orEmpty returns the value if it has the type, or else the empty value.
func orEmpty(value any, t *Type) any {
	switch t.Kind {
	case TextField:
		return orZero[string](value)
	case NumberField:
		return orZero[float64](value)
	case YesNo:
		return orZero[bool](value)
	case List:
		list := orZero[[]any](value)
		switch t.Item.Kind {
		case TextField:
			return itemsOf[string](list)
		case NumberField:
			return itemsOf[float64](list)
		}
		return list
	}
	return orZero[map[string]any](value)
}

func orZero[T any](value any) T {
	v, _ := value.(T)
	return v
}

// itemsOf returns a list whose items of another type are empty.
func itemsOf[T any](list []any) []any {
	same := func(item any) bool { _, ok := item.(T); return ok }
	if !slices.ContainsFunc(list, func(item any) bool { return !same(item) }) {
		return list
	}
	all := make([]any, len(list))
	for i, item := range list {
		all[i] = orZero[T](item)
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
		return -orZero[float64](a[0])
	}
	if x, ok := a[0].(string); ok {
		return computeText(op, x, a[1].(string))
	}
	return computeNumber(op, orZero[float64](a[0]), orZero[float64](a[1]))
}

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

// computeNumber computes with floats, as IEEE 754 says: there is no error, and
// a value that is no number equals nothing.
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
		return slices.Contains(all, orZero[string](x))
	case map[string]any:
		_, ok := all[orZero[string](x)]
		return ok
	}
	return false
}

func length(v any) float64 {
	switch v := v.(type) {
	case string:
		return float64(utf8.RuneCountInString(v))
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

// cost returns about how many bytes computing the expression reads and copies.
func (e *Expr) cost(v Values) int {
	size, adds := e.reads(v)
	return (64 + size) * (1 + adds)
}

// reads returns about how many bytes the values of the names of an expression
// have, and how many operations copy texts.
func (e *Expr) reads(v Values) (size, adds int) {
	if e.Op == Name {
		value, _ := v.lookup(e)
		return sizeOf(value), 0
	}
	if e.Op == Add {
		adds = 1
	}
	for _, a := range e.Args {
		s, n := a.reads(v)
		size, adds = size+s, adds+n
	}
	return size, adds
}

// sizeOf returns about how many bytes a value has.
func sizeOf(v any) int {
	size := 8
	switch v := v.(type) {
	case string:
		size += len(v)
	case []any:
		for _, item := range v {
			size += 8 + len(orZero[string](item))
		}
	case map[string]any:
		size += 8 * len(v)
	}
	return size
}
