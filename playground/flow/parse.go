package flow

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

// Parse reads a flow, YAML or JSON, and checks all of it. It returns either the
// flow or what is wrong with it.
func Parse(source []byte) (*Flow, []document.Problem) {
	root, problems := document.Parse(source)
	if len(problems) > 0 {
		return nil, problems
	}
	r := &reader{budget: maxAnalysis}
	f := r.flow(root)
	if problems := r.Problems(); len(problems) > 0 {
		return nil, problems
	}
	f.document, f.Warnings = root, r.warnings.Problems()
	return f, nil
}

// reader reads a flow from a document.
type reader struct {
	document.Reader
	arguments []Field
	warnings  document.Reader
	budget    int // what the analysis may still cost, in values that it computes
}

// toolName follows server/tools, "Tool Names".
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

func (r *reader) flow(root *document.Node) *Flow {
	f := &Flow{}
	if root.Kind != document.Map {
		r.Wrong(root, "", "A flow begins with its fields: flow, name, steps, result.")
		return f
	}
	if !r.Fields(root, "", "flow", "name", "title", "description", "arguments", "steps", "task", "result",
		"state", "instances", "versions") {
		return f
	}
	if v, ok := r.Number(root.Get("flow"), "flow"); !ok || v != 1 {
		r.Wrong(
			cmpNode(root.Get("flow"), root),
			"flow",
			"A flow begins with flow: 1, the version of the format.",
		)
	}
	f.Name = r.Needed(root, "", "name", maxName)
	if f.Name != "" && !toolName.MatchString(f.Name) {
		r.Wrong(root.Get("name"), "name", "The name of a tool has letters a to z, digits, _, - and . only.")
	}
	f.Title = r.Text(root.Get("title"), "title", 200)
	f.Description = r.Text(root.Get("description"), "description", maxText)
	if root.Has("arguments") {
		r.arguments = r.fields(root.Get("arguments"), "arguments", 1)
	}
	f.Arguments = r.arguments
	f.State = r.state(root.Get("state"))
	f.Instances = r.Text(root.Get("instances"), "instances", 200)
	f.Versions = r.versions(root)
	r.instances(root.Get("instances"), f)
	return f
}

// cmpNode returns the first node that is there.
func cmpNode(nodes ...*document.Node) *document.Node {
	for _, n := range nodes {
		if n != nil {
			return n
		}
	}
	return nil
}

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
			r.Wrong(n, "instances", "%s is no instance. Write instances such as a:v1,b:v2; "+
				"their names are a to h.", document.Quote(entry))
			return
		case seen[entry[0]]:
			r.Wrong(n, "instances", "The instance %s is there twice.", words[0])
		case len(words) > 1 && words[1][0] == 'v' && f.Version(words[1]) == nil && r.Count() == 0:
			r.Wrong(n, "instances", "The flow has no version %s.", words[1])
		}
		seen[entry[0]] = true
	}
}

// Lifetimes that a state can have.
const (
	minLife = time.Second
	maxLife = 24 * time.Hour
)

