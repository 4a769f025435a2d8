package flow

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"
)

// toolName follows server/tools, "Tool Names".
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

var versionName = regexp.MustCompile(`^v[1-9][0-9]?$`)

// Read reads a flow and compiles it. The error wraps a [Refusal].
func Read(source []byte) (*Flow, error) {
	if len(source) > maxSource {
		return nil, Refusal("the flow is too long")
	}
	var w written
	if err := strict(source, &w); err != nil {
		return nil, err
	}
	f := &Flow{Name: w.Name, Title: w.Title, Description: w.Description, Instances: w.Instances}
	switch {
	case w.Flow != 1:
		return nil, Refusal("it is not version 1 of the format of flows")
	case !toolName.MatchString(w.Name):
		return nil, Refusal("the name of its tool is not allowed")
	case utf8.RuneCountInString(w.Title+w.Description) > 2*maxText:
		return nil, Refusal("a text is too long")
	}
	var err error
	if f.arguments, err = readFields(w.Arguments, 1); err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	f.Input = schemaOf(f.arguments)
	if err := f.readState(w); err != nil {
		return nil, err
	}
	r := &reader{arguments: objectOf(f.arguments), compiled: map[string]*expression{}}
	for _, d := range w.drafts() {
		v, err := r.version(d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cut(d.name), err)
		}
		if f.Version(v.Name) != nil || len(f.Versions) == maxVersions {
			return nil, Refusal("it has too many versions, or one of them twice")
		}
		f.Versions = append(f.Versions, v)
	}
	return f, nil
}

func (f *Flow) readState(w written) (err error) {
	if w.State == nil {
		return nil
	}
	f.Protection = w.State.Protection
	if !slices.Contains([]string{"", "sealed", "signed", "plain"}, f.Protection) {
		return Refusal("the protection of its state is not known")
	}
	if w.State.Life == "" {
		return nil
	}
	if f.Life, err = time.ParseDuration(w.State.Life); err != nil || f.Life < time.Second ||
		f.Life > maxLife {
		return Refusal("the life of its state must be from 1s to 24h")
	}
	return nil
}

// reader compiles versions.
type reader struct {
	arguments *typ
	compiled  map[string]*expression // by source: versions share most steps
}

// compile returns a compiled expression. One of another version is used again if its
// names have the same types.
func (r *reader) compile(source string, names *typ, condition bool) (*expression, error) {
	key := fmt.Sprint(condition, source)
	if e := r.compiled[key]; e != nil && e.fits(names) {
		return e, nil
	}
	e, err := compile(source, names, condition)
	if err == nil {
		r.compiled[key] = e
	}
	return e, err
}

// fits reports whether the names of an expression have their types in a scope.
func (e *expression) fits(names *typ) bool {
	return !slices.ContainsFunc(e.names, func(n name) bool {
		t := names
		for _, part := range n.path {
			if t = t.field(part); t == nil {
				return true
			}
		}
		return !t.equal(n.typ)
	})
}

// version compiles one version.
func (r *reader) version(d draft) (*Version, error) {
	if !versionName.MatchString(d.name) {
		return nil, Refusal("the name of a version is not allowed")
	}
	v := &Version{Name: d.name, HasTask: d.task != nil, again: map[string]bool{}}
	for _, key := range d.again {
		v.again[key] = true
	}
	all := d.steps
	if d.task != nil {
		v.TaskRequired = d.task.Required
		all = append(slices.Clip(all), d.task.Steps...)
	}
	if len(d.steps) > maxSteps || len(all) > 2*maxSteps {
		return nil, Refusal("it has too many steps")
	}
	c := checker{reader: r, keys: map[string]bool{}, fields: make([][]field, len(all))}
	if err := c.scope(all); err != nil {
		return nil, err
	}
	for i, w := range all {
		s, err := c.step(i, w)
		if err == nil && s.kind == shed && i >= len(d.steps) {
			err = Refusal("a task cannot shed its work: it has no requestState")
		}
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		if i < len(d.steps) {
			v.steps = append(v.steps, s)
		} else {
			v.task = append(v.task, s)
		}
	}
	var err error
	v.result, err = c.endings(d.result)
	return v, err
}

// checker compiles the steps of one version.
type checker struct {
	*reader
	names  *typ // what expressions may name
	keys   map[string]bool
	fields [][]field // of the forms, by the index of the step
	waits  time.Duration
}

