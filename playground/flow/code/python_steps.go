package code

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// words returns the words of Python.
func (y *python) words() grammar {
	return grammar{
		dialect: &dialect{
			or: "or", and: "and", not: "not ", equal: "==", notEqual: "!=", text: pyText,
			texts:    func(list []string) string { return "[" + quotedList(list, pyText) + "]" },
			boolean:  pyBool,
			infinity: "math.inf", nan: "math.nan", name: y.name, call: y.call,
			// A whole number is an integer of any size there.
			float: func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) },
			needs: pyNeeds,
			bare: func(e *flow.Expr) string {
				code, _ := y.name(e)
				return strings.TrimSuffix(code, ", "+pyEmpty(e.Type.Kind)+")") + pyClosing(code, e)
			},
		},
		reserved:   func() *namer { return newNamer(pyReserved) },
		identifier: snake, answer: "_answer", tool: "_tool",
		ofVersion: func(version string) string { return "_" + version },
		indent:    "    ", comment: "  #", when: "    if %s:\n        %s", declare: "%s = %s", round: "call",
		action: ".action", say: "text", fail: "fail", isShed: `%s not in call.kept["shed"]`,
		outside: "not call.task", hasTasks: "call.has_tasks()", noTasks: "no_tasks", without: "raise %s()",
		become: "call.become(lambda call: %s(call, args))",
		json:   pyLiteral, asks: "        call.asks(%s)\n", press: "        call.press(%s)\n",
		answers: "        call.answer(%s)\n", ends: "        call.ends(%s, %s)\n\n",
	}
}

func (y *python) head(v *version) {
	y.line("\ndef %s(call: Round, args: dict[str, Any]) -> dict[str, Any]:", y.function(v.name))
	y.line("    # It runs from the start in every round. Pitfall: it must have no side effects before\n" +
		"    # the last answer. A retry may never come, or may come twice.")
}

func (y *python) form(v *version, q question) string {
	upper := strings.ToUpper(snake(q.Key)) + "_FORM"
	name := y.names.name("form "+formKey(q), upper, upper+"_"+strings.ToUpper(v.name))
	y.line("%s = %s\n", name, pyJSON(q.Schema))
	return name
}

func (y *python) conditional(condition, statement string) string {
	return fmt.Sprintf(y.when, condition, strings.ReplaceAll(statement, "\n", "\n    "))
}

func (y *python) empty(name string, _ question) string {
	y.used["Answer"] = true
	return name + " = Answer()"
}

func (*python) refuse(string, []refusal) bool { return false }

func (y *python) ask(q question) string {
	key := pyText(q.Key)
	switch q.Kind {
	case flow.Form:
		message := y.filled(q.Message)
		if len(message) > 70 {
			message = "\n        " + message
		} else {
			message = " " + message
		}
		return fmt.Sprintf("call.form(%s,%s, %s)", key, message, y.forms[formKey(q)])
	case flow.URL:
		return fmt.Sprintf("call.visit(%s, %s, {\n        \"title\": %s,\n        \"text\": %s,\n"+
			"        \"button\": %s,\n    })", key, y.filled(q.Message), pyText(q.Page.Title),
			y.filled(q.Page.Text), pyText(q.Page.Button))
	case flow.Sampling:
		return fmt.Sprintf("call.sample(\n        %s,\n        prompt=%s,\n        system=%s,\n"+
			"        max_tokens=%d,\n    )", key, y.filled(q.Message), y.filled(q.System), q.MaxTokens)
	}
	return fmt.Sprintf("call.roots(%s)", key)
}

func (y *python) progress(s step) {
	var conditions []string
	if !always(s.when) {
		conditions = append(conditions, y.within(s.when, conjunction))
	}
	if len(s.until) > 0 {
		conditions = append(conditions, "not call.past("+quotedList(s.until, pyText)+")")
	}
	indent := "    "
	if len(conditions) > 0 {
		y.line("    if %s:", strings.Join(conditions, " and "))
		indent = "        "
	}
	y.line("%scall.progress(%s, %s, %s)", indent, flow.Show(s.other.Done), flow.Show(s.other.Of),
		y.filled(s.other.Message))
	if s.other.Seconds > 0 {
		y.line("%stime.sleep(%s)  # stands for the work", indent, flow.Show(s.other.Seconds))
	}
}

