package recorded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// conditions finds on what it depends which steps are taken: a value that differs between
// the calls that have a step and those that passed it.
func (d *draft) conditions() {
	for i, s := range d.steps {
		var with, without []int
		for n := range d.paths {
			_, ok := s.in[n]
			switch {
			case ok:
				with = append(with, n)
			case d.passed(n, i):
				without = append(without, n)
			}
		}
		if len(without) == 0 {
			continue
		}
		found := d.separating(with, without, d.group(i))
		what := "it is asked"
		if s.kind == flow.Shed {
			what = "the work is given back"
		}
		if len(found) == 0 {
			d.note(i, "Step “%s”: on what it depends whether %s. %s", s.key, what, someOf(with, d.paths))
			continue
		}
		s.when = found[0]
		d.note(i, "Step “%s”: whether %s if and only if %s. This fits the recorded calls%s.",
			s.key, what, found[0], others(found))
	}
}

// someOf says how many of the calls have something.
func someOf(with []int, all []path) string {
	return fmt.Sprintf("%d of the %d calls had it.", len(with), len(all))
}

// others names conditions that fit as well.
func others(found []string) string {
	if len(found) < 2 {
		return ""
	}
	return ", and so does " + strings.Join(found[1:min(len(found), 4)], ", or ")
}

// passed reports whether a path got beyond the place of a step that it does not have.
func (d *draft) passed(n, i int) bool {
	if slices.ContainsFunc(d.steps[i+1:], func(s *step) bool { _, ok := s.in[n]; return ok }) {
		return true
	}
	return d.paths[n].end.seen && !d.refused(n)
}

// separating returns conditions that hold for some paths and not for others, on what the
// steps before one can use. The newest answers come first, and texts that can be anything
// come last: they differ in most calls.
func (d *draft) separating(with, without []int, before int) []string {
	if len(with) == 0 || len(without) == 0 {
		return nil
	}
	var list []string
	values := slices.Clone(d.values(with[0], before))
	slices.SortStableFunc(values, func(a, b value) int { return boolInt(a.free) - boolInt(b.free) })
	for _, v := range values {
		in, ok := d.valuesAt(with, v.source, before)
		out, all := d.valuesAt(without, v.source, before)
		if v.kind == flow.TextField && ok {
			all = true // a text that is not there is empty
		}
		if !ok || !all {
			continue
		}
		if c := separate(in, out); c != "" {
			list = append(list, c)
		}
	}
	return list
}

// valuesAt returns the values of a source in some paths, and whether each has one.
func (d *draft) valuesAt(paths []int, source string, before int) ([]value, bool) {
	all := true
	var list []value
	for _, n := range paths {
		values := d.values(n, before)
		i := slices.IndexFunc(values, func(v value) bool { return v.source == source })
		if i < 0 {
			all = false
			list = append(list, value{source: source, kind: flow.TextField})
			continue
		}
		list = append(list, values[i])
	}
	return list, all
}

// mostListed is how many values a condition names.
const mostListed = 8

// separate returns a condition that holds for the first values and not for the others, or "".
func separate(in, out []value) string {
	source, kind := in[0].source, in[0].kind
	for _, v := range slices.Concat(in, out) {
		if v.kind != kind || kind == "" {
			return ""
		}
	}
	if kind == flow.NumberField {
		return separateNumbers(in, out)
	}
	a, b := distinct(in), distinct(out)
	if slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) }) {
		return ""
	}
	quoted := func(v any) string { return (&flow.Expr{Op: flow.Const, Value: v}).String() }
	short := func(list []string) bool {
		return !slices.ContainsFunc(list, func(s string) bool { return len(s) > 100 || clean(s, 100) != s })
	}
	switch {
	case kind == flow.YesNo && a[0] == "true":
		return source
	case kind == flow.YesNo:
		return "not " + source
	case !short(a) || !short(b):
		return ""
	case len(a) == 1:
		return source + " == " + quoted(a[0])
	case len(b) == 1:
		return source + " != " + quoted(b[0])
	case len(a) <= mostListed:
		return source + " in " + quoted(a)
	case len(b) <= mostListed:
		return "not " + source + " in " + quoted(b)
	}
	return ""
}

