package flow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

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

// endRound makes the answers of a round known to the following steps.
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
		} else if words := c.scope.suggestPath(name[1]); strings.Contains(words, "“args") ||
			strings.Contains(words, "“answers") {
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
		s.End = c.always(n.Get("end"), document.Join(path, "end"))
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
		c.Wrong(at, path, "The key %s is already used at line %d.", document.Quote(s.Key), line)
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

// form reads the fields of a form.
func (c *checker) form(s *Step, n *document.Node, path string) {
	place := document.Join(path, "fields")
	s.Fields = c.fields(n.Get("fields"), place, 1)
	s.Schema = SchemaOf(s.Fields)
	if !flat(s.Fields) {
		c.warnings.Wrong(n.Get("fields"), place, "The specification allows only forms without objects and "+
			"lists of texts (client/elicitation). Many clients cannot show this one.")
	}
	if c.reviewer != nil {
		c.secrets(*s, n, path)
	}
}

// secrets reports a form that asks for one, which it must not (client/elicitation,
// "Security Considerations").
func (c *checker) secrets(s Step, n *document.Node, path string) {
	const words = "A form must not ask for a secret. Use a url step, whose page is not seen by the client."
	for _, f := range s.Fields {
		if c.reviewer.NamesSecret(f.Name) || c.reviewer.NamesSecret(f.Title) {
			c.Wrong(n.Get("fields"), document.Join(document.Join(path, "fields"), f.Name), words)
		}
	}
	if text, _ := s.Message.Plain(); c.reviewer.RequestsSecret(text) {
		c.Wrong(n.Get("message"), document.Join(path, "message"), words)
	}
}

func (c *checker) page(n *document.Node, path string) Page {
	if n.KindOf() == document.Absent || n.KindOf() == document.Null {
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
		c.Wrong(n, path, "done must be between 0 and of.")
	}
	if s.Seconds < 0 {
		c.Wrong(n.Get("seconds"), document.Join(path, "seconds"), "A time is not negative.")
	}
	if c.seconds += max(s.Seconds, 0); c.seconds > maxSeconds {
		c.Wrong(n, path, "All progress of a call takes at most %d seconds.", maxSeconds)
	}
}
