package code

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// writeVersion writes the function of a version.
func (g *golang) writeVersion(v *version) {
	g.version, g.locals = v, newGoNamer()
	for name := range g.names.taken {
		g.locals.taken[name] = true
	}
	name, ctx := g.function(v.name), "_"
	for _, s := range v.steps {
		if s.other.Kind == flow.Progress {
			ctx = "ctx"
		}
	}
	g.line("// %s is the tool%s. It runs from the start in every round.", name, ofVersion(g.plan, v))
	g.line("func %s(%s context.Context, r *round, args arguments) (*mcp.CallToolResult, error) {", name, ctx)
	if v.task != nil && v.task.Required {
		g.line("if r.task == nil && !r.hasTasks() {\nreturn nil, noTasks()\n}")
	}
	for _, s := range v.steps {
		if s.inner {
			g.writeTask(name)
		}
		switch {
		case s.asks != nil:
			g.writeGroup(s.asks)
			g.line("")
		default:
			g.writeOther(s)
		}
	}
	for _, e := range v.result {
		g.writeIf(e.when, func() { g.line("return %s", g.ending(e)) })
	}
	g.line("}\n")
}

// writeTask writes where a call becomes a task.
func (g *golang) writeTask(function string) {
	condition, more := "r.task == nil && r.hasTasks()", inCall
	if g.version.task.Required {
		condition, more = "r.task == nil", ""
	}
	g.line("// The rest is a task.%s", more)
	g.line("if %s {\nreturn r.become(func(ctx context.Context, r *round) (*mcp.CallToolResult, error) {\n"+
		"return %s(ctx, r, args)\n})\n}", condition, function)
}

// ofVersion names a version, if there are several.
func ofVersion(p *plan, v *version) string {
	if len(p.versions) == 1 {
		return ""
	}
	return " of version " + v.name
}

// writeIf writes lines under a condition.
func (g *golang) writeIf(when *flow.Expr, lines func()) {
	if always(when) {
		lines()
		return
	}
	g.line("if %s {", g.dialect().condition(when))
	lines()
	g.line("}")
}

// writeGroup writes the questions of a round.
func (g *golang) writeGroup(asks []question) {
	for _, q := range asks {
		name := ""
		if q.answered || len(q.refusals) > 0 {
			name = g.local(q.Key)
		}
		if len(q.ignored) > 0 {
			g.line("r.ignore(%q, %s) // asked again then", q.Key, quotedList(q.ignored, strconv.Quote))
		}
		switch {
		case name == "":
			g.writeIf(q.when, func() { g.line("%s", g.ask(q)) })
		case always(q.when):
			g.line("%s := %s", name, g.ask(q))
		default:
			g.line("var %s answer[%s]", name, g.content(q))
			g.writeIf(q.when, func() { g.line("%s = %s", name, g.ask(q)) })
		}
	}
	for _, q := range asks {
		g.writeRefusals(q)
	}
	g.line("if !r.settled() {\nreturn r.pause()\n}")
}

func (g *golang) writeRefusals(q question) {
	if len(q.refusals) == 1 {
		g.line("if %s.Action == %q {\nreturn %s\n}", g.local(q.Key), q.refusals[0].action,
			g.ending(q.refusals[0].end))
	}
	if len(q.refusals) == 2 {
		g.line("switch %s.Action {", g.local(q.Key))
		for _, r := range q.refusals {
			g.line("case %q:\nreturn %s", r.action, g.ending(r.end))
		}
		g.line("}")
	}
}

// local returns the variable of an answer.
func (g *golang) local(key string) string { return g.locals.name(key, camel(key), camel(key)+"Answer") }

// content returns the type of the content of an answer.
func (g *golang) content(q question) string {
	switch q.Kind {
	case flow.Form:
		return g.names.name("type " + formKey(q))
	case flow.Sampling:
		return "draft"
	case flow.Roots:
		return "folders"
	}
	return "none"
}

