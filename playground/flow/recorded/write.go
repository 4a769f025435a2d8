package recorded

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// mostRepairs is how often the text is read, after what the language refuses was left out.
const mostRepairs = 16

// valid returns the text of the flow, and whether it has questions as recorded. What the language
// refuses is left out, and named.
func (d *draft) valid() (source string, whole bool) {
	for range mostRepairs {
		source := d.write()
		_, problems := review.Parse([]byte(source))
		if len(problems) == 0 {
			return source, true
		}
		repaired := map[string]bool{} // the last place first, so that the places before it stay
		for _, p := range slices.Backward(problems) {
			if place := placeOf(p.Path); !repaired[place] && len(source) <= document.MaxBytes {
				repaired[place] = d.repair(p)
			}
		}
		if !slices.Contains(slices.Collect(maps.Values(repaired)), true) {
			break
		}
	}
	d.note(-1, "The questions: no flow can have them as they are. Begin with this one.")
	d.steps, d.args, d.title, d.about = nil, nil, "", ""
	d.endings = []result{{text: literal("Done.")}}
	d.notes = d.notes[max(0, len(d.notes)-20):]
	for i := range d.notes {
		d.notes[i].step = -1
	}
	if source := d.write(); isFlow(source) {
		return source, false
	}
	return "# Made from a recording that no flow can be made of.\nflow: 1\nname: recorded_tool\n" +
		"result: Done.\n", false
}

func isFlow(source string) bool {
	_, problems := review.Parse([]byte(source))
	return len(problems) == 0
}

// Places of problems, as the language names them.
var (
	stepPlace  = regexp.MustCompile(`^(?:task\.)?steps\[(\d+)\](.*)$`)
	fieldPlace = regexp.MustCompile(`^\.fields(?:\.|\[")([A-Za-z0-9_-]+)`)
	argPlace   = regexp.MustCompile(`^arguments(?:\.|\[")([A-Za-z0-9_-]+)`)
)

// placeOf returns the step, the argument or the part that a problem is in. One problem of each
// is enough for a reading: the repair may leave it out as a whole.
func placeOf(path string) string {
	if m := stepPlace.FindStringSubmatch(path); m != nil {
		return strings.TrimSuffix(path, m[2])
	}
	if argPlace.MatchString(path) {
		return path
	}
	first, _, _ := strings.Cut(path, ".")
	first, _, _ = strings.Cut(first, "[")
	return first
}

// repair leaves out the part that a problem is about, or reports that it cannot.
func (d *draft) repair(p document.Problem) bool {
	if m := stepPlace.FindStringSubmatch(p.Path); m != nil {
		i, _ := strconv.Atoi(m[1])
		if i--; strings.HasPrefix(p.Path, "task.") {
			i += d.firstOfTask()
		}
		return i >= 0 && i < len(d.steps) && d.repairStep(i, m[2], p)
	}
	if m := argPlace.FindStringSubmatch(p.Path); m != nil {
		return d.reduce(&d.args, m[1], -1)
	}
	switch {
	case strings.HasPrefix(p.Path, "title"):
		d.title = ""
	case strings.HasPrefix(p.Path, "description"):
		d.about = ""
	case strings.HasPrefix(p.Path, "result"):
		return d.repairResult(p)
	default:
		return false
	}
	return true
}

// repairStep leaves out a part of a step: its condition, a field, its values, or all of it.
func (d *draft) repairStep(i int, place string, p document.Problem) bool {
	s := d.steps[i]
	m := fieldPlace.FindStringSubmatch(place)
	switch {
	case m != nil && d.reduce(&s.fields, m[1], i):
	case s.when != "":
		d.note(i, "Step “%s”: the condition %s does not fit the language: %s", s.key, s.when, p.Text)
		s.when = ""
	case strings.HasPrefix(place, ".decline") && s.decline != (reaction{}):
		s.decline = reaction{}
	case strings.HasPrefix(place, ".cancel") && s.cancel != (reaction{}):
		s.cancel = reaction{}
	case strings.HasPrefix(place, ".together"):
		s.together = false
	default:
		d.note(-1, "The question “%s”, which the language refuses: %s", s.key, p.Text)
		d.drop(i)
	}
	return true
}

