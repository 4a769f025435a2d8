package code

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// writer writes a plan as source. It walks through the steps of each version, for all
// languages alike; a grammar and a printer have the differences.
type writer struct {
	*plan
	grammar
	printer printer
	version *version
	names   *namer            // of the file
	locals  *namer            // of the function of a version
	forms   map[string]string // names of schemas by formKey
	used    map[string]bool   // what the file imports from the parts
	b       strings.Builder
}

// grammar has the words of a language.
type grammar struct {
	*dialect
	reserved func() *namer
	// identifier makes a variable of a key; its last word can be answer or tool.
	identifier   func(key string) string
	answer, tool string
	ofVersion    func(version string) string // the end of the name of a function

	indent, end, comment string // of a statement; the comment without its words
	close                string // the end of a function
	when                 string // a statement under a condition
	declare              string // a variable and its value
	round                string // the variable of the round
	action               string // of an answer
	say, fail            string // the functions that end a call
	isShed               string // that a part was given back; of its key
	outside, hasTasks    string // that this is no task yet; that the client has tasks
	noTasks, without     string // the error for a client without them, and the statement with it
	become               string // function that makes a task of the rest

	json                 func(string) string // JSON in a test
	asks, press, answers string              // lines of a test
	ends                 string              // the last one
}

// printer writes the statements that each language has in its own way.
type printer interface {
	// head writes the beginning of the function of a version.
	head(v *version)
	// form declares a form and returns its name.
	form(v *version, q question) string
	// ask returns the call that asks a question.
	ask(q question) string
	// empty returns a declaration of an answer whose question may not be asked.
	empty(name string, q question) string
	// conditional returns a statement under a condition that is not always true.
	conditional(condition, statement string) string
	// refuse writes what follows when a question is refused in two ways, or reports false.
	refuse(name string, list []refusal) bool
	// progress writes a step that reports progress.
	progress(s step)
	// join returns a text of several parts.
	join(parts flow.Text) string
	// test returns the beginning of the test of a story.
	test(s story) string
}

func newWriter(p *plan, g grammar, used ...string) *writer {
	w := &writer{
		plan: p, grammar: g, names: g.reserved(), forms: map[string]string{}, used: map[string]bool{},
	}
	for _, name := range used {
		w.used[name] = true
	}
	return w
}

func (w *writer) line(format string, a ...any) { fmt.Fprintf(&w.b, format+"\n", a...) }

// statement writes one with its indent and its end.
func (w *writer) statement(format string, a ...any) {
	w.line("%s%s%s", w.indent, fmt.Sprintf(format, a...), w.end)
}

// function returns the name of the function of a version.
func (w *writer) function(version string) string {
	name := w.identifier(w.flow.Name)
	if len(w.versions) > 1 {
		name += w.ofVersion(version)
	}
	return w.names.name("function "+version, name, name+w.tool)
}

// local returns the variable of an answer.
func (w *writer) local(key string) string {
	name := w.identifier(key)
	return w.locals.name(key, name, name+w.answer)
}

// writeForms writes the forms of all versions, each once.
func (w *writer) writeForms() {
	for i := range w.versions {
		v := &w.versions[i]
		for _, s := range v.steps {
			for _, q := range s.asks {
				if q.Kind == flow.Form && w.forms[formKey(q)] == "" {
					w.forms[formKey(q)] = w.printer.form(v, q)
				}
			}
		}
	}
}

// formKey identifies a form.
func formKey(q question) string { return q.Key + " " + string(q.Schema) }

// writeVersions writes the functions of all versions.
func (w *writer) writeVersions() {
	for i := range w.versions {
		w.writeVersion(&w.versions[i])
	}
}

