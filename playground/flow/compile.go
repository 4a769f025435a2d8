package flow

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// scope has the names that an expression may use, and since when.
type scope struct {
	names map[string]*Type // args, answers, actions, instances, version, instance
	later map[string]int   // keys that are asked in this round or later, with their lines
	// those of this round
	sameRound map[string]bool
}

// compileError is the fault of an expression, as a sentence.
type compileError string

func (e compileError) Error() string { return string(e) }

func wrongf(format string, a ...any) error { return compileError(fmt.Sprintf(format, a...)) }

// compile reads an expression and checks its types. The syntax is that of Starlark
// with names, texts, numbers, lists of texts, operators, if-else, len, and the
// methods startswith and endswith only; and true and false are small, as in JSON.
func compile(source string, s scope) (*Expr, error) {
	if len([]rune(source)) > maxExpression {
		return nil, wrongf("This expression is too long: at most %d characters are allowed.", maxExpression)
	}
	line := strings.TrimSpace(strings.ReplaceAll(source, "\n", " "))
	tree, err := (&syntax.FileOptions{}).ParseExpr("", line, 0)
	if err != nil {
		return nil, unreadable(line, err)
	}
	e, err := s.convert(tree)
	if err != nil {
		return nil, err
	}
	e.Source = source
	return e, nil
}

// otherWords are how other languages spell what expressions have.
var otherWords = []struct {
	spelling *regexp.Regexp
	advice   string
}{
	{regexp.MustCompile(`&&`), "Write “and” in place of “&&”."},
	{regexp.MustCompile(`\|\|`), "Write “or” in place of “||”."},
	{regexp.MustCompile(`!([^=]|$)`), "Write “not” in place of “!”."},
	{regexp.MustCompile(`\bcontains\b`), "Write “B in A” in place of “A contains B”."},
	{regexp.MustCompile(`\?`), "Write “A if condition else B” in place of “condition ? A : B”."},
}

// unreadable returns the fault of a text that is no expression.
func unreadable(line string, err error) error {
	for _, other := range otherWords {
		if other.spelling.MatchString(noTexts.ReplaceAllString(line, `""`)) {
			return wrongf("This cannot be read as an expression. %s", other.advice)
		}
	}
	if word := keywordField.FindStringSubmatch(line); word != nil {
		return wrongf("This cannot be read as an expression. Write “[\"%[1]s\"]” in place of “.%[1]s”: "+
			"%[1]s is a word of the language.", word[1])
	}
	var broken syntax.Error
	read := []rune(line)
	if errors.As(err, &broken) && broken.Pos.Line == 1 {
		read = read[:min(len(read), max(int(broken.Pos.Col)-1, 0))]
	}
	return wrongf("This cannot be read as an expression, at the end of %s. "+
		"Write it like: args.amount > 100 and answers.reason.choice == \"late\".",
		document.Quote(strings.TrimSpace(string(read))))
}

// noTexts finds the texts of an expression.
var noTexts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)

// keywords are the words that Starlark keeps for itself. A field with such a name is
// written in brackets.
var keywords = []string{
	"and", "as", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
	"finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "load", "nonlocal", "not",
	"or", "pass", "raise", "return", "try", "while", "with", "yield",
}

var keywordField = regexp.MustCompile(`\.(` + strings.Join(keywords, "|") + `)\b`)

// condition is compile for an expression that must be true or false.
func condition(source string, s scope) (*Expr, error) {
	e, err := compile(source, s)
	if err == nil && e.Type.Kind != YesNo {
		return nil, wrongf("A condition must be true or false, and this is %s.", e.Type)
	}
	return e, err
}

// convert checks a node of the library's tree.
func (s scope) convert(n syntax.Expr) (*Expr, error) {
	switch n := n.(type) {
	case *syntax.ParenExpr:
		return s.convert(n.X)
	case *syntax.Literal:
		return literal(n)
	case *syntax.Ident:
		if n.Name == "true" || n.Name == "false" {
			return &Expr{Op: Const, Value: n.Name == "true", Type: boolType}, nil
		}
		return s.name(n)
	case *syntax.DotExpr, *syntax.IndexExpr:
		return s.name(n)
	case *syntax.ListExpr:
		return textList(n)
	case *syntax.UnaryExpr:
		return s.unary(n)
	case *syntax.BinaryExpr:
		return s.binary(n)
	case *syntax.CondExpr:
		return s.conditional(n)
	case *syntax.CallExpr:
		return s.call(n)
	}
	return nil, wrongf("Only names, values, comparisons, and, or, not, in, + - * /, if else, len, " +
		"startswith and endswith are allowed.")
}

// literal reads a text or a number.
func literal(n *syntax.Literal) (*Expr, error) {
	var number float64
	switch v := n.Value.(type) {
	case string:
		if n.Token != syntax.STRING {
			return nil, wrongf("A text is written without a letter before it.")
		}
		return &Expr{Op: Const, Value: v, Type: &Type{Kind: TextField, Values: []string{v}}}, nil
	case int64:
		number = float64(v)
	case *big.Int:
		number, _ = new(big.Float).SetInt(v).Float64()
	case float64:
		number = v
	}
	if math.IsInf(number, 0) {
		return nil, wrongf("The number %.20s… is too large.", n.Raw)
	}
	return &Expr{Op: Const, Value: number, Type: numberType}, nil
}

