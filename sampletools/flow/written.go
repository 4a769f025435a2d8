package flow

import (
	"encoding/json"
	"slices"
)

// written is a flow as it is written.
type written struct {
	Flow                     float64
	Name, Title, Description string
	Arguments                json.RawMessage
	Steps                    []writtenStep
	Task                     *writtenTask
	Result                   json.RawMessage
	State                    *struct{ Protection, Life string }
	Instances                string
	Versions                 []writtenVersion
}

type writtenTask struct {
	Required bool
	Steps    []writtenStep
}

type writtenVersion struct {
	Version        string
	Without, Again []string
	Add, Steps     []writtenStep
	Task           *writtenTask
	Result         json.RawMessage
}

// writtenStep is a step. One of the first seven members says what it does.
type writtenStep struct {
	Form, URL, Sampling, Roots, Shed, Progress string
	End                                        json.RawMessage

	When                    writtenCondition
	Together                bool
	Message, Prompt, System string
	MaxTokens               float64
	Fields                  json.RawMessage
	Page                    *struct{ Title, Text, Button string }
	Decline, Cancel         json.RawMessage
	Done, Of, Seconds       float64
}

// writtenCondition is an expression; true and false are some, too.
type writtenCondition string

// UnmarshalJSON implements [json.Unmarshaler].
func (c *writtenCondition) UnmarshalJSON(raw []byte) error {
	if s := string(raw); s == "true" || s == "false" {
		*c = writtenCondition(s)
		return nil
	}
	return json.Unmarshal(raw, (*string)(c))
}

// kind returns what a step does and its key, or false if it is no step.
func (s writtenStep) kind() (Kind, string, bool) {
	found, key, n := end, "", 0
	for _, k := range []struct {
		kind Kind
		key  string
	}{
		{Form, s.Form}, {URL, s.URL}, {Sampling, s.Sampling}, {Roots, s.Roots}, {shed, s.Shed},
		{progress, s.Progress},
	} {
		if k.key != "" {
			found, key = k.kind, k.key
			n++
		}
	}
	if !isAbsent(s.End) {
		n++
	}
	if found == progress {
		key = ""
	}
	return found, key, n == 1
}

// draft is a version before its steps are compiled.
type draft struct {
	name   string
	steps  []writtenStep
	task   *writtenTask
	result json.RawMessage
	again  []string
}

// drafts returns all versions. The first is v1, and each other changes the one before
// it.
func (w written) drafts() []draft {
	d := draft{name: "v1", steps: w.Steps, task: w.Task, result: w.Result}
	list := []draft{d}
	for _, v := range w.Versions {
		d.name, d.again = v.Version, v.Again
		steps := slices.Clone(v.Steps)
		if v.Steps == nil {
			steps = slices.DeleteFunc(slices.Clone(d.steps), func(s writtenStep) bool {
				_, key, _ := s.kind()
				return key != "" && slices.Contains(v.Without, key)
			})
		}
		d.steps = append(steps, v.Add...)
		if v.Task != nil {
			d.task = v.Task
		}
		if !isAbsent(v.Result) {
			d.result = v.Result
		}
		list = append(list, d)
	}
	return list
}
