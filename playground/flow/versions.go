package flow

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

// instance is an instance as a topology names it: a, b:v2, c:v1:drain or d:dead.
var instance = regexp.MustCompile(`^[a-h](:v[0-9]+)?(:drain|:dead)?$`)

// instances checks the topology: each instance once, with a version of the flow.
func (r *reader) instances(n *document.Node, f *Flow) {
	if f.Instances == "" {
		return
	}
	seen := map[byte]bool{}
	for entry := range strings.SplitSeq(f.Instances, ",") {
		words := strings.Split(entry, ":")
		switch {
		case !instance.MatchString(entry):
			r.Wrong(n, "instances", "%s is not a valid instance. Write instances such as a:v1,b:v2; "+
				"their names are a to h.", document.Quote(entry))
			return
		case seen[entry[0]]:
			r.Wrong(n, "instances", "The instance %s is defined twice.", words[0])
		case len(words) > 1 && words[1][0] == 'v' && f.Version(words[1]) == nil && r.Count() == 0:
			r.Wrong(n, "instances", "The flow has no version %s.", words[1])
		}
		seen[entry[0]] = true
	}
}

// on returns the names of the instances that run a version and take new work.
func (f *Flow) on(version string) []string {
	var names []string
	for entry := range strings.SplitSeq(f.Instances, ",") {
		words := append(strings.Split(entry, ":"), "v1") // without a version, it is the first
		if words[0] != "" && words[1] == version && len(words) < 4 {
			names = append(names, words[0])
		}
	}
	if names == nil {
		return []string{"a", "b"}
	}
	return names
}

// draft is a version as it is written, before its expressions are checked.
type draft struct {
	name   string
	steps  []*document.Node
	paths  []string
	task   *document.Node
	result *document.Node
	again  []string
	at     *document.Node
}

var versionName = regexp.MustCompile(`^v[1-9][0-9]?$`)

// versions reads the flow as each version runs it. The first is v1, and each
// other changes the one before it.
func (r *reader) versions(root *document.Node) []Version {
	first := draft{name: "v1", task: root.Get("task"), result: root.Get("result"), at: root}
	for i, n := range r.Items(root.Get("steps"), "steps", maxSteps) {
		first.steps, first.paths = append(first.steps, n), append(first.paths, document.Index("steps", i))
	}
	drafts := []draft{first}
	for i, n := range r.Items(root.Get("versions"), "versions", maxVersions-1) {
		path := document.Index("versions", i)
		if d, ok := r.later(n, path, drafts[len(drafts)-1]); ok {
			if slices.ContainsFunc(drafts, func(o draft) bool { return o.name == d.name }) {
				r.Wrong(n.Get("version"), path, "The version %s is defined twice.", d.name)
			}
			drafts = append(drafts, d)
		}
	}
	var list []Version
	for _, d := range drafts {
		before := r.Count()
		list = append(list, r.version(d))
		if d.name != "v1" {
			r.Mark(before, " (in "+d.name+")")
		}
	}
	for i := range list {
		r.checkAgain(drafts[i], list[i], list[:i])
	}
	return list
}

// later reads what a version changes of the one before it.
func (r *reader) later(n *document.Node, path string, before draft) (draft, bool) {
	d := before
	if !r.Fields(n, path, "version", "without", "add", "steps", "task", "result", "again") {
		return d, false
	}
	d.name, d.again, d.at = r.Needed(n, path, "version", 10), nil, n
	if d.name != "" && !versionName.MatchString(d.name) {
		r.Wrong(n.Get("version"), path, "A version is named v2, v3 and so on.")
	}
	without := r.keys(n.Get("without"), document.Join(path, "without"))
	d.steps, d.paths = nil, nil
	found := map[string]bool{}
	for i, step := range before.steps {
		key := keyOf(step)
		if found[key] = found[key] || slices.Contains(without, key); !slices.Contains(without, key) {
			d.steps, d.paths = append(d.steps, step), append(d.paths, before.paths[i])
		}
	}
	for _, key := range without {
		if !found[key] {
			r.Wrong(n.Get("without"), path, "The version before has no question %s.%s", document.Quote(key),
				document.Suggest(key, slices.Sorted(maps.Keys(found))))
		}
	}
	if n.Gives("steps") {
		d.steps, d.paths = nil, nil
	}
	for _, name := range []string{"steps", "add"} {
		place := document.Join(path, name)
		for i, step := range r.Items(n.Get(name), place, maxSteps) {
			d.steps, d.paths = append(d.steps, step), append(d.paths, document.Index(place, i))
		}
	}
	if n.Gives("task") {
		d.task = n.Get("task")
	}
	if n.Gives("result") {
		d.result = n.Get("result")
	}
	d.again = r.keys(n.Get("again"), document.Join(path, "again"))
	return d, true
}

// keys reads a list of keys.
func (r *reader) keys(n *document.Node, path string) []string {
	var list []string
	for i, item := range r.Items(n, path, maxSteps) {
		if s := r.Text(item, document.Index(path, i), maxName); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// keyOf returns the key that a step is written with.
func keyOf(step *document.Node) string {
	for _, k := range Kinds() {
		if k.Asks() || k == Shed {
			if key := step.Get(string(k)).Str(); key != "" {
				return key
			}
		}
	}
	return ""
}

// checkAgain reports keys that are not asked, or that no earlier version asked.
func (r *reader) checkAgain(d draft, v Version, before []Version) {
	asks := func(v Version, key string) bool {
		return slices.ContainsFunc(v.Steps, func(s Step) bool { return s.Kind.Asks() && s.Key == key })
	}
	for _, key := range d.again {
		earlier := slices.ContainsFunc(before, func(o Version) bool { return asks(o, key) })
		if !asks(v, key) || !earlier {
			r.Wrong(
				d.at.Get("again"),
				"again",
				"The question %s is not asked by %s and an earlier version.",
				document.Quote(key),
				v.Name,
			)
		}
	}
}

// version checks one version: its steps in order, its task and its results.
func (r *reader) version(d draft) Version {
	v := Version{Name: d.name, Again: d.again}
	if len(d.steps) > maxSteps {
		r.Wrong(d.at, "steps", "This version has too many steps: at most %d are allowed.", maxSteps)
		return v
	}
	c := newChecker(r, d)
	for i, n := range d.steps {
		if s, ok := c.step(n, d.paths[i], false); ok {
			v.Steps = append(v.Steps, s)
		}
	}
	c.endRound()
	v.Task = c.task(d.task)
	if d.result == nil {
		r.Wrong(d.at, "result", "The field “result” is missing: the text that the call ends with.")
		return v
	}
	v.Result = c.endings(d.result, "result")
	if r.Count() == 0 {
		r.reach(v)
	}
	return v
}
