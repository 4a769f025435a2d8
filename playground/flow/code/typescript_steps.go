package code

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// writeVersion writes the function of a version.
func (t *typeScript) writeVersion(v *version) {
	t.version, t.locals = v, newNamer(tsReserved)
	for name := range t.names.taken {
		t.locals.taken[name] = true
	}
	async, result := "", ""
	if v.task != nil { // the function calls itself
		result = ": unknown"
	}
	if slices.ContainsFunc(v.steps, func(s step) bool { return s.other.Kind == flow.Progress }) {
		async = "async "
		if v.task != nil {
			result = ": Promise<unknown>"
		}
	}
	t.line("// The tool%s. It runs from the start in every round. Pitfall: it must have no side effects\n"+
		"// before the last answer. A retry may never come, or may come twice.", ofVersion(t.plan, v))
	t.line("%sfunction %s(round: Round, args: Arguments)%s {", async, t.function(v.name), result)
	if v.task != nil && v.task.Required {
		t.helpers["noTasks"] = true
		t.line("  if (!round.task && !round.hasTasks()) throw noTasks();")
	}
	for _, s := range v.steps {
		if s.inner {
			t.writeTask()
		}
		if s.asks != nil {
			t.writeGroup(s.asks)
			t.line("")
		} else {
			t.writeOther(s)
		}
	}
	for _, e := range v.result {
		t.writeIf("  ", e.when, "return "+t.ending(e)+";")
	}
	t.line("}\n")
}

// inCall is what the comment of a task says, unless every client must have tasks.
const inCall = " A client without tasks gets the same steps in its call."

// writeTask writes where a call becomes a task.
func (t *typeScript) writeTask() {
	condition, more := "!round.task && round.hasTasks()", inCall
	if t.version.task.Required {
		condition, more = "!round.task", ""
	}
	t.line("  // The rest is a task.%s", more)
	t.line("  if (%s) return round.become((round) => %s(round, args));", condition,
		t.function(t.version.name))
}

// writeIf writes a statement under a condition, in one line if it is short.
func (t *typeScript) writeIf(indent string, when *flow.Expr, statement string) {
	condition := "if (" + t.dialect().condition(when) + ")"
	switch {
	case always(when):
		t.line("%s%s", indent, statement)
	case len(condition)+len(statement) < 95 && !strings.Contains(statement, "\n"):
		t.line("%s%s %s", indent, condition, statement)
	default:
		t.line("%s%s {\n%s  %s\n%s}", indent, condition, indent,
			strings.ReplaceAll(statement, "\n", "\n  "), indent)
	}
}

// writeGroup writes the questions of a round.
func (t *typeScript) writeGroup(asks []question) {
	for _, q := range asks {
		name := ""
		if q.answered || len(q.refusals) > 0 {
			name = t.local(q.Key)
		}
		if len(q.ignored) > 0 {
			t.line("  round.ignore(%s, %s); // asked again then", jsText(q.Key),
				quotedList(q.ignored, jsText))
		}
		switch {
		case name == "":
			t.writeIf("  ", q.when, t.ask(q)+";")
		case always(q.when):
			t.line("  const %s = %s;", name, t.ask(q))
		default:
			t.helpers["type Answer"] = true
			t.line("  let %s: Answer<%s> = { action: '', content: {} };", name, t.content(q))
			t.writeIf("  ", q.when, name+" = "+t.ask(q)+";")
		}
	}
	for _, q := range asks {
		for _, r := range q.refusals {
			t.line("  if (%s.action === %s) return %s;", t.local(q.Key), jsText(r.action), t.ending(r.end))
		}
	}
	t.line("  if (!round.settled()) return round.pause();")
}

// local returns the variable of an answer.
func (t *typeScript) local(key string) string {
	return t.locals.name(key, camel(key), camel(key)+"Answer")
}

// content returns the type of the content of an answer.
func (t *typeScript) content(q question) string {
	switch {
	case q.Kind == flow.Form:
		return tsObject(q.Fields, q.sure)
	case q.Kind == flow.Sampling:
		return "{ text?: string; model?: string }"
	case q.Kind == flow.Roots:
		return "{ uris?: string[]; names?: string[] }"
	}
	return "{}"
}