// drop leaves out a step. Texts that name its answers keep the recorded values.
func (d *draft) drop(i int) {
	gone := d.steps[i].key
	d.steps = slices.Delete(d.steps, i, i+1)
	if i < len(d.steps) {
		d.steps[i].together = false
	}
	names := func(s string) bool { return strings.Contains(s, gone) }
	freed := func(w words) words {
		for k, p := range w {
			if names(p.source) {
				w[k] = part{literal: "…"}
			}
		}
		return w
	}
	for _, s := range d.steps {
		if names(s.when) {
			s.when = ""
		}
		s.message, s.system = freed(s.message), freed(s.system)
		for _, r := range []reaction{s.decline, s.cancel} {
			if r.end != nil {
				r.end.text = freed(r.end.text)
			}
		}
	}
	for k := range d.endings {
		d.endings[k].text = freed(d.endings[k].text)
	}
	if slices.ContainsFunc(d.endings, func(r result) bool { return names(r.when) }) {
		d.endings = d.endings[len(d.endings)-1:]
		d.endings[0].when = ""
	}
	for k := range d.notes {
		switch n := &d.notes[k]; {
		case n.step == i:
			n.step = -1
		case n.step > i:
			n.step--
		}
	}
}

// reduce says less of a field: first no values, then only its type, then nothing.
func (d *draft) reduce(fields *[]field, name string, step int) bool {
	i := slices.IndexFunc(*fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return false
	}
	f := &(*fields)[i]
	switch f.reduced++; f.reduced {
	case 1:
		d.note(step, "The default or the example of “%s”, which the language refuses.", name)
	case 2:
		d.note(step, "What “%s” can be: the language refuses it as it is.", name)
	default:
		d.note(step, "“%s”, which the language refuses.", name)
		*fields = slices.Delete(*fields, i, i+1)
	}
	return true
}

// repairResult says less of the results.
func (d *draft) repairResult(p document.Problem) bool {
	last := &d.endings[len(d.endings)-1]
	switch {
	case len(d.endings) > 1:
		for _, e := range d.endings[:len(d.endings)-1] {
			d.note(-1, "Result: “%.120s”, which the language refuses: %s", e.text.String(), p.Text)
		}
		d.endings = []result{{text: last.text, failed: last.failed}}
	case slices.ContainsFunc(last.text, func(p part) bool { return p.source != "" }):
		var plain words
		for _, p := range last.text {
			if p.source != "" {
				p = part{literal: "…"}
			}
			plain = append(plain, p)
		}
		last.text = plain
	case last.text.String() != "Done.":
		last.text = literal("Done.")
	default:
		return false
	}
	return true
}

// firstOfTask returns the index of the first step of the task.
func (d *draft) firstOfTask() int {
	i := slices.IndexFunc(d.steps, func(s *step) bool { return s.inTask })
	if i < 0 {
		return len(d.steps)
	}
	return i
}

// write returns the flow as text.
func (d *draft) write() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Made from %s of %s.\n", text.Plural(len(d.paths), "recorded call"), comment(d.name))
	if len(d.notes) > 0 {
		b.WriteString(notesBegin + "\n")
		for _, n := range d.notes {
			b.WriteString(notesEach + n.words + "\n")
		}
	}
	head := []jsontree.Pair{{Key: "flow", Value: json.RawMessage("1")}, {Key: "name", Value: marshal(d.name)}}
	if d.title != "" {
		head = append(head, jsontree.Pair{Key: "title", Value: marshal(d.title)})
	}
	if d.about != "" {
		head = append(head, jsontree.Pair{Key: "description", Value: marshal(d.about)})
	}
	if len(d.args) > 0 {
		head = append(head, jsontree.Pair{Key: "arguments", Value: fieldsJSON(d.args)})
	}
	b.WriteString(yamlOf(head...))
	first := d.firstOfTask()
	if first > 0 {
		b.WriteString("steps:\n")
		for i := range d.steps[:first] {
			d.writeStep(&b, i, "  ")
		}
	}
	d.writeTask(&b, first)
	b.WriteString(yamlOf(jsontree.Pair{Key: "result", Value: d.resultJSON()}))
	return b.String()
}

