package flow

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// scope says what an expression may name, and since when.
type scope struct {
	names map[string]*Type // args, answers, actions, instances, version, instance
	later map[string]int   // keys that are asked in this round or later, with their lines
	// those of this round
	sameRound map[string]bool
}

// compileError is what is wrong with an expression, as a sentence.
type compileError string

func (e compileError) Error() string { return string(e) }

func wrongf(format string, a ...any) error { return compileError(fmt.Sprintf(format, a...)) }

// compile reads an expression and checks its types. The syntax is that of
// expr-lang without calls (but len), closures, variables, ranges, and patterns.
func compile(source string, s scope) (*Expr, error) {
	if len([]rune(source)) > maxExpression {
		return nil, wrongf("This expression is too long: at most %d characters are allowed.", maxExpression)
	}
	tree, err := parser.Parse(source)
	if err != nil {
		var broken *file.Error
		at := 0
		if errors.As(err, &broken) {
			at = broken.Column
		}
		return nil, wrongf("This cannot be read as an expression from character %d on. "+
			"Write it like: args.amount > 100 and answers.reason.choice == \"late\".", at+1)
	}
	e, err := s.convert(tree.Node)
	if err != nil {
		return nil, err
	}
	e.Source = source
	return e, nil
}

// condition is compile for what must be true or false.
func condition(source string, s scope) (*Expr, error) {
	e, err := compile(source, s)
	if err == nil && e.Type.Kind != YesNo {
		return nil, wrongf("A condition must be true or false, and this is %s.", e.Type)
	}
	return e, err
}

// convert checks a node of the library's tree.
func (s scope) convert(n ast.Node) (*Expr, error) {
	switch n := n.(type) {
	case *ast.StringNode:
		return &Expr{Op: Const, Value: n.Value, Type: &Type{Kind: TextField, Values: []string{n.Value}}}, nil
	case *ast.IntegerNode:
		return &Expr{Op: Const, Value: float64(n.Value), Type: numberType}, nil
	case *ast.FloatNode:
		return &Expr{Op: Const, Value: n.Value, Type: numberType}, nil
	case *ast.BoolNode:
		return &Expr{Op: Const, Value: n.Value, Type: boolType}, nil
	case *ast.ArrayNode:
		return textList(n)
	case *ast.IdentifierNode, *ast.MemberNode, *ast.ChainNode:
		return s.name(n)
	case *ast.UnaryNode:
		return s.unary(n)
	case *ast.BinaryNode:
		return s.binary(n)
	case *ast.ConditionalNode:
		return s.conditional(n)
	case *ast.BuiltinNode:
		return s.builtin(n)
	}
	return nil, wrongf("Only names, values, comparisons, and, or, not, in, + - * /, contains, " +
		"startsWith, endsWith, ?: and len are allowed.")
}

// textList reads a list of texts, which "in" needs.
func textList(n *ast.ArrayNode) (*Expr, error) {
	var list []string
	for _, item := range n.Nodes {
		s, ok := item.(*ast.StringNode)
		if !ok {
			return nil, wrongf("A list in an expression can have texts only.")
		}
		list = append(list, s.Value)
	}
	return &Expr{
		Op:    Const,
		Value: list,
		Type:  &Type{Kind: List, Item: &Type{Kind: TextField, Values: list}},
	}, nil
}