// ask returns the call that asks a question.
func (g *golang) ask(q question) string {
	switch q.Kind {
	case flow.Form:
		return fmt.Sprintf("form[%s](r, %q,%s%s, %s)", g.content(q), q.Key,
			breakBefore(g.text(q.Message), 60), g.text(q.Message), g.forms[formKey(q)])
	case flow.URL:
		return fmt.Sprintf("visit(r, %q, %s, page{\nTitle: %s,\nText: %s,\nButton: %s,\n})", q.Key,
			g.text(q.Message), strconv.Quote(q.Page.Title), g.text(q.Page.Text), strconv.Quote(q.Page.Button))
	case flow.Sampling:
		system := ""
		if len(q.System) > 0 {
			system = "\nSystemPrompt: " + g.text(q.System) + ","
		}
		return fmt.Sprintf("sample(r, %q, &mcp.CreateMessageParams{\nMessages: prompt(%s),%s\n"+
			"MaxTokens: %d,\n})", q.Key, g.text(q.Message), system, q.MaxTokens)
	}
	return fmt.Sprintf("roots(r, %q)", q.Key)
}

// writeOther writes a step that does not ask.
func (g *golang) writeOther(s step) {
	switch s.other.Kind {
	case flow.End:
		g.writeIf(s.when, func() { g.line("return %s", g.ending(s.end)) })
	case flow.Shed:
		condition := fmt.Sprintf("!r.isShed(%q)", s.other.Key)
		if !always(s.when) {
			condition = g.dialect().within(s.when, conjunction) + " && " + condition
		}
		g.line("if %s {\nreturn r.shed(%q)\n}", condition, s.other.Key)
	case flow.Progress:
		g.writeIf(s.when, func() {
			lines := func() {
				g.line("r.progress(ctx, %s, %s, %s)", flow.Show(s.other.Done), flow.Show(s.other.Of),
					g.text(s.other.Message))
				if s.other.Seconds > 0 {
					g.line("work(ctx, %s)", goDuration(seconds(s.other.Seconds)))
				}
			}
			if len(s.until) == 0 {
				lines()
				return
			}
			g.line("if !r.past(%s) { // not again", quotedList(s.until, strconv.Quote))
			lines()
			g.line("}")
		})
	}
}

func seconds(s float64) time.Duration {
	return time.Duration(math.Round(s*1e6)) * time.Microsecond
}

// ending returns the expression that ends the call.
func (g *golang) ending(e ending) string {
	if e.isError {
		return "fail(" + g.text(e.text) + ")"
	}
	return "say(" + g.text(e.text) + ")"
}

// text returns a text with its values.
func (g *golang) text(t flow.Text) string {
	parts := simpleText(t, g.version.name)
	if len(parts) == 0 {
		return `""`
	}
	if len(parts) == 1 && parts[0].Value == nil {
		return strconv.Quote(parts[0].Literal)
	}
	if len(parts) == 1 {
		return g.dialect().condition(parts[0].Value)
	}
	var layout strings.Builder
	var args []string
	for _, p := range parts {
		switch {
		case p.Value == nil:
			layout.WriteString(strings.ReplaceAll(p.Literal, "%", "%%"))
		case p.Value.Op == show && p.Value.Args[0].Type.Kind == flow.YesNo:
			layout.WriteString("%t")
			args = append(args, g.dialect().condition(p.Value.Args[0]))
		default:
			layout.WriteString("%s")
			args = append(args, g.dialect().condition(p.Value))
		}
	}
	values := strings.Join(args, ", ")
	if len(values) > 95 {
		values = strings.Join(args, ",\n")
	}
	text := strconv.Quote(layout.String()) + "," + breakBefore(layout.String()+values, 75) + values
	return "fmt.Sprintf(" + text + ")"
}

// breakBefore returns a new line before text that is longer than width, or a space.
func breakBefore(text string, width int) string {
	if len(text) > width {
		return "\n"
	}
	return " "
}