// separateNumbers is separate for numbers: they are on the two sides of a limit, or the
// first are all the same.
func separateNumbers(in, out []value) string {
	low, high := bounds(in)
	least, most := bounds(out)
	source := in[0].source
	switch {
	case low.number.Cmp(most.number) > 0:
		return source + " > " + most.shown
	case high.number.Cmp(least.number) < 0:
		return source + " < " + least.shown
	case low.number.Cmp(high.number) == 0 && !slices.ContainsFunc(out, equals(low)):
		return source + " == " + low.shown
	case least.number.Cmp(most.number) == 0 && !slices.ContainsFunc(in, equals(least)):
		return source + " != " + least.shown
	}
	return ""
}

func equals(v value) func(value) bool {
	return func(o value) bool { return o.number.Cmp(v.number) == 0 }
}

// bounds returns the least and the greatest of some numbers.
func bounds(list []value) (low, high value) {
	low, high = list[0], list[0]
	for _, v := range list {
		if v.number.Cmp(low.number) < 0 {
			low = v
		}
		if v.number.Cmp(high.number) > 0 {
			high = v
		}
	}
	return low, high
}

// distinct returns the values without repetitions.
func distinct(list []value) []string {
	var all []string
	for _, v := range list {
		if !slices.Contains(all, v.shown) {
			all = append(all, v.shown)
		}
	}
	return all
}

// results groups the paths by how they end, and finds on what that depends.
func (d *draft) results() {
	var left []int
	for n, p := range d.paths {
		if p.end.seen && !d.refused(n) {
			left = append(left, n)
		}
	}
	all := len(d.steps)
	say := func(n int) string { return d.paths[n].end.text }
	var groups []result
	for len(left) > 0 {
		g := d.groupOf(left, say)
		groups = append(groups, g)
		left = slices.DeleteFunc(left, func(n int) bool { return slices.Contains(g.paths, n) })
	}
	for len(groups) > 1 {
		i, when := d.nextEnding(groups, all)
		if i < 0 {
			break
		}
		groups[i].when = when[0]
		d.note(-1, "Result: it is “%.60s” if and only if %s. This fits the recorded calls%s.",
			groups[i].text.String(), when[0], others(when))
		d.endings = append(d.endings, groups[i])
		groups = slices.Delete(groups, i, i+1)
	}
	for i, g := range groups {
		if i == 0 {
			d.endings = append(d.endings, g)
			continue
		}
		d.note(-1, "Result: on what it depends that a call returned “%.120s” instead.", g.text.String())
	}
	if len(d.endings) == 0 {
		d.endings = []result{{text: literal("Done.")}}
		d.note(-1, "The result: no call of the recording was continued to its end.")
	}
}

// groupOf returns the paths that end as the first one does, with words that say what each
// says.
func (d *draft) groupOf(left []int, say func(int) string) result {
	g := result{failed: d.paths[left[0]].end.failed}
	for _, n := range left {
		if d.paths[n].end.failed != g.failed {
			continue
		}
		if w, same := d.common(append(slices.Clip(g.paths), n), say, len(d.steps), true); same {
			g.text, g.paths = w, append(g.paths, n)
		}
	}
	return g
}

// nextEnding returns the first group of paths that a condition separates from all others.
func (d *draft) nextEnding(groups []result, before int) (int, []string) {
	for i, g := range groups {
		var rest []int
		for k, o := range groups {
			if k != i {
				rest = append(rest, o.paths...)
			}
		}
		if found := d.separating(g.paths, rest, before); len(found) > 0 {
			return i, found
		}
	}
	return -1, nil
}
