package code

import (
	"math"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// simple returns an expression with its constants computed, for one version. An
// operation on a choice of lists becomes a choice of operations: languages with
// types need it, because the two lists can have different items. A nil expression
// is always true.
func simple(e *flow.Expr, version string) *flow.Expr {
	if e == nil {
		return constant(true)
	}
	if e.Op == flow.Name && len(e.Path) == 1 && e.Path[0] == "version" {
		return constant(version)
	}
	s := *e
	s.Args = make([]*flow.Expr, len(e.Args))
	all := len(e.Args) > 0
	for i, a := range e.Args {
		s.Args[i] = simple(a, version)
		all = all && s.Args[i].Op == flow.Const
	}
	if all {
		c := constant(s.Eval(nil))
		c.Type = e.Type
		return c
	}
	if at := slices.IndexFunc(s.Args, isChoiceOfLists); at >= 0 && s.Op != flow.If {
		return simple(distribute(&s, at), version)
	}
	return shortened(&s)
}

func constant(v any) *flow.Expr {
	kind := flow.TextField
	switch v.(type) {
	case bool:
		kind = flow.YesNo
	case float64:
		kind = flow.NumberField
	}
	return &flow.Expr{Op: flow.Const, Value: v, Type: &flow.Type{Kind: kind}}
}

// shortened leaves out what a constant decides.
func shortened(e *flow.Expr) *flow.Expr {
	switch e.Op {
	case flow.And, flow.Or:
		decides := e.Op == flow.Or
		for i, a := range e.Args {
			if a.Op == flow.Const && a.Value == decides {
				return a
			}
			if a.Op == flow.Const {
				return e.Args[1-i]
			}
		}
	case flow.If:
		if e.Args[0].Op == flow.Const && e.Args[0].Value == true {
			return e.Args[1]
		}
		if e.Args[0].Op == flow.Const {
			return e.Args[2]
		}
	}
	return e
}

func isChoiceOfLists(e *flow.Expr) bool {
	return e.Op == flow.If && (e.Type.Kind == flow.List || e.Type.Kind == flow.Table)
}

// distribute moves an operation into both values of its argument, a choice.
func distribute(e *flow.Expr, at int) *flow.Expr {
	choice := e.Args[at]
	part := func(value *flow.Expr) *flow.Expr {
		p := *e
		p.Args = slices.Clone(e.Args)
		p.Args[at] = value
		if p.Op == flow.In && value.Type.Kind == flow.List && value.Type.Item.Kind != flow.TextField {
			return constant(false) // a text is in no list of other values
		}
		return &p
	}
	return &flow.Expr{Op: flow.If, Type: e.Type,
		Args: []*flow.Expr{choice.Args[0], part(choice.Args[1]), part(choice.Args[2])}}
}

// show is the operation of a text on a value that is no text.
const show flow.Op = "show"

// shown returns the value of a text as an expression that is a text.
func shown(e *flow.Expr, version string) *flow.Expr {
	s := simple(e, version)
	switch {
	case s.Op == flow.Const:
		return constant(flow.Show(s.Value))
	case s.Type.Kind == flow.TextField:
		return s
	case isChoiceOfLists(s):
		return &flow.Expr{Op: flow.If, Type: constant("").Type,
			Args: []*flow.Expr{s.Args[0], shown(s.Args[1], version), shown(s.Args[2], version)}}
	}
	return &flow.Expr{Op: show, Type: constant("").Type, Args: []*flow.Expr{s}}
}

// names calls visit with the path of every name in an expression.
func names(e *flow.Expr, visit func(path []string)) {
	if e == nil {
		return
	}
	if e.Op == flow.Name {
		visit(e.Path)
	}
	for _, a := range e.Args {
		names(a, visit)
	}
}

// Precedences of operators. An argument with a lower one than its operation needs
// gets parentheses.
const (
	lowest = iota
	disjunction
	conjunction
	negation // of Python: not
	comparison
	sum
	product
	sign
	atom
)

// dialect is how a language writes expressions. The functions get arguments that
// are written already.
type dialect struct {
	or, and, not, equal, notEqual string
	text                          func(string) string
	texts                         func([]string) string
	boolean                       func(bool) string
	infinity, nan                 string
	// float writes a large number as a float; nil if all numbers are.
	float func(float64) string
	name  func(*flow.Expr) (string, int)
	call  func(op flow.Op, e *flow.Expr, args []string) (string, int)
	needs func(e *flow.Expr, i int) int // precedence of argument i of a call
	bare  func(*flow.Expr) string       // a name where absent needs no value
}

// write returns an expression in the language, and its precedence.
func (d *dialect) write(e *flow.Expr) (string, int) {
	binary := func(operator string, level, right int) (string, int) {
		return d.within(e.Args[0], left(level)) + " " + operator + " " + d.within(e.Args[1], right), level
	}
	switch e.Op {
	case flow.Const:
		return d.constant(e.Value)
	case flow.Name:
		return d.name(e)
	case flow.Or:
		return binary(d.or, disjunction, disjunction)
	case flow.And:
		return binary(d.and, conjunction, conjunction)
	case flow.Not:
		if strings.HasSuffix(d.not, " ") {
			return d.not + d.within(e.Args[0], negation), negation
		}
		return d.not + d.within(e.Args[0], atom), sign
	case flow.Equal:
		return d.side(e, 0) + " " + d.equal + " " + d.side(e, 1), comparison
	case flow.NotEqual:
		return d.side(e, 0) + " " + d.notEqual + " " + d.side(e, 1), comparison
	case flow.Less, flow.LessEqual, flow.More, flow.MoreEqual:
		return binary(string(e.Op), comparison, sum)
	case flow.Add:
		return binary("+", sum, product) // floats: the order counts
	case flow.Subtract:
		return binary("-", sum, product)
	case flow.Multiply:
		return binary("*", product, sign)
	case flow.Divide:
		return binary("/", product, sign)
	case flow.Negate:
		return "-" + d.within(e.Args[0], atom), sign
	}
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = d.within(a, d.needs(e, i))
	}
	return d.call(e.Op, e, args)
}