// simpleText returns the parts of a text with shown values; constants are literals.
func simpleText(t flow.Text, version string) flow.Text {
	var parts flow.Text
	for _, p := range t {
		if p.Value != nil {
			p.Value = shown(p.Value, version)
			if p.Value.Op == flow.Const {
				p = flow.Part{Literal: flow.Show(p.Value.Value)}
			}
		}
		last := len(parts) - 1
		switch {
		case p.Value == nil && p.Literal == "":
		case p.Value == nil && last >= 0 && parts[last].Value == nil:
			parts[last].Literal += p.Literal
		default:
			parts = append(parts, p)
		}
	}
	return parts
}

func (g *golang) dialect() *dialect {
	return &dialect{
		or: "||", and: "&&", not: "!", equal: "==", notEqual: "!=", text: strconv.Quote,
		texts:    func(list []string) string { return "[]string{" + quotedList(list, strconv.Quote) + "}" },
		boolean:  strconv.FormatBool,
		infinity: "math.Inf(1)", nan: "math.NaN()",
		name: g.name, call: goCall, needs: func(*flow.Expr, int) int { return lowest },
	}
}

func goCall(op flow.Op, e *flow.Expr, args []string) (string, int) {
	switch op {
	case flow.In:
		if e.Args[1].Type.Kind == flow.Table {
			return fmt.Sprintf("has(%s, %s)", args[1], args[0]), atom
		}
		return fmt.Sprintf("slices.Contains(%s, %s)", args[1], args[0]), atom
	case flow.Contains:
		return fmt.Sprintf("strings.Contains(%s, %s)", args[0], args[1]), atom
	case flow.StartsWith:
		return fmt.Sprintf("strings.HasPrefix(%s, %s)", args[0], args[1]), atom
	case flow.EndsWith:
		return fmt.Sprintf("strings.HasSuffix(%s, %s)", args[0], args[1]), atom
	case flow.Length:
		if e.Args[0].Type.Kind == flow.TextField {
			return fmt.Sprintf("float64(utf8.RuneCountInString(%s))", args[0]), atom
		}
		return fmt.Sprintf("float64(len(%s))", args[0]), atom
	case flow.If:
		return fmt.Sprintf("choose(%s)", strings.Join(args, ", ")), atom
	}
	switch t := e.Args[0].Type; { // show
	case t.Kind == flow.NumberField:
		return "number(" + args[0] + ")", atom
	case isNumbers(t):
		return "numbers(" + args[0] + ")", atom
	case t.Kind == flow.List:
		return "strings.Join(" + args[0] + `, ", ")`, atom
	}
	return "strconv.FormatBool(" + args[0] + ")", atom
}

// name returns a name of an expression.
func (g *golang) name(e *flow.Expr) (string, int) {
	path := e.Path
	switch path[0] {
	case "instance":
		return "r.server.instance", atom
	case "instances":
		return fmt.Sprintf("r.kept.Shed[%q]", path[1]), atom
	case "actions":
		return g.local(path[1]) + ".Action", atom
	case "answers":
		q, ok := g.version.question(path[1])
		switch {
		case ok && q.Kind == flow.Form:
			return g.local(path[1]) + ".Content" + goPath(q.Fields, path[2:]), atom
		case path[2] == "uris":
			return g.local(path[1]) + ".Content.URIs", atom
		}
		return g.local(path[1]) + ".Content." + pascal(path[2]), atom
	}
	return "args" + goPath(g.flow.Arguments, path[1:]), atom
}

// goPath returns the way to a value in a struct.
func goPath(fields []flow.Field, path []string) string {
	if len(path) == 0 {
		return ""
	}
	s := "." + goField(fields, path[0])
	for _, f := range fields {
		if f.Name == path[0] {
			return s + goInside(f, path[1:])
		}
	}
	return s
}

func goInside(f flow.Field, path []string) string {
	if len(path) > 0 && f.Kind == flow.Table {
		return "[" + strconv.Quote(path[0]) + "]" + goInside(*f.Item, path[1:])
	}
	return goPath(f.Fields, path)
}