// ask returns the call that asks a question.
func (t *typeScript) ask(q question) string {
	key := jsText(q.Key)
	switch q.Kind {
	case flow.Form:
		typ := ""
		if q.answered && (always(q.when) || len(q.Fields) > 0) {
			typ = "<" + t.content(q) + ">"
		}
		call := fmt.Sprintf("round.form%s(%s, ", typ, key)
		if len(call)+len(t.text(q.Message)) > 75 {
			call = strings.TrimSpace(call) + "\n    "
		}
		return call + t.text(q.Message) + ", " + t.forms[formKey(q)] + ")"
	case flow.URL:
		return fmt.Sprintf("round.visit(%s, %s, {\n    title: %s,\n    text: %s,\n    button: %s,\n  })", key,
			t.text(q.Message), jsText(q.Page.Title), t.text(q.Page.Text), jsText(q.Page.Button))
	case flow.Sampling:
		system := ""
		if len(q.System) > 0 {
			system = "\n    system: " + t.text(q.System) + ","
		}
		return fmt.Sprintf("round.sample(%s, {\n    prompt: %s,%s\n    maxTokens: %d,\n  })", key,
			t.text(q.Message), system, q.MaxTokens)
	}
	return fmt.Sprintf("round.roots(%s)", key)
}

// writeOther writes a step that does not ask.
func (t *typeScript) writeOther(s step) {
	switch s.other.Kind {
	case flow.End:
		t.writeIf("  ", s.when, "return "+t.ending(s.end)+";")
	case flow.Shed:
		condition := fmt.Sprintf("!round.kept.shed[%s]", jsText(s.other.Key))
		if !always(s.when) {
			condition = t.dialect().within(s.when, conjunction) + " && " + condition
		}
		t.line("  if (%s) return round.shed(%s);", condition, jsText(s.other.Key))
	case flow.Progress:
		var conditions []string
		if !always(s.when) {
			conditions = append(conditions, t.dialect().within(s.when, conjunction))
		}
		if len(s.until) > 0 {
			conditions = append(conditions, "!round.past("+quotedList(s.until, jsText)+")")
		}
		indent := "  "
		if len(conditions) > 0 {
			t.line("  if (%s) {", strings.Join(conditions, " && "))
			indent = "    "
		}
		of := "undefined"
		if s.other.Of > 0 {
			of = flow.Show(s.other.Of)
		}
		t.line("%sawait round.progress(%s, %s, %s);", indent, flow.Show(s.other.Done), of,
			t.text(s.other.Message))
		if s.other.Seconds > 0 {
			t.line("%sawait new Promise((done) => setTimeout(done, %s)); // stands for the work", indent,
				flow.Show(s.other.Seconds*1000))
		}
		if len(conditions) > 0 {
			t.line("  }")
		}
	}
}

// ending returns the expression that ends the call.
func (t *typeScript) ending(e ending) string {
	name := "text"
	if e.isError {
		name = "fail"
	}
	t.helpers[name] = true
	return name + "(" + t.text(e.text) + ")"
}

// text returns a text with its values.
func (t *typeScript) text(text flow.Text) string {
	parts := simpleText(text, t.version.name)
	if len(parts) == 0 {
		return "''"
	}
	if len(parts) == 1 && parts[0].Value == nil {
		return jsText(parts[0].Literal)
	}
	if len(parts) == 1 {
		return t.dialect().condition(parts[0].Value)
	}
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.Value == nil:
			b.WriteString(jsEscaped(p.Literal, '`'))
		case p.Value.Op == show && p.Value.Args[0].Type.Kind == flow.YesNo:
			b.WriteString("${" + t.dialect().condition(p.Value.Args[0]) + "}")
		default:
			b.WriteString("${" + t.dialect().condition(p.Value) + "}")
		}
	}
	return "`" + b.String() + "`"
}

func (t *typeScript) dialect() *dialect {
	return &dialect{
		or: "||", and: "&&", not: "!", equal: "===", notEqual: "!==", text: jsText,
		texts:    func(list []string) string { return "[" + quotedList(list, jsText) + "]" },
		boolean:  strconv.FormatBool,
		infinity: "Infinity", nan: "NaN", name: t.name, call: t.call,
		needs: tsNeeds,
		bare: func(e *flow.Expr) string {
			code, _ := t.name(e)
			return strings.TrimSuffix(code, " ?? "+tsEmpty(e.Type.Kind))
		},
	}
}

// tsNeeds returns the precedence that an argument needs: as the receiver of a
// method, beside ?: or between parentheses.
func tsNeeds(e *flow.Expr, i int) int {
	switch e.Op {
	case flow.In:
		if i == 0 || e.Args[1].Type.Kind == flow.Table {
			return lowest
		}
	case flow.Contains, flow.StartsWith, flow.EndsWith:
		if i > 0 {
			return lowest
		}
	case show:
		if e.Args[0].Type.Kind == flow.NumberField || e.Args[0].Type.Kind == flow.YesNo {
			return lowest
		}
	case flow.Length:
		if e.Args[0].Type.Kind != flow.List {
			return lowest
		}
	case flow.If:
		return disjunction
	}
	return atom
}