// side returns a side of an equation. What is absent is as different from a value
// as the empty value is.
func (d *dialect) side(e *flow.Expr, i int) string {
	other := e.Args[1-i]
	empty := other.Value == "" || other.Value == 0.0 || other.Value == false
	if d.bare != nil && e.Args[i].Op == flow.Name && other.Op == flow.Const && !empty {
		return d.bare(e.Args[i])
	}
	return d.within(e.Args[i], sum)
}

// left is the precedence that the left side of an operator needs: comparisons do
// not chain.
func left(level int) int {
	if level == comparison {
		return sum
	}
	return level
}

// within returns an expression for a place that needs a precedence.
func (d *dialect) within(e *flow.Expr, level int) string {
	s, has := d.write(e)
	if has < level {
		return "(" + s + ")"
	}
	return s
}

func (d *dialect) constant(v any) (string, int) {
	switch v := v.(type) {
	case string:
		return d.text(v), atom
	case bool:
		return d.boolean(v), atom
	case []string:
		return d.texts(v), atom
	}
	s := flow.Show(v)
	if f, ok := v.(float64); ok && d.float != nil && math.Abs(f) >= 1<<53 && !math.IsInf(f, 0) {
		s = d.float(f)
	}
	switch s {
	case "+Inf":
		return d.infinity, atom
	case "-Inf":
		return "-" + d.infinity, sign
	case "NaN":
		return d.nan, atom
	default:
		if strings.HasPrefix(s, "-") {
			return s, sign
		}
		return s, atom
	}
}

// condition returns a condition in the language.
func (d *dialect) condition(e *flow.Expr) string {
	s, _ := d.write(e)
	return s
}
