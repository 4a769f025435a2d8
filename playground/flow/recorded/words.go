package recorded

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// words is a text of a flow: literals, and the values of sources.
type words []part

// part is a literal, or the value of a source.
type part struct{ literal, source string }

// String returns the words as they are written in a flow. Braces of a recorded text are no
// value of a flow.
func (w words) String() string {
	var b strings.Builder
	for _, p := range w {
		if p.source != "" {
			b.WriteString("{{" + p.source + "}}")
			continue
		}
		b.WriteString(strings.ReplaceAll(p.literal, "{{", `{{"{{"}}`))
	}
	return b.String()
}

// literal returns words without values.
func literal(s string) words { return words{{literal: s}} }

// plain returns the words without values, as they were in the path that they are of.
func (w words) plain(values []value) words {
	s, _ := w.render(values)
	return literal(s)
}

// render returns the words with the values of a path, and false if one is missing.
func (w words) render(values []value) (string, bool) {
	var b strings.Builder
	whole := true
	for _, p := range w {
		if p.source == "" {
			b.WriteString(p.literal)
			continue
		}
		i := slices.IndexFunc(values, func(v value) bool { return v.source == p.source })
		if i < 0 {
			whole = false
			continue
		}
		b.WriteString(values[i].shown)
	}
	return b.String(), whole
}

// value is an argument or an answer of a path, as an expression of a flow has it.
type value struct {
	source string
	shown  string
	kind   flow.FieldKind // of expressions: text, number, yes or no
	number jsontree.Decimal
	latest int  // the step that it is the answer of; -1 for an argument
	free   bool // a text that is none of a choice
}

// values returns what the steps before one can use in a path: the arguments, and the
// answers of earlier rounds, newest first.
func (d *draft) values(n, before int) []value {
	at := [2]int{n, before}
	if known, ok := d.known[at]; ok {
		return known
	}
	list := d.newValues(n, before)
	if d.known == nil {
		d.known = map[[2]int][]value{}
	}
	d.known[at] = list
	return list
}

// maxSources is how many values of a path are tried in texts and conditions.
const maxSources = 100

func (d *draft) newValues(n, before int) []value {
	var list []value
	add := func(path []string, v *jsontree.Node, latest int, f field) {
		if x, ok := newValue(path, v, latest); ok && len(list) < maxSources && len(x.shown) < maxText {
			x.free = x.kind == flow.TextField && f.kind != flow.Choice
			list = append(list, x)
		}
	}
	for i := min(before, len(d.steps)) - 1; i >= 0; i-- {
		s := d.steps[i]
		a, ok := s.in[n]
		if !ok {
			continue
		}
		for _, f := range s.fields {
			if a.action == "accept" {
				add([]string{"answers", s.key, f.name}, a.content.Get(f.path[0]), i, f)
			}
		}
		if s.kind == flow.Sampling && a.model != "" && len(a.model) < maxText &&
			!text.HasMask([]byte(a.model)) {
			list = append(list, value{source: name("answers", s.key, "text"), shown: a.model,
				kind: flow.TextField, latest: i, free: true})
		}
	}
	for _, f := range d.args {
		v := d.paths[n].args.Get(f.path[0])
		add([]string{"args", f.name}, v, -1, f)
		if f.kind == flow.Table || f.kind == flow.Object {
			for _, m := range v.Entries() {
				if f.kind == flow.Table || validNames.MatchString(m.Key) {
					add([]string{"args", f.name, m.Key}, m.Value, -1, f)
				}
			}
		}
	}
	return list
}

// name returns a path of names as an expression has it.
func name(path ...string) string { return (&flow.Expr{Op: flow.Name, Path: path}).String() }

// newValue returns a recorded value. It returns false for one that an expression cannot
// have, and for one that is masked.
func newValue(path []string, n *jsontree.Node, latest int) (value, bool) {
	if n == nil || text.HasMask(n.Raw()) {
		return value{}, false
	}
	v := value{source: name(path...), latest: latest}
	switch n.Kind {
	case jsontree.String:
		v.kind, v.shown = flow.TextField, n.Str()
	case jsontree.Number:
		f, ok := n.Decimal()
		v.kind, v.number, v.shown = flow.NumberField, f, string(n.Raw())
		return v, ok && len(v.shown) < 18 && !strings.ContainsAny(v.shown, "eE")
	case jsontree.Bool:
		v.kind, v.shown = flow.YesNo, string(n.Raw())
	case jsontree.Array:
		texts := textsOf(n)
		v.shown = flow.Show(texts)
		return v, len(texts) > 0 && !slices.Contains(texts, "")
	default:
		return v, false
	}
	return v, true
}