// name checks a path such as answers.reason.note or args.fields["a b"].
func (s scope) name(n ast.Node) (*Expr, error) {
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

// suggestPath returns a sentence with what a bare name may stand for: an argument,
// a field of an answer, or the name of a root.
func (s scope) suggestPath(bare string) string {
	if s.names["args"].Fields[bare] != nil {
		return " Did you mean “args." + bare + "”?"
	}
	answers := s.names["answers"].Fields
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		fields := answers[key].Fields
		if fields[bare] != nil {
			return fmt.Sprintf(" Did you mean “answers.%s.%s”?", key, bare)
		}
		if key == bare && len(fields) > 0 {
			return fmt.Sprintf(" Did you mean “answers.%s.%s”?", key, slices.Sorted(maps.Keys(fields))[0])
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

func pathOf(n ast.Node) ([]string, error) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return []string{n.Value}, nil
	case *ast.MemberNode:
		name, ok := n.Property.(*ast.StringNode)
		if !ok || n.Optional {
			return nil, wrongf("A field is named with a dot, or with a text in brackets.")
		}
		path, err := pathOf(n.Node)
		return append(path, name.Value), err
	}
	return nil, wrongf("Only names have fields.")
}

func (s scope) unary(n *ast.UnaryNode) (*Expr, error) {
	a, err := s.convert(n.Node)
	if err != nil {
		return nil, err
	}
	switch n.Operator {
	case "!", "not":
		return node(Not, boolType, YesNo, a)
	case "-":
		return node(Negate, numberType, NumberField, a)
	}
	return nil, wrongf("The operator %s is not allowed.", document.Quote(n.Operator))
}

// node returns an operation whose arguments must all have one kind.
func node(op Op, result *Type, want FieldKind, args ...*Expr) (*Expr, error) {
	for _, a := range args {
		if a.Type.Kind != want {
			return nil, wrongf("%s needs %s, and %s is %s.", opName(op), &Type{Kind: want}, a, a.Type)
		}
	}
	return &Expr{Op: op, Args: args, Type: result}, nil
}

// opName returns an operation as a reader knows it.
func opName(op Op) string {
	switch op {
	case Or:
		return "or"
	case And:
		return "and"
	case Not:
		return "not"
	case Negate:
		return "-"
	}
	return string(op)
}

func (s scope) binary(n *ast.BinaryNode) (*Expr, error) {
	a, err := s.convert(n.Left)
	if err != nil {
		return nil, err
	}
	b, err := s.convert(n.Right)
	if err != nil {
		return nil, err
	}
	switch op := Op(n.Operator); op {
	case And, Or:
		return node(op, boolType, YesNo, a, b)
	case "and":
		return node(And, boolType, YesNo, a, b)
	case "or":
		return node(Or, boolType, YesNo, a, b)
	case Equal, NotEqual:
		return equality(op, a, b)
	case Less, LessEqual, More, MoreEqual:
		return node(op, boolType, NumberField, a, b)
	case Contains, StartsWith, EndsWith:
		return node(op, boolType, TextField, a, b)
	case Subtract, Multiply:
		return node(op, numberType, NumberField, a, b)
	case Divide:
		if v, ok := b.Value.(float64); b.Op != Const || !ok || v == 0 {
			return nil, wrongf("The divisor must be a constant other than 0.")
		}
		return node(op, numberType, NumberField, a, b)
	case Add:
		if a.Type.Kind == TextField {
			return node(op, textType, TextField, a, b)
		}
		return node(op, numberType, NumberField, a, b)
	case In:
		return membership(a, b)
	}
	return nil, wrongf("The operator %s is not allowed.", document.Quote(n.Operator))
}

// equality checks == and !=. A text that a choice cannot have is wrong: it would
// never be equal.
func equality(op Op, a, b *Expr) (*Expr, error) {
	kinds := []FieldKind{TextField, NumberField, YesNo}
	if a.Type.Kind != b.Type.Kind || !slices.Contains(kinds, a.Type.Kind) {
		return nil, wrongf("%s is %s and %s is %s: they cannot be compared.", a, a.Type, b, b.Type)
	}
	if err := impossible(a, b); err != nil {
		return nil, err
	}
	if err := impossible(b, a); err != nil {
		return nil, err
	}
	return &Expr{Op: op, Args: []*Expr{a, b}, Type: boolType}, nil
}

// impossible returns an error if a is a choice and b a text that it never has.
func impossible(a, b *Expr) error {
	text, ok := b.Value.(string)
	if a.Op != Name || a.Type.Values == nil || !ok || text == "" || slices.Contains(a.Type.Values, text) {
		return nil
	}
	return wrongf("%s is never %s. It can be: %s.", a, document.Quote(text),
		strings.Join(a.Type.Values, ", "))
}

func membership(a, b *Expr) (*Expr, error) {
	isList := b.Type.Kind == List && b.Type.Item.Kind == TextField
	if a.Type.Kind != TextField || !isList && b.Type.Kind != Table {
		return nil, wrongf(
			"in needs a text and a list of texts: %s is %s, and %s is %s.",
			a,
			a.Type,
			b,
			b.Type,
		)
	}
	if list, ok := b.Value.([]string); ok {
		for _, text := range list {
			if err := impossible(a, &Expr{Op: Const, Value: text}); err != nil {
				return nil, err
			}
		}
	}
	if isList && b.Op == Name && b.Type.Item.Values != nil {
		if text, ok := a.Value.(string); ok && !slices.Contains(b.Type.Item.Values, text) {
			return nil, wrongf("%s never has %s. It can have: %s.", b, document.Quote(text),
				strings.Join(b.Type.Item.Values, ", "))
		}
	}
	return &Expr{Op: In, Args: []*Expr{a, b}, Type: boolType}, nil
}

func (s scope) conditional(n *ast.ConditionalNode) (*Expr, error) {
	args := make([]*Expr, 3)
	for i, part := range []ast.Node{n.Cond, n.Exp1, n.Exp2} {
		var err error
		if args[i], err = s.convert(part); err != nil {
			return nil, err
		}
	}
	if args[0].Type.Kind != YesNo {
		return nil, wrongf("The part before ? must be a condition, and %s is %s.", args[0], args[0].Type)
	}
	if args[1].Type.Kind != args[2].Type.Kind {
		return nil, wrongf("Both values of ?: must have one type: %s is %s, and %s is %s.",
			args[1], args[1].Type, args[2], args[2].Type)
	}
	t := args[1].Type
	if t.Kind == TextField {
		t = textType
	}
	return &Expr{Op: If, Args: args, Type: t}, nil
}

func (s scope) builtin(n *ast.BuiltinNode) (*Expr, error) {
	if n.Name != "len" || len(n.Arguments) != 1 {
		return nil, wrongf("The function %s is not allowed. There is only len.", document.Quote(n.Name))
	}
	a, err := s.convert(n.Arguments[0])
	if err != nil {
		return nil, err
	}
	if k := a.Type.Kind; k != TextField && k != List && k != Table {
		return nil, wrongf("len needs a text or a list, and %s is %s.", a, a.Type)
	}
	return &Expr{Op: Length, Args: []*Expr{a}, Type: numberType}, nil
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
			case plainName.MatchString(part):
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
		return fmt.Sprintf("(%s ? %s : %s)", e.Args[0], e.Args[1], e.Args[2])
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
