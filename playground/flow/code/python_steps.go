package code

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// writeVersion writes the function of a version.
func (y *python) writeVersion(v *version) {
	y.version, y.locals = v, newNamer(pyReserved)
	for name := range y.names.taken {
		y.locals.taken[name] = true
	}
	y.line("\ndef %s(call: Round, args: dict[str, Any]) -> dict[str, Any]:", y.function(v.name))
	y.line("    # It runs from the start in every round. Pitfall: it must have no side effects before\n" +
		"    # the last answer. A retry may never come, or may come twice.")
	if v.task != nil && v.task.Required {
		y.used["no_tasks"] = true
		y.line("    if not call.task and not call.has_tasks():\n        raise no_tasks()")
	}
	for _, s := range v.steps {
		if s.inner {
			y.writeTask()
		}
		if s.asks != nil {
			y.writeGroup(s.asks)
			y.line("")
		} else {
			y.writeOther(s)
		}
	}
	for _, e := range v.result {
		y.writeIf(e.when, "return "+y.ending(e))
	}
	y.line("")
}

// writeTask writes where a call becomes a task.
func (y *python) writeTask() {
	condition, more := "not call.task and call.has_tasks()", inCall
	if y.version.task.Required {
		condition, more = "not call.task", ""
	}
	y.line("    # The rest is a task.%s", more)
	y.line("    if %s:\n        return call.become(lambda call: %s(call, args))", condition,
		y.function(y.version.name))
}

// writeIf writes a statement under a condition.
func (y *python) writeIf(when *flow.Expr, statement string) {
	if always(when) {
		y.line("    %s", statement)
		return
	}
	inner := strings.ReplaceAll(statement, "\n", "\n    ")
	y.line("    if %s:\n        %s", y.dialect().condition(when), inner)
}

// writeGroup writes the questions of a round.
func (y *python) writeGroup(asks []question) {
	for _, q := range asks {
		name := ""
		if q.answered || len(q.refusals) > 0 {
			name = y.local(q.Key)
		}
		if len(q.ignored) > 0 {
			y.line("    call.ignore(%s, %s)  # asked again then", pyText(q.Key),
				quotedList(q.ignored, pyText))
		}
		switch {
		case name == "":
			y.writeIf(q.when, y.ask(q))
		case always(q.when):
			y.line("    %s = %s", name, y.ask(q))
		default:
			y.used["Answer"] = true
			y.line("    %s = Answer()", name)
			y.writeIf(q.when, name+" = "+y.ask(q))
		}
	}
	for _, q := range asks {
		for _, r := range q.refusals {
			y.line("    if %s.action == %s:", y.local(q.Key), pyText(r.action))
			y.line("        return %s", y.ending(r.end))
		}
	}
	y.line("    if not call.settled():\n        return call.pause()")
}

// local returns the variable of an answer.
func (y *python) local(key string) string {
	return y.locals.name(key, snake(key), snake(key)+"_answer")
}

// ask returns the call that asks a question.
func (y *python) ask(q question) string {
	key := pyText(q.Key)
	switch q.Kind {
	case flow.Form:
		message := y.text(q.Message)
		if len(message) > 70 {
			message = "\n        " + message
		} else {
			message = " " + message
		}
		return fmt.Sprintf("call.form(%s,%s, %s)", key, message, y.forms[formKey(q)])
	case flow.URL:
		return fmt.Sprintf("call.visit(%s, %s, {\n        \"title\": %s,\n        \"text\": %s,\n"+
			"        \"button\": %s,\n    })", key, y.text(q.Message), pyText(q.Page.Title),
			y.text(q.Page.Text), pyText(q.Page.Button))
	case flow.Sampling:
		return fmt.Sprintf("call.sample(\n        %s,\n        prompt=%s,\n        system=%s,\n"+
			"        max_tokens=%d,\n    )", key, y.text(q.Message), y.text(q.System), q.MaxTokens)
	}
	return fmt.Sprintf("call.roots(%s)", key)
}

// writeOther writes a step that does not ask.
func (y *python) writeOther(s step) {
	switch s.other.Kind {
	case flow.End:
		y.writeIf(s.when, "return "+y.ending(s.end))
	case flow.Shed:
		condition := fmt.Sprintf(`%s not in call.kept["shed"]`, pyText(s.other.Key))
		if !always(s.when) {
			condition = y.dialect().within(s.when, conjunction) + " and " + condition
		}
		y.line("    if %s:\n        return call.shed(%s)", condition, pyText(s.other.Key))
	case flow.Progress:
		var conditions []string
		if !always(s.when) {
			conditions = append(conditions, y.dialect().within(s.when, conjunction))
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
			y.text(s.other.Message))
		if s.other.Seconds > 0 {
			y.line("%stime.sleep(%s)  # stands for the work", indent, flow.Show(s.other.Seconds))
		}
	}
}

// ending returns the expression that ends the call.
func (y *python) ending(e ending) string {
	name := "text"
	if e.isError {
		name = "fail"
	}
	y.used[name] = true
	return name + "(" + y.text(e.text) + ")"
}

// plainValue is an expression that can stand in an f-string of older Pythons.
var plainValue = regexp.MustCompile(`^[A-Za-z0-9_.(), \[\]'+*/-]*$`)

// text returns a text with its values.
func (y *python) text(t flow.Text) string {
	parts := simpleText(t, y.version.name)
	if len(parts) == 0 {
		return `""`
	}
	if len(parts) == 1 && parts[0].Value == nil {
		return pyText(parts[0].Literal)
	}
	if len(parts) == 1 {
		return y.dialect().condition(parts[0].Value)
	}
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
		value := y.dialect().condition(p.Value)
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

func (y *python) dialect() *dialect {
	return &dialect{
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
	}
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

// test returns the tests of the output.
func (y *python) test() string {
	var b strings.Builder
	for i := range y.flow.Versions {
		for _, s := range y.stories(&y.flow.Versions[i]) {
			fmt.Fprintf(&b, "    def test_%s_%s(self) -> None:\n        call = Call(self, %s, %s)\n",
				s.version, s.name, pyText(s.version), pyStyle.write(parsed([]byte(s.arguments)), 2, 100))
			for _, round := range s.scenes {
				fmt.Fprintf(&b, "        call.asks(%s)\n", quotedList(round.keys, pyText))
				for _, key := range round.pages {
					fmt.Fprintf(&b, "        call.press(%s)\n", pyText(key))
				}
				answers := pyStyle.write(parsed([]byte(round.answers)), 2, 100)
				fmt.Fprintf(&b, "        call.answer(%s)\n", answers)
			}
			fmt.Fprintf(&b, "        call.ends(%s, %s)\n\n", pyText(s.end), pyBool(s.isError))
		}
	}
	return b.String()
}

func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}