// template returns a text of a path with the values in it that the steps before one can
// use. In a result, one digit is a value too: a message may count its steps.
func (d *draft) template(s string, n, before int, inResult bool) words {
	s = clean(s, maxText)
	values := slices.Clone(d.values(n, before))
	slices.SortStableFunc(values, func(a, b value) int { return cmp.Compare(len(b.shown), len(a.shown)) })
	least := 2
	if inResult {
		least = 1
	}
	var w words
	for s != "" {
		at, found := len(s), value{}
		for _, v := range values {
			long := len(v.shown) >= least && (v.kind == flow.NumberField || len(v.shown) > 1)
			if !long || v.kind == flow.YesNo {
				continue
			}
			if i := wordAt(s, v.shown); i >= 0 && i < at {
				at, found = i, v
			}
		}
		if at > 0 {
			w = append(w, part{literal: s[:at]})
		}
		if found.source == "" {
			break
		}
		w = append(w, part{source: found.source})
		s = s[at+len(found.shown):]
		if len(w) > maxParts {
			return append(w, part{literal: s})
		}
	}
	return w
}

// maxParts is how many pieces a text is taken apart into.
const maxParts = 40

// wordAt returns where a word first stands in a text that does not go on on either side
// of it, or -1.
func wordAt(s, word string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		first, _ := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		next, size := utf8.DecodeRuneInString(s[end:])
		after, _ := utf8.DecodeRuneInString(s[end+size:])
		isPart := isWord(before) && isWord(first) || isWord(last) && isWord(next) ||
			unicode.IsDigit(last) && (next == '.' || next == ',') && unicode.IsDigit(after) ||
			unicode.IsDigit(first) && (before == '.' || before == ',') && i > 1 && isDigit(s[i-2])
		if !isPart {
			return i
		}
		_, step := utf8.DecodeRuneInString(s[i:])
		from = i + step
	}
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// mostTried is of how many paths the words are tried on all others.
const mostTried = 8

// common returns words that say what each path says, and whether there are such.
func (d *draft) common(paths []int, say func(n int) string, before int, inResult bool) (words, bool) {
	var first words
	for i, n := range paths[:min(len(paths), mostTried)] {
		w := d.template(say(n), n, before, inResult)
		if i == 0 {
			first = w
		}
		if d.saysAll(w, paths, say, before) {
			return w, true
		}
	}
	return first, false
}

// saysAll reports whether words say what each of the paths says.
func (d *draft) saysAll(w words, paths []int, say func(n int) string, before int) bool {
	for _, n := range paths {
		if s, ok := w.render(d.values(n, before)); !ok || s != clean(say(n), maxText) {
			return false
		}
	}
	return true
}

// words sets the texts of the steps.
func (d *draft) words() {
	for i, s := range d.steps {
		paths := d.pathsOf(s)
		set := func(to *words, say func(a asked) string) {
			w, same := d.common(paths, func(n int) string { return say(s.in[n]) }, d.group(i), false)
			if !same {
				d.note(i, "Question “%s”: its words differ between the calls in a way that no argument "+
					"or answer "+
					"shows. These are those of the first.", s.key)
				w = w.plain(d.values(paths[0], d.group(i)))
			}
			*to = w
		}
		switch s.kind {
		case flow.Form, flow.URL:
			set(&s.message, func(a asked) string { return a.q.Params.Get("message").Str() })
		case flow.Sampling:
			set(&s.message, func(a asked) string {
				var parts []string
				for _, m := range a.q.Params.Get("messages").Elements() {
					parts = append(parts, contentText(m.Get("content")))
				}
				return strings.Join(parts, "\n")
			})
			if s.q.Params.Get("systemPrompt").Str() != "" {
				set(&s.system, func(a asked) string { return a.q.Params.Get("systemPrompt").Str() })
			}
		}
	}
}
