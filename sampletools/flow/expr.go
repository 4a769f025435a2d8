package flow

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// expression is a compiled condition or value. Each name with its fields, such as
// answers.reason.note, is a parameter of the function, so the language never looks
// into the values of a call.
type expression struct {
	function *starlark.Function
	names    []name
	adds     int // operations that copy texts
}

// name is a parameter of an expression: where its value is, and which type it has.
type name struct {
	path []string
	typ  *typ
	uses int // how often it is in the expression
}

// compile compiles an expression that may name what is in the scope.
func compile(source string, names *typ, condition bool) (*expression, error) {
	if utf8.RuneCountInString(source) > maxExpression {
		return nil, Refusal("an expression is too long")
	}
	line := strings.TrimSpace(strings.ReplaceAll(source, "\n", " "))
	options := &syntax.FileOptions{}
	tree, err := options.ParseExpr("", line, 0)
	if err != nil {
		return nil, Refusal(strconv.Quote(source) + " is no expression")
	}
	c := &compiler{scope: names, e: &expression{}}
	body, t, err := c.check(tree)
	if err != nil {
		return nil, err
	}
	if condition && t.kind != "boolean" {
		return nil, Refusal(strconv.Quote(source) + " has wrong types")
	}
	lambda := &syntax.LambdaExpr{Body: body}
	for i := range c.e.names {
		lambda.Params = append(lambda.Params, &syntax.Ident{Name: parameter(i)})
	}
	value, err := starlark.EvalExprOptions(options, &starlark.Thread{}, lambda, functions)
	if err != nil {
		return nil, Refusal(strconv.Quote(source) + " is no expression")
	}
	c.e.function = value.(*starlark.Function)
	c.e.function.Freeze()
	return c.e, nil
}

// functions are all that expressions can name besides their parameters.
var functions = starlark.StringDict{
	"true": starlark.True, "false": starlark.False, "len": starlark.NewBuiltin("len", length),
}

