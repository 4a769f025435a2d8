package recorded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// draft is a flow that is being made.
type draft struct {
	paths []path

	server, method string
	name, title    string
	about          string
	args           []field
	steps          []*step
	endings        []result
	notes          []note

	state, progress, logs bool
	failures              int
	known                 map[[2]int][]value // values, by path and step
	again                 map[string]bool    // keys that are asked again after a refusal
}

// note is something that the recording does not show or a flow cannot say. Its place is the
// index of a step, or -1.
type note struct {
	step  int
	words string
}

// note adds a note, once.
func (d *draft) note(step int, format string, a ...any) {
	n := note{step, comment(fmt.Sprintf(format, a...))}
	if !slices.Contains(d.notes, n) {
		d.notes = append(d.notes, n)
	}
}

func (d *draft) refusedAgain(key string) {
	if d.again == nil {
		d.again = map[string]bool{}
	}
	d.again[key] = true
}

// step is a step of the flow: the questions with one key in all paths that have it.
type step struct {
	asked
	fields   []field
	in       map[int]asked // by path
	together bool
	when     string
	message  words
	system   words
	decline  reaction
	cancel   reaction
}

// reaction is what happened when a question was refused; zero if it was not.
type reaction struct {
	word string // continue or again
	end  *result
}

// result is a way in which calls ended.
type result struct {
	when   string
	text   words
	failed bool
	paths  []int
}

// head reads what the tool is.
func (d *draft) head(calls []playground.Exchange) {
	x := calls[0]
	d.server, d.method = x.Target.Name, x.Call.Method
	name := x.Call.Name()
	d.name = toolName(name)
	if d.name != name {
		d.note(-1, "The name “%s”: it is no valid name of a tool.", name)
	}
	if d.method != playground.ToolsCall {
		d.note(-1, "The call is %s. A flow is a tool.", d.method)
	}
	for _, p := range d.paths {
		if p.tool != nil {
			d.title = clean(p.tool.Get("title").Str(), maxTitle)
			d.about = clean(p.tool.Get("description").Str(), maxText)
			if p.tool.Has("outputSchema") {
				d.note(-1, "The outputSchema of the tool. The result of a flow is text.")
			}
			return
		}
	}
	d.note(-1, "The definition of the tool: its title, its description and which arguments it requires. "+
		"The types of the arguments are those of the recorded values.")
}

// toolName returns a valid name of a tool.
func toolName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_.-", r) {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
		if b.Len() == 64 {
			break
		}
	}
	if strings.Trim(b.String(), "_.-") == "" {
		return "recorded_tool"
	}
	return b.String()
}

// arguments reads the arguments of the tool.
func (d *draft) arguments() {
	var schema *jsontree.Node
	var values []*jsontree.Node
	for _, p := range d.paths {
		if s := p.tool.Get("inputSchema"); schema == nil && s != nil {
			schema = s
		}
		values = append(values, p.args)
	}
	d.args = fieldsOf(schema, values, func(words string) { d.note(-1, "Argument: %s", words) })
}

// merge puts the steps of all paths into one order.
func (d *draft) merge() {
	reordered := false
	for n, p := range d.paths {
		at := 0
		for _, a := range p.asked {
			i := slices.IndexFunc(d.steps, func(s *step) bool { return s.key == a.key && s.kind == a.kind })
			switch {
			case i >= at:
				at = i + 1
			case i >= 0:
				reordered = true
			case len(d.steps) == maxSteps:
				continue
			default:
				a.key = d.freeKey(a.key)
				i = at
				d.steps = slices.Insert(d.steps, at, &step{asked: a, in: map[int]asked{}})
				at++
			}
			d.steps[i].in[n] = a
		}
	}
	slices.SortStableFunc(d.steps, func(a, b *step) int { // those of a task come after the others
		return boolInt(a.inTask) - boolInt(b.inTask)
	})
	if reordered {
		d.note(-1, "The order of the questions: it differs between the calls. This is the order of the "+
			"first.")
	}
	for i, s := range d.steps {
		s.together = i > 0 && s.kind.Asks() && d.steps[i-1].kind.Asks() &&
			d.steps[i-1].inTask == s.inTask && d.sameRound(i-1, i)
		if s.kind == flow.Form {
			s.fields = d.fieldsAt(i)
		}
	}
}