func (t *typeScript) call(op flow.Op, e *flow.Expr, args []string) (string, int) {
	switch op {
	case flow.In:
		if e.Args[1].Type.Kind == flow.Table {
			return fmt.Sprintf("Object.hasOwn(%s, %s)", args[1], args[0]), atom
		}
		return fmt.Sprintf("%s.includes(%s)", args[1], args[0]), atom
	case flow.Contains:
		return fmt.Sprintf("%s.includes(%s)", args[0], args[1]), atom
	case flow.StartsWith:
		return fmt.Sprintf("%s.startsWith(%s)", args[0], args[1]), atom
	case flow.EndsWith:
		return fmt.Sprintf("%s.endsWith(%s)", args[0], args[1]), atom
	case flow.Length:
		switch e.Args[0].Type.Kind {
		case flow.TextField: // characters, not UTF-16 units
			return "[..." + args[0] + "].length", atom
		case flow.Table:
			return "Object.keys(" + args[0] + ").length", atom
		}
		return args[0] + ".length", atom
	case flow.If:
		return fmt.Sprintf("%s ? %s : %s", args[0], args[1], args[2]), lowest
	}
	switch typ := e.Args[0].Type; { // show
	case typ.Kind == flow.NumberField:
		t.helpers["number"] = true
		return "number(" + args[0] + ")", atom
	case isNumbers(typ):
		t.helpers["number"] = true
		return args[0] + ".map(number).join(', ')", atom
	case typ.Kind == flow.List:
		return args[0] + ".join(', ')", atom
	}
	return "String(" + args[0] + ")", atom
}

// name returns a name of an expression. What can be absent counts as empty.
func (t *typeScript) name(e *flow.Expr) (string, int) {
	path := e.Path
	sure := t.present(t.version, path)
	code, empty := "args", tsEmpty(e.Type.Kind)
	rest := path[1:]
	switch path[0] {
	case "instance":
		return "round.settings.instance", atom
	case "instances":
		return "(round.kept.shed[" + jsText(path[1]) + "] ?? '')", atom
	case "actions":
		return t.local(path[1]) + ".action", atom
	case "answers":
		code, rest = t.local(path[1])+".content", path[2:]
	}
	optional := ""
	for _, part := range rest {
		switch {
		case slices.Contains(objectNames, part): // every object has these
			code = fmt.Sprintf("(Object.hasOwn(%[1]s ?? {}, %[2]s) ? (%[1]s as any)[%[2]s] : undefined)",
				code, jsText(part))
		case identifier.MatchString(part) && optional == "":
			code += "." + part
		case identifier.MatchString(part):
			code += "?." + part
		case optional == "":
			code += "[" + jsText(part) + "]"
		default:
			code += "?.[" + jsText(part) + "]"
		}
		if !sure {
			optional = "?"
		}
	}
	if sure {
		return code, atom
	}
	return code + " ?? " + empty, lowest
}

// objectNames are the names that every object of JavaScript has.
var objectNames = []string{
	"__proto__", "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
	"toString", "valueOf", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
}

// tsEmpty returns the empty value of a type.
func tsEmpty(kind flow.FieldKind) string {
	switch kind {
	case flow.TextField:
		return "''"
	case flow.NumberField:
		return "0"
	case flow.YesNo:
		return "false"
	case flow.List:
		return "[]"
	}
	return "{}"
}

// test returns the tests of the output.
func (t *typeScript) test() string {
	var b strings.Builder
	for i := range t.flow.Versions {
		for _, s := range t.stories(&t.flow.Versions[i]) {
			fmt.Fprintf(&b, "test('%s: %s', async () => {\n  const call = await begin('%s', %s);\n",
				s.version, s.name, s.version, tsStyle.write(parsed([]byte(s.arguments)), 1, 100))
			for _, round := range s.scenes {
				fmt.Fprintf(&b, "  call.asks(%s);\n", quotedList(round.keys, jsText))
				for _, key := range round.pages {
					fmt.Fprintf(&b, "  await call.press(%s);\n", jsText(key))
				}
				answers := tsStyle.write(parsed([]byte(round.answers)), 1, 100)
				fmt.Fprintf(&b, "  await call.answer(%s);\n", answers)
			}
			fmt.Fprintf(&b, "  call.ends(%s, %t);\n});\n\n", jsText(s.end), s.isError)
		}
	}
	return b.String()
}