// textList reads a list of texts, which "in" needs.
func textList(n *syntax.ListExpr) (*Expr, error) {
	var list []string
	for _, item := range n.List {
		s, ok := quoted(item)
		if !ok {
			return nil, wrongf("A list in an expression can have texts only.")
		}
		list = append(list, s)
	}
	return &Expr{
		Op:    Const,
		Value: list,
		Type:  &Type{Kind: List, Item: &Type{Kind: TextField, Values: list}},
	}, nil
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

func (s scope) unary(n *syntax.UnaryExpr) (*Expr, error) {
	if n.Op != syntax.NOT && n.Op != syntax.MINUS {
		return nil, wrongf("The operator %s is not allowed.", document.Quote(n.Op.String()))
	}
	a, err := s.convert(n.X)
	if err != nil {
		return nil, err
	}
	if n.Op == syntax.NOT {
		return node(Not, boolType, YesNo, a)
	}
	return node(Negate, numberType, NumberField, a)
}

// operators are the operators with one kind of operands, which the result has too or
// is true or false.
var operators = map[syntax.Token]struct {
	op     Op
	kind   FieldKind
	result *Type
}{
	syntax.AND:   {And, YesNo, boolType},
	syntax.OR:    {Or, YesNo, boolType},
	syntax.LT:    {Less, NumberField, boolType},
	syntax.LE:    {LessEqual, NumberField, boolType},
	syntax.GT:    {More, NumberField, boolType},
	syntax.GE:    {MoreEqual, NumberField, boolType},
	syntax.PLUS:  {Add, NumberField, numberType},
	syntax.MINUS: {Subtract, NumberField, numberType},
	syntax.STAR:  {Multiply, NumberField, numberType},
	syntax.SLASH: {Divide, NumberField, numberType},
}

func (s scope) binary(n *syntax.BinaryExpr) (*Expr, error) {
	o, known := operators[n.Op]
	if !known && !slices.Contains([]syntax.Token{syntax.EQL, syntax.NEQ, syntax.IN, syntax.NOT_IN}, n.Op) {
		return nil, wrongf("The operator %s is not allowed.", document.Quote(n.Op.String()))
	}
	a, err := s.convert(n.X)
	if err != nil {
		return nil, err
	}
	b, err := s.convert(n.Y)
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case syntax.EQL:
		return equality(Equal, a, b)
	case syntax.NEQ:
		return equality(NotEqual, a, b)
	case syntax.IN:
		return membership(a, b)
	case syntax.NOT_IN:
		in, err := membership(a, b)
		return &Expr{Op: Not, Args: []*Expr{in}, Type: boolType}, err
	case syntax.SLASH:
		if v, ok := b.Value.(float64); b.Op != Const || !ok || v == 0 {
			return nil, wrongf("The divisor must be a constant other than 0.")
		}
	case syntax.PLUS:
		if a.Type.Kind == TextField {
			return node(Add, textType, TextField, a, b)
		}
	}
	return node(o.op, o.result, o.kind, a, b)
}

func (s scope) conditional(n *syntax.CondExpr) (*Expr, error) {
	args := make([]*Expr, 3)
	for i, part := range []syntax.Expr{n.Cond, n.True, n.False} {
		var err error
		if args[i], err = s.convert(part); err != nil {
			return nil, err
		}
	}
	if args[0].Type.Kind != YesNo {
		return nil, wrongf("The part after if must be a condition, and %s is %s.", args[0], args[0].Type)
	}
	if args[1].Type.Kind != args[2].Type.Kind {
		return nil, wrongf("Both values of if and else must have one type: %s is %s, and %s is %s.",
			args[1], args[1].Type, args[2], args[2].Type)
	}
	t := args[1].Type
	if t.Kind == TextField {
		t = textType
	}
	return &Expr{Op: If, Args: args, Type: t}, nil
}

// call checks len(a), and a.startswith(b) and a.endswith(b).
func (s scope) call(n *syntax.CallExpr) (*Expr, error) {
	var args []*Expr
	op := Length
	switch fn := n.Fn.(type) {
	case *syntax.Ident:
		if fn.Name != "len" {
			return nil, wrongf("The function %s is not allowed. There is only len.", document.Quote(fn.Name))
		}
	case *syntax.DotExpr:
		switch op = Op(fn.Name.Name); op {
		case StartsWith, EndsWith:
		default:
			return nil, wrongf("The method %s is not allowed. There are only startswith and endswith.",
				document.Quote(fn.Name.Name))
		}
		receiver, err := s.convert(fn.X)
		if err != nil {
			return nil, err
		}
		args = []*Expr{receiver}
	default:
		return nil, wrongf("Only len, startswith and endswith can be called.")
	}
	if len(n.Args) != 1 {
		return nil, wrongf("%s needs one value in parentheses.", op)
	}
	a, err := s.convert(n.Args[0])
	if err != nil {
		return nil, err
	}
	if op != Length {
		return node(op, boolType, TextField, append(args, a)...)
	}
	if k := a.Type.Kind; k != TextField && k != List && k != Table {
		return nil, wrongf("len needs a text or a list, and %s is %s.", a, a.Type)
	}
	return &Expr{Op: Length, Args: []*Expr{a}, Type: numberType}, nil
}
