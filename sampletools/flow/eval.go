package flow

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// values are what expressions are computed with, by name: args, answers, actions and
// instances as JSON has them, and version and instance.
type values map[string]any

// meter bounds what one turn computes and writes.
type meter struct{ cost, filled int }

// eval computes the expression. It returns a string, float64, bool or a list.
func (e *expression) eval(m *meter, v values) (any, error) {
	args, size := make(starlark.Tuple, len(e.names)), 64
	for i, n := range e.names {
		value := n.typ.value(v.lookup(n.path))
		args[i] = valueOf(value)
		size += n.uses * sizeOf(value)
	}
	if m.cost += size * (1 + e.adds); m.cost > maxCost {
		return nil, Refusal("The values of this call are too long for the expressions of the flow.")
	}
	thread := starlark.Thread{}
	thread.SetMaxExecutionSteps(maxInstructions)
	result, err := starlark.Call(&thread, e.function, args, nil)
	if err != nil {
		return nil, Refusal("An expression of the flow cannot be computed.")
	}
	return resultOf(result), nil
}

// valueOf returns a value of a call as one of the language. Items of lists and tables
// that expressions cannot read are none.
func valueOf(v any) starlark.Value {
	switch v := v.(type) {
	case string:
		return starlark.String(v)
	case float64:
		return starlark.Float(v)
	case bool:
		return starlark.Bool(v)
	case []string:
		return listOf(v)
	case []float64:
		return listOf(v)
	case []any:
		return starlark.NewList(slices.Repeat([]starlark.Value{starlark.None}, len(v)))
	case map[string]any:
		names := starlark.NewDict(len(v))
		for name := range v {
			_ = names.SetKey(starlark.String(name), starlark.None) // a text is a key, and nothing iterates
		}
		return names
	}
	return starlark.None
}

func listOf[T any](items []T) *starlark.List {
	list := make([]starlark.Value, len(items))
	for i, item := range items {
		list[i] = valueOf(item)
	}
	return starlark.NewList(list)
}

// resultOf returns what show can show, or nil.
func resultOf(v starlark.Value) any {
	switch v := v.(type) {
	case starlark.String:
		return string(v)
	case starlark.Float:
		return float64(v)
	case starlark.Bool:
		return bool(v)
	case *starlark.List:
		items := make([]any, v.Len())
		for i := range items {
			if items[i] = resultOf(v.Index(i)); items[i] == nil {
				return nil
			}
		}
		return items
	}
	return nil
}

// holds computes a condition. A nil condition holds.
func (e *expression) holds(m *meter, v values) (bool, error) {
	if e == nil {
		return true, nil
	}
	result, err := e.eval(m, v)
	is, _ := result.(bool)
	return is, err
}

// lookup returns the value of a name, or nil if it is absent.
func (v values) lookup(path []string) any {
	var at any = map[string]any(v)
	for _, part := range path {
		m, _ := at.(map[string]any)
		at = m[part]
	}
	return at
}

// sizeOf returns about how many bytes a value has.
func sizeOf(v any) int {
	size := 8
	switch v := v.(type) {
	case string:
		size += len(v)
	case []string:
		for _, s := range v {
			size += 8 + len(s)
		}
	case []float64:
		size += 8 * len(v)
	case []any:
		size += 8 * len(v)
	case map[string]any:
		size += 8 * len(v)
	}
	return size
}

// show returns a value as texts show it: numbers without a needless fraction, lists
// with commas.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		if v == 0 {
			v = 0 // no -0
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		words := make([]string, len(v))
		for i, item := range v {
			words[i] = show(item)
		}
		return strings.Join(words, ", ")
	}
	return ""
}