// length returns the number of characters of a text, or of the items of a list.
func length(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (
	starlark.Value, error,
) {
	if s, ok := starlark.AsString(args[0]); ok {
		return starlark.Float(utf8.RuneCountInString(s)), nil
	}
	return starlark.Float(starlark.Len(args[0])), nil
}

func parameter(i int) string { return "v" + strconv.Itoa(i) }

// compiler checks the tree of an expression, and replaces names by parameters, and
// whole numbers by floats: all numbers of flows are.
type compiler struct {
	scope *typ
	e     *expression
}

var (
	numberType  = &typ{kind: "number"}
	booleanType = &typ{kind: "boolean"}
)

// check refuses everything but names, constants, lists of texts, operators without
// loops, if-else, len, startswith and endswith, and operands of other types. It
// returns what to compute, and its type.
func (c *compiler) check(n syntax.Expr) (syntax.Expr, *typ, error) {
	switch n := n.(type) {
	case *syntax.ParenExpr:
		return c.check(n.X)
	case *syntax.Literal:
		return c.literal(n)
	case *syntax.Ident:
		if n.Name == "true" || n.Name == "false" {
			return n, booleanType, nil
		}
		return c.name(n)
	case *syntax.DotExpr, *syntax.IndexExpr:
		return c.name(n)
	case *syntax.ListExpr:
		for _, item := range n.List {
			if _, ok := quoted(item); !ok {
				return nil, nil, Refusal("a list in an expression can have texts only")
			}
		}
		return n, textsType, nil
	case *syntax.UnaryExpr:
		return c.unary(n)
	case *syntax.BinaryExpr:
		return c.binary(n)
	case *syntax.CondExpr:
		kinds, err := c.all(&n.Cond, &n.True, &n.False)
		if err == nil && (kinds[0].kind != "boolean" || kinds[1].kind != kinds[2].kind) {
			err = Refusal("an if-else in an expression has wrong types")
		}
		if err != nil {
			return nil, nil, err
		}
		return n, kinds[1], nil
	case *syntax.CallExpr:
		return c.call(n)
	}
	return nil, nil, Refusal("an expression can have names, values, operators, if-else, len, startswith " +
		"and endswith only")
}

// all checks parts in their places.
func (c *compiler) all(parts ...*syntax.Expr) ([]*typ, error) {
	types := make([]*typ, len(parts))
	for i, part := range parts {
		var err error
		if *part, types[i], err = c.check(*part); err != nil {
			return nil, err
		}
	}
	return types, nil
}

func (c *compiler) literal(n *syntax.Literal) (syntax.Expr, *typ, error) {
	var f float64
	switch v := n.Value.(type) {
	case string:
		if n.Token != syntax.STRING {
			return nil, nil, Refusal("a text in an expression has no letter before it")
		}
		return n, textType, nil
	case int64:
		f = float64(v)
	case *big.Int:
		f, _ = new(big.Float).SetInt(v).Float64()
	case float64:
		f = v
	}
	if math.IsInf(f, 0) {
		return nil, nil, Refusal("a number in an expression is too large")
	}
	return &syntax.Literal{Token: syntax.FLOAT, Value: f}, numberType, nil
}

func (c *compiler) unary(n *syntax.UnaryExpr) (syntax.Expr, *typ, error) {
	want := map[syntax.Token]*typ{syntax.NOT: booleanType, syntax.MINUS: numberType}[n.Op]
	if want == nil {
		return nil, nil, notAllowed("operator", n.Op.String())
	}
	kinds, err := c.all(&n.X)
	if err != nil {
		return nil, nil, err
	}
	return n, want, needs(n.Op.String(), kinds[0].kind == want.kind)
}

func notAllowed(what, name string) error {
	return Refusal("the " + what + " " + name + " is not allowed")
}

func needs(operation string, ok bool) error {
	if ok {
		return nil
	}
	return Refusal(operation + " in an expression has wrong types")
}

// binary checks an operator. None loops, and only + copies.
func (c *compiler) binary(n *syntax.BinaryExpr) (syntax.Expr, *typ, error) {
	var want, result *typ
	switch n.Op {
	case syntax.AND, syntax.OR:
		want, result = booleanType, booleanType
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		want, result = numberType, booleanType
	case syntax.MINUS, syntax.STAR, syntax.SLASH:
		want, result = numberType, numberType
	case syntax.PLUS, syntax.EQL, syntax.NEQ, syntax.IN, syntax.NOT_IN:
	default:
		return nil, nil, notAllowed("operator", n.Op.String())
	}
	kinds, err := c.all(&n.X, &n.Y)
	if err != nil {
		return nil, nil, err
	}
	a, b := kinds[0], kinds[1]
	ok := want != nil && a.kind == want.kind && b.kind == want.kind
	switch n.Op {
	case syntax.PLUS:
		c.e.adds++
		ok, result = a.kind == b.kind && (a.kind == "string" || a.kind == "number"), a
	case syntax.EQL, syntax.NEQ:
		ok, result = a.kind == b.kind && a.kind != "array" && a.kind != "object", booleanType
	case syntax.IN, syntax.NOT_IN:
		ok, result = a.kind == "string" && (b.kind == "string" || b.holdsNames()), booleanType
	}
	return n, result, needs(n.Op.String(), ok)
}

// holdsNames reports whether a text can be in a value: in a list of texts, or in the
// names of a table.
func (t *typ) holdsNames() bool {
	return t.item != nil && (t.kind == "object" || t.kind == "array" && t.item.kind == "string")
}

// call checks len(a), and a.startswith(b) and a.endswith(b).
func (c *compiler) call(n *syntax.CallExpr) (syntax.Expr, *typ, error) {
	var called string
	var result *typ
	parts := make([]*syntax.Expr, 0, 2)
	switch fn := n.Fn.(type) {
	case *syntax.Ident:
		if called, result = fn.Name, numberType; called != "len" {
			return nil, nil, notAllowed("function", called)
		}
	case *syntax.DotExpr:
		called, result = fn.Name.Name, booleanType
		if called != "startswith" && called != "endswith" {
			return nil, nil, notAllowed("method", called)
		}
		parts = append(parts, &fn.X)
	default:
		return nil, nil, Refusal("an expression can call len, startswith and endswith only")
	}
	if len(n.Args) != 1 {
		return nil, nil, Refusal(called + " needs one value")
	}
	kinds, err := c.all(append(parts, &n.Args[0])...)
	if err != nil {
		return nil, nil, err
	}
	ok := kinds[0].kind == "string"
	if called == "len" {
		ok = ok || kinds[0].item != nil
	} else {
		ok = ok && kinds[1].kind == "string"
	}
	return n, result, needs(called, ok)
}

// name replaces a name with its fields by a parameter.
func (c *compiler) name(n syntax.Expr) (syntax.Expr, *typ, error) {
	path, ok := pathOf(n)
	if !ok {
		return nil, nil, Refusal("a field in an expression is named by a text")
	}
	t := c.scope
	for _, part := range path {
		if t = t.field(part); t == nil {
			return nil, nil, Refusal("the name " + strconv.Quote(strings.Join(path, ".")) + " is not known")
		}
	}
	all := &c.e.names
	i := slices.IndexFunc(*all, func(n name) bool { return slices.Equal(n.path, path) })
	if i < 0 {
		i = len(*all)
		*all = append(*all, name{path: path, typ: t})
	}
	(*all)[i].uses++
	return &syntax.Ident{Name: parameter(i)}, t, nil
}

// pathOf returns the parts of a name such as args.fields["a b"].
func pathOf(n syntax.Expr) ([]string, bool) {
	switch n := n.(type) {
	case *syntax.Ident:
		return []string{n.Name}, true
	case *syntax.DotExpr:
		path, ok := pathOf(n.X)
		return append(path, n.Name.Name), ok
	case *syntax.IndexExpr:
		path, ok := pathOf(n.X)
		part, isText := quoted(n.Y)
		return append(path, part), ok && isText
	}
	return nil, false
}

// quoted returns the text of a literal.
func quoted(n syntax.Expr) (string, bool) {
	l, ok := n.(*syntax.Literal)
	if !ok || l.Token != syntax.STRING {
		return "", false
	}
	s, ok := l.Value.(string)
	return s, ok
}
