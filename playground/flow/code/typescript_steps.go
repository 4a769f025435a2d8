package code

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// words returns the words of TypeScript.
func (t *typeScript) words() grammar {
	return grammar{
		dialect: &dialect{
			or: "||", and: "&&", not: "!", equal: "===", notEqual: "!==", text: jsText,
			texts:    func(list []string) string { return "[" + quotedList(list, jsText) + "]" },
			boolean:  strconv.FormatBool,
			infinity: "Infinity", nan: "NaN", name: t.name, call: t.call,
			needs: tsNeeds,
			bare: func(e *flow.Expr) string {
				code, _ := t.name(e)
				return strings.TrimSuffix(code, " ?? "+tsEmpty(e.Type.Kind))
			},
		},
		reserved:   func() *namer { return newNamer(tsReserved) },
		identifier: camel, answer: "Answer", tool: "Tool", ofVersion: pascal,
		indent: "  ", end: ";", comment: " //", close: "}\n", when: "  if (%s) %s;", declare: "const %s = %s",
		round: "round", action: ".action", say: "text", fail: "fail", isShed: "!round.kept.shed[%s]",
		outside: "!round.task", hasTasks: "round.hasTasks()", noTasks: "noTasks", without: "throw %s()",
		become: "round.become((round) => %s(round, args))",
		json:   tsLiteral, asks: "  call.asks(%s);\n", press: "  await call.press(%s);\n",
		answers: "  await call.answer(%s);\n", ends: "  call.ends(%s, %s);\n});\n\n",
	}
}

func (t *typeScript) head(v *version) {
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
}

func (t *typeScript) form(v *version, q question) string {
	key := camel(q.Key)
	name := t.names.name("form "+formKey(q), key+"Form", key+"Form"+pascal(v.name))
	t.line("const %s = schema(%s);\n", name, tsJSON(q.Schema))
	return name
}

// conditional returns one line if it is short.
func (t *typeScript) conditional(condition, statement string) string {
	condition, statement = "if ("+condition+")", statement+t.end
	if len(condition)+len(statement) < 95 && !strings.Contains(statement, "\n") {
		return t.indent + condition + " " + statement
	}
	return fmt.Sprintf("  %s {\n    %s\n  }", condition, strings.ReplaceAll(statement, "\n", "\n  "))
}

func (t *typeScript) empty(name string, q question) string {
	t.used["type Answer"] = true
	return fmt.Sprintf("let %s: Answer<%s> = { action: '', content: {} }", name, t.content(q))
}

func (*typeScript) refuse(string, []refusal) bool { return false }

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

func (t *typeScript) ask(q question) string {
	key := jsText(q.Key)
	switch q.Kind {
	case flow.Form:
		typ := ""
		if q.answered && (always(q.when) || len(q.Fields) > 0) {
			typ = "<" + t.content(q) + ">"
		}
		call := fmt.Sprintf("round.form%s(%s, ", typ, key)
		if len(call)+len(t.filled(q.Message)) > 75 {
			call = strings.TrimSpace(call) + "\n    "
		}
		return call + t.filled(q.Message) + ", " + t.forms[formKey(q)] + ")"
	case flow.URL:
		return fmt.Sprintf("round.visit(%s, %s, {\n    title: %s,\n    text: %s,\n    button: %s,\n  })", key,
			t.filled(q.Message), jsText(q.Page.Title), t.filled(q.Page.Text), jsText(q.Page.Button))
	case flow.Sampling:
		system := ""
		if len(q.System) > 0 {
			system = "\n    system: " + t.filled(q.System) + ","
		}
		return fmt.Sprintf("round.sample(%s, {\n    prompt: %s,%s\n    maxTokens: %d,\n  })", key,
			t.filled(q.Message), system, q.MaxTokens)
	}
	return fmt.Sprintf("round.roots(%s)", key)
}

func (t *typeScript) progress(s step) {
	var conditions []string
	if !always(s.when) {
		conditions = append(conditions, t.within(s.when, conjunction))
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
		t.filled(s.other.Message))
	if s.other.Seconds > 0 {
		t.line("%sawait new Promise((done) => setTimeout(done, %s)); // stands for the work", indent,
			flow.Show(s.other.Seconds*1000))
	}
	if len(conditions) > 0 {
		t.line("  }")
	}
}

func (t *typeScript) join(parts flow.Text) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.Value == nil:
			b.WriteString(jsEscaped(p.Literal, '`'))
		case p.Value.Op == show && p.Value.Args[0].Type.Kind == flow.YesNo:
			b.WriteString("${" + t.condition(p.Value.Args[0]) + "}")
		default:
			b.WriteString("${" + t.condition(p.Value) + "}")
		}
	}
	return "`" + b.String() + "`"
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
		t.used["number"] = true
		return "number(" + args[0] + ")", atom
	case isNumbers(typ):
		t.used["number"] = true
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

func (*typeScript) test(s story) string {
	return fmt.Sprintf("test('%s: %s', async () => {\n  const call = await begin('%s', %s);\n",
		s.version, s.name, s.version, tsLiteral(s.arguments))
}

// tsLiteral returns JSON as a literal in a test.
func tsLiteral(json string) string { return tsStyle.write(parsed([]byte(json)), 1, 100) }