// freeKey returns a key that no step has: one of another kind may have the same.
func (d *draft) freeKey(key string) string {
	free := key
	for n := 2; slices.ContainsFunc(d.steps, func(s *step) bool { return s.key == free }); n++ {
		free = fmt.Sprintf("%.58s_%d", key, n)
	}
	return free
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sameRound reports whether two questions are asked in one round by every call that asks
// both, and by one at least.
func (d *draft) sameRound(a, b int) bool {
	both := false
	for n, x := range d.steps[b].in {
		y, ok := d.steps[a].in[n]
		if ok && x.round != y.round {
			return false
		}
		both = both || ok
	}
	return both
}

// fieldsAt returns the fields of a form.
func (d *draft) fieldsAt(i int) []field {
	s := d.steps[i]
	schema := s.q.Params.Get("requestedSchema")
	var values []*jsontree.Node
	for _, n := range d.pathsOf(s) {
		if a := s.in[n]; a.action == "accept" && a.content != nil {
			values = append(values, a.content)
		}
		if !jsontree.Equal(s.in[n].q.Params.Get("requestedSchema"), schema) {
			d.note(i, "Question “%s”: its fields differ between the calls. These are those of the "+
				"first.", s.key)
		}
	}
	list := fieldsOf(schema, nil, func(words string) { d.note(i, "Question “%s”: %s", s.key, words) })
	for k := range list { // the schema says what is asked, and not what was sent
		f := &list[k]
		recorded := valuesOf(values, f.path[0])
		if value := example(*f, schema.At("properties", f.path[0]), recorded); value != nil {
			f.pairs = append(f.pairs, jsontree.Pair{Key: "example", Value: value})
		}
		if slices.ContainsFunc(recorded, func(v *jsontree.Node) bool { return text.HasMask(v.Raw()) }) {
			d.note(i, "Question “%s”: the answer “%s” is masked in the recording.", s.key, f.path[0])
		}
	}
	return list
}

// pathsOf returns the paths that have a step, in order.
func (d *draft) pathsOf(s *step) []int {
	var list []int
	for n := range d.paths {
		if _, ok := s.in[n]; ok {
			list = append(list, n)
		}
	}
	return list
}

// group returns the index of the first step of the round of a step.
func (d *draft) group(i int) int {
	for i > 0 && d.steps[i].together {
		i--
	}
	return i
}

// reactions reads what happened when questions were refused.
func (d *draft) reactions() {
	shown := map[string]bool{}
	refusable := false
	for i, s := range d.steps {
		if s.kind != flow.Form && s.kind != flow.URL {
			continue
		}
		refusable = true
		if d.again[s.q.Key] {
			s.decline.word = "again"
			d.note(i, "Question “%s”: it was asked again after it was refused. The recording does not show "+
				"whether that is so for both, a decline and a cancel.", s.key)
		}
		for _, n := range d.pathsOf(s) {
			a := s.in[n]
			if a.action != "decline" && a.action != "cancel" {
				continue
			}
			shown[a.action] = true
			to := &s.decline
			if a.action == "cancel" {
				to = &s.cancel
			}
			switch p := d.paths[n]; {
			case to.word != "" || to.end != nil:
			case d.goesOn(n, i):
				to.word = "continue"
			case p.end.seen:
				to.end = &result{text: d.template(p.end.text, n, d.group(i), true), failed: p.end.failed}
			}
		}
	}
	if refusable && (!shown["decline"] || !shown["cancel"]) {
		d.note(-1, "What the server does when a question is declined or dismissed, except where a step "+
			"says so.")
	}
}

// goesOn reports whether a path has something after a step other than its end.
func (d *draft) goesOn(n, i int) bool {
	return slices.ContainsFunc(d.steps[i+1:], func(s *step) bool {
		a, ok := s.in[n]
		return ok && a.round > d.steps[i].in[n].round
	})
}

// refused reports whether a path ends because a question was refused.
func (d *draft) refused(n int) bool {
	for i, s := range d.steps {
		a, ok := s.in[n]
		if ok && (a.action == "decline" || a.action == "cancel") && !d.goesOn(n, i) {
			return true
		}
	}
	return false
}

// unseen notes what no recording shows.
func (d *draft) unseen() {
	if d.state {
		d.note(-1, "How the server protects its requestState, and how long it is valid.")
	}
	if d.progress {
		d.note(-1, "The progress that the server reported, which is left out.")
	}
	if d.logs {
		d.note(-1, "The log messages of the server. A flow sends none.")
	}
	if d.failures > 0 {
		d.note(-1, "What the requests would have returned that failed, ended without a response or "+
			"broke the protocol: they are left out.")
	}
	if slices.ContainsFunc(d.paths, func(p path) bool { return p.task }) {
		d.note(-1, "Whether the server requires tasks, and how long the work takes.")
	}
	if len(d.paths) == 1 {
		d.note(-1, "Other paths: this is one call. Record calls with other arguments and answers to see "+
			"more.")
	}
	for i, s := range d.steps {
		switch {
		case s.secret:
			d.note(i, "Question “%s”: the form asks for a secret, which a form must not do. Here it is a "+
				"question with a page, and the fields are left out.", s.key)
		case s.kind == flow.URL:
			d.note(i, "Question “%s”: what the page behind the link shows and does.", s.key)
		case s.kind == flow.Roots:
			d.note(i, "Question “%s”: what the server does with the folders of the client.", s.key)
		case s.kind == flow.Shed:
			d.note(i, "Step “%s”: why the server gave the work back with a requestState and no "+
				"question.", s.key)
		case s.kind == flow.Sampling:
			d.sampling(i, s)
		}
	}
}

// sampling notes what a flow cannot say of a question to a model.
func (d *draft) sampling(i int, s *step) {
	for _, m := range s.q.Params.Entries() {
		switch m.Key {
		case "messages", "systemPrompt", "maxTokens":
		default:
			d.note(i, "Question “%s”: “%s”, which a flow cannot ask for.", s.key, m.Key)
		}
	}
	if messages := s.q.Params.Get("messages").Elements(); len(messages) > 1 {
		d.note(i, "Question “%s”: it has %d messages. Here they are one.", s.key, len(messages))
	}
}
