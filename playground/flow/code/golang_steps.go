package code

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// words returns the words of Go.
func (g *golang) words() grammar {
	return grammar{
		dialect: &dialect{
			or: "||", and: "&&", not: "!", equal: "==", notEqual: "!=", text: strconv.Quote,
			texts: func(list []string) string {
				return "[]string{" + quotedList(list, strconv.Quote) + "}"
			},
			boolean: strconv.FormatBool, infinity: "math.Inf(1)", nan: "math.NaN()",
			name: g.name, call: goCall, needs: func(*flow.Expr, int) int { return lowest },
		},
		reserved: newGoNamer, identifier: camel, answer: "Answer", tool: "Tool", ofVersion: pascal,
		comment: " //", close: "}\n", when: "if %s {\n%s\n}", declare: "%s := %s", round: "r",
		action: ".Action", say: "say", fail: "fail", isShed: "!r.isShed(%s)", outside: "r.task == nil",
		hasTasks: "r.hasTasks()", noTasks: "noTasks", without: "return nil, %s()",
		become: "r.become(func(ctx context.Context, r *round) (*mcp.CallToolResult, error) {\n" +
			"return %s(ctx, r, args)\n})",
		json: goRaw, asks: "c.asks(%s)\n", press: "c.press(%s)\n", answers: "c.answer(%s)\n",
		ends: "c.ends(%s, %s)\n}\n\n",
	}
}

func (g *golang) head(v *version) {
	name, ctx := g.function(v.name), "_"
	for _, s := range v.steps {
		if s.other.Kind == flow.Progress {
			ctx = "ctx"
		}
	}
	g.line("// %s is the tool%s. It runs from the start in every round.", name, ofVersion(g.plan, v))
	g.line("func %s(%s context.Context, r *round, args arguments) (*mcp.CallToolResult, error) {", name, ctx)
}

// ofVersion names a version, if there are several.
func ofVersion(p *plan, v *version) string {
	if len(p.versions) == 1 {
		return ""
	}
	return " of version " + v.name
}

func (g *golang) form(v *version, q question) string {
	key := camel(q.Key)
	name := g.names.name("form "+formKey(q), key+"Form", key+"Form"+pascal(v.name))
	typ := g.names.name("type "+formKey(q), key+"Fields", key+"Fields"+pascal(v.name))
	g.line("// %s is what %s asks for.", name, q.Key)
	g.line("var %s = newSchema(%s)\n", name, goJSON(q.Schema))
	g.line("type %s %s\n", typ, g.goStruct(q.Key, q.Fields))
	return name
}

func (g *golang) conditional(condition, statement string) string {
	return fmt.Sprintf(g.when, condition, statement)
}

func (g *golang) empty(name string, q question) string {
	return fmt.Sprintf("var %s answer[%s]", name, g.content(q))
}

func (g *golang) refuse(name string, list []refusal) bool {
	if len(list) < 2 {
		return false
	}
	g.line("switch %s.Action {", name)
	for _, r := range list {
		g.line("case %q:\nreturn %s", r.action, g.ending(r.end))
	}
	g.line("}")
	return true
}

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

func (g *golang) ask(q question) string {
	switch q.Kind {
	case flow.Form:
		return fmt.Sprintf("form[%s](r, %q,%s%s, %s)", g.content(q), q.Key,
			breakBefore(g.filled(q.Message), 60), g.filled(q.Message), g.forms[formKey(q)])
	case flow.URL:
		return fmt.Sprintf("visit(r, %q, %s, page{\nTitle: %s,\nText: %s,\nButton: %s,\n})", q.Key,
			g.filled(q.Message), strconv.Quote(q.Page.Title), g.filled(q.Page.Text),
			strconv.Quote(q.Page.Button))
	case flow.Sampling:
		system := ""
		if len(q.System) > 0 {
			system = "\nSystemPrompt: " + g.filled(q.System) + ","
		}
		return fmt.Sprintf("sample(r, %q, &mcp.CreateMessageParams{\nMessages: prompt(%s),%s\n"+
			"MaxTokens: %d,\n})", q.Key, g.filled(q.Message), system, q.MaxTokens)
	}
	return fmt.Sprintf("roots(r, %q)", q.Key)
}

func (g *golang) progress(s step) {
	lines := fmt.Sprintf("r.progress(ctx, %s, %s, %s)", flow.Show(s.other.Done), flow.Show(s.other.Of),
		g.filled(s.other.Message))
	if s.other.Seconds > 0 {
		lines += fmt.Sprintf("\nwork(ctx, %s)", goDuration(seconds(s.other.Seconds)))
	}
	if len(s.until) > 0 {
		lines = fmt.Sprintf("if !r.past(%s) { // not again\n%s\n}", quotedList(s.until, strconv.Quote), lines)
	}
	g.writeIf(s.when, lines)
}

func seconds(s float64) time.Duration {
	return time.Duration(math.Round(s*1e6)) * time.Microsecond
}

func (g *golang) join(parts flow.Text) string {
	var layout strings.Builder
	var args []string
	for _, p := range parts {
		switch {
		case p.Value == nil:
			layout.WriteString(strings.ReplaceAll(p.Literal, "%", "%%"))
		case p.Value.Op == show && p.Value.Args[0].Type.Kind == flow.YesNo:
			layout.WriteString("%t")
			args = append(args, g.condition(p.Value.Args[0]))
		default:
			layout.WriteString("%s")
			args = append(args, g.condition(p.Value))
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

func (g *golang) test(s story) string {
	return fmt.Sprintf("func Test%s_%s(t *testing.T) {\nc := start(t, %q)\nc.call(%s)\n",
		pascal(g.function(s.version)), pascal(s.name), s.version, goRaw(s.arguments))
}

// goRaw returns JSON as a raw string in one line.
func goRaw(json string) string { return "`" + jsonStyle.flat(parsed([]byte(json))) + "`" }