func (r *reader) state(n *document.Node) State {
	if n.KindOf() == document.Absent || !r.Fields(n, "state", "protection", "life") {
		return State{}
	}
	s := State{
		Protection: r.Choice(n.Get("protection"), "state.protection", "sealed", "signed", "plain"),
		Life:       r.Text(n.Get("life"), "state.life", 20),
	}
	if d, err := time.ParseDuration(s.Life); s.Life != "" && (err != nil || d < minLife || d > maxLife) {
		r.Wrong(n.Get("life"), "state.life", "Write a time from 1s to 24h, such as 10m.")
	}
	return s
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
				r.Wrong(n.Get("version"), path, "The version %s is there twice.", d.name)
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
	if n.Has("steps") {
		d.steps, d.paths = nil, nil
	}
	for _, name := range []string{"steps", "add"} {
		place := document.Join(path, name)
		for i, step := range r.Items(n.Get(name), place, maxSteps) {
			d.steps, d.paths = append(d.steps, step), append(d.paths, document.Index(place, i))
		}
	}
	if n.Has("task") {
		d.task = n.Get("task")
	}
	if n.Has("result") {
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

// checker reads the steps of one version. It knows which names an expression
// can use at each step.
type checker struct {
	*reader
	scope   scope
	keys    map[string]int // every key, with the line where it is
	pending []Step         // questions of the round that is being read
	seconds float64
	derived bool // from an earlier version
}

func newChecker(r *reader, d draft) *checker {
	c := &checker{reader: r, keys: map[string]int{}, derived: d.name != "v1", scope: scope{
		names: map[string]*Type{
			"args":      argumentTypes(r.arguments),
			"answers":   {Kind: Object, Fields: map[string]*Type{}},
			"actions":   {Kind: Object, Fields: map[string]*Type{}},
			"instances": {Kind: Object, Fields: map[string]*Type{}},
			"version":   textType,
			"instance":  textType,
		}, later: map[string]int{},
	}}
	all := slices.Clone(d.steps)
	if steps := d.task.Get("steps"); steps != nil {
		all = append(all, steps.Items...)
	}
	for _, n := range all {
		if key := keyOf(n); key != "" {
			c.scope.later[key] = n.Line
		}
	}
	return c
}

// argumentTypes returns the type of all arguments. The server checks that those
// that are required are there.
func argumentTypes(arguments []Field) *Type {
	t := objectOf(arguments)
	for _, f := range arguments {
		if f.Kind == Choice && f.Required {
			t.Fields[f.Name].Given = true
		}
	}
	return t
}

// endRound makes the answers of a round known to what follows.
func (c *checker) endRound() {
	for _, s := range c.pending {
		delete(c.scope.later, s.Key)
		if t := answerType(s); t != nil {
			c.scope.names["answers"].Fields[s.Key] = t
		}
		c.scope.names["actions"].Fields[s.Key] = actionType
	}
	c.pending, c.scope.sameRound = nil, nil
}

// actionType is the type of an action: "" if the question was not asked.
var actionType = &Type{Kind: TextField, Values: []string{"accept", "decline", "cancel"}}

// answerType returns the type of the answer to a question, nil if it has no
// values.
func answerType(s Step) *Type {
	switch s.Kind {
	case Form:
		return objectOf(s.Fields)
	case Sampling:
		return &Type{Kind: Object, Fields: map[string]*Type{"text": textType, "model": textType}}
	case Roots:
		return &Type{Kind: Object, Fields: map[string]*Type{"uris": textsType, "names": textsType}}
	}
	return nil
}

// stepNames are the fields of each kind of step, besides its own name and when.
var stepNames = map[StepKind][]string{
	Form:     {"message", "fields", "together", "decline", "cancel"},
	URL:      {"message", "page", "together", "decline", "cancel"},
	Sampling: {"prompt", "system", "maxTokens", "together"},
	Roots:    {"together"},
	Shed:     nil,
	Progress: {"done", "of", "seconds"},
	End:      nil,
}

// step reads one step.
func (c *checker) step(n *document.Node, path string, inTask bool) (Step, bool) {
	s := Step{Path: path, Line: n.Line}
	if n.KindOf() != document.Map {
		c.Wrong(n, path, "A step is a set of fields that begins with its kind, for example form: reason.")
		return s, false
	}
	var kinds []string
	for _, k := range Kinds() {
		if n.Has(string(k)) {
			kinds = append(kinds, string(k))
		}
	}
	if len(kinds) != 1 {
		c.Wrong(n, path, "A step has exactly one of: form, url, sampling, roots, shed, progress, end.")
		return s, false
	}
	s.Kind = StepKind(kinds[0])
	before := c.Count()
	c.Fields(n, path, slices.Concat(stepNames[s.Kind], []string{kinds[0], "when"})...)
	s.Together = c.Bool(n.Get("together"), document.Join(path, "together"))
	if s.Together && len(c.pending) == 0 && c.derived {
		s.Together = false // the question that it was asked with is gone
	}
	if s.Together && len(c.pending) == 0 && c.Count() == before {
		c.Wrong(n.Get("together"), document.Join(path, "together"),
			"The step before this one must be a question, so that both are asked in one round.")
	}
	if !s.Together {
		c.endRound()
	}
	s.When = c.when(n, path)
	c.content(&s, n, path, inTask)
	return s, c.Count() == before
}

// when reads the condition of a step or an ending.
func (c *checker) when(n *document.Node, path string) *Expr {
	at, place := n.Get("when"), document.Join(path, "when")
	if at.KindOf() == document.Bool { // true and false are conditions, too
		at = &document.Node{Kind: document.Text, Text: at.Text, Line: at.Line, Column: at.Column}
	}
	source := c.Text(at, place, maxExpression)
	if source == "" {
		return nil
	}
	e, err := condition(source, c.scope)
	if err != nil {
		c.Wrong(at, place, "%s", err)
		return nil
	}
	return e
}

// text reads a text with values.
func (c *checker) text(n *document.Node, path string) Text {
	source := c.Text(n, path, maxText)
	t, err := parseText(source, c.scope)
	if err != nil {
		c.Wrong(n, path, "%s", err)
	}
	if name := singleBraces.FindStringSubmatch(source); name != nil && err == nil {
		if e, err := compile(name[1], c.scope); err == nil && e.Op == Name {
			c.warnings.Wrong(n, path, "One brace is text. For the value, write {{%s}}.", name[1])
		} else if words := c.scope.suggestPath(name[1]); strings.Contains(words, "args.") ||
			strings.Contains(words, "answers.") {
			c.warnings.Wrong(n, path, "{%s} is text. For a value, use two braces.%s", name[1], words)
		}
	}
	return t
}

// singleBraces is a name in single braces, as other templates have it.
var singleBraces = regexp.MustCompile(`(?:^|[^{])\{([A-Za-z_][A-Za-z0-9_.]*)\}(?:[^}]|$)`)

// needed is text for a field that must be there.
func (c *checker) needed(around *document.Node, path, name string) Text {
	if c.Needed(around, path, name, maxText) == "" {
		return nil
	}
	return c.text(around.Get(name), document.Join(path, name))
}

// content reads what each kind of step has.
func (c *checker) content(s *Step, n *document.Node, path string, inTask bool) {
	switch s.Kind {
	case Form, URL, Sampling, Roots:
		c.question(s, n, path)
	case Shed:
		c.key(s, n, path)
		if inTask {
			c.Wrong(n, path, "A task cannot shed its work: it has no requestState.")
		}
		c.scope.names["instances"].Fields[s.Key] = textType
		delete(c.scope.later, s.Key)
	case Progress:
		c.progress(s, n, path)
	case End:
		s.End = c.ending(n.Get("end"), document.Join(path, "end"))
		if s.When == nil && c.Count() == 0 {
			c.Wrong(n, path, "This step always ends the call. Give it a condition with when, "+
				"or use the field result.")
		}
	}
}

// key reads the key of a step, which is unique.
func (c *checker) key(s *Step, n *document.Node, path string) {
	at := n.Get(string(s.Kind))
	s.Key = c.Needed(n, path, string(s.Kind), maxName)
	if s.Key == "" || !c.name(at, path, s.Key) {
		return
	}
	if line, ok := c.keys[s.Key]; ok {
		c.Wrong(at, path, "The key %s is there twice: it is at line %d, too.", document.Quote(s.Key), line)
	}
	c.keys[s.Key] = n.Line
}

func (c *checker) question(s *Step, n *document.Node, path string) {
	c.key(s, n, path)
	switch s.Kind {
	case Form:
		s.Message = c.needed(n, path, "message")
		c.form(s, n, path)
	case URL:
		s.Message = c.needed(n, path, "message")
		s.Page = c.page(n.Get("page"), document.Join(path, "page"))
	case Sampling:
		s.Message = c.needed(n, path, "prompt")
		s.System = c.text(n.Get("system"), document.Join(path, "system"))
		s.MaxTokens = c.tokens(n.Get("maxTokens"), document.Join(path, "maxTokens"))
	}
	if s.Kind == Form || s.Kind == URL {
		s.Decline = c.reaction(n.Get("decline"), document.Join(path, "decline"))
		s.Cancel = c.reaction(n.Get("cancel"), document.Join(path, "cancel"))
	}
	c.pending = append(c.pending, *s)
	if c.scope.sameRound == nil {
		c.scope.sameRound = map[string]bool{}
	}
	c.scope.sameRound[s.Key] = true
}

// form reads the fields of a form. It must not ask for secrets
// (client/elicitation, "Security Considerations").
func (c *checker) form(s *Step, n *document.Node, path string) {
	place := document.Join(path, "fields")
	s.Fields = c.fields(n.Get("fields"), place, 1)
	s.Schema = SchemaOf(s.Fields)
	if !flat(s.Fields) {
		c.warnings.Wrong(n.Get("fields"), place, "The specification allows only forms without objects and "+
			"lists of texts (client/elicitation). Many clients cannot show this one.")
	}
	for _, f := range s.Fields {
		if form.AsksSecret(f.Name) || form.AsksSecret(f.Title) {
			c.Wrong(n.Get("fields"), document.Join(place, f.Name),
				"A form must not ask for a secret. Use a url step, whose page is not seen by the client.")
		}
	}
	if text, _ := s.Message.Plain(); form.RequestsSecret(text) {
		c.Wrong(n.Get("message"), document.Join(path, "message"),
			"A form must not ask for a secret. Use a url step, whose page is not seen by the client.")
	}
}

func (c *checker) page(n *document.Node, path string) Page {
	if n.KindOf() == document.Absent {
		return Page{Button: "Done"}
	}
	if !c.Fields(n, path, "title", "text", "button") {
		return Page{}
	}
	p := Page{
		Title:  c.Text(n.Get("title"), document.Join(path, "title"), 200),
		Text:   c.text(n.Get("text"), document.Join(path, "text")),
		Button: c.Text(n.Get("button"), document.Join(path, "button"), 60),
	}
	if p.Button == "" {
		p.Button = "Done"
	}
	return p
}

// defaultTokens is maxTokens of a Sampling that has none.
const defaultTokens = 400

func (c *checker) tokens(n *document.Node, path string) int {
	v, ok := c.Number(n, path)
	if !ok {
		return defaultTokens
	}
	if v < 1 || v > 100000 || v != float64(int(v)) {
		c.Wrong(n, path, "Write a whole number from 1 to 100000.")
		return defaultTokens
	}
	return int(v)
}

func (c *checker) progress(s *Step, n *document.Node, path string) {
	s.Message = c.needed(n, path, string(Progress))
	s.Done, _ = c.Number(n.Get("done"), document.Join(path, "done"))
	s.Of, _ = c.Number(n.Get("of"), document.Join(path, "of"))
	s.Seconds, _ = c.Number(n.Get("seconds"), document.Join(path, "seconds"))
	if s.Done < 0 || s.Of < 0 || s.Of > 0 && s.Done > s.Of {
		c.Wrong(n, path, "done is a number from 0 to the number of the field of.")
	}
	if s.Seconds < 0 {
		c.Wrong(n.Get("seconds"), document.Join(path, "seconds"), "A time is not negative.")
	}
	if c.seconds += max(s.Seconds, 0); c.seconds > maxSeconds {
		c.Wrong(n, path, "All progress of a call takes at most %d seconds.", maxSeconds)
	}
}

// Words for reactions.
const (
	continueWord = "continue"
	againWord    = "again"
)

func (c *checker) reaction(n *document.Node, path string) Reaction {
	switch {
	case n.KindOf() == document.Absent || n.KindOf() == document.Null:
		return Reaction{}
	case n.Str() == continueWord:
		return Reaction{Continue: true}
	case n.Str() == againWord:
		return Reaction{Again: true}
	}
	if words := document.Suggest(n.Str(), []string{continueWord, againWord}); words != "" {
		c.Wrong(n, path, "%s would be the text of the result.%s", document.Quote(n.Str()), words)
	}
	e := c.ending(n, path)
	return Reaction{End: &e}
}

// ending reads how a call ends: a text, or {text} or {error}.
func (c *checker) ending(n *document.Node, path string) Ending {
	e := Ending{}
	if n != nil {
		e.Line = n.Line
	}
	if n.KindOf() == document.Text {
		e.Text = c.text(n, path)
		if strings.TrimSpace(n.Text) == "" {
			c.Wrong(n, path, "This text is empty.")
		}
		return e
	}
	if n.KindOf() != document.Map {
		c.Wrong(n, path, "Write a text, or error: and a text.")
		return e
	}
	c.Fields(n, path, "when", "text", "error")
	if n.Has("text") == n.Has("error") {
		c.Wrong(n, path, "Write either text or error.")
		return e
	}
	e.When = c.when(n, path)
	if e.Error = n.Has("error"); e.Error {
		e.Text = c.needed(n, path, "error")
	} else {
		e.Text = c.needed(n, path, "text")
	}
	return e
}

// endings reads the results of a call: one, or a list of which the first counts
// whose condition holds.
func (c *checker) endings(n *document.Node, path string) []Ending {
	if n.KindOf() != document.List {
		e := c.ending(n, path)
		if e.When != nil {
			c.Wrong(n, path, "A result with a condition needs another one after it, without a condition.")
		}
		return []Ending{e}
	}
	items := c.Items(n, path, maxSteps)
	if len(n.Items) == 0 {
		c.Wrong(n, path, "Write at least one result.")
	}
	var list []Ending
	for i, item := range items {
		e := c.ending(item, document.Index(path, i))
		if last := i == len(items)-1; last && e.When != nil {
			c.Wrong(item, document.Index(path, i),
				"The last result must have no condition, so that every call has a result.")
		} else if !last && e.When == nil && c.Count() == 0 {
			c.Wrong(item, document.Index(path, i),
				"This result has no condition, so those after it are never used.")
		}
		list = append(list, e)
	}
	return list
}

// task reads the work after the call.
func (c *checker) task(n *document.Node) *Task {
	if n.KindOf() == document.Absent || !c.Fields(n, "task", "required", "steps") {
		return nil
	}
	t := &Task{Required: c.Bool(n.Get("required"), "task.required")}
	items := c.Items(n.Get("steps"), "task.steps", maxSteps)
	if len(items) == 0 {
		c.Wrong(n, "task", "A task needs steps.")
	}
	for i, item := range items {
		if s, ok := c.step(item, document.Index("task.steps", i), true); ok {
			t.Steps = append(t.Steps, s)
		}
	}
	c.endRound()
	return t
}