// plainValue is an expression that can stand in an f-string of older Pythons.
var plainValue = regexp.MustCompile(`^[A-Za-z0-9_.(), \[\]'+*/-]*$`)

func (y *python) join(parts flow.Text) string {
	var layout, gaps strings.Builder
	var values []string
	plain := true
	for _, p := range parts {
		if p.Value == nil {
			literal := strings.NewReplacer("{", "{{", "}", "}}").Replace(p.Literal)
			layout.WriteString(literal)
			gaps.WriteString(literal)
			continue
		}
		value := y.condition(p.Value)
		values = append(values, value)
		value = strings.ReplaceAll(value, `"`, "'")
		plain = plain && plainValue.MatchString(value) && strings.Count(value, "'")%2 == 0
		layout.WriteString("{" + value + "}")
		gaps.WriteString("{}")
	}
	if plain {
		return "f" + pyText(layout.String())
	}
	return pyText(gaps.String()) + ".format(" + strings.Join(values, ", ") + ")"
}

// pyClosing closes the parenthesis of a get whose default was left out.
func pyClosing(code string, e *flow.Expr) string {
	if strings.HasSuffix(code, ", "+pyEmpty(e.Type.Kind)+")") {
		return ")"
	}
	return ""
}

// pyNeeds returns the precedence that an argument needs.
func pyNeeds(e *flow.Expr, i int) int {
	switch e.Op {
	case flow.In, flow.Contains:
		return sum
	case flow.StartsWith, flow.EndsWith:
		if i == 0 {
			return atom
		}
	case flow.If:
		return disjunction
	}
	return lowest
}

func (y *python) call(op flow.Op, e *flow.Expr, args []string) (string, int) {
	switch op {
	case flow.In:
		return args[0] + " in " + args[1], comparison
	case flow.Contains:
		return args[1] + " in " + args[0], comparison
	case flow.StartsWith:
		return args[0] + ".startswith(" + args[1] + ")", atom
	case flow.EndsWith:
		return args[0] + ".endswith(" + args[1] + ")", atom
	case flow.Length:
		return "len(" + args[0] + ")", atom
	case flow.If:
		return fmt.Sprintf("%s if %s else %s", args[1], args[0], args[2]), lowest
	}
	switch typ := e.Args[0].Type; { // show
	case typ.Kind == flow.NumberField:
		y.used["number"] = true
		return "number(" + args[0] + ")", atom
	case isNumbers(typ):
		y.used["number"] = true
		return `", ".join(map(number, ` + args[0] + `))`, atom
	case typ.Kind == flow.List:
		return `", ".join(` + args[0] + ")", atom
	}
	return "str(" + args[0] + ").lower()", atom
}

// name returns a name of an expression. What can be absent counts as empty.
func (y *python) name(e *flow.Expr) (string, int) {
	path := e.Path
	code, rest := "args", path[1:]
	switch path[0] {
	case "instance":
		return "call.settings.instance", atom
	case "instances":
		return `call.kept["shed"].get(` + pyText(path[1]) + `, "")`, atom
	case "actions":
		return y.local(path[1]) + ".action", atom
	case "answers":
		code, rest = y.local(path[1])+".content", path[2:]
	}
	sure := y.present(y.version, path)
	for i, part := range rest {
		empty := "{}"
		if i == len(rest)-1 {
			empty = pyEmpty(e.Type.Kind)
		}
		if sure {
			code += "[" + pyText(part) + "]"
		} else {
			code += ".get(" + pyText(part) + ", " + empty + ")"
		}
	}
	return code, atom
}

// pyEmpty returns the empty value of a type.
func pyEmpty(kind flow.FieldKind) string {
	switch kind {
	case flow.TextField:
		return `""`
	case flow.NumberField:
		return "0"
	case flow.YesNo:
		return "False"
	case flow.List:
		return "[]"
	}
	return "{}"
}

func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func (*python) test(s story) string {
	return fmt.Sprintf("    def test_%s_%s(self) -> None:\n        call = Call(self, %s, %s)\n",
		s.version, s.name, pyText(s.version), pyLiteral(s.arguments))
}

// pyLiteral returns JSON as a literal in a test.
func pyLiteral(json string) string { return pyStyle.write(parsed([]byte(json)), 2, 100) }