func (w *writer) writeVersion(v *version) {
	w.version, w.locals = v, w.reserved()
	for name := range w.names.taken {
		w.locals.taken[name] = true
	}
	w.printer.head(v)
	if v.task != nil && v.task.Required {
		w.used[w.noTasks] = true
		w.guard(w.outside+" "+w.and+" "+w.not+w.hasTasks, fmt.Sprintf(w.without, w.noTasks))
	}
	for _, s := range v.steps {
		if s.inner {
			w.writeTask()
		}
		if s.asks != nil {
			w.writeGroup(s.asks)
			w.line("")
		} else {
			w.writeOther(s)
		}
	}
	for _, e := range v.result {
		w.writeIf(e.when, "return "+w.ending(e))
	}
	w.line("%s", w.close)
}

// inCall is the comment of a task, unless every client must have tasks.
const inCall = " A client without tasks gets the same steps in its call."

// writeTask writes where a call becomes a task.
func (w *writer) writeTask() {
	condition, more := w.outside+" "+w.and+" "+w.hasTasks, inCall
	if w.version.task.Required {
		condition, more = w.outside, ""
	}
	w.line("%s%s The rest is a task.%s", w.indent, strings.TrimLeft(w.comment, " "), more)
	w.guard(condition, "return "+fmt.Sprintf(w.become, w.function(w.version.name)))
}

// guard writes a statement under a condition, which leaves the function.
func (w *writer) guard(condition, statement string) { w.line(w.when, condition, statement) }

// writeIf writes a statement under the condition of a step.
func (w *writer) writeIf(when *flow.Expr, statement string) {
	if always(when) {
		w.statement("%s", statement)
		return
	}
	w.line("%s", w.printer.conditional(w.condition(when), statement))
}

// writeGroup writes the questions of a round.
func (w *writer) writeGroup(asks []question) {
	for _, q := range asks {
		name := ""
		if q.answered || len(q.refusals) > 0 {
			name = w.local(q.Key)
		}
		if len(q.ignored) > 0 {
			w.line("%s%s.ignore(%s, %s)%s%s asked again then", w.indent, w.round, w.text(q.Key),
				quotedList(q.ignored, w.text), w.end, w.comment)
		}
		switch {
		case name == "":
			w.writeIf(q.when, w.printer.ask(q))
		case always(q.when):
			w.statement(w.declare, name, w.printer.ask(q))
		default:
			w.statement("%s", w.printer.empty(name, q))
			w.writeIf(q.when, name+" = "+w.printer.ask(q))
		}
	}
	for _, q := range asks {
		w.writeRefusals(q)
	}
	w.guard(w.not+w.round+".settled()", "return "+w.round+".pause()")
}

func (w *writer) writeRefusals(q question) {
	if len(q.refusals) == 0 || w.printer.refuse(w.local(q.Key), q.refusals) {
		return
	}
	for _, r := range q.refusals {
		w.guard(w.local(q.Key)+w.action+" "+w.equal+" "+w.text(r.action), "return "+w.ending(r.end))
	}
}

// writeOther writes a step that does not ask.
func (w *writer) writeOther(s step) {
	switch s.other.Kind {
	case flow.End:
		w.writeIf(s.when, "return "+w.ending(s.end))
	case flow.Shed:
		condition := fmt.Sprintf(w.isShed, w.text(s.other.Key))
		if !always(s.when) {
			condition = w.within(s.when, conjunction) + " " + w.and + " " + condition
		}
		w.guard(condition, fmt.Sprintf("return %s.shed(%s)", w.round, w.text(s.other.Key)))
	case flow.Progress:
		w.printer.progress(s)
	}
}

// ending returns the expression that ends the call.
func (w *writer) ending(e ending) string {
	name := w.say
	if e.isError {
		name = w.fail
	}
	w.used[name] = true
	return name + "(" + w.filled(e.text) + ")"
}

// filled returns a text with its values.
func (w *writer) filled(t flow.Text) string {
	parts := simpleText(t, w.version.name)
	switch {
	case len(parts) == 0:
		return w.text("")
	case len(parts) > 1:
		return w.printer.join(parts)
	case parts[0].Value == nil:
		return w.text(parts[0].Literal)
	}
	return w.condition(parts[0].Value)
}
