package flow

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// expression is a compiled condition or value. Each name with its fields, such as
// answers.reason.note, is a variable of the program, so the library never looks into
// the values of a call.
type expression struct {
	program *vm.Program
	names   []name
	adds    int // operations that copy texts
}

// name is a variable of an expression: where its value is, and which type it has.
type name struct {
	variable string
	path     []string
	typ      *typ
	uses     int // how often it is in the expression
}

// memory is the budget of one expression, in units of the library.
const memory = 10000

// compile compiles an expression that may name what is in the scope.
func compile(source string, names *typ, condition bool) (*expression, error) {
	if utf8.RuneCountInString(source) > maxExpression {
		return nil, Refusal("an expression is too long")
	}
	tree, err := parser.Parse(source)
	if err != nil {
		return nil, Refusal(strconv.Quote(source) + " is no expression")
	}
	e := &expression{}
	if err := e.check(tree.Node, names); err != nil {
		return nil, err
	}
	zero := map[string]any{}
	for _, n := range e.names {
		zero[n.variable] = n.typ.value(nil)
	}
	options := []expr.Option{
		expr.Env(zero), expr.DisableAllBuiltins(), expr.EnableBuiltin("len"), expr.MaxNodes(maxNodes),
		expr.Optimize(false), expr.Patch(&renamer{e: e, paths: map[ast.Node][]string{}}),
	}
	if condition {
		options = append(options, expr.AsBool())
	}
	if e.program, err = expr.Compile(source, options...); err != nil {
		return nil, Refusal(strconv.Quote(source) + " has wrong types")
	}
	return e, nil
}

// operators are the binary operators that expressions may have. None loops, and only
// + allocates.
var operators = []string{
	"&&", "||", "and", "or", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "in",
	"contains", "startsWith", "endsWith",
}

// check refuses everything but names, constants, lists of texts, operators, ?: and
// len, and notes the names.
func (e *expression) check(n ast.Node, names *typ) error {
	var parts []ast.Node
	switch n := n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return nil
	case *ast.IdentifierNode, *ast.MemberNode:
		return e.add(n, names)
	case *ast.ArrayNode:
		for _, item := range n.Nodes {
			if _, ok := item.(*ast.StringNode); !ok {
				return Refusal("a list in an expression can have texts only")
			}
		}
		return nil
	case *ast.UnaryNode:
		if !slices.Contains([]string{"!", "not", "-"}, n.Operator) {
			return Refusal("the operator " + n.Operator + " is not allowed")
		}
		parts = []ast.Node{n.Node}
	case *ast.BinaryNode:
		if !slices.Contains(operators, n.Operator) {
			return Refusal("the operator " + n.Operator + " is not allowed")
		}
		if n.Operator == "+" {
			e.adds++
		}
		parts = []ast.Node{n.Left, n.Right}
	case *ast.ConditionalNode:
		parts = []ast.Node{n.Cond, n.Exp1, n.Exp2}
	case *ast.BuiltinNode:
		if n.Name != "len" || len(n.Arguments) != 1 {
			return Refusal("the function " + n.Name + " is not allowed")
		}
		parts = n.Arguments
	default:
		return Refusal("an expression can have names, values, operators, ?: and len only")
	}
	for _, part := range parts {
		if err := e.check(part, names); err != nil {
			return err
		}
	}
	return nil
}

// add notes a name with its fields as a variable.
func (e *expression) add(n ast.Node, names *typ) error {
	path, ok := pathOf(n)
	if !ok {
		return Refusal("a field in an expression is named by a text")
	}
	t := names
	for _, part := range path {
		if t = t.field(part); t == nil {
			return Refusal("the name " + strconv.Quote(strings.Join(path, ".")) + " is not known")
		}
	}
	i := slices.IndexFunc(e.names, func(n name) bool { return slices.Equal(n.path, path) })
	if i < 0 {
		i = len(e.names)
		e.names = append(e.names, name{variable: "v" + strconv.Itoa(i), path: path, typ: t})
	}
	e.names[i].uses++
	return nil
}

// pathOf returns the parts of a name such as args.fields["a b"].
func pathOf(n ast.Node) ([]string, bool) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return []string{n.Value}, true
	case *ast.MemberNode:
		path, ok := pathOf(n.Node)
		part, isText := n.Property.(*ast.StringNode)
		if !ok || !isText || n.Optional {
			return nil, false
		}
		return append(path, part.Value), true
	}
	return nil, false
}

// variable returns the variable of a name, or "".
func (e *expression) variable(path []string) string {
	for _, n := range e.names {
		if slices.Equal(n.path, path) {
			return n.variable
		}
	}
	return ""
}

// renamer replaces names by variables, and whole numbers by floats: all numbers of
// flows are. It visits the parts of a node before the node.
type renamer struct {
	e     *expression
	paths map[ast.Node][]string // of the variables that it has made
}

// Visit implements [ast.Visitor].
func (r *renamer) Visit(node *ast.Node) {
	var path []string
	switch n := (*node).(type) {
	case *ast.IntegerNode:
		ast.Patch(node, &ast.FloatNode{Value: float64(n.Value)})
		return
	case *ast.IdentifierNode:
		path = []string{n.Value}
	case *ast.MemberNode:
		property, ok := n.Property.(*ast.StringNode)
		if !ok {
			return // the check has refused it
		}
		path = append(slices.Clip(r.paths[n.Node]), property.Value)
	default:
		return
	}
	variable := &ast.IdentifierNode{Value: r.e.variable(path)}
	ast.Patch(node, variable)
	r.paths[variable] = path
}

// values are what expressions are computed with, by name: args, answers, actions and
// instances as JSON has them, and version and instance.
type values map[string]any

// meter bounds what one turn computes and writes.
type meter struct{ cost, filled int }

// eval computes the expression.
func (e *expression) eval(m *meter, v values) (any, error) {
	env, size := make(map[string]any, len(e.names)), 64
	for _, n := range e.names {
		value := n.typ.value(v.lookup(n.path))
		env[n.variable] = value
		size += n.uses * sizeOf(value)
	}
	if m.cost += size * (1 + e.adds); m.cost > maxCost {
		return nil, Refusal("The values of this call are too long for the expressions of the flow.")
	}
	machine := vm.VM{MemoryBudget: memory}
	result, err := machine.Run(e.program, env)
	if err != nil {
		return nil, Refusal("An expression of the flow cannot be computed.")
	}
	return result, nil
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
	case int: // of len
		return strconv.Itoa(v)
	case float64:
		if v == 0 {
			v = 0 // no -0
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []string:
		return strings.Join(v, ", ")
	case []float64:
		words := make([]string, len(v))
		for i, f := range v {
			words[i] = show(f)
		}
		return strings.Join(words, ", ")
	}
	return ""
}