// scope collects what expressions may name: the arguments, and the answers, actions
// and instances of all steps. What is not known yet is empty.
func (c *checker) scope(all []writtenStep) error {
	answers, actions, instances := objectOf(nil), objectOf(nil), objectOf(nil)
	for i, w := range all {
		kind, key, ok := w.kind()
		if !ok {
			return fmt.Errorf("step %d: %w", i+1, Refusal("it has no kind, such as form"))
		}
		if key == "" {
			continue
		}
		if err := checkName(key); err != nil {
			return err
		}
		if c.keys[key] {
			return Refusal("the key " + key + " is defined twice")
		}
		c.keys[key] = true
		switch kind {
		case Form:
			fields, err := readFields(w.Fields, 1)
			if err != nil {
				return fmt.Errorf("the form %s: %w", key, err)
			}
			c.fields[i] = fields
			answers.fields[key] = objectOf(fields)
		case Sampling:
			answers.fields[key] = &typ{kind: "object", fields: map[string]*typ{"text": textType,
				"model": textType}}
		case Roots:
			answers.fields[key] = &typ{kind: "object", fields: map[string]*typ{"uris": textsType,
				"names": textsType}}
		case shed:
			instances.fields[key] = textType
			continue
		}
		actions.fields[key] = textType
	}
	c.names = &typ{kind: "object", fields: map[string]*typ{
		"args": c.arguments, "answers": answers, "actions": actions, "instances": instances,
		"version": textType, "instance": textType,
	}}
	return nil
}

// step compiles one step.
func (c *checker) step(i int, w writtenStep) (s step, err error) {
	s = step{together: w.Together, done: w.Done, of: w.Of, fields: c.fields[i]}
	s.kind, s.key, _ = w.kind()
	if s.when, err = c.condition(w.When); err != nil {
		return s, err
	}
	message := w.Message
	switch s.kind {
	case Form:
		s.schema = schemaOf(s.fields)
	case Sampling:
		message = w.Prompt
	case progress:
		message = w.Progress
	}
	if s.message, err = c.readText(message, c.names); err != nil {
		return s, err
	}
	switch s.kind {
	case Form, URL:
		if s.decline, err = c.reaction(w.Decline); err == nil {
			s.cancel, err = c.reaction(w.Cancel)
		}
		if err == nil && s.kind == URL {
			s.page, err = c.page(w)
		}
	case Sampling:
		if s.maxTokens = 400; w.MaxTokens >= 1 && w.MaxTokens <= 100000 {
			s.maxTokens = int(w.MaxTokens)
		}
		s.system, err = c.readText(w.System, c.names)
	case progress:
		err = c.wait(&s, w.Seconds)
	case end:
		s.end, err = c.ending(w.End)
	}
	return s, err
}

// wait reads how long a progress takes.
func (c *checker) wait(s *step, seconds float64) error {
	if seconds < 0 || seconds > MaxWait.Seconds() {
		return Refusal("a progress takes too long")
	}
	s.wait = time.Duration(seconds * float64(time.Second))
	if c.waits += s.wait; c.waits > MaxWait {
		return Refusal("all progress of a call takes too long")
	}
	return nil
}

func (c *checker) page(w writtenStep) (p page, err error) {
	p.button = "Done"
	if w.Page == nil {
		return p, nil
	}
	p.title = w.Page.Title
	if w.Page.Button != "" {
		p.button = w.Page.Button
	}
	if utf8.RuneCountInString(p.title+p.button) > maxText {
		return p, Refusal("a text is too long")
	}
	p.text, err = c.readText(w.Page.Text, c.names)
	return p, err
}

func (c *checker) condition(source writtenCondition) (*expression, error) {
	if source == "" {
		return nil, nil
	}
	return c.compile(string(source), c.names, true)
}

func (c *checker) reaction(raw json.RawMessage) (reaction, error) {
	switch {
	case isAbsent(raw):
		return reaction{}, nil
	case string(raw) == `"continue"`:
		return reaction{goesOn: true}, nil
	case string(raw) == `"again"`:
		return reaction{again: true}, nil
	}
	e, err := c.ending(raw)
	return reaction{end: &e}, err
}

// ending reads how a call ends: a text, or an object with text or error.
func (c *checker) ending(raw json.RawMessage) (e ending, err error) {
	var w struct {
		When        writtenCondition
		Text, Error string
	}
	if json.Unmarshal(raw, &w.Text) != nil {
		if err := strict(raw, &w); err != nil {
			return e, err
		}
	}
	words := w.Text
	if e.err = w.Error != ""; e.err {
		words = w.Error
	}
	if e.when, err = c.condition(w.When); err == nil {
		e.text, err = c.readText(words, c.names)
	}
	return e, err
}

// endings reads the results of a call. The last one has no condition.
func (c *checker) endings(raw json.RawMessage) ([]ending, error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	if len(list) == 0 || len(list) > maxSteps {
		return nil, Refusal("it has no result, or too many")
	}
	var all []ending
	for _, item := range list {
		e, err := c.ending(item)
		if err != nil {
			return nil, fmt.Errorf("result: %w", err)
		}
		all = append(all, e)
	}
	if all[len(all)-1].when != nil {
		return nil, Refusal("its last result has a condition")
	}
	return all, nil
}