// writeTask writes the steps of the task, if a call became one. A task has a step.
func (d *draft) writeTask(b *strings.Builder, first int) {
	if !slices.ContainsFunc(d.paths, func(p path) bool { return p.task }) {
		return
	}
	b.WriteString("task:\n  steps:\n")
	if first == len(d.steps) {
		b.WriteString("    - progress: Working\n      seconds: 1\n")
	}
	for i := first; i < len(d.steps); i++ {
		d.writeStep(b, i, "    ")
	}
}

// writeStep writes a step with its notes before it.
func (d *draft) writeStep(b *strings.Builder, i int, indent string) {
	for _, n := range d.notes {
		if n.step == i {
			b.WriteString(indent + "# " + n.words + "\n")
		}
	}
	_, lines, _ := strings.Cut(yamlOf(jsontree.Pair{Key: "steps",
		Value: marshal([]json.RawMessage{d.stepJSON(d.steps[i])})}), "\n")
	for line := range strings.Lines(lines) {
		if strings.TrimSpace(line) == "" {
			b.WriteString("\n")
			continue
		}
		b.WriteString(strings.TrimPrefix(indent, "  ") + line)
	}
}

// yamlOf returns members of an object as YAML.
func yamlOf(pairs ...jsontree.Pair) string {
	b, err := document.YAML(jsontree.ObjectOf(pairs...))
	if err != nil {
		return ""
	}
	return string(b)
}

func fieldsJSON(fields []field) json.RawMessage {
	pairs := make([]jsontree.Pair, len(fields))
	for i, f := range fields {
		pairs[i] = jsontree.Pair{Key: f.name, Value: f.json()}
	}
	return jsontree.ObjectOf(pairs...)
}

// stepJSON returns a step as it is written.
func (d *draft) stepJSON(s *step) json.RawMessage {
	pairs := []jsontree.Pair{{Key: string(s.kind), Value: marshal(s.key)}}
	say := func(key string, value json.RawMessage) {
		pairs = append(pairs, jsontree.Pair{Key: key, Value: value})
	}
	if s.when != "" {
		say("when", marshal(s.when))
	}
	if s.together {
		say("together", json.RawMessage("true"))
	}
	switch s.kind {
	case flow.Form, flow.URL:
		say("message", marshal(orNone(s.message.String())))
	case flow.Sampling:
		say("prompt", marshal(orNone(s.message.String())))
		if system := s.system.String(); strings.TrimSpace(system) != "" {
			say("system", marshal(system))
		}
		if n, ok := s.q.Params.Get("maxTokens").Int(); ok && n >= 1 && n <= 100_000 {
			say("maxTokens", marshal(n))
		}
	}
	if len(s.fields) > 0 {
		say("fields", fieldsJSON(s.fields))
	}
	if v := s.decline.json(); v != nil {
		say("decline", v)
	}
	if v := s.cancel.json(); v != nil {
		say("cancel", v)
	}
	return jsontree.ObjectOf(pairs...)
}

// orNone returns a text, or words in place of none.
func orNone(s string) string {
	if strings.TrimSpace(s) == "" {
		return "(no message)"
	}
	return s
}

func (r reaction) json() json.RawMessage {
	switch {
	case r.word != "":
		return marshal(r.word)
	case r.end != nil:
		return r.end.json()
	}
	return nil
}

// json returns a result as it is written.
func (r result) json() json.RawMessage {
	words := r.text.String()
	if strings.TrimSpace(words) == "" {
		words = "Done."
	}
	if r.when == "" && !r.failed {
		return marshal(words)
	}
	var pairs []jsontree.Pair
	if r.when != "" {
		pairs = append(pairs, jsontree.Pair{Key: "when", Value: marshal(r.when)})
	}
	key := "text"
	if r.failed {
		key = "error"
	}
	return jsontree.ObjectOf(append(pairs, jsontree.Pair{Key: key, Value: marshal(words)})...)
}

func (d *draft) resultJSON() json.RawMessage {
	if len(d.endings) == 1 && d.endings[0].when == "" {
		return d.endings[0].json()
	}
	list := make([]json.RawMessage, len(d.endings))
	for i, e := range d.endings {
		list[i] = e.json()
	}
	return marshal(list)
}
