package flow

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
)

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
	e := c.always(n, path)
	return Reaction{End: &e}
}

// always reads an ending that has no condition of its own.
func (c *checker) always(n *document.Node, path string) Ending {
	e := c.ending(n, path)
	if n.Gives("when") {
		c.Wrong(n.Get("when"), document.Join(path, "when"), "Only a step and a result can have a condition.")
	}
	return e
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
	if n.Gives("text") == n.Gives("error") {
		c.Wrong(n, path, "Write either text or error.")
		return e
	}
	e.When = c.when(n, path)
	if e.Error = n.Gives("error"); e.Error {
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
